// What is made of measured interference: entries, what mixtures confirm, and what is refused. Times are ns; a block alone takes 1000.
#include "rta/examine/company.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>

#include "rta/io/diagnostic.hpp"
#include "rta/model/other_work.hpp"

using namespace rta;
using namespace rta::examine;

namespace {

constexpr std::array<const char*, 3> classes{"registers", "L2", "DRAM"};
// By how many ns a block of 1000 takes longer: victim, then company.
constexpr std::array<std::array<std::int64_t, 3>, 3> growth{{{0, 0, 3}, {-6, 460, 2320}, {10, 710, 1740}}};

CompanyCase one(std::string kernel, std::string where, std::vector<std::string> beside, std::int64_t max) {
  std::string name;
  for (const std::string& each : beside) name += (name.empty() ? "" : " and ") + each;
  return {std::move(kernel), std::move(where), name.empty() ? "none" : name, std::move(beside), Time(max - 10), Time(max)};
}

CompanyCase alone(std::string kernel, std::string where, std::int64_t median = 1000) {
  CompanyCase found = one(std::move(kernel), std::move(where), {}, median + 10);
  found.median = Time(median);
  return found;
}

/// Every class beside every class, and beside L2 and DRAM mixed.
CompanyPart whole(const std::string& where, const std::array<std::int64_t, 3>& mixed) {
  CompanyPart part;
  for (std::size_t v = 0; v < 3; ++v) {
    part.cases.push_back(alone(classes[v], where));
    for (std::size_t c = 0; c < 3; ++c) part.cases.push_back(one(classes[v], where, {classes[c]}, 1000 + growth[v][c]));
    part.cases.push_back(one(classes[v], where, {"L2", "DRAM"}, 1000 + mixed[v]));
  }
  return part;
}

CompanyPart whole(const std::array<std::int64_t, 3>& mixed) { return whole("other SMs", mixed); }

using Rows = std::vector<std::vector<Lengthening>>;

Rows in_thousandths(Rows rows) {
  for (auto& row : rows) {
    for (Lengthening& entry : row) {
      CHECK(entry % 100'000 == 0);
      entry /= 1'000'000;
    }
  }
  return rows;
}

Rows other_sm(const CompanyPart& part) {
  const Company company = company_of(part);
  REQUIRE(company.interference.has_value());
  return in_thousandths(company.interference->other_sm);
}

std::string refusal(const std::string& json) {
  try {
    (void)read_company(json, "part.json");
  } catch (const io::InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("mixtures that are no worse than the worst of their classes confirm max") {
  const Company company = company_of(whole({0, 1500, 1740}));
  REQUIRE(company.interference.has_value());
  CHECK(company.interference->combine == Combine::max);
  CHECK(in_thousandths(company.interference->other_sm) == Rows{{0, 0, 3}, {0, 460, 2320}, {10, 710, 1740}});
  CHECK(company.interference->same_sm.empty());
  REQUIRE(company.measured.mixtures.has_value());
  CHECK(company.measured.mixtures->confirm == "max");
  CHECK(company.measured.mixtures->measured == 3);
  CHECK(company.measured.mixtures->beyond_max == 0);
  CHECK(company.mixtures[1].beyond_max == -820'000'000);
  const std::string text = interference_block(company);
  CHECK(text.find("  L2: [0, 0.46, 2.32]\n") != std::string::npos);
  CHECK(text.find("  combine: max  # mixtures were no worse than the worst of their classes\n") != std::string::npos);
  CHECK(text.find("# no same-sm") != std::string::npos);
}

TEST_CASE("a mixture that is a little worse raises the entry of its worst class; one that is more so needs the sum") {
  const CompanyPart little = whole({0, 1500, 1748});
  CHECK(company_of(little).interference->combine == Combine::max);
  CHECK(other_sm(little)[2] == std::vector<Lengthening>{10, 710, 1748});
  const Company by_sum = company_of(whole({0, 2700, 1740}));
  CHECK(by_sum.interference->combine == Combine::sum);
  CHECK(by_sum.measured.mixtures->confirm == "sum");
  CHECK(by_sum.measured.mixtures->beyond_max == 380'000'000);
  CHECK(by_sum.measured.mixtures->beyond_sum <= 0);
  CHECK(in_thousandths(by_sum.interference->other_sm)[1] == std::vector<Lengthening>{0, 460, 2320});
}

TEST_CASE("mixtures that are worse than the sum raise entries until none is") {
  const Company company = company_of(whole({0, 3000, 1740}));
  CHECK(company.measured.mixtures->confirm == "neither");
  CHECK(company.interference->combine == Combine::sum);
  CHECK(in_thousandths(company.interference->other_sm)[1] == std::vector<Lengthening>{0, 460, 2540});  // 460 + 2540 = 3000
}

TEST_CASE("without mixtures classes add up, and nothing is confirmed") {
  CompanyPart part = whole({0, 0, 0});
  std::erase_if(part.cases, [](const CompanyCase& is) { return is.classes.size() > 1; });
  const Company company = company_of(part);
  CHECK(company.interference->combine == Combine::sum);
  CHECK_FALSE(company.measured.mixtures.has_value());
}

TEST_CASE("parts of the SMs and other partitions count where they are worse, each beside its own time alone") {
  CompanyPart part = whole({0, 0, 0});
  part.cases.push_back(one("registers", "other SMs", {"L2"}, 1050));
  CHECK(other_sm(part)[0] == std::vector<Lengthening>{0, 50, 3});
  part = whole({0, 0, 0});
  part.cases.push_back(alone("L2", "other partition", 500));
  part.cases.push_back(one("L2", "other partition", {"DRAM"}, 1700));
  CHECK(other_sm(part)[1] == std::vector<Lengthening>{0, 460, 2400});
}

TEST_CASE("parts of the SMs and other partitions alone make no matrix") {
  const auto renamed = [](const std::string& suffix) {
    CompanyPart part = whole({0, 0, 0});
    for (CompanyCase& is : part.cases) {
      if (is.classes.size() == 1) is.beside += suffix;
    }
    return part;
  };
  CHECK(company_of(renamed("")).interference.has_value());
  for (const char* suffix : {" on a quarter", " on a half", " on three quarters"}) {
    CompanyPart part = renamed(suffix);
    CHECK_FALSE(company_of(part).interference.has_value());
    CHECK(company_of(part).reason == "not every class was measured beside every class on all other SMs (part whole)");
    CHECK_FALSE(company_of(part).measured.rows.empty());
    const CompanyPart all = whole({0, 0, 0});
    part.cases.insert(part.cases.end(), all.cases.begin(), all.cases.end());
    CHECK(company_of(part).interference.has_value());
  }
  CHECK_FALSE(company_of(whole("other partition", {0, 0, 0})).interference.has_value());
}

TEST_CASE("an SM that is filled by a block's own class and another is none that the other fills") {
  CompanyPart part = whole({0, 0, 0});
  const CompanyPart same = whole("same SM", {0, 0, 0});
  for (const CompanyCase& is : same.cases) {
    if (is.kernel != "registers" || is.beside != "L2") part.cases.push_back(is);
  }
  part.cases.push_back(one("registers", "same SM", {"registers", "L2"}, 1300));
  REQUIRE(company_of(part).interference.has_value());
  CHECK(company_of(part).interference->same_sm.empty());
}

TEST_CASE("on its own SM a block's own class beside another is no class more") {
  CompanyPart part = whole({0, 0, 0});
  const CompanyPart same = whole("same SM", {1000, 1000, 1000});
  part.cases.insert(part.cases.end(), same.cases.begin(), same.cases.end());
  part.cases.push_back(alone("registers", "same SM"));
  part.cases.push_back(one("registers", "same SM", {"registers", "L2"}, 2300));
  const Company company = company_of(part);
  REQUIRE(company.interference.has_value());
  // L2 and DRAM beside a block of DRAM are L2 alone, beside one of L2 DRAM alone: 1000 for the first, no more than 2320 for the second.
  CHECK(in_thousandths(company.interference->same_sm) == Rows{{0, 1300, 3}, {0, 460, 2320}, {10, 1000, 1740}});
}

TEST_CASE("entries are rounded up to four digits") {
  CompanyPart part = whole({0, 0, 0});
  for (CompanyCase& is : part.cases) {
    if (is.kernel == "registers" && is.beside == "none") is.median = Time(999);
  }
  const auto row = company_of(part).interference->other_sm[0];
  CHECK(row == std::vector<Lengthening>{1'100'000, 1'100'000, 4'100'000});  // 1/999, 4/999
}

TEST_CASE("copies and processors are evidence, and said not to be counted") {
  CompanyPart part = whole({0, 0, 0});
  part.cases.push_back(alone("L2", "copies"));
  CompanyCase copy = one("L2", "copies", {}, 1123);
  copy.beside = "host to device";
  part.cases.push_back(copy);
  part.cases.push_back(alone("DRAM", "CPUs"));
  CompanyCase processors = one("DRAM", "CPUs", {}, 3900);
  processors.beside = "7 that write memory";
  part.cases.push_back(processors);
  processors.beside = "7 that write memory, and DRAM";
  processors.max = Time(9000);
  part.cases.push_back(processors);
  const Company company = company_of(part);
  CHECK(in_thousandths(company.interference->other_sm)[1] == std::vector<Lengthening>{0, 460, 2320});
  const auto lines = not_counted(company.measured);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].text == "copies, not counted: at most 12.3 % longer (L2 beside host to device)");
  CHECK(lines[1].text == "processors at work on memory, not counted: at most 290.0 % longer (DRAM beside 7 that write memory)");
  CHECK(interference_block(company).find("  # copies, not counted: at most 12.3 %") != std::string::npos);
  const auto row = std::ranges::find(company.measured.rows, "host to device", &MeasuredCompany::Row::beside);
  REQUIRE(row != company.measured.rows.end());
  CHECK(row->more == std::vector<std::optional<Lengthening>>{std::nullopt, 123'000'000, std::nullopt});
}

TEST_CASE("copies and processors beside every class become columns") {
  CompanyPart part = whole({0, 0, 0});
  const auto add = [&](std::size_t c, const std::string& where, const std::string& name, std::int64_t max) {
    CompanyCase seen = one(classes[c], where, {}, max);
    seen.beside = name;
    part.cases.push_back(seen);
  };
  for (std::size_t c = 0; c < 3; ++c) {
    part.cases.push_back(alone(classes[c], "copies"));
    add(c, "copies", "host to device", 1020);
    add(c, "copies", "device to host", 1030);
    add(c, "copies", "device to device", c == 2 ? 1200 : 1010);
    part.cases.push_back(alone(classes[c], "CPUs"));
    add(c, "CPUs", "7 that read memory", 990);
    add(c, "CPUs", "7 that write memory", 1300);
  }
  // Beside blocks of DRAM, too: 2400 more than alone, of which these do 1740.
  CompanyCase both = one("DRAM", "CPUs", {"DRAM"}, 3400);
  both.beside = "7 that read and write memory, and DRAM";
  part.cases.push_back(both);
  const Company company = company_of(part);
  REQUIRE(company.interference.has_value());
  const auto columns = other_work_columns(*company.interference);
  REQUIRE(columns.has_value());
  CHECK(in_thousandths({columns->copies, columns->cpus}) == Rows{{50, 50, 200}, {300, 300, 660}});  // both directions; 2400 - 1740
  CHECK(not_counted(company.measured, company.interference).empty());
  CHECK(not_counted(company.measured, std::nullopt).size() == 2);
  CHECK(interference_block(company).find("  beside:\n    copies: [0.05, 0.05, 0.2]\n    cpu: [0.3, 0.3, 0.66]\n") != std::string::npos);
  CHECK(interference_block(company).find("not counted") == std::string::npos);
  // Of one class unknown: no column.
  std::erase_if(part.cases, [](const CompanyCase& is) { return is.kernel == "L2" && is.beside == "7 that read memory"; });
  CHECK_FALSE(counts_other_work(*company_of(part).interference));
}

TEST_CASE("no matrix where something is missing, or is too long") {
  CHECK_FALSE(company_of({}).interference.has_value());
  CompanyPart part = whole({0, 0, 0});
  std::erase_if(part.cases, [](const CompanyCase& is) { return is.kernel == "DRAM" && is.beside == "registers"; });
  CHECK(company_of(part).reason == "not every class was measured beside every class on all other SMs (part whole)");
  // Of one class alone: the others may do more.
  std::erase_if(part.cases,
                [](const CompanyCase& is) { return is.kernel != "registers" || (is.beside != "none" && is.beside != "registers"); });
  CHECK_FALSE(company_of(part).interference.has_value());
  part = whole({0, 0, 0});
  part.cases.push_back(alone("L2", "other SMs"));
  part.cases.push_back(one("L2", "other SMs", {"DRAM"}, 1'001'100));
  CHECK(company_of(part).reason == "a block took more than 1000 times as long");
  CHECK(company_of(part).measured.rows.size() > 2);
}

TEST_CASE("files of parts are read, and refused with what is expected") {
  const std::string good = R"({"device": "x", "cases": [{"kernel": "L2", "where": "other SMs", "beside": "DRAM", "blocks": {"DRAM": 3},
    "samples": 5, "median_ns": 7, "p99_ns": 8, "max_ns": 9}], "not_possible": {"same-sm": "no room"}})";
  const CompanyPart part = read_company(good, "part.json");
  REQUIRE(part.cases.size() == 1);
  CHECK(part.cases[0].classes == std::vector<std::string>{"DRAM"});
  CHECK(part.cases[0].max == Time(9));
  CHECK(part.not_possible == std::vector<std::pair<std::string, std::string>>{{"same-sm", "no room"}});
  for (const char* bad : {"", "[]", "{}", R"({"cases": 1})"})
    CHECK(refusal(bad) == "part.json:1:1: no measurement of interference: a JSON object with `cases` is expected");
  CHECK(refusal(R"({"cases": [1]})").find("a case lacks one of kernel") != std::string::npos);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return refusal(text);
  };
  CHECK(with("\"L2\"", "\"L3\"").find("no class is called 'L3' (allowed: registers, L2, DRAM)") != std::string::npos);
  CHECK(with("\"max_ns\": 9", "\"max_ns\": 6").find("times that cannot be") != std::string::npos);
  CHECK(with("\"max_ns\": 9", "\"max_ns\": 2000000000000000").find("times that cannot be") != std::string::npos);
  CHECK(with("\"kernel\"", "\"kernels\"").find("a case lacks one of kernel") != std::string::npos);
}
