#include "yaml_parts.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>

namespace rta::io {
namespace {

// What a byte means for cuts. In flow context (inside braces or brackets) every brace and bracket opens or closes one, as neither quotes
// nor comments are there to hide it. In block context plain text may hold some, which only makes the count of those open too high. So where
// a line's count ends at 0, and was never below, no flow collection is open; a plain or block scalar ends before a line that is not
// indented deeper than what it is in; and what a quote, an anchor, a tag or another line break could do, is not looked into.
enum class Byte : std::uint8_t { plain, opens, closes, arrowhead, refused };

constexpr std::array<Byte, 256> bytes = [] {
  std::array<Byte, 256> table{};
  table.fill(Byte::refused);
  for (std::size_t c = 0x20; c < 0x7f; ++c) table[c] = Byte::plain;
  for (const unsigned char c : std::string_view("\"'#&*!|?")) table[c] = Byte::refused;
  for (const unsigned char c : std::string_view("{[")) table[c] = Byte::opens;
  for (const unsigned char c : std::string_view("}]")) table[c] = Byte::closes;
  table['>'] = Byte::arrowhead;
  return table;
}();

Byte meaning(char c) { return bytes[static_cast<unsigned char>(c)]; }

bool is_key_letter(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }

// Whether nothing spans the end of a line with entries of a list.
bool ends_alone(std::string_view line) {
  std::size_t open = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const Byte byte = meaning(line[i]);
    if (byte == Byte::plain) continue;  // nearly always
    switch (byte) {
      case Byte::plain: break;
      case Byte::opens: ++open; break;
      case Byte::closes:
        if (open-- == 0) return false;
        break;
      case Byte::arrowhead:  // of an edge; else it might begin a block scalar
        if (i == 0 || line[i - 1] != '-') return false;
        break;
      case Byte::refused: return false;
    }
  }
  return open == 0;
}

bool is_printable(char c) { return c >= 0x20 && static_cast<unsigned char>(c) < 0x7f; }

bool is_comment(std::string_view line) { return line.starts_with('#') && std::ranges::all_of(line, is_printable); }

// The lines of a list, from the beginning of an entry on.
struct Lines {
  std::uint32_t count = 0;
  std::size_t size = 0;  // bytes up to the first line that is not the list's
};

std::uint32_t lines_in(std::string_view text) {
  // Few enough for sums in single bytes, so that the compiler makes them of many bytes at once.
  constexpr std::size_t block = 240;
  std::uint32_t lines = 0;
  for (std::size_t at = 0; at < text.size(); at += block) {
    const std::string_view some = text.substr(at, block);
    std::uint8_t count = 0;
    for (const char c : some) count = static_cast<std::uint8_t>(count + static_cast<std::uint8_t>(c == '\n'));
    lines += count;
  }
  return lines;
}

// Whether some line but the first begins with a letter of a key.
bool any_key(std::string_view text) {
  std::uint8_t any = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    any = static_cast<std::uint8_t>(any |
                                    (static_cast<std::uint8_t>(text[i - 1] == '\n') & static_cast<std::uint8_t>(is_key_letter(text[i]))));
  }
  return any != 0;
}

Lines lines_of(std::string_view text) {
  if (any_key(text)) {
    std::size_t key = 1;
    while (text[key - 1] != '\n' || !is_key_letter(text[key])) ++key;
    text = text.substr(0, key);
  }
  return {lines_in(text), text.size()};
}

// How many lines come before the list, whatever they say; nothing where they might be counted otherwise.
std::optional<std::uint32_t> lines_before(std::string_view text) {
  std::uint32_t lines = 0;
  for (const char c : text) {
    if (c != '\n' && !is_printable(c)) return std::nullopt;
    lines += static_cast<std::uint32_t>(c == '\n');
  }
  return lines;
}

struct List {
  std::string_view key;
  std::size_t key_at = 0;
  std::size_t entries_at = 0;
  std::size_t indentation = 0;
};

std::optional<List> list_in(std::string_view text) {
  List list;
  for (std::size_t end = text.find('\n');; end = text.find('\n', end + 1)) {
    if (end == std::string_view::npos) return std::nullopt;
    for (const std::string_view line : {"dags:\n", "tasks:\n"}) {
      if (text.substr(end + 1, line.size()) == line) list = {line.substr(0, line.size() - 2), end + 1, end + 1 + line.size(), 0};
    }
    if (!list.key.empty()) break;
  }
  const std::size_t first = std::min(text.find_first_not_of(' ', list.entries_at), text.size());
  list.indentation = first - list.entries_at;
  if (list.indentation == 0 || !text.substr(first).starts_with("- ")) return std::nullopt;
  return list;
}

// Where entries begin, about `size` bytes apart; the first part, which is read before any other, is a small one.
std::vector<std::size_t> cuts_in(std::string_view text, const List& list, std::size_t size) {
  const std::string entry = '\n' + std::string(list.indentation, ' ') + "- ";
  std::vector<std::size_t> cuts{list.entries_at};
  for (;;) {
    const std::size_t least = cuts.size() == 1 ? size / 16 : size;
    const std::size_t at = text.find(entry, cuts.back() + std::max<std::size_t>(least, 1));
    if (at == std::string_view::npos) return cuts;
    cuts.push_back(at + 1);
  }
}

}  // namespace

std::optional<YamlParts> yaml_parts(std::string_view text, std::size_t size) {
  const auto list = list_in(text);
  if (!list) return std::nullopt;
  const auto before = lines_before(text.substr(0, list->entries_at));
  const std::vector<std::size_t> cuts = cuts_in(text, *list, size);
  if (!before || cuts.size() == 1) return std::nullopt;
  std::vector<Lines> lines(cuts.size());
  tbb::parallel_for(std::size_t{0}, cuts.size(), [&](std::size_t i) {
    const std::size_t end = i + 1 < cuts.size() ? cuts[i + 1] : text.size();
    lines[i] = lines_of(text.substr(cuts[i], end - cuts[i]));
  });

  YamlParts parts;
  parts.key = {list->key, *before - 1};
  parts.indentation = static_cast<std::uint32_t>(list->indentation);
  std::uint32_t line = *before;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const std::size_t end = cuts[i] + lines[i].size;
    if (i == 0) {
      parts.head = {text.substr(0, end), 0};
      parts.entries_at = cuts[i];
    } else {
      parts.entries.push_back({text.substr(cuts[i], lines[i].size), line});
    }
    line += lines[i].count;
    if (end == (i + 1 < cuts.size() ? cuts[i + 1] : text.size())) continue;
    parts.rest = {text.substr(end), line};
    break;
  }
  if (parts.entries.empty()) return std::nullopt;
  return parts;
}

bool stands_alone(std::string_view entries, std::size_t indentation) {
  for (std::size_t at = 0; at < entries.size();) {
    const std::size_t end = std::min(entries.find('\n', at), entries.size());
    std::string_view line = entries.substr(at, end - at);
    at = end + 1;
    const std::size_t indented = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(indented);
    if (line.empty() || is_comment(line)) continue;
    const bool entry = indented == indentation && (line.starts_with("- ") || line == "-");
    if (!(entry || indented > indentation) || !ends_alone(line)) return false;
  }
  return true;
}

}  // namespace rta::io
