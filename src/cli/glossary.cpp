#include "glossary.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "io/embedded_file.hpp"
#include "markdown_words.hpp"

// RTA_DOCS is the path of docs.
RTA_EMBED(glossary, RTA_DOCS "/glossary.md");
RTA_EMBED(theory, RTA_DOCS "/theory.md");

namespace rta::cli {
namespace {

std::vector<std::string> words_in(const std::string& list) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(", ", at), list.size());
    words.push_back(list.substr(at, end - at));
    at = end + 2;
  }
  return words;
}

/// The rows of a page's tables that begin so.
std::vector<std::vector<std::string>> rows_of(std::string_view page, std::string_view beginning) {
  std::vector<std::vector<std::string>> rows;
  while (!page.empty()) {
    const std::string_view line = page.substr(0, page.find('\n'));
    page.remove_prefix(std::min(line.size() + 1, page.size()));
    if (line.starts_with(beginning)) rows.push_back(cells_of(line));
  }
  return rows;
}

std::vector<GlossaryEntry> read_pages() {
  std::vector<GlossaryEntry> entries;
  for (const auto& row : rows_of(io::embedded(rta_glossary_begin, rta_glossary_end), "| **")) entries.push_back({words_in(row[0]), row[1]});
  for (const auto& row : rows_of(io::embedded(rta_theory_begin, rta_theory_end), "| [theory/")) {
    if (row.size() < 3) continue;  // a page without theorems
    std::vector<std::string> theorems = words_in(row[1].substr(0, row[1].find(';')));
    std::erase_if(theorems, [](const std::string& word) { return word.front() != 'T'; });
    if (!theorems.empty()) entries.push_back({std::move(theorems), "theorems about " + row[2] + ": docs/" + row[0]});
  }
  return entries;
}

}  // namespace

std::span<const GlossaryEntry> glossary() {
  static const std::vector<GlossaryEntry> entries = read_pages();
  return entries;
}

}  // namespace rta::cli
