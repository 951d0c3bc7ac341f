#include "rta/analysis/largest_rate.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "analysis/advice/changed.hpp"
#include "analysis/advice/kept.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/analysis/deadlines.hpp"
#include "rta/model/deadline.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

/// No T is looked for above 39 hours: at that a DAG is as good as not there.
constexpr Wide longest_period = Wide{1} << 47;
/// As small a part of a T that this is the ns.
constexpr Wide to_the_ns = std::numeric_limits<std::int64_t>::max();

/// Of the period of a clock, beside which odd periods are of little use and take long to analyse.
constexpr Wide most_parts = 100;
constexpr Wide to_a_thousandth = 1000;

class RateSearch {
 public:
  RateSearch(const std::shared_ptr<const TaskSet>& task_set, const Proof& proof, const Options& options, DagRange dags)
      : task_set_(task_set), options_(options), asked_(options.enough), dags_(dags) {
    for (const DagProof& dag : proof.dags) bounded_.push_back(dag.bound.has_value());
    options_.explain.clear();
    options_.suggest = false;
    options_.progress = nullptr;
    options_.enough = Enough::deadlines;
  }

  LargestRate run() {
    const Wide now = task_set_->dags()[dags_.first].period().count();
    Wide holding = now;
    Wide failing = 0;
    const auto holds = [&](Wide period) { return holds_at(to_time(period)); };
    const auto is_stopped = [this] { return stopped(); };
    bool found = !stopped() && holds(holding);
    if (!found && misses_chain()) {  // which reacts sooner with a shorter T
      for (holding = now / 2; holding > 0 && !stopped(); holding /= 2) {
        found = holds(holding);
        if (found) break;
      }
    }
    if (!found) {
      const Wide most = std::max(now, most_period());
      for (holding = now; !found && holding < most && !stopped();) {
        failing = holding;
        holding = std::min(2 * holding, most);
        found = holds(holding);
      }
    }
    const DagAttributes& attributes = task_set_->dags()[dags_.first].attributes();
    const bool by_clock = attributes.periodic && !attributes.threads;  // no bound of threads counts phases
    if (found && by_clock) try_parts(now, holding, failing);
    if (found) {
      if (failing == 0) rate_.failing.reset();  // that is longer
      narrow(holding, failing, by_clock ? to_a_thousandth : to_the_ns, holds, is_stopped);
      options_.enough = asked_;
      if (asked_ != Enough::deadlines && !stopped()) holds(holding);  // the least bounds
    }
    rate_.dags = dags_;
    rate_.complete = !stopped();
    return std::move(rate_);
  }

 private:
  [[nodiscard]] bool stopped() const { return options_.stop && options_.stop(); }

  /// Whole parts of T keep the hyperperiod; halving seldom meets them.
  void try_parts(Wide now, Wide& holding, Wide& failing) {
    const std::optional<RateTrial> below = rate_.failing;
    const Wide before = holding;
    for (Wide parts = 2; parts <= most_parts && !stopped(); ++parts) {
      const Wide T = now / parts;
      if (now % parts != 0 || T >= holding || !holds_at(to_time(T))) continue;
      holding = T;
      failing = 0;
    }
    if (holding == before) rate_.failing = below;
  }

  /// At the T that was tried last.
  [[nodiscard]] bool misses_chain() const {
    return rate_.failing && std::ranges::any_of(rate_.failing->unmet, [](const Unmet& unmet) { return unmet.chain.has_value(); });
  }

  /// Of period(), which is less than T by the jitter. T_max stays as it is given.
  [[nodiscard]] Wide most_period() const {
    Wide most = longest_period;
    for (DagId d = dags_.first; d <= dags_.last; ++d) {
      const DagAttributes& attributes = task_set_->dags()[d].attributes();
      if (attributes.T_max && !attributes.periodic) most = std::min(most, Wide{(*attributes.T_max - attributes.jitter).count()});
    }
    return most;
  }

  bool holds_at(Time period) {
    const DagKinds::Kind dags{dags_.first, dags_.last};
    try {
      Analysis analysis =
          analyze(with_dags(*task_set_, dags, [&](const Dag& dag) { return with_times(dag, period, dag.deadline()); }), options_);
      RateTrial trial{
          period + task_set_->dags()[dags_.first].attributes().jitter, std::move(analysis.proof), std::move(analysis.chains), {}};
      trial.unmet = unmet(trial);
      const bool holds = trial.unmet.empty();
      if (holds || !stopped()) (holds ? rate_.found : rate_.failing) = std::move(trial);  // else it may not be done
      return holds;
    } catch (const Overflow&) {
      rate_.failing.reset();
      return false;
    }
  }

  [[nodiscard]] std::vector<Unmet> unmet(const RateTrial& trial) const {
    std::vector<Unmet> unmet;
    const Proof& proof = trial.proof;
    for (DagId d = 0; d < proof.dags.size(); ++d) {
      const Dag& dag = proof.task_set->dags()[d];
      const bool needs_bound = bounded_[d] || dag.deadline() || (dags_.first <= d && d <= dags_.last);
      const bool met = proof.dags[d].bound ? proof.dags[d].meets(dag.deadline()) : !needs_bound;
      if (!met) unmet.push_back({d});
      for (NodeId v = 0; v < dag.nodes().size(); ++v) {
        if (own_deadline(dag, v) && !meets_own_deadline(proof, d, v)) unmet.push_back({d, v});
      }
    }
    const auto& chains = set_with_chains(proof).chains();
    for (std::size_t c = 0; c < chains.size(); ++c) {
      if (!trial.chains[c].meets(chains[c])) unmet.push_back({chains[c].stages.front().dag, std::nullopt, c});
    }
    return unmet;
  }

  std::shared_ptr<const TaskSet> task_set_;
  std::vector<bool> bounded_;  // as it is
  Options options_;
  Enough asked_;
  DagRange dags_;
  LargestRate rate_;
};

}  // namespace

Bound LargestRate::bound() const {
  require(found.has_value(), "a largest rate that was found has a bound");
  Bound largest = *found->proof.dags[dags.first].bound;
  for (DagId d = dags.first; d <= dags.last; ++d) {
    if (found->proof.dags[d].bound->R > largest.R) largest = *found->proof.dags[d].bound;
  }
  return largest;
}

std::optional<DagRange> dags_called(const TaskSet& task_set, std::string_view name) {
  const auto dags = task_set.dags();
  const auto id = [&](auto at) { return static_cast<DagId>(at - dags.begin()); };
  if (const auto one = std::ranges::find(dags, name, &Dag::name); one != dags.end()) return DagRange{id(one), id(one)};
  const std::string copy = std::string(name) + "[";
  const auto is_copy = [&](const Dag& dag) { return dag.name().starts_with(copy) && dag.name().ends_with(']'); };
  const auto first = std::ranges::find_if(dags, is_copy);
  if (first == dags.end()) return std::nullopt;
  const auto end = std::find_if_not(first, dags.end(), [&](const Dag& dag) { return is_copy(dag) && dag.same_shape(*first); });
  return DagRange{id(first), id(end) - 1};
}

LargestRate largest_rate(const std::shared_ptr<const TaskSet>& task_set, const Proof& proof, const Options& options, DagRange dags) {
  return RateSearch(task_set, proof, options, dags).run();
}

}  // namespace rta::analysis
