// Sources with seeded mistakes: each says itself, in comments, what has to be found in it.
//
//   cudaFree(p);  // expect: free@3            that rule, at that column of this line
//   // expect(-1): bad-mark@1 unused-allow@1   several, one line above
//   give(p);  // clang: free@3                 only where clang is asked
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "rta/lint/lint.hpp"
#include "support/folder.hpp"

namespace rta::test {

inline std::filesystem::path seeded_folder() { return std::filesystem::path(RTA_SOURCE_DIR) / "tests/lint/sources"; }

inline std::vector<std::filesystem::path> seeded_sources() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(seeded_folder())) {
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  REQUIRE(files.size() >= 60);
  return files;
}

/// `12:3 free`, in the order of the file.
using Found = std::multiset<std::string>;

inline std::string entry(std::size_t line, std::size_t column, std::string_view rule) {
  return fmt::format("{:4}:{} {}", line, column, rule);
}

inline Found expected(const std::string& text, bool clang) {
  Found all;
  const std::regex mark(R"((expect|clang)(?:\(([+-]\d+)\))?:((?: [a-z-]+@\d+)+))");
  const std::regex one(R"(([a-z-]+)@(\d+))");
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::smatch found;
    if (!std::regex_search(line, found, mark)) continue;
    if (found[1] == "clang" && !clang) continue;
    const int at = number + (found[2].matched ? std::stoi(found[2]) : 0);
    const std::string rules = found[3];
    for (auto rule = std::sregex_iterator(rules.begin(), rules.end(), one); rule != std::sregex_iterator(); ++rule) {
      REQUIRE(lint::rule_named((*rule)[1].str()) != nullptr);
      all.insert(entry(static_cast<std::size_t>(at), std::stoul((*rule)[2]), (*rule)[1].str()));
    }
  }
  return all;
}

inline Found found(const lint::Report& report) {
  Found all;
  for (const lint::Finding& finding : report.findings) {
    if (!finding.allowed) all.insert(entry(finding.place.line, finding.place.column, lint::rule(finding.rule).name));
  }
  return all;
}

inline lint::Report lint_file(const std::filesystem::path& path, const std::string& clang) {
  lint::Options options;
  options.clang = clang;
  options.flags = {"-I/usr/local/cuda/include/cccl"};
  return lint::lint_sources(std::vector<lint::SourceText>{{path.string(), content(path)}}, options);
}

/// A clang, where CUDA's headers are there for it to read; else empty.
inline std::string clang_with_cuda() {
  return std::filesystem::exists("/usr/local/cuda/include/cuda_runtime.h") ? lint::find_clang() : std::string();
}

inline std::string listed(const Found& all) {
  std::string text;
  for (const std::string& one : all) text += one + "\n";
  return text;
}

}  // namespace rta::test
