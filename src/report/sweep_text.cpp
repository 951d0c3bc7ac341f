#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <ostream>
#include <system_error>

#include "report/parts/text_table.hpp"
#include "sweep_printers.hpp"

namespace rta::report {

void print_sweep_text(const sweep::Results& results, std::ostream& out) {
  std::vector<Row> rows{results.parameters};
  for (const char* title : {"analysis", "sets", "accepted", "95 % interval", "bound/T median", "p95"}) rows.front().emplace_back(title);
  for (const sweep::SummaryEntry& e : results.entries) {
    Row& row = rows.emplace_back(e.values);
    row.insert(row.end(), {e.analysis, fmt::format("{}", e.sets), fmt::format("{:.2f} %", 100 * e.acceptance),
                           fmt::format("{:.2f} - {:.2f} %", 100 * e.low, 100 * e.high),
                           e.over_period ? fmt::format("{:.3f}", e.over_period->p50) : "-",
                           e.over_period ? fmt::format("{:.3f}", e.over_period->p95) : "-"});
  }
  print_table(out, rows, results.parameters.size() + 1, 0);
}

void print_sweep_csv(const sweep::Results& results, std::ostream& out) {
  std::ifstream in(results.summary, std::ios::binary);
  if (!in) throw std::system_error(errno, std::generic_category(), results.summary.string());
  out << in.rdbuf();
}

}  // namespace rta::report
