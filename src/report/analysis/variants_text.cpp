#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "rate_words.hpp"
#include "report/parts/text_table.hpp"
#include "rta/report/time_text.hpp"
#include "variants_printers.hpp"

namespace rta::report {
namespace {

constexpr std::size_t most_dags = 6;  // columns of a line at a terminal

/// The DAGs whose bounds have columns: those of the first set, where all have the same few.
std::vector<std::string> shown_dags(const VariantsReport& report) {
  std::vector<std::string> names;
  for (const Variant& variant : report.variants) {
    if (!variant.verdict) continue;
    std::vector<std::string> here;
    here.reserve(variant.dags.size());
    for (const VariantDag& dag : variant.dags) here.push_back(dag.name);
    if (here.size() > most_dags || (!names.empty() && here != names)) return {};
    names = std::move(here);
  }
  return names;
}

std::string column_text(const VariantDag& dag) { return dag.bound ? bound_text(*dag.bound, dag.deadline) : "none"; }

/// Of the DAG that is latest, or one that has no bound.
std::string largest_lateness(const Variant& variant) {
  const VariantDag* latest = nullptr;
  for (const VariantDag& dag : variant.dags) {
    if (!dag.bound) return fmt::format("none ({})", dag.name);
    if (!dag.deadline) continue;
    if (latest == nullptr || *dag.bound - *dag.deadline > *latest->bound - *latest->deadline) latest = &dag;
  }
  return latest == nullptr ? "" : fmt::format("{} ({})", rounded_text(*latest->bound - *latest->deadline), latest->name);
}

/// Least T, rate and bound there: of the DAG of that name, or its first copy.
void add_rates(const VariantsReport& report, const Variant& variant, Row& row) {
  for (const std::string& name : report.rates) {
    const auto dag = std::ranges::find_if(
        variant.dags, [&](const VariantDag& one) { return one.rate && (one.name == name || one.name.starts_with(name + "[")); });
    const bool found = dag != variant.dags.end() && dag->rate->T;
    row.push_back(found ? time_text(*dag->rate->T) : "none");
    row.push_back(found ? per_second(*dag->rate->T) : "");
    row.push_back(found ? bound_text(*dag->rate->bound, dag->deadline) : "");
  }
}

/// Where one value decides: `gpu.sms: schedulable with 8, not with 7`. Of neighbours that differ in one place alone.
std::vector<std::string> edges(const VariantsReport& report) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i + 1 < report.variants.size(); ++i) {
    const Variant& a = report.variants[i];
    const Variant& b = report.variants[i + 1];
    if (!a.verdict || !b.verdict || a.file != b.file) continue;
    const bool before = *a.verdict == analysis::Verdict::schedulable;
    if (before == (*b.verdict == analysis::Verdict::schedulable)) continue;
    std::size_t place = 0, different = 0;
    for (std::size_t p = 0; p < report.places.size(); ++p) {
      if (a.values[p] == b.values[p]) continue;
      place = p;
      ++different;
    }
    if (different != 1) continue;
    std::string others;
    for (std::size_t p = 0; p < report.places.size(); ++p) {
      if (p != place) others += fmt::format("{}{} = {}", others.empty() ? " (" : ", ", report.places[p], a.values[p]);
    }
    lines.push_back(fmt::format("{}: schedulable with {}, not with {}{}", report.places[place], (before ? a : b).values[place],
                                (before ? b : a).values[place], others.empty() ? "" : others + ")"));
  }
  return lines;
}

}  // namespace

void print_variants_text(const VariantsReport& report, std::ostream& out) {
  const bool files = std::ranges::any_of(report.variants, [&](const Variant& one) { return one.file != report.variants.front().file; });
  const std::vector<std::string> dags = shown_dags(report);
  std::vector<Row> rows(1);
  if (files) rows.front().emplace_back("file");
  rows.front().insert(rows.front().end(), report.places.begin(), report.places.end());
  const std::size_t left = files ? 1 : 0;
  for (const char* const column : {"verdict", "met", "largest lateness"}) rows.front().emplace_back(column);
  for (const std::string& name : report.rates) {
    for (const std::string& column : {"least T of " + name, std::string("per second"), std::string("bound there")})
      rows.front().push_back(column);
  }
  rows.front().insert(rows.front().end(), dags.begin(), dags.end());
  std::size_t schedulable = 0;
  for (const Variant& variant : report.variants) {
    Row& row = rows.emplace_back();
    if (files) row.push_back(variant.file);
    row.insert(row.end(), variant.values.begin(), variant.values.end());
    if (!variant.verdict) {
      row.emplace_back("refused");
      continue;
    }
    schedulable += *variant.verdict == analysis::Verdict::schedulable ? 1 : 0;
    const auto met = std::ranges::count_if(variant.dags, &VariantDag::met);
    row.emplace_back(to_string(*variant.verdict));
    row.push_back(fmt::format("{} of {}", met, variant.dags.size()));
    row.push_back(largest_lateness(variant));
    add_rates(report, variant, row);
    if (dags.empty()) continue;
    for (const VariantDag& dag : variant.dags) row.push_back(column_text(dag));
  }
  for (Row& row : rows) row.resize(rows.front().size());
  out << fmt::format("{} of {} are schedulable\n\n", schedulable, report.variants.size());
  print_table(out, rows, left);
  const std::vector<std::string> lines = edges(report);
  if (!lines.empty()) out << '\n';
  for (const std::string& line : lines) out << line << '\n';
}

}  // namespace rta::report
