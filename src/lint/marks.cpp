#include "marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace rta::lint {
namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Cuts the first word off.
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::string_view word = text.substr(0, text.find_first_of(blanks));
  text = trimmed(text.substr(word.size()));
  return word;
}

/// What follows `rta:` in a comment; nothing where it is no mark.
std::optional<std::string_view> words_of(std::string_view comment) {
  if (comment.ends_with("*/")) comment.remove_suffix(2);
  const std::size_t first = comment.find_first_not_of("/*!< \t");
  if (first == std::string_view::npos) return std::nullopt;
  comment = comment.substr(first, comment.find('\n', first) - first);
  if (!comment.starts_with("rta:")) return std::nullopt;
  return trimmed(comment.substr(4));
}

/// The characters of a string literal that needs no translation.
std::string_view literal(const Code& code, Range argument) {
  if (argument.end != argument.begin + 1 || code[argument.begin].kind != TokenKind::string) return {};
  std::string_view text = code[argument.begin].text;
  const std::size_t open = text.find('"');
  if (open == std::string_view::npos || text.back() != '"' || text.size() < open + 2) return {};
  return text.substr(open + 1, text.size() - open - 2);
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string out(text.substr(0, longest));
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return out;
}

class MarkReader {
 public:
  MarkReader(const Unit& unit, const std::vector<std::string>& job_ranges) : unit_(unit), code_(unit.code()), job_ranges_(job_ranges) {}

  Marks run() {
    for (const Comment& comment : unit_.file().tokens().comments) {
      if (const auto words = words_of(comment.text)) read(comment, *words);
    }
    for (const Open& open : open_) {
      bad(*open.comment, "no `end` follows this `begin`");
      add(open.kind, open.name, {open.comment->before, code_.size()});
    }
    nvtx();
    std::ranges::stable_sort(marks_.regions, {}, [](const Region& r) { return r.tokens.begin; });
    return std::move(marks_);
  }

 private:
  struct Open {
    Region::Kind kind;
    std::string name;
    const Comment* comment;
  };

  void bad(const Comment& comment, std::string message) { marks_.bad.push_back({comment.offset, comment.length, std::move(message)}); }
  void add(Region::Kind kind, std::string name, Range tokens) { marks_.regions.push_back({kind, std::move(name), tokens}); }

  void read(const Comment& comment, std::string_view words) {
    const std::string_view first = take_word(words);
    if (first == "allow") {
      allow(comment, words);
    } else if (first == "job" || first == "start-up") {
      const Region::Kind kind = first == "job" ? Region::Kind::job : Region::Kind::start_up;
      std::string_view rest = words;
      const std::string_view second = take_word(rest);
      if (kind == Region::Kind::start_up && !rest.empty()) {
        bad(comment, fmt::format("'{}' follows: start-up has no name", shown(rest)));
      } else if (second == "begin") {
        open_.push_back({kind, std::string(rest), &comment});
      } else if (second == "end") {
        close(comment, kind, rest);
      } else if (kind == Region::Kind::start_up && !second.empty()) {
        bad(comment, fmt::format("'start-up {}': only `begin` or `end` may follow `start-up`", shown(second)));
      } else {
        attach(comment, kind, std::string(words));
      }
    } else {
      bad(comment, fmt::format("'{}' is no mark (there are: job, start-up, allow)", shown(first)));
    }
  }

  void close(const Comment& comment, Region::Kind kind, std::string_view name) {
    if (open_.empty() || open_.back().kind != kind) {
      bad(comment, "no such `begin` precedes this `end`");
      return;
    }
    const Open open = std::move(open_.back());
    open_.pop_back();
    if (!name.empty() && name != open.name) bad(comment, fmt::format("ends '{}', but '{}' was begun last", shown(name), shown(open.name)));
    add(open.kind, open.name, {open.comment->before, comment.before});
  }

  /// To the function whose head follows, else to the statement.
  void attach(const Comment& comment, Region::Kind kind, std::string name) {
    const std::uint32_t next = comment.before;
    if (next >= code_.size() || code_.is(next, "}")) {
      bad(comment, "no function and no statement follows");
      return;
    }
    const std::uint32_t f = unit_.function_at(next);
    if (f != no_index && unit_.functions()[f].head.contains(next)) {
      add(kind, std::move(name), unit_.functions()[f].body);
    } else {
      add(kind, std::move(name), statement(next));
    }
  }

  [[nodiscard]] Range statement(std::uint32_t begin) const {
    constexpr std::array<std::string_view, 9> controls{"for", "while", "if", "else", "switch", "do", "try", "{", "case"};
    const bool control = std::ranges::find(controls, code_[begin].text) != controls.end();
    for (std::uint32_t k = begin; k < code_.size(); ++k) {
      if (code_.is(k, ";") || (k > begin && code_.is(k, "}"))) return {begin, k + 1};
      const bool block = code_.is(k, "{");
      k = code_.match(k);
      if (block && control) return {begin, std::min(k + 1, code_.size())};
    }
    return {begin, code_.size()};
  }

  void allow(const Comment& comment, std::string_view words) {
    Allowance allowance;
    allowance.offset = comment.offset;
    allowance.length = comment.length;
    std::string_view names = take_word(words);
    if (names.empty()) {
      bad(comment, "`allow` needs the name of a rule, and a reason");
      return;
    }
    for (std::size_t at = 0; at <= names.size();) {
      const std::size_t comma = std::min(names.find(',', at), names.size());
      const std::string_view name = names.substr(at, comma - at);
      const Rule* const known = rule_named(name);
      if (known == nullptr) {
        bad(comment, fmt::format("no rule is called '{}' (`rta lint --rules` lists them)", shown(name)));
        return;
      }
      allowance.rules.push_back(known->id);
      at = comma + 1;
    }
    if (words.empty()) {
      bad(comment, fmt::format("`allow {}` needs a reason", shown(names)));
      return;
    }
    allowance.reason = words;
    if (comment.own_line) {
      if (comment.before < code_.size()) allowance.tokens = statement(comment.before);
    } else {
      const std::uint32_t line = unit_.file().line(comment.offset);
      allowance.line = line;
      allowance.tokens = {unit_.file().token_at(unit_.file().line_begin(line)), unit_.file().token_at(unit_.file().line_begin(line + 1))};
    }
    marks_.allowances.push_back(std::move(allowance));
  }

  /// Ranges that begin and end in one function; one without an end ends with the function.
  void nvtx() {
    struct Begun {
      RangeMeaning meaning;
      std::uint32_t token;
      std::string_view handle;  // of nvtxRangeStart; empty: of a push
    };
    std::vector<Begun> begun;
    std::uint32_t function = no_index;
    const auto end_all = [&] {
      for (const Begun& one : begun) {
        if (one.meaning.is_mark && function != no_index)
          add(one.meaning.kind, one.meaning.name, {one.token, unit_.functions()[function].body.end});
      }
      begun.clear();
    };
    const auto end = [&](auto which, std::uint32_t token) {
      constexpr std::ptrdiff_t farthest = 100;  // ranges that are open at once; hostile text must not cost more
      const auto last = std::ssize(begun) > farthest ? begun.rbegin() + farthest : begun.rend();
      const auto at = std::find_if(begun.rbegin(), last, which);
      if (at == last) return;
      if (at->meaning.is_mark) add(at->meaning.kind, at->meaning.name, {at->token, token});
      begun.erase(std::next(at).base());
    };
    for (const Call& call : unit_.calls()) {
      const bool push = call.name == "nvtxRangePush" || call.name == "nvtxRangePushA" || call.name == "nvtxRangePushW";
      const bool start = call.name == "nvtxRangeStart" || call.name == "nvtxRangeStartA" || call.name == "nvtxRangeStartW";
      const bool scoped = call.name == "scoped_range" || call.name == "scoped_range_in";
      if (!push && !start && !scoped && call.name != "nvtxRangePop" && call.name != "nvtxRangeEnd") continue;
      if (const std::uint32_t now = unit_.function_at(call.token); now != function) {
        end_all();
        function = now;
      }
      if (function == no_index) continue;
      if (scoped) {
        scoped_range(call);
      } else if (push || start) {
        const Range argument = call.arguments.empty() ? Range{} : call.arguments[0];
        const std::string_view handle = start && code_.is(call.begin - 1, "=") ? code_[call.begin - 2].text : std::string_view{};
        begun.push_back({meaning_of_range(literal(code_, argument), job_ranges_), call.token, handle});
      } else if (call.name == "nvtxRangePop") {
        end([](const Begun& one) { return one.handle.empty(); }, call.token);
      } else if (!call.arguments.empty()) {
        const std::string_view handle = code_[call.arguments[0].end - 1].text;
        end([&](const Begun& one) { return !one.handle.empty() && one.handle == handle; }, call.token);
      }
    }
    end_all();
  }

  /// `nvtx3::scoped_range r{"..."};`: to the end of the block.
  void scoped_range(const Call& call) {
    std::uint32_t open = call.token + 1;
    if (code_.is(open, "<")) open = code_.after_template(open);
    if (code_[open].is_name()) ++open;
    if (!code_.is(open, "{") && !code_.is(open, "(")) return;
    const RangeMeaning meaning = meaning_of_range(literal(code_, {open + 1, code_.match(open)}), job_ranges_);
    if (!meaning.is_mark) return;
    std::uint32_t end = code_.match(open) + 1;
    while (end < code_.size() && !code_.is(end, "}")) end = code_.match(end) + 1;
    add(meaning.kind, meaning.name, {call.token, end});
  }

  const Unit& unit_;
  const Code& code_;
  const std::vector<std::string>& job_ranges_;
  Marks marks_;
  std::vector<Open> open_;
};

}  // namespace

RangeMeaning meaning_of_range(std::string_view name, const std::vector<std::string>& job_ranges) {
  if (name.starts_with("rta:")) {
    std::string_view words = name.substr(4);
    const std::string_view first = take_word(words);
    if (first == "job") return {true, Region::Kind::job, std::string(words)};
    if (first == "start-up" && words.empty()) return {true, Region::Kind::start_up, {}};
    return {};
  }
  if (name.empty()) return {};
  const auto begins = [&](const std::string& text) { return name.starts_with(text); };
  if (std::ranges::any_of(job_ranges, begins)) return {true, Region::Kind::job, std::string(name)};
  return {};
}

Marks marks_of(const Unit& unit, const std::vector<std::string>& job_ranges) { return MarkReader(unit, job_ranges).run(); }

}  // namespace rta::lint
