// A naive simulation of coarse-grained jobs, tick by tick, for tests of their bounds. It shares nothing with the product but integers. A
// job's body runs node after node on one thread, and is suspended while it awaits what it has issued, or keeps its processor.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace rta::test {

/// `servers` processors with preemptive GEL, or (`threads` > 0) SMs of so many G-threads behind one FIFO; a worker is an SM of one.
/// `plain`: as many threads with one queue of bodies by ready time, each kept by its body until that ends.
struct GroupedPool {
  std::size_t servers = 1;
  std::int64_t threads = 0;
  bool plain = false;
};

struct GroupedNode {
  std::size_t pool = 0;
  std::int64_t length = 1;  // of the work on a processor, or of each block; >= 1
  std::int64_t blocks = 1;
  std::int64_t threads = 1;               // per block
  std::vector<std::size_t> predecessors;  // earlier nodes of the body
};

struct GroupedJob {
  std::int64_t release = 0;
  std::int64_t priority_point = 0;
  std::vector<GroupedNode> nodes;    // in the order of the body
  std::optional<std::size_t> after;  // the job of the same task before it, which has to end first
  bool ahead = false;                // kernels are awaited when a node needs them; else as soon as they are issued
  std::int64_t end = -1;             // result
};

/// Runs all jobs to their end and fills in `end`.
class GroupedSimulation {
 public:
  GroupedSimulation(std::vector<GroupedPool> pools, std::vector<GroupedJob>& jobs, std::mt19937_64& random)
      : pools_(std::move(pools)), jobs_(jobs), random_(random), states_(jobs.size()), queue_(pools_.size()), used_(pools_.size()) {
    for (std::size_t p = 0; p < pools_.size(); ++p) used_[p].assign(pools_[p].servers, 0);
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      order_.push_back(j);
      states_[j].tie = random_();
      for (const GroupedNode& node : jobs_[j].nodes) {
        if (processors(node) && pools_[node.pool].plain) states_[j].thread_of = node.pool;
      }
      for (const GroupedNode& node : jobs_[j].nodes) states_[j].left.push_back(processors(node) ? node.length : node.blocks);
    }
  }

  void run() {
    while (std::any_of(jobs_.begin(), jobs_.end(), [](const GroupedJob& job) { return job.end < 0; })) {
      end_blocks();
      std::shuffle(order_.begin(), order_.end(), random_);
      for (bool more = true; more;) {
        more = false;
        for (std::size_t p = 0; p < pools_.size(); ++p) more = take_body(p) || more;
        for (const std::size_t j : order_) more = advance(j) || more;
      }
      for (std::size_t p = 0; p < pools_.size(); ++p) pools_[p].threads > 0 ? start_blocks(p) : run_one_tick(p);
      ++now_;
    }
  }

 private:
  struct State {
    std::size_t next = 0;            // node of the body
    std::vector<std::int64_t> left;  // per node: ticks on a processor, or blocks that have not ended
    std::uint64_t tie = 0;
    std::optional<std::size_t> thread_of;  // the plain pool that its body runs on
    std::int64_t ready = -1;
    bool has_thread = false;
  };
  struct Kernel {
    std::size_t job, node;
    std::int64_t to_start;
  };
  struct Block {
    std::int64_t end;
    std::size_t job, node, sm;
  };

  bool processors(const GroupedNode& node) const { return pools_[node.pool].threads == 0; }

  bool may_begin(std::size_t j) const {
    const GroupedJob& job = jobs_[j];
    return job.end < 0 && job.release <= now_ && (!job.after || jobs_[*job.after].end >= 0);
  }

  // Whether the next node of the body has all that it awaits.
  bool may_go_on(std::size_t j) const {
    const State& s = states_[j];
    if (!jobs_[j].ahead) return std::all_of(s.left.begin(), s.left.begin() + static_cast<std::ptrdiff_t>(s.next), is_zero);
    const auto& before = jobs_[j].nodes[s.next].predecessors;
    return std::all_of(before.begin(), before.end(), [&](std::size_t v) { return s.left[v] == 0; });
  }
  static bool is_zero(std::int64_t left) { return left == 0; }

  // An idle thread of a plain pool takes the body that was ready first; false if there is none.
  bool take_body(std::size_t p) {
    std::optional<std::size_t> first;
    std::size_t busy = 0;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      State& s = states_[j];
      if (s.thread_of != p || !may_begin(j)) continue;
      if (s.ready < 0) s.ready = now_;
      busy += s.has_thread ? 1 : 0;
      const auto before = [&](const State& other) { return std::pair(s.ready, s.tie) < std::pair(other.ready, other.tie); };
      if (!s.has_thread && (!first || before(states_[*first]))) first = j;
    }
    if (!first || busy == pools_[p].servers) return false;
    states_[*first].has_thread = true;
    return true;
  }

  // One step of the body; false if it runs, awaits something or has ended.
  bool advance(std::size_t j) {
    if (!may_begin(j)) return false;
    GroupedJob& job = jobs_[j];
    State& s = states_[j];
    if (s.thread_of && !s.has_thread) return false;
    if (s.next == job.nodes.size()) {
      if (!std::all_of(s.left.begin(), s.left.end(), is_zero)) return false;
      job.end = now_;
      return true;
    }
    if (!may_go_on(j)) return false;
    const GroupedNode& node = job.nodes[s.next];
    if (processors(node)) {
      if (s.left[s.next] > 0) return false;
    } else {
      queue_[node.pool].push_back({j, s.next, node.blocks});
    }
    ++s.next;
    return true;
  }

  void end_blocks() {
    std::vector<Block> still;
    for (const Block& block : blocks_) {
      if (block.end > now_) {
        still.push_back(block);
        continue;
      }
      const GroupedNode& node = jobs_[block.job].nodes[block.node];
      used_[node.pool][block.sm] -= node.threads;
      --states_[block.job].left[block.node];
    }
    blocks_ = std::move(still);
  }

  void start_blocks(std::size_t p) {
    while (!queue_[p].empty()) {
      Kernel& head = queue_[p].front();
      const GroupedNode& node = jobs_[head.job].nodes[head.node];
      for (; head.to_start > 0; --head.to_start) {
        std::vector<std::size_t> fits;
        for (std::size_t sm = 0; sm < used_[p].size(); ++sm) {
          if (used_[p][sm] + node.threads <= pools_[p].threads) fits.push_back(sm);
        }
        if (fits.empty()) return;
        const std::size_t sm = fits[random_() % fits.size()];
        used_[p][sm] += node.threads;
        blocks_.push_back({now_ + node.length, head.job, head.node, sm});
      }
      queue_[p].pop_front();
    }
  }

  void run_one_tick(std::size_t p) {
    std::vector<std::size_t> wanting;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      const State& s = states_[j];
      if (s.thread_of && !s.has_thread) continue;
      if (may_begin(j) && s.next < jobs_[j].nodes.size() && jobs_[j].nodes[s.next].pool == p && may_go_on(j)) wanting.push_back(j);
    }
    std::sort(wanting.begin(), wanting.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(jobs_[a].priority_point, states_[a].tie) < std::pair(jobs_[b].priority_point, states_[b].tie);
    });
    wanting.resize(std::min(wanting.size(), pools_[p].servers));
    for (const std::size_t j : wanting) --states_[j].left[states_[j].next];
  }

  std::vector<GroupedPool> pools_;
  std::vector<GroupedJob>& jobs_;
  std::mt19937_64& random_;
  std::vector<State> states_;
  std::vector<std::size_t> order_;
  std::vector<std::deque<Kernel>> queue_;
  std::vector<std::vector<std::int64_t>> used_;  // G-threads per pool and SM
  std::vector<Block> blocks_;
  std::int64_t now_ = 0;
};

}  // namespace rta::test
