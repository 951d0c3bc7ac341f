// The least T at which the jobs of a DAG are over before the next is released, so that its kernels meet none of another job.
#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "analysis/advice/apart.hpp"
#include "analysis/advice/changed.hpp"
#include "analysis/advice/kept.hpp"
#include "analysis/explain/dag_kinds.hpp"
#include "rta/analysis/company.hpp"

namespace rta::analysis {
namespace {

constexpr std::size_t most_cliffs = 4;     // DAGs whose T is looked for
constexpr std::size_t most_doublings = 4;  // until their jobs part
constexpr std::size_t most_halvings = 12;
constexpr Wide finest_part = 1000;

/// Whether kernels of two jobs of the DAG can meet by that proof.
bool jobs_meet(const Proof& proof, DagId d) {
  const Dag& dag = proof.task_set->dags()[d];
  if (dag.attributes().threads == 1U || !proof.company) return false;
  for (NodeId v = 0; v < dag.nodes().size(); ++v) {
    const auto* const gpu = std::get_if<GpuPool>(&proof.task_set->pools()[dag.nodes()[v].pool].resource);
    if (gpu != nullptr && gpu->interference && proof.company->lasting[d][v]) return true;
  }
  return false;
}

/// When the last kernel of the DAG has ended.
std::optional<Time> kernels_end(const Proof& proof, DagId d) {
  Time last;
  const Dag& dag = proof.task_set->dags()[d];
  for (NodeId v = 0; v < dag.nodes().size(); ++v) {
    const NodeProof& node = proof.dags[d].nodes[v];
    if (!std::holds_alternative<GpuDemand>(dag.nodes()[v].demand)) continue;
    if (!node.bound || !node.reference) return std::nullopt;
    last = std::max(last, *node.reference + node.bound->R);
  }
  return last;
}

class Parting {
 public:
  Parting(const TaskSet& task_set, DagKinds::Kind kind, const ProveChanged& prove) : set_(task_set), kind_(kind), prove_(prove) {}

  std::optional<Remedy> least(const Proof& now) {
    const Time T = set_.dags()[kind_.first].period();
    meeting_ = T.count();
    Wide guess = 2 * Wide{T.count()};
    if (const auto end = kernels_end(now, kind_.first)) guess = std::max<Wide>(T.count() + Wide{1}, end->count());
    const auto& first = now.company->first;
    if (first && first->dag == kind_.first && first->F) guess = std::max<Wide>(T.count() + Wide{1}, first->F->count());
    for (std::size_t i = 0; i < most_doublings && !found_ && !ended_; ++i, guess *= 2) at(guess);
    if (!found_) return std::nullopt;
    // At the instant when they end, and not a ns before it, is the least T where bounds do not depend on it.
    if (const auto end = kernels_end(found_->proof, kind_.first); end && end->count() > meeting_ && end->count() < parted_)
      at(end->count());
    if (parted_ - 1 > meeting_ && !ended_) at(parted_ - 1);
    std::size_t steps = 0;
    narrow(
        parted_, meeting_, finest_part, [&](Wide value) { return at(value); }, [&] { return ended_ || ++steps > most_halvings; });
    std::get<OtherPeriod>(found_->change).meeting = to_time(meeting_) + set_.dags()[kind_.first].attributes().jitter;
    return std::move(found_);
  }

 private:
  /// Whether jobs of the DAG are apart where T - J is so long.
  bool at(Wide period) {
    if (period > std::numeric_limits<std::int64_t>::max() / 4) return false;
    const auto jitter = set_.dags()[kind_.first].attributes().jitter;
    auto proof = prove_(with_dags(set_, kind_, [&](const Dag& dag) {
      const auto T_max = dag.attributes().T_max;
      const Time T = to_time(period);
      Dag slower = with_times(dag, T, dag.deadline());
      if (!T_max || *T_max >= T + jitter) return slower;
      DagAttributes attributes = slower.attributes();
      attributes.T_max = T + jitter;
      return Dag(slower.name(), T, slower.deadline(), {slower.nodes().begin(), slower.nodes().end()},
                 {slower.edges().begin(), slower.edges().end()}, attributes);
    }));
    if (!proof) {
      ended_ = true;
      return false;
    }
    if (jobs_meet(*proof, kind_.first)) {
      meeting_ = std::max(meeting_, period);
      return false;
    }
    parted_ = period;
    found_ = Remedy{OtherPeriod{kind_.first, kind_.last, to_time(period) + jitter, {}}, std::move(*proof), {}};
    return true;
  }

  const TaskSet& set_;
  DagKinds::Kind kind_;
  const ProveChanged& prove_;
  std::optional<Remedy> found_;
  Wide parted_ = 0;
  Wide meeting_ = 0;  // the largest T - J at which they were seen to meet
  bool ended_ = false;
};

}  // namespace

std::vector<Remedy> parted_jobs(const TaskSet& task_set, const Proof& proof, const ProveChanged& prove) {
  std::vector<Remedy> found;
  std::size_t tried = 0;
  for (const DagKinds::Kind kind : dag_kinds(task_set).kinds) {
    if (tried == most_cliffs) break;
    if (!jobs_meet(proof, kind.first)) continue;
    ++tried;
    if (auto one = Parting(task_set, kind, prove).least(proof)) found.push_back(std::move(*one));
  }
  return found;
}

}  // namespace rta::analysis
