// What the bounds of a system leave out because it has too many nodes.
#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/path/aligned/aligned.hpp"
#include "analysis/path/aligned/turns.hpp"
#include "analysis/path/chains/parallel.hpp"
#include "analysis/path/fitting/fitting.hpp"
#include "analysis/path/late/since_nominal.hpp"
#include "analysis/path/points/backlog.hpp"
#include "analysis/path/rules.hpp"
#include "analysis/path/system/ticks.hpp"
#include "analysis/path/visit/running.hpp"
#include "analysis/path/visit/visit.hpp"
#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {
namespace {

using Limit = LeftOut::Limit;

class TooMany {
 public:
  TooMany(const System& system, Refinement refinement)
      : system_(system),
        rules_(rules_of(refinement)),
        ticks_(to_ticks(system, Limits{}, false)),
        has_jitter_(has_release_jitter(system)),
        slices_(std::ranges::any_of(system.pools, [](const Pool& pool) { return pool.slices.has_value(); })) {}

  std::vector<LeftOut> all() {
    if (!has_jitter_ && rules_.has(Rule::aligned) && !affordable_alignment(ticks_)) add_pairs();
    for (const Class& c : ticks_.classes) add_size(c);
    if (rules_.has(Rule::parallel) && !slices_ && !FittingPaths::affordable(ticks_)) add_fitting();
    if (rules_.has(Rule::local_on_fifo)) add_late();
    return std::move(all_);
  }

 private:
  /// Of nodes, equal DAGs once.
  [[nodiscard]] std::size_t nodes() const {
    std::size_t nodes = 0;
    for (const Class& c : ticks_.classes) nodes += c.size();
    return nodes;
  }

  void add(std::vector<Theorem> theorems, Limit limit, std::size_t most, std::size_t found, std::string where = {}) {
    if (theorems.empty()) return;
    add_left_out(all_, {.theorems = std::move(theorems), .limit = limit, .most = most, .found = found, .where = std::move(where)});
  }

  void add_pairs() {
    std::vector<Theorem> theorems;
    bool aligned = false;
    bool carried = false;
    bool visited = false;
    bool running = false;
    for (std::size_t p = 0; p < system_.pools.size(); ++p) {
      const Order order = system_.pools[p].order;
      aligned = aligned || (!ticks_.users[p].empty() && AlignedPaths::aligned(order));
      carried = carried || (rules_.has(Rule::carried) && order == Order::gel && BacklogPool::applies(ticks_, p));
      running = running || (rules_.has(Rule::visit) && !ticks_.users[p].empty() && RunningPool::applies(ticks_, p));
      visited = visited || (rules_.has(Rule::visit) && !ticks_.users[p].empty() && VisitPool::applies(ticks_, p));
    }
    if (aligned) theorems.push_back(Theorem::T10a);
    if (aligned && !slices_) theorems.push_back(Theorem::T10v);
    if (carried) theorems.push_back(Theorem::T10c);
    if (visited) theorems.push_back(Theorem::T10f);
    if (visited) theorems.push_back(Theorem::T23);
    if (running) theorems.push_back(Theorem::T24);
    add(std::move(theorems), Limit::pairs, most_aligned_pairs, nodes() * ticks_.classes.size());
  }

  void add_late() {
    for (const Class& c : ticks_.classes) {
      const std::int64_t periods = c.J / c.T;
      if (periods <= most_periods_of_jitter) continue;
      return add({Theorem::T12j}, Limit::periods, static_cast<std::size_t>(most_periods_of_jitter), static_cast<std::size_t>(periods),
                 system_.dags[c.dags.front()].name);
    }
  }

  void add_size(const Class& c) {
    const std::string& name = system_.dags[c.dags.front()].name;
    const auto queue = [&](std::size_t p) { return system_.pools[p].order == Order::fifo; };
    if (!has_jitter_ && rules_.has(Rule::aligned) && affordable_alignment(ticks_) && c.size() > most_nodes_in_turn &&
        std::ranges::any_of(c.pools, queue)) {
      all_.push_back({.what = LeftOut::What::coarser,
                      .theorems = {Theorem::T10a},
                      .limit = Limit::nodes_of_dag,
                      .most = most_nodes_in_turn,
                      .found = c.size(),
                      .where = name});
    }
    const bool visited = std::ranges::any_of(c.pools, [&](std::size_t p) { return VisitPool::applies(ticks_, p); });
    if (!has_jitter_ && rules_.has(Rule::visit) && affordable_alignment(ticks_) && !VisitPool::asks(c) && visited)
      add({Theorem::T10f, Theorem::T23}, Limit::nodes_of_dag, most_nodes_in_turn, c.size(), name);
    if (rules_.has(Rule::fitting) && c.slot_pool.size() > FittingPaths::most_slots && ParallelPaths::applies(c, system_))
      add({has_jitter_ ? Theorem::T12w : Theorem::T10w}, Limit::pools, FittingPaths::most_slots, c.slot_pool.size(), name);
    if (c.size() > most_nodes_with_descendants) {
      all_.push_back({.what = LeftOut::What::coarser,
                      .theorems = {has_jitter_ ? Theorem::T12 : Theorem::T10n},
                      .limit = Limit::nodes_of_dag,
                      .most = most_nodes_with_descendants,
                      .found = c.size(),
                      .where = name});
    }
    if (!rules_.has(Rule::parallel) || c.size() <= ParallelPaths::most_nodes) return;
    const bool preemptive = ParallelPaths::suits(c, system_);
    const bool whole = rules_.has(Rule::whole) && (has_jitter_ ? preemptive : ParallelPaths::suits_beside_started(c, system_));
    std::vector<Theorem> theorems;
    if (preemptive && !has_jitter_) theorems.push_back(Theorem::T10p);
    if (whole) theorems.push_back(has_jitter_ ? Theorem::T12d : Theorem::T10d);
    if (preemptive && !whole)
      theorems.insert(theorems.end(), {has_jitter_ ? Theorem::T12w : Theorem::T10w, has_jitter_ ? Theorem::T12m : Theorem::T10m});
    add(std::move(theorems), Limit::nodes_of_dag, ParallelPaths::most_nodes, c.size(), name);
  }

  void add_fitting() {
    const bool some = std::ranges::any_of(ticks_.classes, [&](const Class& c) {
      return ParallelPaths::applies(c, system_) &&
             std::ranges::any_of(c.pools, [&](std::size_t p) { return FittingPaths::is_processors(system_, p); });
    });
    if (!some) return;
    std::vector<Theorem> theorems{has_jitter_ ? Theorem::T12w : Theorem::T10w};
    if (rules_.has(Rule::fitting)) theorems.push_back(has_jitter_ ? Theorem::T12m : Theorem::T10m);
    add(std::move(theorems), Limit::different_nodes, FittingPaths::most_nodes, nodes());
  }

  const System& system_;
  Rules rules_;
  Ticks ticks_;
  bool has_jitter_;
  bool slices_;
  std::vector<LeftOut> all_;
};

}  // namespace

std::vector<LeftOut> left_out(const System& system, Refinement refinement) {
  std::size_t nodes = 0;
  std::size_t largest = 0;
  for (const Dag& dag : system.dags) {
    nodes += dag.nodes.size();
    largest = std::max(largest, dag.nodes.size());
  }
  const std::size_t fewest =
      refinement == Refinement::T10n ? most_nodes_with_descendants : most_aligned_pairs / std::max<std::size_t>(1, nodes);
  const bool late = std::ranges::any_of(system.dags, [](const Dag& dag) { return dag.J.count() / dag.T.count() > most_periods_of_jitter; });
  const bool many = system.pools.size() > FittingPaths::most_slots;
  const bool large = refinement == Refinement::T10n ? largest > fewest : nodes > fewest || largest > most_nodes_in_turn;
  if (!large && !late && !many) return {};
  return TooMany(system, refinement).all();
}

}  // namespace rta::analysis::path
