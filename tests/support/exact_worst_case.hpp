// The exact worst case of small systems on completion: every state is visited that releases at whole units, executions of nothing or the
// worst case and ties of every kind can lead to, however long the system runs. It shares nothing with the product but integers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace rta::test {

enum class ExactOrder : std::uint8_t { fifo, gel, gel_non_preemptive, fixed };

struct ExactPool {
  ExactOrder order = ExactOrder::fifo;
  std::size_t capacity = 1;
};

/// All times in units.
struct ExactNode {
  std::size_t pool = 0;
  int C = 1;
  std::vector<std::size_t> before;
  int priority = 0;  // `fixed`: the largest first
};

struct ExactDag {
  int T = 1;
  int Y = 0;  // GEL: a job released at r has priority point r + Y
  std::vector<ExactNode> nodes;
};

/// Instants are whole. At each, what ends, becomes ready, is released and starts does so in any order; FIFO pools take nodes in the order
/// in which they became ready. A node executes for 0 or C. Preemptive pools run the first of their nodes for a unit at a time, equals in
/// any order, which may change at any instant.
class ExactWorstCase {
 public:
  ExactWorstCase(std::vector<ExactPool> pools, std::vector<ExactDag> dags) : pools_(std::move(pools)), dags_(std::move(dags)) {}

  /// DAG, node -> its latest end after the release, in units; nothing where there are more states than `most`, more than 8 jobs of a DAG at
  /// once, or one that takes longer than 200.
  std::optional<std::vector<std::vector<int>>> latest(std::size_t most) {
    latest_.clear();
    for (const ExactDag& dag : dags_) latest_.emplace_back(dag.nodes.size(), 0);
    State first;
    for (const ExactDag& dag : dags_) first.since.push_back(dag.T);
    first.jobs.resize(dags_.size());
    first.queue.resize(pools_.size());
    seen_.clear();
    left_.clear();
    too_late_ = false;
    visit(std::move(first));
    while (!left_.empty()) {
      if (seen_.size() > most || too_late_) return std::nullopt;
      State state = std::move(left_.back());
      left_.pop_back();
      expand(state);
    }
    return latest_;
  }

  [[nodiscard]] std::size_t states() const { return seen_.size(); }

 private:
  enum class Is : std::uint8_t { waiting, ready, started, ended };
  struct NodeState {
    Is is = Is::waiting;
    int left = 0;
  };
  struct Job {
    int age = 0;
    std::vector<NodeState> nodes;
  };
  struct At {
    std::size_t d = 0, j = 0, v = 0;
  };
  struct State {
    std::vector<int> since;              // DAG -> since its latest release, at most T
    std::vector<std::vector<Job>> jobs;  // DAG -> unfinished jobs, the oldest first
    std::vector<std::vector<At>> queue;  // FIFO pool -> nodes that are ready
  };

  void visit(State state) {
    std::string key;
    const auto put = [&](std::size_t x) { key.push_back(static_cast<char>(static_cast<unsigned char>(x))); };
    for (std::size_t d = 0; d < dags_.size(); ++d) {
      put(static_cast<std::size_t>(state.since[d]));
      put(state.jobs[d].size());
      for (const Job& job : state.jobs[d]) {
        put(static_cast<std::size_t>(job.age));
        for (const NodeState& node : job.nodes) put(static_cast<std::size_t>(node.left) * 4 + static_cast<std::size_t>(node.is));
      }
    }
    for (const auto& queue : state.queue) {
      put(queue.size());
      for (const At& at : queue) put(at.d * 64 + at.j * 8 + at.v);
    }
    if (seen_.insert(std::move(key)).second) left_.push_back(std::move(state));
  }

  [[nodiscard]] const ExactNode& node(const At& at) const { return dags_[at.d].nodes[at.v]; }
  static NodeState& of(State& state, const At& at) { return state.jobs[at.d][at.j].nodes[at.v]; }
  [[nodiscard]] ExactOrder order(const At& at) const { return pools_[node(at).pool].order; }
  [[nodiscard]] bool preemptive(std::size_t p) const { return pools_[p].order == ExactOrder::gel || pools_[p].order == ExactOrder::fixed; }

  /// The smaller, the earlier.
  [[nodiscard]] int key(const State& state, const At& at) const {
    return order(at) == ExactOrder::fixed ? -node(at).priority : dags_[at.d].Y - state.jobs[at.d][at.j].age;
  }

  void each(const State& state, const std::function<void(const At&, const NodeState&)>& action) const {
    for (std::size_t d = 0; d < dags_.size(); ++d) {
      for (std::size_t j = 0; j < state.jobs[d].size(); ++j) {
        for (std::size_t v = 0; v < dags_[d].nodes.size(); ++v) action({d, j, v}, state.jobs[d][j].nodes[v]);
      }
    }
  }

  /// The nodes of pool p that are ready, and on preemptive pools those that have begun.
  [[nodiscard]] std::vector<At> candidates(const State& state, std::size_t p) const {
    std::vector<At> all;
    each(state, [&](const At& at, const NodeState& is) {
      if (node(at).pool == p && (is.is == Is::ready || (preemptive(p) && is.is == Is::started))) all.push_back(at);
    });
    return all;
  }

  [[nodiscard]] std::size_t busy(const State& state, std::size_t p) const {
    std::size_t n = 0;
    each(state, [&](const At& at, const NodeState& is) { n += node(at).pool == p && is.is == Is::started ? 1 : 0; });
    return n;
  }

  void end(State state, const At& at) {
    Job& job = state.jobs[at.d][at.j];
    job.nodes[at.v] = {Is::ended, 0};
    latest_[at.d][at.v] = std::max(latest_[at.d][at.v], job.age);
    if (std::ranges::all_of(job.nodes, [](const NodeState& is) { return is.is == Is::ended; })) {
      state.jobs[at.d].erase(state.jobs[at.d].begin() + static_cast<std::ptrdiff_t>(at.j));
      for (auto& queue : state.queue) {
        for (At& other : queue) other.j -= other.d == at.d && other.j > at.j ? 1 : 0;
      }
    }
    visit(std::move(state));
  }

  void start(const State& state, const At& at) {
    for (const int left : {0, node(at).C}) {
      State next = state;
      of(next, at) = {Is::started, left};
      auto& queue = next.queue[node(at).pool];
      if (order(at) == ExactOrder::fifo) queue.erase(queue.begin());
      visit(std::move(next));
    }
  }

  void expand(const State& state) {
    std::optional<At> over;
    each(state, [&](const At& at, const NodeState& is) {
      if (!over && is.is == Is::started && is.left == 0) over = at;
    });
    if (over) return end(state, *over);
    for (std::size_t p = 0; p < pools_.size(); ++p) {  // whatever comes later is behind the head
      if (!state.queue[p].empty() && busy(state, p) < pools_[p].capacity) return start(state, state.queue[p].front());
    }
    bool must = make_ready(state);
    for (std::size_t p = 0; p < pools_.size(); ++p) must = start_one(state, p) || must;
    for (std::size_t d = 0; d < dags_.size(); ++d) {
      if (state.since[d] < dags_[d].T) continue;
      State next = state;
      next.since[d] = 0;
      next.jobs[d].push_back({0, std::vector<NodeState>(dags_[d].nodes.size())});
      too_late_ = too_late_ || next.jobs[d].size() > 8;
      visit(std::move(next));
    }
    if (!must) run(state, 0, {});
  }

  bool make_ready(const State& state) {
    bool any = false;
    each(state, [&](const At& at, const NodeState& is) {
      const auto ended = [&](std::size_t w) { return state.jobs[at.d][at.j].nodes[w].is == Is::ended; };
      if (is.is != Is::waiting || !std::ranges::all_of(node(at).before, ended)) return;
      any = true;
      State next = state;
      of(next, at).is = Is::ready;
      if (order(at) == ExactOrder::fifo) next.queue[node(at).pool].push_back(at);
      visit(std::move(next));
    });
    return any;
  }

  /// A node that starts on a non-preemptive pool, which none may put off; or one that ends on a preemptive pool without executing.
  bool start_one(const State& state, std::size_t p) {
    if (pools_[p].order == ExactOrder::fifo) return false;
    const std::vector<At> all = candidates(state, p);
    const bool free = preemptive(p) || busy(state, p) < pools_[p].capacity;
    const std::size_t places = preemptive(p) ? pools_[p].capacity : 1;
    for (const At& at : all) {
      const auto earlier = std::ranges::count_if(all, [&](const At& other) { return key(state, other) < key(state, at); });
      if (!free || static_cast<std::size_t>(earlier) >= places) continue;
      if (!preemptive(p)) {
        start(state, at);
      } else if (state.jobs[at.d][at.j].nodes[at.v].is == Is::ready) {
        end(state, at);
      }
    }
    return !preemptive(p) && free && !all.empty();
  }

  /// One unit of time, for all choices of what preemptive pools from p on run.
  void run(const State& state, std::size_t p, std::vector<At> running) {
    while (p < pools_.size() && !preemptive(p)) ++p;
    if (p == pools_.size()) return advance(state, running);
    std::vector<At> all = candidates(state, p);
    const std::size_t m = std::min(pools_[p].capacity, all.size());
    std::ranges::stable_sort(all, {}, [&](const At& at) { return key(state, at); });
    if (m == 0) return run(state, p + 1, std::move(running));
    const int last = key(state, all[m - 1]);
    const auto first_equal = std::ranges::find_if(all, [&](const At& at) { return key(state, at) == last; });
    const auto past_equal = std::ranges::find_if(all, [&](const At& at) { return key(state, at) > last; });
    running.insert(running.end(), all.begin(), first_equal);
    const std::vector<At> equal(first_equal, past_equal);
    const std::size_t places = m - static_cast<std::size_t>(first_equal - all.begin());
    std::vector<bool> chosen(equal.size(), false);
    std::fill(chosen.end() - static_cast<std::ptrdiff_t>(places), chosen.end(), true);
    do {
      std::vector<At> with = running;
      for (std::size_t i = 0; i < equal.size(); ++i) {
        if (chosen[i]) with.push_back(equal[i]);
      }
      run(state, p + 1, std::move(with));
    } while (std::next_permutation(chosen.begin(), chosen.end()));
  }

  void advance(State state, const std::vector<At>& running) {
    for (const At& at : running) {
      NodeState& is = of(state, at);
      if (is.is == Is::ready) is = {Is::started, node(at).C};
      if (is.left == 0) return;  // it ends first
      --is.left;
    }
    for (std::size_t d = 0; d < dags_.size(); ++d) {
      state.since[d] = std::min(state.since[d] + 1, dags_[d].T);
      for (Job& job : state.jobs[d]) {
        too_late_ = too_late_ || ++job.age > 200;
        for (std::size_t v = 0; v < job.nodes.size(); ++v) {
          NodeState& is = job.nodes[v];
          if (is.is == Is::started && !preemptive(dags_[d].nodes[v].pool)) --is.left;
        }
      }
    }
    visit(std::move(state));
  }

  std::vector<ExactPool> pools_;
  std::vector<ExactDag> dags_;
  std::vector<std::vector<int>> latest_;
  std::unordered_set<std::string> seen_;
  std::vector<State> left_;
  bool too_late_ = false;
};

}  // namespace rta::test
