// What a folder says that somebody else may have written.
#include "rta/sweep/results.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "rta/model/error.hpp"
#include "support/folder.hpp"

using namespace rta;
using rta::test::TemporaryFolder;

namespace {

const std::string summary_head =
    "point,random.dags,analysis,sets,acceptance,acceptance_low,acceptance_high,over_period_mean,over_period_p05,over_period_p25,"
    "over_period_p50,over_period_p75,over_period_p95,over_period_max,simulated,over_observed_p05,over_observed_p50,over_observed_p95\n";
const std::string ratios_head =
    "point,random.dags,analysis,reference,sets,ratio_mean,ratio_p05,ratio_p25,ratio_p50,ratio_p75,ratio_p95,ratio_max\n";
const std::string summary =
    summary_head + "0,4,A,5,1,0.5,1,0.2,0.1,0.1,0.2,0.3,0.3,0.4,0,,,\n0,4,B,5,0.8,0.4,0.9,0.2,0.1,0.1,0.2,0.3,0.3,0.4,2,1,1.5,2\n";
const std::string ratios = ratios_head + "0,4,B,A,5,1,0.9,0.9,1,1.1,1.1,1.2\n";
const std::string weighted = "random.dags,analysis,weighted_schedulability\n4,A,1\n4,B,\n";

struct Files {
  std::string summary = ::summary, ratios = ::ratios, weighted = ::weighted;
};

sweep::Results read(const Files& files) {
  const TemporaryFolder folder;
  std::ofstream(folder / "summary.csv") << files.summary;
  std::ofstream(folder / "ratios.csv") << files.ratios;
  std::ofstream(folder / "weighted.csv") << files.weighted;
  return sweep::read_results(folder.path);
}

/// What is said of the files, without the folder.
std::string refusal(const Files& files) {
  try {
    (void)read(files);
  } catch (const UserError& error) {
    const std::string what = error.what();
    return what.substr(what.find("-", what.find("rta-test-")) + 8);
  }
  return "";
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  const auto at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), by);
}

}  // namespace

TEST_CASE("a sweep's folder as it should be") {
  const sweep::Results results = read({});
  CHECK(results.parameters == std::vector<std::string>{"random.dags"});
  CHECK(results.analyses == std::vector<std::string>{"A", "B"});
  CHECK(results.points == 1);
  CHECK(results.sets == 5);
  REQUIRE(results.entries.size() == 2);
  CHECK(results.entries[1].over_observed->p50 == 1.5);
  REQUIRE(results.ratios.size() == 1);
  CHECK(results.ratios[0].ratio->max == 1.2);
  CHECK(results.weighted.size() == 3);
}

TEST_CASE("each table is held against its own header and the summary") {
  // The summary's number of parameters says nothing of a table that has fewer columns.
  CHECK(refusal({.ratios = "point\n0\n"}).find("ratios.csv: has no column 'analysis'") != std::string::npos);
  CHECK(refusal({.ratios = replaced(ratios, ",random.dags", "").replace(ratios.find("0,4,B") - 12, 5, "0,B")})
            .find("ratios.csv:1: does not belong to the summary") != std::string::npos);
  CHECK(refusal({.ratios = replaced(ratios, "0,4,B", "0,5,B")}).find("ratios.csv:2: does not belong to the summary") != std::string::npos);
  CHECK(refusal({.ratios = replaced(ratios, "0,4,B", "1,4,B")}).find("ratios.csv:2: does not belong to the summary") != std::string::npos);
  CHECK(refusal({.ratios = replaced(ratios, "0,4,B,A", "0,4,B,C")}).find("ratios.csv:2: does not belong to the summary") !=
        std::string::npos);
  CHECK(refusal({.summary = replaced(summary, "0,4,B", "0,5,B")}).find("summary.csv:3: contradicts an earlier row of point 0") !=
        std::string::npos);
  CHECK(refusal({.summary = replaced(summary, "0,4,B", "0,4,A")}).find("summary.csv:3: contradicts an earlier row of point 0") !=
        std::string::npos);
  CHECK(refusal({.summary = replaced(summary, "acceptance_low", "acceptance")}).find("summary.csv:1: two columns have one name") !=
        std::string::npos);
  CHECK(refusal({.summary = "analysis\nA\n"}).find("summary.csv: not a sweep's summary") != std::string::npos);
  CHECK(refusal({.summary = summary_head}).find("summary.csv: is empty") != std::string::npos);
  CHECK(refusal({.summary = summary + "0,4\n"}).find("summary.csv: damaged table") != std::string::npos);
  CHECK(refusal({.weighted = "a,b\n"}).find("weighted.csv: has no column 'analysis'") != std::string::npos);
}

TEST_CASE("numbers out of their range") {
  for (const char* wrong : {"-0.1", "1.1", "nan", "inf", "", "x", "1e400", "1 "}) {
    CAPTURE(wrong);
    CHECK(
        refusal({.summary = replaced(summary, ",0.8,", std::string(",") + wrong + ",")}).find("summary.csv:3: column 'acceptance' holds") !=
        std::string::npos);
  }
  for (const char* wrong : {"1e300", "-1", "1.5", "18446744073709551616", "1000000000001"}) {
    CAPTURE(wrong);
    const std::string start = std::string("\n") + wrong + ",4,A";
    CHECK(refusal({.summary = replaced(summary, "\n0,4,A", start)}).find("summary.csv:2: column 'point' holds") != std::string::npos);
  }
  CHECK(refusal({.ratios = replaced(ratios, "1.2\n", "1e16\n")}).find("ratios.csv:2: column 'ratio_max' holds") != std::string::npos);
  CHECK(refusal({.weighted = replaced(weighted, "4,A,1", "4,A,2")}).find("weighted.csv:2: column 'weighted_schedulability' holds") !=
        std::string::npos);
}

TEST_CASE("names that no figure, page or terminal can show") {
  for (const std::string wrong : {"A\x1b[31m", "\xE2\x80\xAE", "\"A\nB\"", "A\xff", "\x7f"}) {
    CAPTURE(wrong);
    CHECK(refusal({.summary = replaced(summary, "0,4,A", "0,4," + wrong)}).find("summary.csv:2: ") != std::string::npos);
    CHECK(refusal({.summary = replaced(summary, "random.dags", wrong)}).find("summary.csv:1: ") != std::string::npos);
    CHECK(refusal({.weighted = replaced(weighted, "4,A", wrong + ",A")}).find("weighted.csv:2: ") != std::string::npos);
  }
}

TEST_CASE("a name that begins like a formula is read as it was given") {
  const Files files{.summary = replaced(replaced(summary, "0,4,A", "0,'=4,A"), "0,4,B", "0,'=4,B"),
                    .ratios = replaced(ratios, "0,4,B", "0,'=4,B")};
  CHECK(read(files).entries[0].values == std::vector<std::string>{"=4"});
}
