#include "rta/model/other_work.hpp"

#include <algorithm>

#include "rta/model/error.hpp"
#include "rta/model/task_set.hpp"

namespace rta {
namespace {

bool copies_or_computes(const Node& node) {
  return std::holds_alternative<CopyDemand>(node.demand) || std::holds_alternative<CpuDemand>(node.demand);
}

}  // namespace

bool counts_other_work(const Interference& of) { return !of.other_sm.empty() && of.other_sm.front().size() > of.classes.size(); }

std::optional<OtherWorkColumns> other_work_columns(const Interference& of) {
  if (!counts_other_work(of)) return std::nullopt;
  OtherWorkColumns columns;
  for (const auto& row : of.other_sm) {
    columns.copies.push_back(row.at(of.classes.size()));
    columns.cpus.push_back(row.at(of.classes.size() + 1));
  }
  return columns;
}

void add_other_work_columns(Interference& of, const OtherWorkColumns& columns) {
  const std::size_t n = of.classes.size();
  require(columns.copies.size() == n && columns.cpus.size() == n && of.other_sm.size() == n && !counts_other_work(of),
          "a matrix has a row for each class, and one place for columns beside them");
  for (std::size_t c = 0; c < n; ++c) {
    of.other_sm[c].push_back(columns.copies[c]);
    of.other_sm[c].push_back(columns.cpus[c]);
  }
}

Lengthening lengthening(const Interference& of, std::optional<std::uint32_t> victim, const OtherWork& present) {
  if (!counts_other_work(of)) return 0;
  const std::size_t n = of.classes.size();
  const auto of_row = [&](const std::vector<Lengthening>& row) {
    return checked_add(present.copies ? row.at(n) : 0, present.cpus ? row.at(n + 1) : 0);
  };
  if (victim) return of_row(of.other_sm.at(*victim));
  Lengthening most = 0;
  for (const auto& row : of.other_sm) most = std::max(most, of_row(row));
  return most;
}

bool is_other_work(const Interference& of, const Node& node) { return copies_or_computes(node) && counts_other_work(of); }

bool is_other_work(const TaskSet& task_set, const Node& node) {
  return copies_or_computes(node) && std::ranges::any_of(task_set.pools(), [](const Pool& pool) {
           const auto* const gpu = std::get_if<GpuPool>(&pool.resource);
           return gpu != nullptr && gpu->interference && counts_other_work(*gpu->interference);
         });
}

std::vector<NotCounted> not_counted(const MeasuredCompany& measured, const std::optional<Interference>& counted) {
  return counted && counts_other_work(*counted) ? std::vector<NotCounted>() : not_counted(measured);
}

}  // namespace rta
