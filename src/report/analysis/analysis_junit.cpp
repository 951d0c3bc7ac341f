// Verdicts as the results of tests (JUnit's XML), for continuous integration.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "analysis_chains.hpp"
#include "analysis_printers.hpp"
#include "analysis_words.hpp"
#include "report/parts/xml_text.hpp"
#include "requirement_rows.hpp"
#include "rta/analysis/chains.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

struct Case {
  std::string group, name;
  std::string seen;  // bound, limit and verdict
  bool met;
};

/// A row of a table whose first column is a name: `bound 7.3 ms, deadline 7 ms, verdict MISSED`.
std::string in_words(const Row& header, const Row& row) {
  std::string text;
  for (std::size_t i = 1; i < row.size(); ++i) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", header[i], row[i]);
  return text;
}

/// A case for each requirement, whatever it is of.
void add_requirements(const analysis::Analysis& analysis, std::vector<Case>& cases) {
  const std::vector<Row> rows = requirement_rows(analysis);
  std::map<std::string_view, bool> holding;
  for (const RequirementResult& one : requirement_results(analysis)) {
    const auto at = holding.emplace(one.name, true).first;
    at->second = at->second && one.holds();
  }
  for (auto row = rows.begin() + 1; row != rows.end();) {
    const std::string& name = row->front();
    Case& one = cases.emplace_back(Case{"requirements", name, "", holding.at(name)});
    for (; row != rows.end() && row->front() == name; ++row) one.seen += (one.seen.empty() ? "" : "; ") + in_words(rows.front(), *row);
  }
}

std::vector<Case> cases_of(const analysis::Analysis& analysis) {
  const analysis::Proof& proof = analysis.proof;
  std::vector<Case> cases;
  std::vector<KindOfDag> each;
  for (DagId d = 0; d < proof.dags.size(); ++d) each.push_back({d, d});
  const std::vector<Row> dags = dag_rows(proof, each);
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const bool met = proof.dags[d].bound && proof.dags[d].meets(proof.task_set->dags()[d].deadline());
    cases.push_back({"end to end", dags[d + 1].front(), in_words(dags.front(), dags[d + 1]), met});
  }
  const std::vector<Row> nodes = own_deadline_rows(proof);
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    cases.push_back({"nodes", nodes[i].front(), in_words(nodes.front(), nodes[i]), nodes[i].back() == "met"});
  }
  const std::vector<Row> chains = chain_rows(analysis);
  const auto& limits = analysis::set_with_chains(proof).chains();
  for (std::size_t c = 0; c + 1 < chains.size(); ++c) {
    cases.push_back({"chains", chains[c + 1].front(), in_words(chains.front(), chains[c + 1]), analysis.chains[c].meets(limits[c])});
  }
  add_requirements(analysis, cases);
  return cases;
}

}  // namespace

void print_analysis_junit(const AnalysisReport& report, std::ostream& out) {
  const ShownTimes shown_times(TimeStyle{.unit = std::nullopt, .all_digits = true});  // a file for programs
  const std::vector<Case> cases = cases_of(report.analysis);
  const auto failures = std::ranges::count(cases, false, &Case::met);
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\"", cases.size(), failures);
  out << fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rta analyze\" {}>\n  <testsuite name=\"{}\" {}>\n",
                     counts, xml_text(to_string(report.analysis.verdict)), counts);
  for (const Case& one : cases) {
    out << fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n", one.group, xml_text(one.name));
    if (!one.met) out << fmt::format("      <failure message=\"{}\"/>\n", xml_text(one.seen));
    out << fmt::format("      <system-out>{}</system-out>\n    </testcase>\n", xml_text(one.seen));
  }
  out << "  </testsuite>\n</testsuites>\n";
}

}  // namespace rta::report
