#include "fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "decimal.hpp"
#include "shown_text.hpp"
#include "utf8.hpp"

namespace rta::io {
namespace {

constexpr std::size_t longest_name = 255;
// Up to here keys are compared one by one.
constexpr std::size_t few_keys = 16;

// What newcomers, and other tools, call the field's symbols and schedulers.
constexpr std::array synonyms = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"period", "T"},
    {"deadline", "D"},
    {"wcet", "C"},
    {"cost", "C"},
    {"time", "C"},
    {"duration", "time"},
    {"blocks", "B"},
    {"items", "B"},
    {"grid", "B"},
    {"block", "H"},
    {"threads", "H"},
    {"threads_per_block", "H"},
    {"length", "L"},
    {"pool", "on"},
    {"cpus", "processors"},
    {"cores", "processors"},
    {"gpu", "device"},
    {"pools", "platform"},
    {"count", "copies"},
    {"bytes", "size"},
    {"bytes", "C"},
    {"size", "C"},
    {"offset", "phase"},
    {"prio", "priority"},
    {"dependencies", "edges"},
    {"precedence", "edges"},
    {"edf", "G-EDF"},
    {"gedf", "G-EDF"},
    {"rm", "FP"},
    {"dm", "FP"},
    {"rms", "FP"},
    {"dms", "FP"},
    {"rate-monotonic", "FP"},
    {"deadline-monotonic", "FP"},
    {"priority", "FP"},
    {"fixed-priority", "FP"},
    {"sched_fifo", "FP"},
    {"sched_deadline", "G-EDF"},
    {"fcfs", "FIFO"},
});

/// What people look for in a task set, and why it is no key.
constexpr std::array no_keys = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"offset", "offsets of nodes are chosen by the analysis; `phase` of a DAG is its first release"},
    {"lock", "locks are not in the model"},
    {"locks", "locks are not in the model"},
    {"mutex", "locks are not in the model"},
    {"semaphore", "locks are not in the model"},
});

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Edits (insert, delete, replace, swap neighbours) that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + static_cast<std::size_t>(a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

std::string unit_names(std::span<const Unit> units) {
  std::vector<std::string_view> names;
  for (const Unit& unit : units) names.push_back(unit.name);
  return joined(names);
}

// Microseconds with the micro sign or the Greek letter.
std::string_view ascii_unit(std::string_view unit) { return unit == "\u00b5s" || unit == "\u03bcs" ? "us" : unit; }

// Null where there is none of that name.
const Unit* unit_of(std::string_view name, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    if (same_name(unit.name, name)) return &unit;
  }
  return nullptr;
}

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view other) { return same_name(other, word); });
}

}  // namespace

std::string joined(std::span<const std::string_view> words) {
  constexpr std::size_t most = 24;
  return words.size() <= most ? fmt::format("{}", fmt::join(words, ", "))
                              : fmt::format("{}, … ({} in all)", fmt::join(words.first(most), ", "), words.size());
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.size() > 32) return {};
  candidates = candidates.first(std::min<std::size_t>(candidates.size(), 256));
  const std::string low = lower(word);
  for (const auto& [synonym, key] : synonyms) {
    if (low == synonym && contains(candidates, key)) return fmt::format("; did you mean '{}'?", key);
  }
  std::string_view best;
  std::size_t best_distance = low.size() < 4 ? 1 : low.size() < 7 ? 2 : 3;  // first distance that is too far
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(low, lower(candidate));
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best.empty() ? std::string() : fmt::format("; did you mean '{}'?", best);
}

std::optional<std::string> name_fault(std::string_view name) {
  const auto harmless = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
  if (!name.empty() && name.size() <= longest_name && std::all_of(name.begin(), name.end(), harmless)) return std::nullopt;
  if (name.empty()) return "a name is empty";
  if (name.size() > longest_name) return fmt::format("the name {} is longer than {} bytes", quote(name), longest_name);
  if (name.find("->") != std::string_view::npos) return fmt::format("{} is no name: '->' stands for an edge", quote(name));
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7f) return fmt::format("{} is no name: a name is one word, without spaces", quote(name));
  }
  // Unicode's line breaks (U+0085, U+2028, U+2029) and no-break space.
  for (const std::string_view space : {"\xC2\x85", "\xC2\xA0", "\xE2\x80\xA8", "\xE2\x80\xA9"}) {
    if (name.find(space) != std::string_view::npos) return fmt::format("{} is no name: a name is one word, without spaces", quote(name));
  }
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t length = character_length(name, at);
    if (length > 0 && commands_a_terminal(code_point(name.substr(at, length))))
      return fmt::format("{} is no name: it has a character that commands a terminal, or that turns the direction of text", quote(name));
    at += std::max<std::size_t>(length, 1);
  }
  return std::nullopt;
}

Fields::Fields(const Value& mapping, Subject subject, Diagnostics& out, std::string_view key_of_mapping)
    : mapping_(&mapping), subject_(subject), out_(&out) {
  if (mapping.kind != Value::Kind::mapping) {
    if (mapping.kind != Value::Kind::rejected) {
      error(mapping, fmt::format("{}{}a mapping (key: value) is expected, not {}", key_of_mapping, key_of_mapping.empty() ? "" : ": ",
                                 kind_text(mapping)));
    }
    return;
  }
  usable_ = true;
  const Value* const end = mapping.next();
  for (const Value* key = mapping.first(); key != end;) {
    const Value* const value = key->next();
    const Value* const following = value->next();
    if (key->kind != Value::Kind::scalar) {
      if (key->kind != Value::Kind::rejected) error(*key, fmt::format("a key is expected, not {}", kind_text(*key)));
      key = following;
      continue;
    }
    const Key named(key->text);
    if (const auto earlier = index_of(named)) {
      error(*key, fmt::format("{} is given twice (first at line {})", quote(key->text), fields_[*earlier].key->mark.line));
    } else {
      places_[named.number()] = static_cast<std::uint32_t>(fields_.size());
      present_ |= bit_of(named.number());
      if (named.number() == 0) beginnings_ |= beginning(key->text);
      fields_.push_back({key, value});
      if (fields_.size() > few_keys) {
        for (std::size_t i = index_.size(); i < fields_.size(); ++i) index_.add(fields_[i].key->text, i);
      }
    }
    key = following;
  }
}

std::optional<std::size_t> Fields::index_of_text(std::string_view key) const {
  if ((beginnings_ & beginning(key)) == 0) return std::nullopt;
  if (fields_.size() > few_keys) return index_.find(key);
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (same_name(fields_[i].key->text, key)) return i;
  }
  return std::nullopt;
}

namespace {

std::string hint(std::string_view key, std::span<const std::string_view> allowed) {
  std::string known = suggestion(key, allowed);
  if (!known.empty() || key.size() > 32) return known;
  const auto* const at = std::ranges::find(no_keys, lower(key), &decltype(no_keys)::value_type::first);
  return at == no_keys.end() ? std::string() : fmt::format(": {}", at->second);
}

}  // namespace

std::vector<const Value*> Fields::allow_only(const KeySet& allowed, const KeySet& elsewhere) const {
  std::vector<const Value*> misplaced;
  if ((present_ & ~allowed.numbered()) == 0) return misplaced;
  for (const Field& field : fields_) {
    const std::string_view key = field.key->text;
    if (contains(allowed.words(), key)) continue;
    if (contains(elsewhere.words(), key)) {
      misplaced.push_back(field.key);
    } else {
      error(*field.key, fmt::format("unknown key {}{} (allowed: {})", quote(key), hint(key, allowed.words()), joined(allowed.words())));
    }
  }
  return misplaced;
}

const Value* Fields::require(Key key, std::string_view hint) const {
  const Value* const value = find(key);
  if (value == nullptr && usable_) error(*mapping_, fmt::format("'{}' is missing: {}", key.text(), hint));
  return value;
}

const Value* Fields::scalar(Key key, std::string_view expected, std::span<const Unit> units) const {
  const Value* const value = find(key);
  if (value == nullptr || value->kind == Value::Kind::rejected) return nullptr;
  if (value->kind == Value::Kind::scalar) return value;
  error(*value,
        fmt::format("{}: a {}{} is expected, not {}", key.text(), expected,
                    units.empty() ? std::string() : fmt::format(" (a number and a unit: {})", unit_names(units)), kind_text(*value)));
  return nullptr;
}

std::optional<std::string_view> Fields::written_name(Key key) const {
  const Value* const value = scalar(key, "name");
  if (value == nullptr) return std::nullopt;
  if (const auto fault = name_fault(value->text)) {
    error(*value, fmt::format("{}: {}", key.text(), *fault));
    return std::nullopt;
  }
  return value->text;
}

std::optional<std::size_t> Fields::written_choice(Key key, std::span<const std::string_view> words) const {
  const Value* const value = scalar(key, "word");
  if (value == nullptr) return std::nullopt;
  const auto at = std::find(words.begin(), words.end(), value->text);
  if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
  error(*value,
        fmt::format("{}: {} is not known{} (allowed: {})", key.text(), quote(value->text), suggestion(value->text, words), joined(words)));
  return std::nullopt;
}

std::optional<bool> Fields::written_flag(Key key) const {
  static constexpr std::array<std::string_view, 2> words{"false", "true"};
  const auto index = choice(key, words);
  return index ? std::optional(*index == 1) : std::nullopt;
}

std::optional<std::uint64_t> Fields::written_integer(Key key, std::uint64_t least, std::uint64_t most) const {
  const Value* const value = scalar(key, "whole number");
  if (value == nullptr) return std::nullopt;
  const auto number = parse_decimal(value->text);
  if (!number || !number->rest.empty() || !number->is_whole()) {
    error(*value, fmt::format("{}: {} is not a whole number", key.text(), quote(value->text)));
    return std::nullopt;
  }
  const auto count = number->scaled(1);
  if (number->negative || (count && count->floor < static_cast<Wide>(least))) {
    error(*value, fmt::format("{}: must be at least {}, not {}", key.text(), least, quote(value->text)));
    return std::nullopt;
  }
  if (!count || count->floor > static_cast<Wide>(most)) {
    error(*value, fmt::format("{}: {} is too large (at most {})", key.text(), quote(value->text), most));
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(count->floor);
}

std::optional<Wide> Fields::quantity(Key key, std::string_view what, std::string_view base, std::span<const Unit> units,
                                     const Unit* default_unit, Wide least, Wide most) const {
  const Value* const value = scalar(key, what, units);
  if (value == nullptr) return std::nullopt;
  const auto fail = [&](std::string_view why) {
    error(*value, fmt::format("{}: {}", key.text(), why));
    return std::nullopt;
  };
  const auto number = parse_decimal(value->text);
  if (!number) return fail(fmt::format("{} is not a {} (a number and a unit: {})", quote(value->text), what, unit_names(units)));
  const Unit* unit = default_unit;
  if (!number->rest.empty()) {
    unit = unit_of(number->rest, units);
    if (unit == nullptr) unit = unit_of(ascii_unit(number->rest), units);
    if (unit == nullptr) {
      return fail(fmt::format("{} is not a unit of {} (allowed: {})", quote(number->rest), what, unit_names(units)));
    }
  } else if (unit == nullptr) {
    return fail(fmt::format("{} has no unit (allowed: {}){}", quote(value->text), unit_names(units),
                            what == "time" ? "; `time_unit` at the top of the file sets one for plain numbers" : ""));
  }
  if (number->is_zero() || number->negative) {
    if (number->is_zero() && least <= 0) return 0;
    return fail(fmt::format("must be {}, not {}", least > 0 ? "positive" : "zero or more", quote(value->text)));
  }
  const auto count = number->scaled(unit->size);
  if (!count || count->floor > most) return fail(fmt::format("{} is too large (at most {} {})", quote(value->text), to_string(most), base));
  if (!count->exact) return fail(fmt::format("{} is not a whole number of {}", quote(value->text), base));
  return count->floor;
}

std::optional<Wide> Fields::written_time(Key key, const Unit* default_unit, Wide least, Wide most) const {
  return quantity(key, "time", "ns", time_units, default_unit, least, most);
}

std::optional<Wide> Fields::period(Key key, const Unit* default_unit) const {
  const auto exact = exact_period(key, default_unit);
  return exact ? std::optional(exact->numerator / exact->denominator) : std::nullopt;
}

std::optional<ExactTime> Fields::exact_period(Key key, const Unit* default_unit) const {
  constexpr std::array<Unit, 3> rates{{{"Hz", 1}, {"kHz", 1'000}, {"MHz", 1'000'000}}};
  const Value* const value = find(key);
  const auto number = value != nullptr && value->kind == Value::Kind::scalar ? parse_decimal(value->text) : std::nullopt;
  const auto* const rate = number ? std::ranges::find(rates, number->rest, &Unit::name) : rates.end();
  if (rate == rates.end()) {
    const auto whole = time(key, default_unit, 1);
    return whole ? std::optional(ExactTime{*whole, 1}) : std::nullopt;
  }
  const auto fail = [&](std::string_view why) {
    error(*value, fmt::format("{}: {}", key.text(), why));
    return std::nullopt;
  };
  if (number->is_zero() || number->negative) return fail(fmt::format("must be positive, not {}", quote(value->text)));
  const auto micro = number->scaled(rate->size * 1'000'000);
  if (!micro || micro->floor > 1'000'000'000'000'000) return fail(fmt::format("{} is more than once per ns", quote(value->text)));
  if (!micro->exact) return fail(fmt::format("{} is no whole number of millionths of a Hz", quote(value->text)));
  return exact_time(1'000'000'000'000'000, micro->floor);
}

std::optional<std::uint64_t> Fields::size(Key key, std::uint64_t least) const {
  const auto bytes =
      quantity(key, "size", "bytes", size_units, nullptr, static_cast<Wide>(least), std::numeric_limits<std::int64_t>::max());
  return bytes ? std::optional(static_cast<std::uint64_t>(*bytes)) : std::nullopt;
}

const Unit* read_time_unit(const Fields& fields) {
  std::array<std::string_view, time_units.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = time_units[i].name;
  if (!fields.has("time_unit")) return nullptr;
  return &time_units[fields.choice("time_unit", names).value_or(0)];
}

std::optional<Time> parse_time(std::string_view text) {
  const auto number = parse_decimal(text);
  if (!number || (number->negative && !number->is_zero())) return std::nullopt;
  // Task sets have no times so long, so their files have no such units.
  constexpr std::array<Unit, 2> longer_units{{{"m", 60'000'000'000}, {"h", 3'600'000'000'000}}};
  const auto size_in = [&](std::span<const Unit> units) {
    const auto unit = std::ranges::find(units, ascii_unit(number->rest), &Unit::name);
    return unit == units.end() ? 0 : unit->size;
  };
  const std::int64_t size = std::max(size_in(time_units), size_in(longer_units));
  if (size == 0) return std::nullopt;
  if (number->is_zero()) return Time::zero();
  const auto ns = number->scaled(size);
  if (!ns || !ns->exact || ns->floor > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return to_time(ns->floor);
}

}  // namespace rta::io
