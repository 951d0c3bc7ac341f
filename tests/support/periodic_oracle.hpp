// Tiny periodic systems, exhaustively: every release within its jitter, every execution time, every order of equals, at whole instants.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "rta/analysis/periodic/job_windows.hpp"

namespace rta::test {

/// The latest end of each node of each job that is released before `horizon`, from an empty system on.
class PeriodicRuns {
 public:
  using Ends = std::vector<std::vector<std::vector<std::int64_t>>>;  // DAG, node, n: after the nominal release

  /// Ends are seen up to `seen`: without jobs from the horizon on what comes later is no schedule of all.
  PeriodicRuns(const analysis::periodic::System& system, std::int64_t horizon, std::int64_t seen = std::numeric_limits<std::int64_t>::max())
      : system_(system), until_(seen) {
    for (std::size_t d = 0; d < system.dags.size(); ++d) {
      const auto& dag = system.dags[d];
      ends_.emplace_back(dag.nodes.size());
      for (std::int64_t n = 0; dag.phase.count() + n * dag.T.count() < horizon; ++n) {
        jobs_.push_back({d, n, dag.phase.count() + n * dag.T.count(), dag.J.count(), places_});
        places_ += dag.nodes.size();
        for (auto& of_node : ends_.back()) of_node.push_back(0);
      }
    }
  }

  /// None: more than so many states.
  std::optional<Ends> latest(std::size_t most) {
    std::set<State> now{initial()};
    for (std::int64_t t = 0; !now.empty() && t <= until_; ++t) {
      std::set<State> next;
      for (const State& state : now) {
        release(state, t, 0, next);
        seen_ += 1;
        if (seen_ > most || next.size() > most) return std::nullopt;
      }
      now = std::move(next);
    }
    return ends_;
  }

 private:
  struct JobPlace {
    std::size_t dag;
    std::int64_t number, nominal, jitter;
    std::size_t first;
  };
  // Of a node of a job.
  enum : std::int8_t { not_ready, queued, fresh, running, done };  // fresh: has just started, and may end at once
  struct Piece {
    std::int8_t status = not_ready;
    std::int8_t executed = 0;
    std::int16_t ready = 0;
    auto operator<=>(const Piece&) const = default;
  };
  struct State {
    std::vector<std::int16_t> released;  // per job; -1: not yet
    std::vector<Piece> pieces;
    auto operator<=>(const State&) const = default;
  };

  [[nodiscard]] State initial() const { return {std::vector<std::int16_t>(jobs_.size(), -1), std::vector<Piece>(places_)}; }
  [[nodiscard]] const analysis::periodic::Node& node(const JobPlace& job, std::size_t v) const { return system_.dags[job.dag].nodes[v]; }

  void release(State state, std::int64_t t, std::size_t from, std::set<State>& next) {
    for (std::size_t i = from; i < jobs_.size(); ++i) {
      const JobPlace& job = jobs_[i];
      if (state.released[i] >= 0 || t < job.nominal) continue;
      if (t < job.nominal + job.jitter) release(state, t, i + 1, next);
      state.released[i] = static_cast<std::int16_t>(t);
    }
    end(std::move(state), t, 0, next);
  }

  /// Which of those that run end now.
  void end(State state, std::int64_t t, std::size_t from, std::set<State>& next) {
    for (std::size_t i = 0, at = 0; i < jobs_.size(); ++i) {
      for (std::size_t v = 0; v < system_.dags[jobs_[i].dag].nodes.size(); ++v, ++at) {
        Piece& piece = state.pieces[at];
        if (at < from || piece.status != running || piece.executed < node(jobs_[i], v).least.count()) continue;
        if (piece.executed < node(jobs_[i], v).C.count()) end(state, t, at + 1, next);
        finish(state, i, v, t);
      }
    }
    make_ready(state, t);
    dispatch(std::move(state), t, 0, next);
  }

  void finish(State& state, std::size_t i, std::size_t v, std::int64_t t) {
    state.pieces[jobs_[i].first + v].status = done;
    if (t > until_) return;
    auto& latest = ends_[jobs_[i].dag][v][static_cast<std::size_t>(jobs_[i].number)];
    latest = std::max(latest, t - jobs_[i].nominal);
  }

  void make_ready(State& state, std::int64_t t) const {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (state.released[i] < 0) continue;
      for (std::size_t v = 0; v < system_.dags[jobs_[i].dag].nodes.size(); ++v) {
        Piece& piece = state.pieces[jobs_[i].first + v];
        if (piece.status != not_ready) continue;
        bool ready = true;
        for (const std::size_t u : node(jobs_[i], v).before) ready = ready && state.pieces[jobs_[i].first + u].status == done;
        const bool follows = node(jobs_[i], v).sequential && i > 0 && jobs_[i - 1].dag == jobs_[i].dag;
        if (follows) ready = ready && state.pieces[jobs_[i - 1].first + v].status == done;
        if (ready) piece = {queued, 0, static_cast<std::int16_t>(t)};
      }
    }
  }

  /// The least goes first; equal ones in any order.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> key(const State& state, std::size_t i, std::size_t v) const {
    const auto& on = system_.pools[node(jobs_[i], v).pool];
    const std::int64_t ready = state.pieces[jobs_[i].first + v].ready;
    switch (on.order) {
      case analysis::periodic::Order::points: return {state.released[i] + node(jobs_[i], v).key, 0};
      case analysis::periodic::Order::fixed: return {-node(jobs_[i], v).key, on.equals_by_ready ? ready : 0};
      default: return {ready, 0};
    }
  }

  /// Gives the servers of pool p and of those after it to whoever may have them.
  void dispatch(State state, std::int64_t t, std::size_t p, std::set<State>& next) {
    if (p == system_.pools.size()) return go_on(std::move(state), t, next);
    const auto& on = system_.pools[p];
    if (on.preemptive) return preempt(std::move(state), t, p, next);
    std::size_t busy = 0;
    std::optional<std::pair<std::int64_t, std::int64_t>> least;
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      for (std::size_t v = 0; v < system_.dags[jobs_[i].dag].nodes.size(); ++v) {
        if (node(jobs_[i], v).pool != p) continue;
        const std::size_t at = jobs_[i].first + v;
        busy += state.pieces[at].status == running || state.pieces[at].status == fresh ? 1 : 0;
        if (state.pieces[at].status != queued) continue;
        const auto own = key(state, i, v);
        if (!least || own < *least) first.clear();
        if (!least || own < *least) least = own;
        if (own == *least) first.push_back(at);
      }
    }
    if (first.empty() || busy == on.servers) return dispatch(std::move(state), t, p + 1, next);
    for (const std::size_t at : first) {
      State started = state;
      start(started, at);
      dispatch(std::move(started), t, p, next);
    }
  }

  void start(State& state, std::size_t at) const {
    std::size_t i = 0;
    while (i + 1 < jobs_.size() && jobs_[i + 1].first <= at) ++i;
    Piece& piece = state.pieces[at];
    piece.status = piece.executed == 0 && node(jobs_[i], at - jobs_[i].first).least.count() == 0 ? fresh : running;
  }

  /// Whoever runs may have to stop.
  void preempt(State state, std::int64_t t, std::size_t p, std::set<State>& next) {
    std::vector<std::pair<std::pair<std::int64_t, std::int64_t>, std::size_t>> all;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      for (std::size_t v = 0; v < system_.dags[jobs_[i].dag].nodes.size(); ++v) {
        Piece& piece = state.pieces[jobs_[i].first + v];
        if (node(jobs_[i], v).pool != p || piece.status == not_ready || piece.status == done) continue;
        piece.status = queued;
        all.emplace_back(key(state, i, v), jobs_[i].first + v);
      }
    }
    std::sort(all.begin(), all.end());
    choose(std::move(state), t, p, all, 0, 0, next);
  }
  void choose(State state, std::int64_t t, std::size_t p,
              const std::vector<std::pair<std::pair<std::int64_t, std::int64_t>, std::size_t>>& all, std::size_t from, std::size_t taken,
              std::set<State>& next) {
    const std::size_t m = std::min<std::size_t>(system_.pools[p].servers, all.size());
    if (taken == m) return dispatch(std::move(state), t, p + 1, next);
    if (from == all.size()) return;
    // It may be left out only for one with an equal key.
    std::size_t up_to = from;
    while (up_to < all.size() && all[up_to].first == all[from].first) ++up_to;
    if (m - taken <= up_to - from - 1) choose(state, t, p, all, from + 1, taken, next);
    start(state, all[from].second);
    choose(std::move(state), t, p, all, from + 1, taken + 1, next);
  }

  /// Whatever has just started and may take no time ends at once, and others start, or goes on.
  void go_on(State state, std::int64_t t, std::set<State>& next) {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      for (std::size_t v = 0; v < system_.dags[jobs_[i].dag].nodes.size(); ++v) {
        Piece& piece = state.pieces[jobs_[i].first + v];
        if (piece.status != fresh) continue;
        State ended = state;
        finish(ended, i, v, t);
        make_ready(ended, t);
        dispatch(std::move(ended), t, 0, next);
        if (node(jobs_[i], v).C.count() == 0) return;
        piece.status = running;
      }
    }
    bool all_done = true;
    for (Piece& piece : state.pieces) {
      all_done = all_done && piece.status == done;
      if (piece.status == running) piece.executed = static_cast<std::int8_t>(piece.executed + 1);
    }
    if (!all_done) next.insert(std::move(state));
  }

  const analysis::periodic::System& system_;
  std::int64_t until_;
  std::vector<JobPlace> jobs_;
  std::size_t places_ = 0, seen_ = 0;
  Ends ends_;
};

}  // namespace rta::test
