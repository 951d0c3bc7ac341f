#include "analysis/company/phases.hpp"

#include <algorithm>
#include <numeric>
#include <variant>

#include "rta/model/other_work.hpp"
#include "rta/model/partitions.hpp"

namespace rta::analysis {
namespace {

/// On threads a job may begin later, and no other bound of them counts phases.
bool is_clocked(const Dag& dag) { return dag.attributes().periodic && !dag.attributes().threads; }

Windows all_windows(const TaskSet& task_set, const std::optional<Window>& of_clocked) {
  Windows windows;
  for (const Dag& dag : task_set.dags()) windows.emplace_back(dag.nodes().size(), is_clocked(dag) ? of_clocked : std::optional<Window>());
  return windows;
}

/// Whether jobs start no earlier than their references: released early they may.
bool waits_for_reference(Release release) {
  return release == Release::offsets || release == Release::segments || release == Release::completion;
}

/// Kernels, and what may run beside them and counts.
bool is_company(const TaskSet& set, const Node& node) { return std::holds_alternative<GpuDemand>(node.demand) || is_other_work(set, node); }

}  // namespace

std::optional<Window> window_of(const Proof& proof, DagId d, NodeId v) {
  const NodeProof& node = proof.dags[d].nodes[v];
  if (!node.bound || !node.reference) return std::nullopt;
  return Window{waits_for_reference(proof.release) ? *node.reference : Time::zero(), *node.reference + node.bound->R};
}

Windows no_windows(const TaskSet& task_set) { return all_windows(task_set, std::nullopt); }
Windows empty_windows(const TaskSet& task_set) { return all_windows(task_set, Window{}); }

Windows windows_of(const Proof& proof) {
  Windows windows = no_windows(*proof.task_set);
  for (DagId d = 0; d < windows.size(); ++d) {
    if (!is_clocked(proof.task_set->dags()[d])) continue;
    for (NodeId v = 0; v < windows[d].size(); ++v) windows[d][v] = window_of(proof, d, v);
  }
  return windows;
}

Windows hull(const Windows& some, const Windows& others) {
  Windows both = some;
  for (DagId d = 0; d < both.size(); ++d) {
    for (NodeId v = 0; v < both[d].size(); ++v) {
      auto& one = both[d][v];
      const auto& other = others[d][v];
      one = one && other ? std::optional(Window{std::min(one->from, other->from), std::max(one->until, other->until)}) : std::nullopt;
    }
  }
  return both;
}

bool has_clock(const TaskSet& task_set) {
  const auto waits = [](const Dag& dag) { return dag.attributes().in_flight || !dag.history().empty(); };
  if (std::ranges::any_of(task_set.dags(), waits)) return false;
  return std::ranges::count_if(task_set.dags(), is_clocked) > 1;
}

bool clock_keeps_apart(const TaskSet& task_set, const Windows& windows, DagId d, NodeId u, DagId e, NodeId v) {
  const auto& of_u = windows[d][u];
  const auto& of_v = windows[e][v];
  if (d == e || !of_u || !of_v) return false;
  const DagAttributes& first = task_set.dags()[d].attributes();
  const DagAttributes& second = task_set.dags()[e].attributes();
  // Starts of windows are G apart, or delta more, whichever jobs they are of.
  const Wide G = std::gcd(task_set.dags()[d].nominal_period().count(), task_set.dags()[e].nominal_period().count());
  const auto start = [](const DagAttributes& of, const Window& window) {
    return Wide{of.phase.value_or(Time::zero()).count()} + window.from.count();
  };
  const auto length = [](const DagAttributes& of, const Window& window) {
    return Wide{window.until.count()} - window.from.count() + of.jitter.count();
  };
  Wide delta = (start(second, *of_v) - start(first, *of_u)) % G;
  if (delta < 0) delta += G;
  return length(first, *of_u) <= delta && length(second, *of_v) <= G - delta;
}

bool keep_what_is_apart(const TaskSet& task_set, const Windows& some, const Windows& others) {
  for (DagId d = 0; d < some.size(); ++d) {
    for (DagId e = 0; e < d; ++e) {
      for (NodeId u = 0; u < some[d].size(); ++u) {
        for (NodeId v = 0; v < some[e].size(); ++v) {
          if (!is_company(task_set, task_set.dags()[d].nodes()[u]) || !is_company(task_set, task_set.dags()[e].nodes()[v])) continue;
          if (clock_keeps_apart(task_set, some, d, u, e, v) && !clock_keeps_apart(task_set, others, d, u, e, v)) return false;
        }
      }
    }
  }
  return true;
}

const TaskSet& by_pairs(const Proof& proof) { return proof.company->by_pairs ? *proof.company->by_pairs : *proof.task_set; }

Windows counted_windows(const Proof& proof) {
  const TaskSet& alone = *proof.company->alone;
  if (!has_clock(alone)) return no_windows(alone);
  Windows windows = windows_of(proof);
  const bool counted = *with_company(alone, proof.company->lasting, windows) == by_pairs(proof);
  return counted ? windows : no_windows(alone);
}

}  // namespace rta::analysis
