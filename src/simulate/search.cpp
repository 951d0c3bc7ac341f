#include "rta/simulate/search.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "random.hpp"

namespace rta::simulate {
namespace {

constexpr std::array placements{Placement::most_free, Placement::round_robin, Placement::least_free, Placement::first_fit,
                                Placement::random};

class Search {
 public:
  Search(const TaskSet& task_set, const Schedule& schedule, const SearchOptions& options)
      : set_(task_set), schedule_(schedule), options_(options) {
    result_.dags.resize(set_.dags().size());
    for (const Dag& dag : set_.dags()) result_.nodes.emplace_back(dag.nodes().size());
  }

  SearchResult run() {
    for (DagId target = 0; !set_.dags().empty() && !ended(); target = (target + 1) % set_.dags().size()) climb(target);
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::int64_t dice(std::int64_t low, std::int64_t high) {
    return between(mix(options_.base.seed ^ mix(draws_++)), low, high);
  }
  [[nodiscard]] bool one_in(std::int64_t n) { return dice(1, n) == 1; }

  [[nodiscard]] bool ended() {
    if (result_.ending != Ending::complete) return true;
    result_.ending = ending_of(options_.base.limit.cause());
    return result_.ending != Ending::complete || (options_.max_runs > 0 && result_.tried >= options_.max_runs);
  }

  // From a random start, one change after the other, each kept unless the response of `target` falls.
  void climb(DagId target) {
    Options current = start();
    std::optional<Time> best = worst(current, target);
    for (std::uint64_t idle = 0; idle < options_.climb && !ended();) {
      Options next = current;
      change(next);
      const auto response = worst(next, target);
      idle = response > best ? 0 : idle + 1;
      if (response >= best) {
        current = std::move(next);
        best = response;
      }
    }
  }

  // The first start of all is the classical one: synchronous, periodic, worst-case times.
  [[nodiscard]] Options start() {
    Options o = options_.base;
    o.releases = {};
    o.releases.phases.assign(set_.dags().size(), Time::zero());
    o.execution = worst_case;
    o.vary = false;
    o.node_execution.clear();
    for (const Dag& dag : set_.dags()) o.node_execution.emplace_back(dag.nodes().size(), worst_case);
    if (result_.tried == 0) return o;
    const std::int64_t changes = dice(1, 6);
    for (std::int64_t i = 0; i < changes; ++i) change(o);
    return o;
  }

  void change(Options& o) {
    const auto dags = static_cast<std::int64_t>(set_.dags().size());
    const auto d = static_cast<std::size_t>(dice(0, dags - 1));
    const std::int64_t T = set_.dags()[d].nominal_period().count();
    switch (dice(0, 7)) {
      case 0: o.releases.phases[d] = Time(dice(0, T - 1)); break;
      case 1: {  // a little earlier or later
        const std::int64_t moved = o.releases.phases[d].count() + dice(-T / 32 - 1, T / 32 + 1);
        o.releases.phases[d] = Time(std::clamp<std::int64_t>(moved, 0, T - 1));
        break;
      }
      case 2: o.releases.phases[d] = o.releases.phases[static_cast<std::size_t>(dice(0, dags - 1))]; break;
      case 3: o.releases.jitter = one_in(2) ? 0 : static_cast<PartsPerMillion>(dice(1, 500'000)); break;
      case 4: o.placement = placements[static_cast<std::size_t>(dice(0, placements.size() - 1))]; break;
      case 5: o.ties = one_in(2) ? Ties::in_order : Ties::random; break;
      case 6: o.seed = static_cast<std::uint64_t>(dice(0, 1'000'000'000)); break;
      default: {
        auto& nodes = o.node_execution[d];
        Execution e = worst_case;
        if (one_in(3)) e.least = e.most = static_cast<PartsPerMillion>(dice(0, whole));
        if (one_in(6)) e = {static_cast<PartsPerMillion>(dice(0, whole)), whole};
        if (one_in(8)) {
          std::fill(nodes.begin(), nodes.end(), e);
        } else {
          nodes[static_cast<std::size_t>(dice(0, static_cast<std::int64_t>(nodes.size()) - 1))] = e;
        }
        break;
      }
    }
  }

  // Simulates, keeps what is worse than anything before, and returns the response of `target`.
  std::optional<Time> worst(const Options& o, DagId target) {
    const Observation seen = simulate(set_, schedule_, o);
    ++result_.tried;
    result_.late_releases += seen.late_releases;
    std::optional<std::size_t> run;
    const auto keep = [&](std::optional<Found>& found, const Statistics& s) {
      if (s.count() == 0 || (found && s.max() <= found->response)) return;
      if (!run) {
        run = result_.runs.size();
        result_.runs.push_back(o);
        result_.runs.back().limit = {};
      }
      found = {s.max(), s.worst_job(), *run};
    };
    for (DagId d = 0; d < seen.dags.size(); ++d) {
      keep(result_.dags[d], seen.dags[d].response);
      for (NodeId v = 0; v < seen.dags[d].nodes.size(); ++v) keep(result_.nodes[d][v], seen.dags[d].nodes[v]);
    }
    if (result_.runs.size() > 2 * most_runs() + 64) drop_unnamed_runs();
    if (options_.progress) options_.progress(result_);
    const Statistics& s = seen.dags[target].response;
    return s.count() == 0 ? std::nullopt : std::optional(s.max());
  }

  [[nodiscard]] std::size_t most_runs() const { return set_.dags().size() + set_.node_count(); }
  void drop_unnamed_runs() {
    std::vector<std::size_t> place(result_.runs.size(), result_.runs.size());
    std::vector<Options> kept;
    const auto each = [&](std::optional<Found>& found) {
      if (!found) return;
      std::size_t& at = place[found->run];
      if (at == place.size()) {
        at = kept.size();
        kept.push_back(std::move(result_.runs[found->run]));
      }
      found->run = at;
    };
    for (auto& found : result_.dags) each(found);
    for (auto& nodes : result_.nodes) {
      for (auto& found : nodes) each(found);
    }
    result_.runs = std::move(kept);
  }

  const TaskSet& set_;
  const Schedule& schedule_;
  const SearchOptions& options_;
  SearchResult result_;
  std::uint64_t draws_ = 0;
};

}  // namespace

SearchResult search(const TaskSet& task_set, const Schedule& schedule, const SearchOptions& options) {
  return Search(task_set, schedule, options).run();
}

}  // namespace rta::simulate
