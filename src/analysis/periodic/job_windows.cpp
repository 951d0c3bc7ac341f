#include "rta/analysis/periodic/job_windows.hpp"

#include <algorithm>
#include <utility>

#include "analysis/periodic/job_table.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::periodic {
namespace {

constexpr std::uint64_t steps_between_questions = 1'000'000;

/// Whether a pool has more work than it can do, and some of its nodes have no end known: then no ends satisfy the inequalities.
bool is_hopeless(const System& system, std::int64_t H) {
  for (std::size_t p = 0; p < system.pools.size(); ++p) {
    if (system.pools[p].order == Order::unknown) continue;
    Wide work = 0;
    bool all_known = true;
    for (const Dag& dag : system.dags) {
      for (const Node& node : dag.nodes) {
        if (node.pool != p) continue;
        work = checked_add(work, checked_mul(checked_mul(Wide{node.C.count()}, static_cast<Wide>(node.pieces)), Wide{H / dag.T.count()}));
        all_known = all_known && node.known.has_value();
      }
    }
    if (!all_known && work > Wide{system.pools[p].servers} * H) return true;
  }
  return false;
}

/// The ends that grow from the least ones until every inequality holds.
class Growth {
 public:
  Growth(const System& system, const Size& size, const Limits& limits)
      : system_(system), limits_(limits), table_(system, size, limits.periods), dirty_(table_.size(), true) {}

  enum class Outcome : std::uint8_t { settled, late, steps, stopped };

  Outcome grow() {
    start();
    for (bool all = true;;) {
      bool changed = false;
      for (const std::size_t j : table_.order()) {
        if (!dirty_[j]) continue;
        dirty_[j] = false;
        if (!raise(j)) continue;
        changed = true;
        if (table_.end(j) >= table_.limit(j) && !table_.node(j).known) return Outcome::late;
        table_.for_affected(j, [&](std::size_t k) { dirty_[k] = true; });
        if (table_.steps() > limits_.steps) return Outcome::steps;
        if (is_stopped()) return Outcome::stopped;
      }
      if (!changed && all) return Outcome::settled;
      all = !changed;  // whatever was taken for unaffected is asked again
      if (all) dirty_.assign(dirty_.size(), true);
    }
  }

  [[nodiscard]] Windows windows() const {
    Windows result{Time(table_.hyperperiod()), {}, table_.steps()};
    result.ends.resize(system_.dags.size());
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      for (std::size_t v = 0; v < system_.dags[d].nodes.size(); ++v) {
        auto& ends = result.ends[d].emplace_back();
        ends.reserve(table_.releases(d));
        for (std::size_t n = 0; n < table_.releases(d); ++n) {
          const std::size_t j = table_.job(d, v, n);
          ends.emplace_back(table_.end(j) - table_.release(j));
        }
      }
    }
    return result;
  }

 private:
  /// What the jobs take without any waiting.
  void start() {
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      for (const std::size_t v : system_.dags[d].order) {
        for (std::size_t n = 0; n < table_.releases(d); ++n) {
          const std::size_t j = table_.job(d, v, n);
          table_.set_end(j, least_end(j));
        }
      }
    }
  }
  [[nodiscard]] std::int64_t least_end(std::size_t j) const {
    if (table_.pool(j).order == Order::unknown) return table_.limit(j);
    return std::min(table_.limit(j), table_.ready(j) + table_.node(j).C.count());
  }

  /// Whether the job may end later than was thought.
  bool raise(std::size_t j) {
    if (table_.pool(j).order == Order::unknown || table_.end(j) >= table_.limit(j)) return false;
    const auto unheard = [](std::size_t, std::int64_t, std::int64_t, std::uint64_t, bool) {};
    const std::int64_t end = std::min(table_.wait(j, unheard).end, table_.limit(j));
    if (end <= table_.end(j)) return false;
    table_.set_end(j, end);
    return true;
  }

  bool is_stopped() {
    if (!limits_.stop || table_.steps() < asked_ + steps_between_questions) return false;
    asked_ = table_.steps();
    return limits_.stop();
  }

  const System& system_;
  const Limits& limits_;
  JobTable table_;
  std::vector<bool> dirty_;
  std::uint64_t asked_ = 0;
};

}  // namespace

std::size_t Windows::latest(std::size_t d, std::size_t v) const {
  return static_cast<std::size_t>(std::ranges::max_element(ends[d][v]) - ends[d][v].begin());
}

std::optional<Windows> job_windows(const System& system, const Limits& limits, std::vector<LeftOut>* left_out) {
  const auto tell = [&](LeftOut::Limit limit, std::size_t most, std::size_t found = 0) {
    if (left_out == nullptr) return;
    add_left_out(*left_out, LeftOut{.theorems = {Theorem::T35}, .limit = limit, .most = most, .found = found, .where = {}});
  };
  const auto tell_sizes = [&] {
    for (const Dag& dag : system.dags) {
      if (left_out == nullptr || dag.nodes.size() <= JobTable::most_related) continue;
      add_left_out(*left_out, LeftOut{.what = LeftOut::What::coarser,
                                      .theorems = {Theorem::T35},
                                      .limit = LeftOut::Limit::nodes_of_dag,
                                      .most = JobTable::most_related,
                                      .found = dag.nodes.size(),
                                      .where = {}});
    }
  };
  const auto size = size_of(system);
  if (!size || size->jobs > limits.jobs) {
    tell(LeftOut::Limit::jobs, limits.jobs, size ? size->jobs : 0);
    return std::nullopt;
  }
  if (is_hopeless(system, size->hyperperiod)) return std::nullopt;
  Growth growth(system, *size, limits);
  switch (growth.grow()) {
    case Growth::Outcome::settled: tell_sizes(); return growth.windows();
    case Growth::Outcome::late: tell_sizes(); return std::nullopt;
    case Growth::Outcome::steps: tell(LeftOut::Limit::steps, limits.steps); return std::nullopt;
    case Growth::Outcome::stopped: tell(LeftOut::Limit::time, 0); return std::nullopt;
  }
  throw_defect("the growth of windows ends somehow");
}

Waits::Waits(const System& system, const Windows& windows) {
  const auto size = size_of(system);
  require(size.has_value(), "windows that were found have a hyperperiod");
  table_ = std::make_unique<JobTable>(system, *size, Limits{}.periods);
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    for (std::size_t v = 0; v < windows.ends[d].size(); ++v) {
      for (std::size_t n = 0; n < windows.ends[d][v].size(); ++n) {
        const std::size_t j = table_->job(d, v, n);
        table_->set_end(j, table_->release(j) + windows.ends[d][v][n].count());
      }
    }
  }
}

Waits::~Waits() = default;

Wait Waits::of(std::size_t d, std::size_t v, std::size_t n) {
  const std::size_t j = table_->job(d, v, n);
  const std::int64_t release = table_->release(j);
  Wait wait;
  (void)table_->ready(j, &wait.after, &wait.after_previous);
  const Waited found = table_->wait(j, [&](std::size_t k, std::int64_t shift, std::int64_t counted, std::uint64_t pieces, bool started) {
    const std::int64_t rounds = shift / table_->hyperperiod();
    const auto number =
        static_cast<std::int64_t>(table_->number(k)) + rounds * static_cast<std::int64_t>(table_->releases(table_->dag_of(k)));
    wait.others.push_back({table_->dag_of(k), table_->node_in_dag(k), number, Time(counted), pieces, started});
  });
  wait.ready = Time(found.ready - release);
  std::ranges::stable_sort(wait.others, std::ranges::greater{}, &Other::counted);
  wait.aside = found.aside;
  wait.work = found.work;
  wait.waiting = Time(found.waiting);
  wait.end = Time(found.end - release);
  wait.known = table_->end(j) - release < wait.end.count();
  return wait;
}

}  // namespace rta::analysis::periodic
