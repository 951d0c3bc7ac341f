// Two programs print the same, byte for byte:
//
//   RTA_GOLDEN_WRITE=FILE test_golden              keeps a line of digests for each case; RTA_GOLDEN_SYSTEMS=N (default: 150) of so many
//   random systems RTA_GOLDEN_AGAINST=FILE test_golden            says which cases are others than those of a file RTA_GOLDEN_SHOW='seed 7
//   --release completion'  prints that case whole, for diff
#include "digests.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "support/skip.hpp"

namespace {

using namespace rta::test::golden;

constexpr std::uint64_t usual_systems = 150;

std::vector<Case> all_cases() {
  const std::string systems = asked("RTA_GOLDEN_SYSTEMS");
  std::vector<Case> cases = kept_cases();
  for (Case& one : random_cases(0, systems.empty() ? usual_systems : std::stoull(systems))) cases.push_back(std::move(one));
  return cases;
}

TEST_CASE("a file of digests says what another program prints otherwise") {
  const std::string shown = asked("RTA_GOLDEN_SHOW");
  const std::string written = asked("RTA_GOLDEN_WRITE");
  const std::string against = asked("RTA_GOLDEN_AGAINST");
  if (shown.empty() && written.empty() && against.empty()) {
    rta::test::skip("no RTA_GOLDEN_AGAINST, no file of digests to compare with");
    return;
  }
  std::vector<Case> cases = all_cases();
  if (!shown.empty()) {
    const auto one = std::ranges::find(cases, shown, &Case::name);
    REQUIRE(one != cases.end());
    const Printed out = printed(*one);
    std::cout << one->file << out.json << out.text << out.certificate;
    return;
  }
  const std::vector<std::string> lines = lines_of(cases);
  std::ofstream out(written);
  for (const std::string& line : lines) out << line << '\n';
  if (against.empty()) return;
  const std::vector<std::string> before = lines_of_file(against);
  REQUIRE(!before.empty());
  const std::vector<std::string> differing = differences(before, lines);
  for (const std::string& one : differing) std::cout << one << '\n';
  CHECK(differing.size() == 0);
}

TEST_CASE("what is printed does not depend on what was analysed before, and is of all kinds") {
  std::vector<Case> cases = random_cases(0, usual_systems);
  std::map<std::string, int> bounds;
  std::vector<Printed> first;
  for (const Case& one : cases) {
    first.push_back(printed(one));
    for (const char* theorem :
         {"T7", "T10a", "T10c", "T10j", "T10m", "T10n", "T10p", "T10v", "T10w", "T11", "T11g", "T12", "T12j", "T12w"}) {
      if (is_named(first.back(), theorem)) ++bounds[theorem];
    }
  }
  CHECK(bounds.size() == 14);
  for (std::size_t i = cases.size(); i-- > 0;) {
    CAPTURE(cases[i].name);
    const Printed again = printed(cases[i]);
    CHECK(again.json == first[i].json);
    CHECK(again.text == first[i].text);
    CHECK(again.certificate == first[i].certificate);
  }
}

TEST_CASE("what differs is named, and cases that one file has alone are not") {
  const std::vector<std::string> before{"one\ta\tb\tc", "two\ta\tb\tc", "three\ta\tb\tc", "gone\ta\tb\tc"};
  const std::vector<std::string> after{"one\ta\tb\tc", "two\tA\tb\tC", "three\ta\tB\tc", "new\ta\tb\tc"};
  CHECK(differences(before, after) == std::vector<std::string>{"two: json certificate", "three: text"});
  CHECK(differences(before, before).empty());
}

}  // namespace
