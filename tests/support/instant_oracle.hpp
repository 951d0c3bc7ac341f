// Tiny periodic systems, exhaustively, where nothing is assumed of what happens at one instant: releases, ends and dispatches of all pools
// come in any order; but a pool that sees first starts nothing before a release of that instant, or an end of what takes some time. Without
// preemption; whole instants. A job of several items has a place for each. Kernels in turn: the one that runs is the oldest, and another
// may end when it has been there for its least time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "rta/analysis/periodic/job_windows.hpp"

namespace rta::test {

class InstantRuns {
 public:
  using Ends = std::vector<std::vector<std::vector<std::int64_t>>>;  // DAG, node, n: after the nominal release

  /// Jobs come up to `horizon`, so that later instants are no schedule's: nothing is seen of them.
  InstantRuns(const analysis::periodic::System& system, std::int64_t horizon) : system_(system), horizon_(horizon) {
    for (std::size_t d = 0; d < system.dags.size(); ++d) {
      const auto& dag = system.dags[d];
      ends_.emplace_back(dag.nodes.size());
      std::vector<std::vector<std::size_t>> previous(dag.nodes.size());  // places of the job before
      for (std::int64_t n = 0; dag.phase.count() + n * dag.T.count() < horizon; ++n) {
        std::vector<std::vector<std::size_t>> own(dag.nodes.size());
        for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
          const auto& node = dag.nodes[v];
          Job job{d, v, n, dag.phase.count() + n * dag.T.count(), releases_, jobs_.size(), {}};
          for (const std::size_t u : node.before) job.after.insert(job.after.end(), own[u].begin(), own[u].end());
          if (node.sequential) job.after.insert(job.after.end(), previous[v].begin(), previous[v].end());
          for (std::uint64_t item = 0; item < node.pieces; ++item) {
            own[v].push_back(jobs_.size());
            jobs_.push_back(job);
          }
          ends_.back()[v].push_back(-1);
        }
        previous = own;
        ++releases_;
      }
    }
  }

  /// None: more than so many states.
  std::optional<Ends> latest(std::size_t most) {
    State start{std::vector<std::int8_t>(jobs_.size(), 0), std::vector<std::int8_t>(jobs_.size(), 0),
                std::vector<std::int16_t>(jobs_.size(), 0), std::vector<std::int16_t>(releases_, -1)};
    std::set<State> now{start};
    for (std::int16_t t = 0; !now.empty() && t <= horizon_; ++t) {
      later_.clear();
      seen_.clear();
      std::vector<State> open(now.begin(), now.end());
      for (const State& state : open) seen_.insert(state);
      while (!open.empty()) {
        const State state = open.back();
        open.pop_back();
        events(state, t, [&](State next) {
          if (seen_.insert(next).second) open.push_back(std::move(next));
        });
        if (seen_.size() > most) return std::nullopt;
      }
      count_ += seen_.size();
      if (count_ > most) return std::nullopt;
      now.swap(later_);
    }
    return ends_;
  }

 private:
  enum : std::int8_t { before, queued, running, done };
  struct Job {
    std::size_t dag, node;
    std::int64_t number, nominal;
    std::size_t release;
    std::size_t first;  // of its items
    std::vector<std::size_t> after;
  };
  struct State {
    std::vector<std::int8_t> status, executed;  // of each job
    std::vector<std::int16_t> ready;            // likewise: since when
    std::vector<std::int16_t> released;         // -1: not yet
    bool seen = false;                          // a pool that sees first has started something at this instant
    auto operator<=>(const State&) const = default;
  };

  [[nodiscard]] const analysis::periodic::Node& node(std::size_t j) const { return system_.dags[jobs_[j].dag].nodes[jobs_[j].node]; }

  /// Whether one with the key a may go before one with b. Items stand together, and the first of them goes first.
  [[nodiscard]] bool goes_first(const State& s, std::size_t a, std::size_t b) const {
    using analysis::periodic::Order;
    const auto& pool = system_.pools[node(a).pool];
    if (jobs_[a].first == jobs_[b].first) return a <= b;
    if (pool.order == Order::ready) {
      const bool begun = b != jobs_[b].first;  // an item before b has started: all before it would be asked, too
      return s.ready[a] < s.ready[b] || (s.ready[a] == s.ready[b] && !(begun && s.status[jobs_[b].first] != queued));
    }
    if (pool.order == Order::points) return s.released[jobs_[a].release] + node(a).key <= s.released[jobs_[b].release] + node(b).key;
    if (node(a).key != node(b).key) return node(a).key > node(b).key;
    return !pool.equals_by_ready || s.ready[a] <= s.ready[b];
  }

  void queue(State& s, std::int16_t t) const {
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      if (s.status[j] != before || s.released[jobs_[j].release] < 0) continue;
      if (!std::all_of(jobs_[j].after.begin(), jobs_[j].after.end(), [&](std::size_t k) { return s.status[k] == done; })) continue;
      s.status[j] = queued;
      s.ready[j] = t;
    }
  }

  [[nodiscard]] bool must_end(const State& s, std::size_t j) const { return s.status[j] == running && s.executed[j] >= node(j).C.count(); }
  /// Whether a pool that sees first has to wait for something at this instant.
  [[nodiscard]] bool is_due(const State& s, std::int16_t t) const {
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      const Job& job = jobs_[j];
      if (s.released[job.release] < 0 && t >= job.nominal + system_.dags[job.dag].J.count()) return true;
      if (node(j).least > Time::zero() && must_end(s, j)) return true;
    }
    return false;
  }

  /// Any one thing that may happen next; nothing more at this instant: only where nothing has to.
  template <class Use>
  void events(const State& s, std::int16_t t, const Use& use) {
    bool must = false;
    bool all_done = true;
    const bool due = is_due(s, t);
    std::set<std::size_t> asked;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      const Job& job = jobs_[j];
      all_done = all_done && s.status[j] == done;
      const std::int64_t J = system_.dags[job.dag].J.count();
      if (s.released[job.release] < 0 && t >= job.nominal && !s.seen && asked.insert(job.release).second) {
        must = must || t >= job.nominal + J;
        State next = s;
        next.released[job.release] = t;
        queue(next, t);
        use(std::move(next));
      }
      const bool in_turn = system_.pools[node(j).pool].in_turn;
      const bool there = s.status[j] == running || (in_turn && s.status[j] == queued);
      const bool told = s.seen && node(j).least > Time::zero();
      if (there && !told && (in_turn ? t - s.ready[j] : s.executed[j]) >= node(j).least.count()) {
        must = must || must_end(s, j);
        State next = s;
        next.status[j] = done;
        next.executed[j] = 0;
        next.ready[j] = 0;
        auto& latest = ends_[job.dag][job.node][static_cast<std::size_t>(job.number)];
        latest = std::max(latest, t - job.nominal);
        queue(next, t);
        use(std::move(next));
      }
      if (s.status[j] != queued) continue;
      std::size_t busy = 0;
      bool first = true;
      for (std::size_t k = 0; k < jobs_.size(); ++k) {
        if (node(k).pool != node(j).pool) continue;
        busy += s.status[k] == running ? 1 : 0;
        first = first && (s.status[k] != queued || goes_first(s, j, k));
      }
      if (busy >= system_.pools[node(j).pool].servers) continue;
      must = true;  // j, or what goes before it
      const bool sees_first = system_.pools[node(j).pool].sees_first;
      if (!first || (sees_first && due)) continue;
      State next = s;
      next.status[j] = running;
      next.seen = s.seen || sees_first;
      use(std::move(next));
    }
    if (must || all_done) return;
    State next = s;
    next.seen = false;
    for (std::size_t j = 0; j < jobs_.size(); ++j)
      next.executed[j] = static_cast<std::int8_t>(next.executed[j] + (s.status[j] == running ? 1 : 0));
    later_.insert(std::move(next));
  }

  const analysis::periodic::System& system_;
  std::int64_t horizon_;
  std::vector<Job> jobs_;
  std::size_t releases_ = 0, count_ = 0;
  Ends ends_;
  std::set<State> later_, seen_;
};

}  // namespace rta::test
