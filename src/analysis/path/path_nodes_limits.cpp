// What limits take from the bounds of ends that were found. On the way up to them it may have been more.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "analysis/path/left_out_at.hpp"
#include "analysis/path/path_nodes.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::path {
namespace {

/// Of each class the most jobs at once.
class Jobs {
 public:
  Jobs(std::vector<Theorem> theorems, std::int64_t most, LeftOut::What what = LeftOut::What::coarser)
      : theorems_(std::move(theorems)), most_(most), what_(what) {}

  void add(std::size_t k, Wide found) {
    if (found > most_) found_[k] = std::max(found_[k], static_cast<std::size_t>(found));
  }
  void tell(const Ticks& ticks, std::vector<LeftOut>& all) const {
    for (const auto& [k, found] : found_) {
      add_left_out(all, {.what = what_,
                         .theorems = theorems_,
                         .limit = LeftOut::Limit::jobs_at_once,
                         .most = static_cast<std::size_t>(most_),
                         .found = found,
                         .where = ticks.system->dags[ticks.classes[k].dags.front()].name});
    }
  }

 private:
  std::vector<Theorem> theorems_;
  std::int64_t most_;
  LeftOut::What what_;
  std::map<std::size_t, std::size_t> found_;  // class
};

/// Fewer jobs at once meet no limit of them.
constexpr std::int64_t few_jobs = 32;

[[nodiscard]] bool may_meet_limits(const System& system, const std::vector<std::vector<Time>>& F) {
  if (std::ranges::any_of(system.pools, [](const Pool& pool) { return pool.order == Order::fixed; })) return true;
  Time longest;
  for (const auto& of_dag : F) longest = std::max(longest, *std::ranges::max_element(of_dag));
  return std::ranges::any_of(system.dags, [&](const Dag& dag) {
    return 2 * Wide{longest.count()} + dag.J.count() >= few_jobs * Wide{std::max<std::int64_t>(1, dag.T.count() - dag.J.count())};
  });
}

}  // namespace

/// T23: nothing is said of a pool where one DAG has too many jobs under way.
std::vector<LeftOut> Nodes::visits_left_out() const {
  std::vector<LeftOut> all;
  for (std::size_t p = 0; p < visits_.size(); ++p) {
    if (!visits_[p]) continue;
    for (const std::size_t k : visits_[p]->too_many()) {
      const Class& c = ticks_.classes[k];
      const Dag& dag = ticks_.system->dags[c.dags.front()];
      std::int64_t last = 0;
      for (std::size_t u = 0; u < c.size(); ++u) {
        if (dag.nodes[u].pool == p) last = std::max(last, F[k][u]);
      }
      add_left_out(all, {.theorems = {Theorem::T23},
                         .limit = LeftOut::Limit::jobs_at_once,
                         .most = static_cast<std::size_t>(VisitPool::most_jobs),
                         .found = static_cast<std::size_t>(jobs_in(last, Ticks::least_distance(c))),
                         .where = dag.name});
    }
  }
  return all;
}

/// T10w: of each class how many jobs may be in the window of a node, on the pools of processors that paths to it visit.
template <class Add>
void Nodes::add_fitting_jobs(std::size_t k, std::size_t v, Add add) const {
  const Class& c = ticks_.classes[k];
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    if (reach_[k][v * c.pools.size() + i] == not_visited || !fitting().fits(k, i)) continue;
    const std::size_t p = c.pools[i];
    const bool by_priority = ticks_.system->pools[p].order == Order::fixed && c.pool_of[v] == i;
    for (const std::size_t d : ticks_.users[p]) {
      const Class& other = ticks_.classes[d];
      if (d == k && c.copies == 1) continue;
      std::int64_t end = 0;
      for (std::size_t u = 0; u < other.size(); ++u) {
        if (other.pools[other.pool_of[u]] != p || (by_priority && other.priority[u] < c.priority[v])) continue;
        end = std::max(end, F[d][u]);
      }
      if (end > 0) add(d, (Wide{end} + other.J + F[k][v]) / other.T);
    }
  }
}

std::vector<LeftOut> Nodes::limits_met() {
  prepare();
  std::vector<LeftOut> all = visits_left_out();
  Jobs aligned({Theorem::T10a}, most_candidates);
  Jobs overlapped({Theorem::T10a, Theorem::T10v}, most_candidates);
  Jobs whole({has_jitter_ ? Theorem::T12d : Theorem::T10d}, WholeWindow::most_jobs - 1);
  Jobs fit({has_jitter_ ? Theorem::T12w : Theorem::T10w, has_jitter_ ? Theorem::T12m : Theorem::T10m}, FittingPaths::most_jobs - 1);
  Jobs under_way({Theorem::T10f}, UnderWay::most_jobs, LeftOut::What::theorems);
  bool steps = false;
  for (std::size_t k = 0; k < ticks_.classes.size(); ++k) {
    prepare(k);
    const Class& c = ticks_.classes[k];
    if (under_way_) {
      for (const auto& [d, jobs] : under_way_->too_many(k, F)) under_way.add(d, jobs);
    }
    for (std::size_t v = 0; v < c.size(); ++v) {
      if (aligned_ && aligns_[k] && !is_sliced(k, v)) {
        const AlignedPaths::Sums sums = aligned_sums(k, v);
        const AlignedPaths::Choice choice = aligned_->right_hand_side(k, c.pool_sets_of(v), v, sums, false);
        for (std::size_t d = 0; d < ticks_.classes.size(); ++d) {
          if (d == k && c.copies == 1) continue;
          (aligned_->overlap(k) && !some_sliced_ ? overlapped : aligned).add(d, aligned_->releases(k, d, choice, sums));
        }
      }
      if (whole_ && whole_->applies(k)) {
        for (std::size_t slot = 0; slot < c.slot_pool.size(); ++slot) {
          for (const WholePaths::Jobs& of : whole_->jobs(k, v, slot, {F, A_}, 0)) whole.add(of.c, of.in_window);
        }
      }
      if (fits_ && fitting().applies(k)) add_fitting_jobs(k, v, [&](std::size_t d, Wide jobs) { fit.add(d, jobs); });
      const auto& urgent = urgent_[c.pools[c.pool_of[v]]];
      steps = steps || (urgent && urgent->gives_up(k, v));
    }
  }
  under_way.tell(ticks_, all);
  overlapped.tell(ticks_, all);
  aligned.tell(ticks_, all);
  whole.tell(ticks_, all);
  fit.tell(ticks_, all);
  if (steps) {
    add_left_out(all, {.what = LeftOut::What::coarser,
                       .theorems = {has_jitter_ ? Theorem::T12j : Theorem::T11j},
                       .limit = LeftOut::Limit::steps,
                       .most = static_cast<std::size_t>(UrgentPool::most_steps),
                       .where = {}});
  }
  return all;
}

std::vector<LeftOut> left_out_at(const System& system, Refinement refinement, const std::vector<std::vector<Time>>& F) {
  if (refinement == Refinement::T10n || !may_meet_limits(system, F)) return {};
  Ticks ticks = to_ticks(system, Limits{}, true);
  Nodes nodes(ticks, rules_of(refinement));
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    const auto& ends = F[ticks.classes[k].dags.front()];
    require(ends.size() == nodes.F[k].size(), "ends are of this system");
    for (std::size_t v = 0; v < ends.size(); ++v) nodes.F[k][v] = ends[v].count();
    nodes.changed(k);
  }
  return nodes.limits_met();
}

std::vector<LeftOut> left_out_past(const System& system, Refinement refinement, const reason::PastLimit& past) {
  if (!rules_of(refinement).has(Rule::visit) || has_release_jitter(system) || past.periods <= UnderWay::most_jobs) return {};
  const Ticks ticks = to_ticks(system, Limits{}, false);
  const auto c = std::ranges::find_if(ticks.classes, [&](const Class& of) {
    return std::ranges::any_of(of.dags, [&](std::size_t d) { return system.dags[d].name == past.dag; });
  });
  if (c == ticks.classes.end() || !affordable_alignment(ticks)) return {};
  if (std::ranges::none_of(c->pools, [&](std::size_t p) { return VisitPool::applies(ticks, p); })) return {};
  std::vector<LeftOut> all;
  const auto add = [&](Theorem theorem, std::int64_t most) {
    if (past.periods <= most) return;
    all.push_back({.theorems = {theorem},
                   .limit = LeftOut::Limit::jobs_at_once,
                   .most = static_cast<std::size_t>(most),
                   .found = static_cast<std::size_t>(past.periods),
                   .where = past.dag});
  };
  add(Theorem::T10f, UnderWay::most_jobs);
  add(Theorem::T23, VisitPool::most_jobs);
  return all;
}

}  // namespace rta::analysis::path
