#include "source_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>
#include <system_error>
#include <vector>

#include "io/shown_text.hpp"
#include "io/utf8.hpp"

namespace rta::cli {
namespace {

constexpr std::size_t most_shown = 90;                   // characters of a line
constexpr std::size_t farthest = std::size_t{1} << 24U;  // column of a mark that is shown
constexpr std::size_t shown_before = 60;                 // of them before the mark
constexpr std::size_t longest = 4;                       // bytes of a character

/// The first `most` bytes of line `number`; false where the file has none, or holds no text.
bool read_line(const std::string& file, std::size_t number, std::size_t most, std::string& line) {
  std::error_code missing;
  if (!std::filesystem::is_regular_file(file, missing)) return false;
  std::ifstream in(file, std::ios::binary);
  for (std::size_t at = 1; in && at < number; ++at) in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  line.resize(most);
  in.read(line.data(), static_cast<std::streamsize>(most));
  line.resize(static_cast<std::size_t>(in.gcount()));
  if (line.empty()) return false;
  line.resize(std::min(line.find_first_of("\r\n"), line.size()));
  return line.find('\0') == std::string::npos;
}

/// How many bytes the first `count` characters take, or all that there are.
std::size_t bytes_of(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < count && at < text.size(); ++i) at += std::max<std::size_t>(io::character_length(text, at), 1);
  return at;
}

/// The characters as people see them, one piece each: what is no character is shown by its number. No more than `most`.
std::vector<std::string> characters_of(std::string_view text, std::size_t most) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size() && all.size() < most;) {
    const std::size_t length = std::max<std::size_t>(io::character_length(text, at), 1);
    const std::string_view character = text.substr(at, length);
    all.push_back(character == "\t" ? " " : io::shown_in_line(character));
    at += length;
  }
  return all;
}

}  // namespace

std::string source_line(const io::Diagnostic& diagnostic) {
  std::string line;
  const bool of_all = diagnostic.line == 1 && diagnostic.column == 1;  // mostly the file as a whole
  if (diagnostic.line == 0 || diagnostic.column == 0 || of_all || diagnostic.column > farthest) return {};
  const std::size_t mark = diagnostic.column - 1;
  const std::size_t first = mark > shown_before ? mark - shown_before : 0;
  if (!read_line(diagnostic.file, diagnostic.line, longest * (first + most_shown + 1), line)) return {};
  const std::vector<std::string> characters = characters_of(std::string_view(line).substr(bytes_of(line, first)), most_shown + 1);
  if (mark - first > characters.size()) return {};
  const std::size_t end = std::min(characters.size(), most_shown);
  std::string shown = first > 0 ? "…" : "";
  std::size_t before = first > 0 ? 1 : 0;
  for (std::size_t i = 0; i < end; ++i) {
    if (first + i < mark) before += characters[i].front() == '\\' ? characters[i].size() : 1;  // one that is shown by its number is longer
    shown += characters[i];
  }
  if (end < characters.size()) shown += "…";
  return fmt::format("{:>6} | {}\n       | {:>{}}\n", diagnostic.line, shown, '^', before + 1);
}

}  // namespace rta::cli
