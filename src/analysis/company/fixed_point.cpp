#include "analysis/company/fixed_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "analysis/company/exposure.hpp"
#include "analysis/company/phases.hpp"
#include "rta/analysis/company.hpp"
#include "rta/model/other_work.hpp"

namespace rta::analysis {
namespace {

/// When it has ended, after its DAG's release.
std::optional<Time> end_of(const NodeProof& node) {
  return node.bound && node.reference ? std::optional(*node.reference + node.bound->R) : std::nullopt;
}

/// Which nodes may be unfinished when the next job is released, by the bounds of the proof.
Lasting lasting_of(const Proof& proof) {
  Lasting lasting;
  lasting.reserve(proof.dags.size());
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const Time T = proof.task_set->dags()[d].period();
    auto& nodes = lasting.emplace_back();
    for (const NodeProof& node : proof.dags[d].nodes) {
      const auto F = end_of(node);
      nodes.push_back(!F || *F > T);
    }
  }
  return lasting;
}

/// Whether nodes meet kernels for lasting longer: two of a thread's never meet.
bool has_company(const TaskSet& set, DagId d, NodeId v) {
  if (is_other_work(set, set.dags()[d].nodes()[v])) return set.dags()[d].attributes().threads != 1U;
  const auto* const gpu = std::get_if<GpuPool>(&set.pools()[set.dags()[d].nodes()[v].pool].resource);
  return gpu != nullptr && gpu->interference && set.dags()[d].attributes().threads != 1U;
}

/// Adds to `found` what lasted `before`; the first kernel that did not.
std::optional<std::pair<DagId, NodeId>> add_to(Lasting& found, const Lasting& before, const TaskSet& set) {
  std::optional<std::pair<DagId, NodeId>> first;
  for (DagId d = 0; d < found.size(); ++d) {
    for (NodeId v = 0; v < found[d].size(); ++v) {
      if (found[d][v] && !before[d][v] && !first && has_company(set, d, v)) first.emplace(d, v);
      if (before[d][v]) found[d][v] = true;
    }
  }
  return first;
}

bool is_within(const Lasting& some, const Lasting& all) {
  for (DagId d = 0; d < some.size(); ++d) {
    for (NodeId v = 0; v < some[d].size(); ++v) {
      if (some[d][v] && !all[d][v]) return false;
    }
  }
  return true;
}

void tell_first(Proof& proof, const CompanyProof& company) {
  const bool bounded = std::ranges::all_of(proof.dags, [](const DagProof& dag) { return dag.bound.has_value(); });
  if (bounded || !company.first) return;
  const Dag& dag = proof.task_set->dags()[company.first->dag];
  const std::string& node = dag.nodes()[company.first->node].name;
  const bool is_kernel = std::holds_alternative<GpuDemand>(dag.nodes()[company.first->node].demand);
  const auto& F = company.first->F;
  proof.warnings.push_back(fmt::format(
      "company: '{}/{}' {} when the next job of its DAG is released, T = {} ns later, so {} of two jobs count as company of one "
      "another; without that there may be bounds",
      dag.name(), node, F ? fmt::format("may be unfinished, as it is bounded by {} ns,", F->count()) : std::string("may be unfinished"),
      dag.period().count(), is_kernel ? "kernels" : "it and kernels"));
}

/// `clock`: whether windows of DAGs that one clock releases keep kernels apart.
Proof prove_by_windows(const std::shared_ptr<const TaskSet>& alone, Release release, const ProveSet& prove, bool clock) {
  CompanyProof company;
  company.alone = alone;
  company.from_below = release == Release::completion;
  company.lasting = all_last(*alone);
  if (company.from_below) {
    for (auto& nodes : company.lasting) nodes.assign(nodes.size(), false);
  }
  Windows windows = clock && company.from_below ? empty_windows(*alone) : no_windows(*alone);
  auto set = with_company(*alone, company.lasting, windows);
  Proof proof = prove(set);
  for (;;) {
    Lasting next = lasting_of(proof);
    std::optional<std::pair<DagId, NodeId>> first;
    Windows next_windows = clock ? windows_of(proof) : windows;
    if (company.from_below) {
      first = add_to(next, company.lasting, *alone);
      next_windows = hull(windows, next_windows);
    }
    if (next == company.lasting && next_windows == windows) break;
    auto changed = with_company(*alone, next, next_windows);
    if (*changed == *set) {  // pairs that came or went change no duration
      company.lasting = std::move(next);
      break;
    }
    if (first && !company.first) company.first = {first->first, first->second, end_of(proof.dags[first->first].nodes[first->second])};
    Proof other = prove(changed);
    ++company.rounds;
    // From above every proof is one; the last whose windows leave no more pairs than it counted says so by itself.
    if (!company.from_below && !is_within(lasting_of(other), next)) break;
    if (!company.from_below && clock && !keep_what_is_apart(*alone, next_windows, windows_of(other))) break;
    company.lasting = std::move(next);
    windows = std::move(next_windows);
    set = std::move(changed);
    proof = std::move(other);
  }
  tell_first(proof, company);
  proof.company = std::make_shared<const CompanyProof>(std::move(company));
  return proof;
}

constexpr int most_exposure_rounds = 6;

bool is_nowhere_later(const Proof& proof, const Proof& before) {
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const auto& was = before.dags[d].bound;
    const auto& is = proof.dags[d].bound;
    if (was && (!is || is->R > was->R)) return false;
  }
  return true;
}

/// C2: the proof from durations that the times for which company is there make shorter, as long as its own bounds say how long that is.
Proof with_exposure(Proof proof, const ProveSet& prove, bool clock) {
  for (int round = 0; round < most_exposure_rounds; ++round) {
    CompanyProof company = *proof.company;
    const TaskSet& alone = *company.alone;
    const auto windows_by = [&](const Proof& of) { return clock ? windows_of(of) : no_windows(alone); };
    const auto set = shortened(alone, company.lasting, windows_by(proof), stays_of(proof), by_pairs(proof));
    if (!set || *set == *proof.task_set) break;
    Proof other = prove(set);
    const Windows windows = windows_by(other);
    company.lasting = lasting_of(other);
    company.by_pairs = with_company(alone, company.lasting, windows);
    const bool holds = are_long_enough(alone, company.lasting, windows, stays_of(other), *company.by_pairs, *set);
    if (!holds || !is_nowhere_later(other, proof)) break;
    ++company.rounds;
    tell_first(other, company);
    other.company = std::make_shared<const CompanyProof>(std::move(company));
    proof = std::move(other);
  }
  return proof;
}

}  // namespace

Proof prove_in_company(const std::shared_ptr<const TaskSet>& alone, Release release, const ProveSet& prove) {
  if (has_clock(*alone)) {
    Proof proof = prove_by_windows(alone, release, prove, true);
    // What was left out is to be what these bounds leave out, as explanations and certificates derive it from them.
    if (*with_company(*alone, proof.company->lasting, windows_of(proof)) == *proof.task_set)
      return with_exposure(std::move(proof), prove, true);
  }
  return with_exposure(prove_by_windows(alone, release, prove, false), prove, false);
}

}  // namespace rta::analysis
