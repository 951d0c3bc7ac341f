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

constexpr std::size_t most_shown = 90;      // characters of a line
constexpr std::size_t shown_before = 60;    // of them before the mark
constexpr std::size_t longest_line = 1000;  // bytes that are read of one

/// The first bytes of line `number`; false where the file has none, or holds no text.
bool read_line(const std::string& file, std::size_t number, std::string& line) {
  std::error_code missing;
  if (!std::filesystem::is_regular_file(file, missing)) return false;
  std::ifstream in(file, std::ios::binary);
  for (std::size_t at = 1; in && at < number; ++at) in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  line.resize(longest_line);
  in.read(line.data(), static_cast<std::streamsize>(longest_line));
  line.resize(static_cast<std::size_t>(in.gcount()));
  if (line.empty()) return false;
  line.resize(std::min(line.find_first_of("\r\n"), line.size()));
  return line.find('\0') == std::string::npos;
}

/// The characters as people see them, one piece each: what is no character is shown by its number.
std::vector<std::string> characters_of(std::string_view text) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size();) {
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
  if (diagnostic.line == 0 || diagnostic.column == 0 || of_all || !read_line(diagnostic.file, diagnostic.line, line)) return {};
  const std::vector<std::string> characters = characters_of(line);
  const std::size_t mark = diagnostic.column - 1;
  if (mark > characters.size()) return {};
  const std::size_t first = mark > shown_before ? mark - shown_before : 0;
  const std::size_t end = std::min(characters.size(), first + most_shown);
  std::string shown = first > 0 ? "…" : "";
  std::size_t before = first > 0 ? 1 : 0;
  for (std::size_t i = first; i < end; ++i) {
    if (i < mark) before += characters[i].front() == '\\' ? characters[i].size() : 1;  // one that is shown by its number is longer
    shown += characters[i];
  }
  if (end < characters.size()) shown += "…";
  return fmt::format("{:>6} | {}\n       | {:>{}}\n", diagnostic.line, shown, '^', before + 1);
}

}  // namespace rta::cli
