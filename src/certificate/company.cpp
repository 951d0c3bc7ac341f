#include "certificate/company.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/company/exposure.hpp"
#include "analysis/company/phases.hpp"
#include "certificate/line.hpp"
#include "rta/model/error.hpp"
#include "rta/model/other_work.hpp"

namespace rta::certificate {

namespace {

/// Kernels, and what may run beside them and counts.
bool is_company(const TaskSet& set, const Node& node) { return std::holds_alternative<GpuDemand>(node.demand) || is_other_work(set, node); }

/// Whether the clock keeps something apart from v of DAG d.
bool any_kept_apart(const TaskSet& set, const analysis::Windows& windows, DagId d, NodeId v) {
  for (DagId e = 0; e < set.dags().size(); ++e) {
    for (NodeId u = 0; u < set.dags()[e].nodes().size(); ++u) {
      if (is_company(set, set.dags()[e].nodes()[u]) && analysis::clock_keeps_apart(set, windows, d, v, e, u)) return true;
    }
  }
  return false;
}

/// When it runs, where the clock keeps it apart from something.
void add_windows(const analysis::Proof& proof, std::string& out) {
  const TaskSet& alone = *proof.company->alone;
  const analysis::Windows windows = analysis::counted_windows(proof);
  for (DagId d = 0; d < alone.dags().size(); ++d) {
    for (NodeId v = 0; v < alone.dags()[d].nodes().size(); ++v) {
      const auto& window = windows[d][v];
      if (!window || !is_company(alone, alone.dags()[d].nodes()[v]) || !any_kept_apart(alone, windows, d, v)) continue;
      line(out, "window {} {} {} {}", d, v, window->from.count(), window->until.count());
    }
  }
}

/// How long kernels are there, where that makes some blocks shorter than C1 says.
void add_stays(const analysis::Proof& proof, std::string& out) {
  const TaskSet& set = *proof.task_set;
  if (analysis::block_times(set) == analysis::block_times(analysis::by_pairs(proof))) return;
  const analysis::Windows stays = analysis::stays_of(proof);
  for (DagId d = 0; d < set.dags().size(); ++d) {
    for (NodeId v = 0; v < set.dags()[d].nodes().size(); ++v) {
      const auto& stay = stays[d][v];
      if (!stay || !std::holds_alternative<GpuDemand>(set.dags()[d].nodes()[v].demand)) continue;
      line(out, "stay {} {} {} {}", d, v, stay->from.count(), stay->until.count());
    }
  }
}

}  // namespace

void add_company(const analysis::Proof& proof, std::string& out) {
  require(proof.company != nullptr, "a proof with company says how it was counted");
  const TaskSet& alone = *proof.company->alone;
  for (DagId d = 0; d < alone.dags().size(); ++d) {
    const auto nodes = alone.dags()[d].nodes();
    bool any = false;
    for (NodeId v = 0; v < nodes.size(); ++v) {
      const auto* const before = std::get_if<GpuDemand>(&nodes[v].demand);
      if (before == nullptr || !before->alone) continue;
      any = true;
      const auto& now = std::get<GpuDemand>(proof.task_set->dags()[d].nodes()[v].demand);
      line(out, "company {} {} {} {} {}", d, v, now.L.count(), to_string(now.C.count()),
           now.time ? fmt::format("{}", now.time->count()) : "-");
    }
    if (!any) continue;
    for (NodeId v = 0; v < nodes.size(); ++v) {
      const analysis::NodeProof& node = proof.dags[d].nodes[v];
      if (!is_company(alone, nodes[v]) || proof.company->lasting[d][v]) continue;
      if (!node.bound || !node.reference) continue;  // jobs that may wait for others (T38, T40) have none, however soon they would end
      line(out, "inside {} {} {} {}", d, v, (*node.reference + node.bound->R).count(), alone.dags()[d].period().count());
    }
  }
  add_windows(proof, out);
  add_stays(proof, out);
}

}  // namespace rta::certificate
