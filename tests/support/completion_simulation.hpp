// An exact simulation of DAGs whose nodes are released on completion, for tests of the path bounds. It shares nothing with the product but
// integers: every instant is whole, every rule is the plainest possible, ties are broken at random.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace rta::test {

/// Pools: `fixed` processors run the largest priorities, preemptively or not; `fifo` servers take pieces of nodes by ready time; `gel`
/// processors run the earliest priority points, preemptively or not; `gpu` SMs of `threads` G-threads take the blocks of the kernel at the
/// head of a FIFO.
enum class SimulatedOrder : std::uint8_t { fifo, gel, gel_non_preemptive, gpu, fixed, fixed_non_preemptive };

struct SimulatedPool {
  SimulatedOrder order = SimulatedOrder::fifo;
  std::size_t capacity = 1;
  std::int64_t threads = 1;  // per SM
  bool equals_any = false;   // `fixed`: equals in an order that may change at any instant, not by ready time
};

struct SimulatedNode {
  std::size_t pool = 0;
  std::vector<std::int64_t> pieces;  // actual execution times: one on processors, one per item or block elsewhere
  std::int64_t threads = 1;          // per block
  std::vector<std::size_t> predecessors;
  std::int64_t later = 0;  // its priority point lies so long after the job's
  std::uint32_t priority = 0;
};

struct SimulatedJob {
  std::int64_t release = 0;
  std::int64_t priority_point = 0;
  std::vector<SimulatedNode> nodes;
  std::vector<std::int64_t> end;  // result: instant at which each node ends
};

/// What a server does between two nodes: queues what its node made ready before it takes the next, or takes one first, as no bound of
/// T10d without preemption allows.
enum class Between : std::uint8_t { queues_first, takes_first };

/// Runs all jobs to their end and fills in `end`.
class CompletionSimulation {
 public:
  CompletionSimulation(std::vector<SimulatedPool> pools, std::vector<SimulatedJob>& jobs, std::mt19937_64& random,
                       Between between = Between::queues_first)
      : pools_(std::move(pools)), jobs_(jobs), random_(random), between_(between), busy_(pools_.size(), 0), used_(pools_.size()) {
    for (std::size_t p = 0; p < pools_.size(); ++p) used_[p].assign(pools_[p].capacity, 0);
  }

  void run() {
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      jobs_[j].end.assign(jobs_[j].nodes.size(), unfinished);
      for (std::size_t v = 0; v < jobs_[j].nodes.size(); ++v) nodes_.push_back({j, v});
    }
    for (now_ = next_instant(); now_ != never; now_ = next_instant()) {
      end_pieces();
      if (between_ == Between::takes_first) {
        release_ready(true);
        start_pieces();
      }
      // Zero-length pieces end at once, and may release others at the same instant.
      for (bool more = true; more; end_pieces()) {
        more = release_ready();
        more = start_pieces() || more;
      }
    }
  }

 private:
  static constexpr std::int64_t unfinished = -1;
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  struct NodeJob {
    std::size_t job, node;
    bool ready = false;
    std::int64_t ready_at = 0;
    std::uint64_t tie = 0;
    std::size_t started = 0;      // pieces
    std::size_t ended = 0;        // pieces
    bool on_processor = false;    // preemptive pools: runs now
    std::int64_t left = 0;        // preemptive GEL: execution time left
    std::int64_t left_since = 0;  // instant at which `left` held
    bool finished = false;
  };
  struct Running {
    std::int64_t end;
    std::size_t node_job;
    std::size_t sm;
  };

  const SimulatedNode& node(const NodeJob& n) const { return jobs_[n.job].nodes[n.node]; }
  const SimulatedPool& pool(const NodeJob& n) const { return pools_[node(n).pool]; }

  std::int64_t next_instant() const {
    std::int64_t next = never;
    for (const SimulatedJob& job : jobs_) {
      if (job.release > now_) next = std::min(next, job.release);
    }
    for (const Running& piece : running_) next = std::min(next, piece.end);
    for (const NodeJob& n : nodes_) {
      if (n.on_processor) next = std::min(next, n.left_since + n.left);
    }
    return next;
  }

  void finish_piece(NodeJob& n) {
    if (++n.ended < node(n).pieces.size()) return;
    n.finished = true;
    jobs_[n.job].end[n.node] = now_;
  }

  void end_pieces() {
    std::vector<Running> still;
    for (const Running& piece : running_) {
      if (piece.end > now_) {
        still.push_back(piece);
        continue;
      }
      NodeJob& n = nodes_[piece.node_job];
      if (pool(n).order == SimulatedOrder::gpu) {
        used_[node(n).pool][piece.sm] -= node(n).threads;
      } else {
        --busy_[node(n).pool];
      }
      finish_piece(n);
    }
    running_ = std::move(still);
    for (NodeJob& n : nodes_) {
      if (!n.on_processor) continue;
      n.left -= now_ - n.left_since;
      n.left_since = now_;
      if (n.left > 0) continue;
      n.on_processor = false;
      finish_piece(n);
    }
  }

  bool release_ready(bool sources_alone = false) {
    bool any = false;
    for (NodeJob& n : nodes_) {
      if (n.ready || jobs_[n.job].release > now_) continue;
      const auto& predecessors = node(n).predecessors;
      if (sources_alone && !predecessors.empty()) continue;
      if (!std::all_of(predecessors.begin(), predecessors.end(), [&](std::size_t w) { return jobs_[n.job].end[w] != unfinished; }))
        continue;
      n.ready = true;
      n.ready_at = now_;
      n.tie = random_();
      n.left = node(n).pieces[0];
      any = true;
    }
    return any;
  }

  bool is_fixed(std::size_t p) const {
    return pools_[p].order == SimulatedOrder::fixed || pools_[p].order == SimulatedOrder::fixed_non_preemptive;
  }

  std::vector<std::size_t> waiting(std::size_t p) {
    std::vector<std::size_t> list;
    const bool anew = pools_[p].equals_any && random_() % 4 == 0;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      NodeJob& n = nodes_[i];
      if (!n.ready || n.finished || node(n).pool != p) continue;
      list.push_back(i);
      if (anew) n.tie = random_();
    }
    if (is_fixed(p)) {
      std::sort(list.begin(), list.end(), [&](std::size_t a, std::size_t b) {
        const NodeJob& x = nodes_[a];
        const NodeJob& y = nodes_[b];
        if (node(x).priority != node(y).priority) return node(x).priority > node(y).priority;
        if (!pools_[p].equals_any && x.ready_at != y.ready_at) return x.ready_at < y.ready_at;
        return x.tie < y.tie;
      });
      return list;
    }
    const bool gel = pools_[p].order == SimulatedOrder::gel || pools_[p].order == SimulatedOrder::gel_non_preemptive;
    std::sort(list.begin(), list.end(), [&](std::size_t a, std::size_t b) {
      const NodeJob& x = nodes_[a];
      const NodeJob& y = nodes_[b];
      const std::int64_t key_x = gel ? jobs_[x.job].priority_point + node(x).later : x.ready_at;
      const std::int64_t key_y = gel ? jobs_[y.job].priority_point + node(y).later : y.ready_at;
      if (key_x != key_y) return key_x < key_y;
      if (!gel && (x.started > 0) != (y.started > 0)) return x.started > y.started;  // whoever has begun stays at the head
      return x.tie < y.tie;
    });
    return list;
  }

  bool start_pieces() {
    bool any = false;
    std::vector<std::size_t> order(pools_.size());
    for (std::size_t p = 0; p < order.size(); ++p) order[p] = p;
    std::shuffle(order.begin(), order.end(), random_);
    for (const std::size_t p : order) {
      switch (pools_[p].order) {
        case SimulatedOrder::gel:
        case SimulatedOrder::fixed: any = run_earliest(p) || any; break;
        case SimulatedOrder::gpu: any = dispatch_blocks(p) || any; break;
        case SimulatedOrder::fifo:
        case SimulatedOrder::gel_non_preemptive:
        case SimulatedOrder::fixed_non_preemptive: any = start_on_free_servers(p) || any; break;
      }
    }
    return any;
  }

  bool start_on_free_servers(std::size_t p) {
    bool any = false;
    for (const std::size_t i : waiting(p)) {
      NodeJob& n = nodes_[i];
      while (n.started < node(n).pieces.size() && busy_[p] < pools_[p].capacity) {
        running_.push_back({now_ + node(n).pieces[n.started++], i, 0});
        ++busy_[p];
        any = true;
      }
    }
    return any;
  }

  // True if some node that now runs has nothing left: it ends at once.
  bool run_earliest(std::size_t p) {
    const auto list = waiting(p);
    bool any = false;
    for (std::size_t rank = 0; rank < list.size(); ++rank) {
      NodeJob& n = nodes_[list[rank]];
      n.on_processor = rank < pools_[p].capacity;
      n.left_since = now_;
      any = any || (n.on_processor && n.left == 0);
    }
    return any;
  }

  bool dispatch_blocks(std::size_t p) {
    bool any = false;
    for (const std::size_t i : waiting(p)) {
      NodeJob& n = nodes_[i];
      while (n.started < node(n).pieces.size()) {
        std::vector<std::size_t> fits;
        for (std::size_t sm = 0; sm < used_[p].size(); ++sm) {
          if (used_[p][sm] + node(n).threads <= pools_[p].threads) fits.push_back(sm);
        }
        if (fits.empty()) return any;  // the head blocks all kernels behind it
        const std::size_t sm = fits[random_() % fits.size()];
        used_[p][sm] += node(n).threads;
        running_.push_back({now_ + node(n).pieces[n.started++], i, sm});
        any = true;
      }
    }
    return any;
  }

  std::vector<SimulatedPool> pools_;
  std::vector<SimulatedJob>& jobs_;
  std::mt19937_64& random_;
  Between between_;
  std::vector<std::size_t> busy_;                // servers in use per pool
  std::vector<std::vector<std::int64_t>> used_;  // G-threads in use per pool and SM
  std::vector<NodeJob> nodes_;
  std::vector<Running> running_;
  std::int64_t now_ = -1;
};

}  // namespace rta::test
