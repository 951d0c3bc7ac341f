// Small platforms and task sets, and an observer that remembers, for tests of the simulator.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rta/simulate/simulate.hpp"
#include "support/schedules.hpp"

namespace scene {

using rta::Time;
using rta::Workload;

constexpr std::int64_t us = 1000;

inline rta::Pool cpu(std::uint32_t processors, rta::Scheduler scheduler = rta::Scheduler::g_edf) {
  return {"cpu", rta::CpuPool{processors, scheduler}};
}
inline rta::Pool gpu(std::uint32_t sms, std::uint32_t threads = 2048, std::uint32_t slots = 32) {
  rta::GpuPool pool;
  pool.sms = sms;
  pool.sm.threads = threads;
  pool.sm.blocks = slots;
  return {"gpu", pool};
}

/// A GPU task as the literature writes it: B blocks of H G-threads, each L long.
inline rta::GpuDemand kernel(std::uint64_t B, std::uint32_t H, std::int64_t L) {
  rta::GpuDemand d;
  d.B = B;
  d.H = H;
  d.L = Time(L);
  d.C = Workload(rta::Wide{L} * H);
  return d;
}

template <class Demand>
rta::Node node(std::string name, rta::PoolId pool, Demand demand) {
  rta::Node n;
  n.name = std::move(name);
  n.pool = pool;
  n.demand = demand;
  return n;
}

/// A DAG of one node.
template <class Demand>
rta::Dag task(const std::string& name, rta::PoolId pool, Demand demand, std::int64_t T, bool sequential = false) {
  rta::Node n = node(name, pool, demand);
  n.sequential = sequential;
  return {name, Time(T), std::nullopt, {n}, {}};
}

/// All nodes at the offsets `Phi` (default 0) with relative priority points Y.
inline rta::PerNode<Time> times(const rta::TaskSet& set, std::int64_t value = 0) {
  rta::PerNode<Time> t;
  for (const rta::Dag& d : set.dags()) t.emplace_back(d.nodes().size(), Time(value));
  return t;
}
inline rta::Schedule at_once(const rta::TaskSet& set) { return rta::test::with_offsets(set, times(set), times(set)); }
inline rta::Schedule edf(const rta::TaskSet& set) {
  rta::PerNode<Time> Y;
  for (const rta::Dag& d : set.dags()) Y.emplace_back(d.nodes().size(), d.period());
  return rta::test::with_offsets(set, times(set), Y);
}

inline rta::simulate::Options for_time(std::int64_t ns) {
  rta::simulate::Options options;
  options.duration = Time(ns);
  return options;
}

/// Remembers everything, in whole ns.
class Recorder : public rta::simulate::Observer {
 public:
  struct Block {
    std::size_t dag, node;
    std::uint64_t job, block;
    std::uint32_t sm;
    std::int64_t start, end;
    auto operator<=>(const Block&) const = default;
  };
  struct Job {
    std::size_t dag, node;
    std::uint64_t job;
    std::int64_t release, start, end;
    auto operator<=>(const Job&) const = default;
  };
  struct Run {
    std::size_t dag, node;
    std::uint64_t job;
    std::uint32_t cpu;
    std::int64_t start, end;
    auto operator<=>(const Run&) const = default;
  };

  Recorder() : Observer(rta::simulate::Detail::block) {}
  void dag(rta::DagId d, std::uint64_t job, Time release, Time end) override {
    dags.push_back({d, 0, job, release.count(), 0, end.count()});
  }
  void job(rta::simulate::JobId id, Time release, Time start, Time end) override {
    jobs.push_back({id.dag, id.node, id.job, release.count(), start.count(), end.count()});
  }
  void block(rta::simulate::JobId id, std::uint64_t b, std::uint32_t sm, Time start, Time end) override {
    blocks.push_back({id.dag, id.node, id.job, b, sm, start.count(), end.count()});
  }
  void copy(rta::simulate::JobId id, std::uint32_t engine, Time start, Time end) override {
    copies.push_back({id.dag, id.node, id.job, engine, start.count(), end.count()});
  }
  void run(rta::simulate::JobId id, std::uint32_t p, Time start, Time end) override {
    runs.push_back({id.dag, id.node, id.job, p, start.count(), end.count()});
  }

  /// (SM, start, end) of every block of a job, by block.
  [[nodiscard]] std::vector<std::tuple<std::uint32_t, std::int64_t, std::int64_t>> blocks_of(std::size_t d, std::size_t v = 0,
                                                                                             std::uint64_t j = 0) const {
    std::vector<Block> mine;
    std::copy_if(blocks.begin(), blocks.end(), std::back_inserter(mine),
                 [&](const Block& b) { return b.dag == d && b.node == v && b.job == j; });
    std::sort(mine.begin(), mine.end());
    std::vector<std::tuple<std::uint32_t, std::int64_t, std::int64_t>> out;
    out.reserve(mine.size());
    for (const Block& b : mine) out.emplace_back(b.sm, b.start, b.end);
    return out;
  }
  /// End minus release of job j of node v of DAG d.
  [[nodiscard]] std::int64_t response(std::size_t d, std::uint64_t j, std::size_t v = 0) const {
    const auto at = std::find_if(jobs.begin(), jobs.end(), [&](const Job& x) { return x.dag == d && x.node == v && x.job == j; });
    return at == jobs.end() ? -1 : at->end - at->release;
  }

  std::vector<Job> dags, jobs;
  std::vector<Block> blocks;
  std::vector<Run> copies, runs;
};

}  // namespace scene
