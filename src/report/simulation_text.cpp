#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "chain_table.hpp"
#include "report/parts/ratio_text.hpp"
#include "report/parts/text_table.hpp"
#include "report/parts/times.hpp"
#include "rta/report/time_text.hpp"
#include "simulation_printers.hpp"
#include "wait_words.hpp"

namespace rta::report {
namespace {

std::string ratio(const ResponseRow& row) {
  const std::string text = ratio_text(row.bound, row.count > 0 ? std::optional(row.max) : std::nullopt);
  return text.empty() ? "-" : text;
}

std::string mark_of(const ResponseRow& row) {
  if (row.over()) return row.missed() ? "ABOVE, MISSED" : "ABOVE";
  if (row.missed()) return "MISSED";
  return row.attained.value_or(false) ? "attained" : "";
}

}  // namespace

std::vector<std::vector<std::string>> response_table(const std::vector<ResponseRow>& rows, bool with_node) {
  // After a search there are maxima only.
  const bool statistics = std::any_of(rows.begin(), rows.end(), [](const ResponseRow& r) { return r.p99.has_value(); });
  std::vector<std::string> head{"DAG"};
  if (with_node) head.insert(head.end(), {"node", "pool"});
  head.insert(head.end(), {"theorem", "max"});
  if (statistics) head.insert(head.end(), {"mean", "99 %", "jobs"});
  head.insert(head.end(), {"bound", "bound/max"});
  const bool deadlines = std::ranges::any_of(rows, [](const ResponseRow& r) { return r.deadline.has_value(); });
  if (deadlines) head.emplace_back("deadline");
  if (deadlines && statistics) head.emplace_back("misses");
  head.emplace_back("");
  std::vector<std::vector<std::string>> table{head};
  for (const ResponseRow& r : rows) {
    std::vector<std::string> line{r.dag};
    if (with_node) line.insert(line.end(), {r.node, r.pool});
    const int digits = digits_of_row(r.count > 0 ? std::optional(r.max) : std::nullopt, r.bound, r.deadline);
    const auto rounded = [&](const std::optional<Time>& time) { return time ? rounded_text(*time, digits) : std::string("-"); };
    line.insert(line.end(), {r.bound ? r.theorem : "-", r.count > 0 ? rounded(r.max) : "-"});
    if (statistics) {
      line.push_back(r.mean_ns ? rounded(Time(std::llround(*r.mean_ns))) : "-");
      line.push_back(rounded(r.p99));
      line.push_back(fmt::format("{}", r.count));
    }
    line.insert(line.end(), {rounded(r.bound), ratio(r)});
    if (deadlines) line.push_back(optional_time(r.deadline));
    if (deadlines && statistics) line.push_back(r.misses ? fmt::format("{}", *r.misses) : "-");
    line.push_back(mark_of(r));
    table.push_back(line);
  }
  return table;
}

std::vector<std::vector<std::string>> operation_table(const std::vector<OperationRow>& rows) {
  std::vector<std::vector<std::string>> table{{"operation", "stream", "blocks", "issued", "start", "end", "waits for"}};
  for (const OperationRow& r : rows) {
    table.push_back({r.name, r.stream, r.place.empty() ? r.pool : r.place, optional_time(r.issued), optional_time(r.start),
                     optional_time(r.end), waits_text(r.name, r.waits)});
  }
  return table;
}

void print_simulation_text(const SimulationReport& report, std::ostream& out) {
  out << report.verdict << "\n\n";
  for (const SimulationFact& fact : report.facts) out << fmt::format("  {:<14} {}\n", fact.name, fact.text);
  if (!report.operations.empty()) {
    out << "\nOperations\n";
    auto table = operation_table(report.operations);
    std::size_t longest = 0;
    for (const auto& row : table) longest = std::max(longest, row.back().size());
    for (auto& row : table) row.back().resize(longest, ' ');  // text, left of its column
    print_table(out, table, 3);
    return;
  }
  out << "\nEnd to end\n";
  print_table(out, response_table(report.dags, false), 2);
  if (!report.chains.empty()) {
    out << "\nChains (maximum reaction time and data age; reduced: from the read, and to the output itself)\n";
    print_table(out, chain_table(report.chains), 3);
  }
  if (report.verbose) {
    out << "\nNodes\n";
    print_table(out, response_table(report.nodes, true), 4);
  }
  if (report.assumed.empty()) return;
  out << "\nAssumed by bounds\n";
  for (const std::string& text : report.assumed) out << "  " << text << '\n';
}

}  // namespace rta::report
