// Small random systems for the path bounds, and simulated runs of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "rta/analysis/path/path.hpp"
#include "support/completion_simulation.hpp"
#include "support/every_configuration.hpp"

namespace rta::test {

/// All times are multiples of this many ns, so that divisions by 2, 3 and 4 processors stay exact.
inline constexpr std::int64_t grid = 12;

struct RandomPathSystem {
  analysis::path::System system;
  std::vector<SimulatedPool> pools;
  struct Piece {
    std::int64_t count = 1;
    std::int64_t threads = 1;
  };
  std::vector<std::vector<Piece>> pieces;  // DAG, node
  bool off_grid = false;                   // releases may be up to 2 ns late
};

struct RandomPathOptions {
  bool non_preemptive = true;      // may GEL pools be so
  bool by_node = false;            // may GEL pools have points per node
  bool fixed = false;              // may pools be under fixed priorities
  bool started = false;            // is there but one pool, non-preemptive under fixed priorities; releases are off the grid
  bool started_by_points = false;  // and that one GEL by DAG
  bool started_beside = false;     // and a FIFO pool beside it, with long nodes: some are ready a period after their release
  std::size_t most_dags = 3;
  std::size_t most_nodes = 5;
};

class RandomPaths {
 public:
  explicit RandomPaths(std::uint64_t seed) : random_(seed) {}

  RandomPathSystem system(const RandomPathOptions& options = {}) {
    using analysis::path::Order;
    RandomPathSystem out;
    out.off_grid = options.started;
    const std::size_t pools = options.started ? (options.started_beside ? 2 : 1) : 1 + below(3);
    for (std::size_t p = 0; p < pools; ++p) {
      analysis::path::Pool pool;
      pool.name = "p" + std::to_string(p);
      pool.capacity = options.started_beside && p > 0 ? 12 : static_cast<std::uint32_t>(1 + below(3));
      SimulatedPool simulated;
      simulated.capacity = pool.capacity;
      switch (options.started                    ? (p > 0                       ? 0
                                                    : options.started_by_points ? 3
                                                                                : 6)
              : options.fixed && below(2) == 0   ? 5
              : options.by_node && below(3) == 0 ? 4
                                                 : below(options.non_preemptive ? 4 : 3)) {
        case 0: break;
        case 1:
          pool.order = Order::gel;
          simulated.order = SimulatedOrder::gel;
          break;
        case 2:
          pool.unit_weights = false;
          simulated.order = SimulatedOrder::gpu;
          simulated.threads = 2 + static_cast<std::int64_t>(below(5));
          break;
        case 3:
          pool.order = Order::gel_non_preemptive;
          simulated.order = SimulatedOrder::gel_non_preemptive;
          break;
        case 5: set_fixed(pool, simulated); break;
        case 6:
          pool.order = Order::fixed_non_preemptive;
          simulated.order = SimulatedOrder::fixed_non_preemptive;
          pool.equals_any = simulated.equals_any = below(2) == 0;
          break;
        default: pool.order = Order::gel_by_node; simulated.order = SimulatedOrder::gel;
      }
      out.system.pools.push_back(pool);
      out.pools.push_back(simulated);
    }
    const std::size_t dags = 1 + below(options.most_dags);
    const std::int64_t load = 1 + static_cast<std::int64_t>(below(3));
    for (std::size_t d = 0; d < dags; ++d) add_dag(out, options, load, pools);
    set_weights(out);
    return out;
  }

  /// Largest end of each node after its DAG's release in one simulated run.
  std::vector<std::vector<std::int64_t>> run(const RandomPathSystem& s, Between between = Between::queues_first) {
    std::vector<SimulatedJob> jobs;
    std::vector<std::size_t> dag_of;
    std::int64_t horizon = 0;
    for (const auto& dag : s.system.dags) horizon = std::max(horizon, dag.T.count());
    horizon *= 2 + static_cast<std::int64_t>(below(3));
    const bool worst = below(3) != 0;
    const bool periodic = below(2) == 0;
    const bool together = below(3) == 0;
    for (std::size_t d = 0; d < s.system.dags.size(); ++d) {
      const auto& dag = s.system.dags[d];
      std::int64_t release = together ? 0 : multiple(dag.T.count() / grid);
      for (std::size_t j = 0; release < horizon && j < 8; ++j) {
        jobs.push_back(job(s, d, release + lateness(dag.J.count()) + (s.off_grid ? static_cast<std::int64_t>(below(3)) : 0), worst));
        dag_of.push_back(d);
        if (s.off_grid) release += 2;
        release += dag.T.count() + (periodic || below(3) != 0 ? 0 : multiple(dag.T.count() / grid + 1));
      }
    }
    return latest_ends(s, std::move(jobs), dag_of, between);
  }

  /// The same where DAGs of one group are segments of one, each released `Phi` after it; `groups`: their DAGs.
  std::vector<std::vector<std::int64_t>> run_at_distances(const RandomPathSystem& s, const std::vector<std::vector<std::size_t>>& groups,
                                                          const std::vector<std::int64_t>& Phi) {
    std::vector<SimulatedJob> jobs;
    std::vector<std::size_t> dag_of;
    const bool worst = below(3) != 0;
    const bool periodic = below(2) == 0;
    const bool together = below(3) == 0;
    for (const auto& group : groups) {
      const std::int64_t T = s.system.dags[group.front()].T.count();
      std::int64_t release = together ? 0 : multiple(2 * T / grid);
      for (std::size_t j = 0; j < 8; ++j) {
        for (const std::size_t d : group) {
          jobs.push_back(job(s, d, release + Phi[d], worst));
          dag_of.push_back(d);
        }
        release += T + (periodic || below(3) != 0 ? 0 : multiple(T / grid + 1));
      }
    }
    return latest_ends(s, std::move(jobs), dag_of);
  }

 private:
  std::vector<std::vector<std::int64_t>> latest_ends(const RandomPathSystem& s, std::vector<SimulatedJob> jobs,
                                                     const std::vector<std::size_t>& dag_of, Between between = Between::queues_first) {
    CompletionSimulation(s.pools, jobs, random_, between).run();
    std::vector<std::vector<std::int64_t>> latest;
    for (const auto& dag : s.system.dags) latest.emplace_back(dag.nodes.size(), 0);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      for (std::size_t v = 0; v < jobs[i].end.size(); ++v) {
        auto& most = latest[dag_of[i]][v];
        most = std::max(most, jobs[i].end[v] - jobs[i].release);
      }
    }
    return latest;
  }

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  /// A multiple of the grid, below `units` of it.
  std::int64_t multiple(std::int64_t units) {
    return static_cast<std::int64_t>(below(static_cast<std::size_t>(std::max<std::int64_t>(units, 1)))) * grid;
  }

  /// With release jitter, mostly an end of its range.
  std::int64_t lateness(std::int64_t J) {
    if (J == 0) return 0;
    return below(3) == 0 ? multiple(J / grid + 1) : below(2) == 0 ? 0 : J;
  }

  void set_fixed(analysis::path::Pool& pool, SimulatedPool& simulated) {
    using analysis::path::Order;
    const bool preemptive = below(3) != 0;
    pool.order = preemptive ? Order::fixed : Order::fixed_non_preemptive;
    simulated.order = preemptive ? SimulatedOrder::fixed : SimulatedOrder::fixed_non_preemptive;
    pool.equals_any = simulated.equals_any = below(2) == 0;
  }

  /// One for all nodes of the DAG, or one each.
  void set_priorities(analysis::path::Dag& dag) {
    const bool of_dag = below(2) == 0;
    const auto shared = static_cast<std::uint32_t>(below(3));
    for (auto& node : dag.nodes) node.priority = of_dag ? shared : static_cast<std::uint32_t>(below(4));
  }

  void add_dag(RandomPathSystem& out, const RandomPathOptions& options, std::int64_t load, std::size_t pools) {
    analysis::path::Dag dag;
    dag.name = "d" + std::to_string(out.system.dags.size());
    const std::size_t n = 1 + below(options.most_nodes);
    auto& pieces = out.pieces.emplace_back();
    const bool fork = options.started && below(2) == 0;
    const bool relay = fork && options.started_beside;  // a chain, to and fro between two pools
    std::int64_t work = 0;
    for (std::size_t v = 0; v < n; ++v) {
      analysis::path::Node node;
      node.pool = relay ? v % 2 : below(pools);
      node.e = Time(below(4) == 0 ? 0 : grid + multiple(4)) * (options.started_beside && node.pool > 0 ? 4 : 1);
      RandomPathSystem::Piece piece;
      const SimulatedPool& pool = out.pools[node.pool];
      if (pool.order == SimulatedOrder::gpu) {
        piece.count = 1 + static_cast<std::int64_t>(below(4));
        piece.threads = 1 + static_cast<std::int64_t>(below(static_cast<std::size_t>(pool.threads)));
      } else if (pool.order == SimulatedOrder::fifo) {
        piece.count = 1 + static_cast<std::int64_t>(below(2));  // workers
      }
      work += piece.count * node.e.count();
      pieces.push_back(piece);
      dag.nodes.push_back(node);
      if (fork && v > 0) dag.edges.push_back({relay ? v - 1 : 0, v});
      for (std::size_t w = 0; w < v && !fork; ++w) {
        if (below(3) == 0 || (w + 1 == v && below(2) == 0)) dag.edges.push_back({w, v});
      }
    }
    dag.T = Time(std::max(grid, work * load / 2 + multiple(16)));
    dag.T = Time(dag.T.count() / grid * grid);
    dag.Y = Time(multiple(1 + dag.T.count() / grid));
    std::int64_t ready = 0;
    const bool rising = options.by_node && below(2) == 0;  // T10g asks for points that rise along paths
    for (std::size_t v = 0; v < n && options.by_node; ++v) {
      auto& node = dag.nodes[v];
      if (out.system.pools[node.pool].order != analysis::path::Order::gel_by_node) continue;
      node.Y = Time((rising ? ready : 0) + multiple(1 + dag.T.count() / grid) - (below(4) == 0 ? dag.T.count() / 2 / grid * grid : 0));
      ready += node.e.count() + multiple(dag.T.count() / grid);
    }
    if (options.fixed || options.started) set_priorities(dag);
    out.system.dags.push_back(std::move(dag));
  }

  /// s and vol; on GPUs with T5's weights H / (m - H_max + h).
  static void set_weights(RandomPathSystem& out) {
    for (std::size_t p = 0; p < out.pools.size(); ++p) {
      std::int64_t H_max = 0;
      std::int64_t h = out.pools[p].threads;
      const bool gpu = out.pools[p].order == SimulatedOrder::gpu;
      const auto each = [&](auto action) {
        for (std::size_t d = 0; d < out.system.dags.size(); ++d) {
          for (std::size_t v = 0; v < out.system.dags[d].nodes.size(); ++v) {
            if (out.system.dags[d].nodes[v].pool == p) action(out.system.dags[d].nodes[v], out.pieces[d][v]);
          }
        }
      };
      each([&](const auto&, const auto& piece) {
        H_max = std::max(H_max, piece.threads);
        h = std::gcd(h, piece.threads);
      });
      if (gpu) out.system.pools[p].unit = out.pools[p].threads - H_max + h;
      each([&](auto& node, const auto& piece) {
        node.s = node.e.count() * (gpu ? piece.threads : 1);
        node.vol = node.s * piece.count;
      });
      if (gpu && H_max > 0) out.system.pools[p].resident = most_resident(out, p);
    }
  }

  static Wide most_resident(const RandomPathSystem& s, std::size_t p) {
    std::vector<SmallBlock> blocks;
    for (std::size_t d = 0; d < s.system.dags.size(); ++d) {
      for (std::size_t v = 0; v < s.system.dags[d].nodes.size(); ++v) {
        const auto& node = s.system.dags[d].nodes[v];
        if (node.pool == p) blocks.push_back({s.pieces[d][v].threads, 0, node.s});
      }
    }
    return EveryConfiguration(blocks, s.pools[p].threads).carry(s.system.pools[p].capacity);
  }

  SimulatedJob job(const RandomPathSystem& s, std::size_t d, std::int64_t release, bool worst) {
    const auto& dag = s.system.dags[d];
    SimulatedJob job;
    job.release = release;
    job.priority_point = release + dag.Y.count();
    for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
      SimulatedNode node;
      node.pool = dag.nodes[v].pool;
      node.threads = s.pieces[d][v].threads;
      node.priority = dag.nodes[v].priority;
      if (s.system.pools[node.pool].order == analysis::path::Order::gel_by_node) node.later = (dag.nodes[v].Y - dag.Y).count();
      for (std::int64_t i = 0; i < s.pieces[d][v].count; ++i) {
        const std::int64_t e = dag.nodes[v].e.count();
        node.pieces.push_back(worst || below(2) == 0 ? e : multiple(e / grid + 1));
      }
      job.nodes.push_back(std::move(node));
    }
    for (const auto& edge : dag.edges) job.nodes[edge.to].predecessors.push_back(edge.from);
    return job;
  }

  std::mt19937_64 random_;
};

}  // namespace rta::test
