// The table of theorems.
#include "rta/analysis/theorem.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

using namespace rta::analysis;

namespace {

/// The headings of a document.
std::string headings(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string all;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) all += line + '\n';
  }
  return all;
}

bool is_word_character(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Whether `text` names it, not only a theorem whose name begins alike.
bool mentions(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_word_character(text[at - 1])) && (end == text.size() || !is_word_character(text[end]))) return true;
  }
  return false;
}

/// `T1e+T1c`: two.
std::vector<std::string> parts_of(std::string name) {
  std::vector<std::string> parts;
  for (std::size_t plus = name.find('+'); plus != std::string::npos; plus = name.find('+')) {
    parts.push_back(name.substr(0, plus));
    name.erase(0, plus + 1);
  }
  parts.push_back(std::move(name));
  return parts;
}

}  // namespace

TEST_CASE("every theorem has a heading in the page that it names") {
  for (const TheoremEntry& entry : theorems()) {
    CAPTURE(entry.name);
    if (entry.theorem == Theorem::none || entry.theorem == Theorem::sum) {
      CHECK(entry.page.empty());
      continue;
    }
    const auto page = std::filesystem::path(RTA_SOURCE_DIR) / "docs" / entry.page;
    CAPTURE(page.string());
    const std::string text = headings(page);
    REQUIRE_FALSE(text.empty());
    for (const std::string& part : parts_of(std::string(entry.name))) {
      CAPTURE(part);
      CHECK(mentions(text, part));
    }
  }
}

TEST_CASE("every theorem has a name and a line of its own") {
  std::set<std::string_view> names, says;
  for (const TheoremEntry& entry : theorems()) {
    CHECK(to_string(entry.theorem) == entry.name);
    CHECK(entry.name.empty() == (entry.theorem == Theorem::none));
    CHECK_FALSE(entry.says.empty());
    CHECK(names.insert(entry.name).second);
    CHECK(says.insert(entry.says).second);
  }
}
