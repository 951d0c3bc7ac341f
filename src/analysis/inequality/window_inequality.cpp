#include "analysis/inequality/window_inequality.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace rta::analysis {
namespace {

class FollowedJobs {
 public:
  FollowedJobs(const WindowEvidence& evidence, DagId d, std::size_t n)
      : evidence_(evidence), waits_(evidence.system, evidence.windows), d_(d), n_(n) {}

  Inequality from(NodeId v, Time R) {
    std::optional<NodeId> at = v;
    // Another theorem may end the job sooner than its window.
    if (end_of(v) != R) {
      add_whole(v, R);
      at.reset();
    }
    while (at) at = add_job(*at);
    std::ranges::reverse(result_.path);
    result_.theorem = Theorem::T35;
    for (const Term& term : result_.terms) result_.total += term.length;
    return std::move(result_);
  }

 private:
  [[nodiscard]] const periodic::Node& node(NodeId v) const { return evidence_.system.dags[d_].nodes[v]; }
  [[nodiscard]] PoolId pool(NodeId v) const { return evidence_.pool_of[node(v).pool]; }
  [[nodiscard]] Time end_of(NodeId v) const { return evidence_.windows.ends[d_][v][n_]; }

  /// What another theorem has proven, from the nominal release on.
  void add_whole(NodeId v, Time end) {
    result_.path.push_back(v);
    const Time C = std::min(end, node(v).C);
    add({.cause = Cause::execution, .length = fine(C)});
    add({.cause = Cause::waiting, .pool = pool(v), .length = fine(end - C)});
  }

  /// The node whose end makes this one ready; none: the DAG's release, or what is no part of this job.
  std::optional<NodeId> add_job(NodeId v) {
    if (evidence_.system.pools[node(v).pool].order == periodic::Order::unknown) {
      add_whole(v, end_of(v));
      return std::nullopt;
    }
    const periodic::Wait wait = waits_.of(d_, v, n_);
    if (wait.known) {
      add_whole(v, end_of(v));
      return std::nullopt;
    }
    result_.path.push_back(v);
    add({.cause = Cause::execution, .length = fine(wait.end - wait.ready - wait.waiting)});
    add_waiting(v, wait);
    if (end_of(v) > wait.end) add({.cause = Cause::rounding, .length = fine(end_of(v) - wait.end)});
    if (wait.after_previous) {
      add({.cause = Cause::waiting, .pool = pool(v), .by = d_, .length = fine(wait.ready)});
      return std::nullopt;
    }
    if (!wait.after) add({.cause = Cause::release, .length = fine(wait.ready)});
    return wait.after;
  }

  /// Shares of whole ns that sum to the waiting.
  void add_waiting(NodeId v, const periodic::Wait& wait) {
    const periodic::Pool& on = evidence_.system.pools[node(v).pool];
    std::map<DagId, Wide> by;
    Wide started = 0;
    std::uint64_t aside = wait.aside;
    for (const periodic::Other& other : wait.others) {
      const std::uint64_t apart = std::min(aside, other.pieces);
      aside -= apart;
      (other.started ? started : by[other.dag]) += Wide{other.counted.count()} * static_cast<Wide>(other.pieces - apart);
    }
    const auto servers = static_cast<Wide>(on.servers - wait.aside);
    Wide work = 0, before = 0;
    const auto share = [&](Wide more) {
      work += more;
      const Wide now = on.preemptive ? ceil_div(work, servers) : work / servers;
      return fine(to_time(now - std::exchange(before, now)));
    };
    for (const auto& [dag, counted] : by) add({.cause = Cause::waiting, .pool = pool(v), .by = dag, .length = share(counted)});
    if (started > 0) add({.cause = Cause::blocking, .pool = pool(v), .length = share(started)});
  }

  void add(Term term) {
    if (term.length != FineTime::zero()) result_.terms.push_back(term);
  }

  const WindowEvidence& evidence_;
  periodic::Waits waits_;
  DagId d_;
  std::size_t n_;
  Inequality result_;
};

}  // namespace

Inequality window_inequality(const WindowEvidence& evidence, const Bound& bound, DagId d, NodeId v) {
  return FollowedJobs(evidence, d, evidence.windows.latest(d, v)).from(v, bound.R);
}

}  // namespace rta::analysis
