#include "observed_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "../io/yaml_text.hpp"
#include "names.hpp"
#include "pools.hpp"
#include "rta/model/device.hpp"

namespace rta::convert {
namespace {

constexpr std::size_t most_names = 1'000'000;
constexpr std::size_t jobs_for_edges = 1000;
constexpr std::size_t most_kernels = 4'000'000;

}  // namespace

ObservedSystem::ObservedDag& ObservedSystem::dag_named(const std::string& name) {
  const auto [at, fresh] = dag_index_.emplace(name, dags_.size());
  if (fresh) {
    if (++records_ > most_names) refuse(notes_.file(), fmt::format("the trace names more than {} DAGs and nodes", most_names));
    dags_.push_back({name, {}, {}, {}, {}, {}, {}, {}, {}});
  }
  return dags_[at->second];
}

ObservedSystem::ObservedNode& ObservedSystem::node_of(const trace::Job& job) {
  ObservedDag& dag = dag_named(job.dag);
  const auto [at, fresh] = dag.index.emplace(job.node, dag.nodes.size());
  if (fresh) {
    if (++records_ > most_names) refuse(notes_.file(), fmt::format("the trace names more than {} DAGs and nodes", most_names));
    dag.nodes.push_back({job.node, {}, {}, {}, 0, 0, 0, 0, 0});
  }
  return dag.nodes[at->second];
}

void ObservedSystem::observe(ObservedNode& node, std::int64_t length) {
  node.least = node.count == 0 ? length : std::min(node.least, length);
  node.most = std::max(node.most, length);
  node.sum += length;
  ++node.count;
}

void ObservedSystem::piece(const trace::Job& job, const ObservedPiece& piece) {
  ObservedNode& node = node_of(job);
  if (node.kind && (*node.kind != piece.kind || node.pool != piece.pool)) {
    refuse(notes_.file(), fmt::format("node '{}/{}' runs on '{}' and on '{}'", one_line(job.dag, 60), one_line(job.node, 60),
                                      one_line(node.pool, 60), one_line(piece.pool, 60)));
  }
  node.kind = piece.kind;
  node.pool = piece.pool;
  pools_.emplace(piece.pool, std::pair(piece.kind, PoolId{0}));
  if (node.running.size() > most_names)
    refuse(notes_.file(), fmt::format("more than {} jobs of '{}' run at once", most_names, one_line(job.node, 60)));
  RunningJob& running = node.running[job.job];
  running.start = running.pieces == 0 ? piece.start : std::min(running.start, piece.start);
  running.end = running.pieces == 0 ? piece.end : std::max(running.end, piece.end);
  running.sum = checked_add(running.sum, piece.length);
  ++running.pieces;
  if (piece.kind != PoolKind::cpu) observe(node, piece.length);
}

void ObservedSystem::job(const trace::Job& job, Time release, Time end) {
  ObservedNode& node = node_of(job);
  if (const auto running = node.running.find(job.job); running != node.running.end()) {
    if (node.kind == PoolKind::gpu && ++kernels_ <= most_kernels) {
      ObservedDag& of = dag_named(job.dag);
      of.kernels[job.job].push_back({of.index.at(job.node), Time(running->second.start), Time(running->second.end)});
    }
    if (node.kind == PoolKind::cpu) observe(node, running->second.sum);
    node.B = std::max(node.B, running->second.pieces);
    node.running.erase(running);
  }
  ObservedDag& dag = dag_named(job.dag);
  if (dag.jobs.size() >= jobs_for_edges) return;
  auto& open = dag.open[job.job];
  if (open.size() < most_names) open.emplace_back(dag.index.at(job.node), Interval{release.count(), end.count()});
}

void ObservedSystem::dag(const trace::Job& job, Time release, Time end) {
  ObservedDag& dag = dag_named(job.dag);
  if (dag.releases.size() < 4 * most_names) {
    dag.releases.push_back(release.count());
    dag.lengths.push_back((end - release).count());
    const auto kernels = dag.kernels.find(job.job);
    dag.ran.push_back(kernels == dag.kernels.end() ? std::vector<RecordedKernel>() : std::move(kernels->second));
  }
  dag.kernels.erase(job.job);
  const auto open = dag.open.find(job.job);
  if (open == dag.open.end()) return;
  if (dag.jobs.size() < jobs_for_edges) dag.jobs.push_back(std::move(open->second));
  dag.open.erase(open);
}

void ObservedSystem::add_pools(Draft& draft, const Options& options, Notes& notes) {
  for (auto& [name, pool] : pools_) {
    pool.second = draft.pools.size();
    DraftPool out;
    out.pool.name = one_word(name, "pool");
    switch (pool.first) {
      case PoolKind::cpu: out = cpu_pool(out.pool.name, options, notes); break;
      case PoolKind::gpu: {
        notes.uses("device");
        notes.uses("threads-per-block");
        const Device* const device = options.device ? find_device(*options.device) : nullptr;
        if (options.device && device == nullptr) refuse(notes.file(), fmt::format("--device '{}': no such device", *options.device));
        if (device == nullptr) notes.miss(fmt::format("the trace does not say what GPU '{}' is: give --device NAME", out.pool.name));
        if (!options.threads_per_block) notes.miss("the trace does not say how many threads a block has: give --threads-per-block N");
        out.pool.resource = device != nullptr ? device->gpu : GpuPool{};
        break;
      }
      case PoolKind::engines:
        notes.uses("copy-engines");
        if (!options.copy_engines) notes.miss("the trace does not say how many copy engines there are: give --copy-engines 1 or 2");
        out.pool.resource = EnginePool{1};
        if (options.copy_engines == 2)
          notes.assume("--copy-engines 2: the directions of copies are not in the trace; all share one engine");
        break;
      case PoolKind::workers: {
        const auto workers = processors_of(options, out.pool.name, notes);
        if (!workers)
          notes.miss(fmt::format("the trace does not say how many workers '{}' has: give --processors {}=N", out.pool.name, out.pool.name));
        out.pool.resource = WorkerPool{workers.value_or(1), Time()};
        notes.assume(fmt::format("pool '{}': the dispatch overhead is within the times of its items", out.pool.name));
        break;
      }
    }
    draft.pools.push_back(std::move(out));
  }
}

DraftNode ObservedSystem::draft_node(const ObservedNode& node, const Options& options) {
  DraftNode out;
  out.node.pool = pools_.at(node.pool).second;
  const Time most(node.most);
  const Time L(std::max<std::int64_t>(node.most, 1));
  switch (*node.kind) {
    case PoolKind::cpu: out.node.demand = CpuDemand{most}; break;
    case PoolKind::engines: out.node.demand = CopyDemand{most, std::nullopt}; break;
    case PoolKind::workers: out.node.demand = WorkerDemand{std::max<std::uint64_t>(node.B, 1), L}; break;
    case PoolKind::gpu: {
      GpuDemand demand;
      demand.B = std::max<std::uint64_t>(node.B, 1);
      demand.H = (options.threads_per_block.value_or(32) + 31) / 32 * 32;
      demand.L = L;
      demand.C = Workload(static_cast<Wide>(L.count()) * demand.H);
      out.node.demand = demand;
      break;
    }
  }
  if (node.least < node.most) {
    const Wide mode = 3 * node.sum / node.count - node.least - node.most;
    out.node.variation = Variation{Time(node.least), to_time(std::clamp<Wide>(mode, node.least, node.most))};
  }
  return out;
}

void set_period(std::optional<std::int64_t> least, bool replaces, DraftDag& out, const Options& options, Notes& notes) {
  if (options.period && (!least || replaces)) {
    out.T = *options.period;
    notes.uses("period");
    if (least && out.T > Time(*least))
      notes.assume(fmt::format("DAG '{}': T is --period, though releases were seen {} apart", out.name, io::time_text(Time(*least))));
  } else if (least) {
    out.T = Time(*least);
    notes.assume(fmt::format("DAG '{}': T is the least distance of releases that was seen, {} (--period)", out.name, io::time_text(out.T)));
  } else {
    notes.miss(fmt::format("DAG '{}' was released once only, which tells no period: give --period TIME", out.name));
    out.T = Time(1);
  }
  out.D = options.deadline;
  notes.uses("deadline");
}

namespace {

std::optional<std::int64_t> least_distance(std::vector<std::int64_t> releases) {
  std::ranges::sort(releases);
  std::optional<std::int64_t> least;
  for (std::size_t i = 1; i < releases.size(); ++i) {
    std::int64_t distance = 0;
    if (__builtin_sub_overflow(releases[i], releases[i - 1], &distance)) throw_overflow("difference");
    if (distance > 0) least = std::min(least.value_or(distance), distance);
  }
  return least;
}

}  // namespace

// A node that became ready at the instant at which another ended waited for it, if that one had always ended by then.
void ObservedSystem::add_edges(const ObservedDag& dag, DraftDag& out, Notes& notes) const {
  const std::size_t n = dag.nodes.size();
  constexpr std::size_t most = 3000;
  if (n > most) {
    notes.assume(fmt::format("DAG '{}' has more than {} nodes: its edges ARE NOT LOOKED FOR", out.name, most));
    return;
  }
  std::vector<std::vector<char>> at_once(n, std::vector<char>(n)), before(n, std::vector<char>(n, 1));
  std::vector<char> source(n);
  for (const auto& job : dag.jobs) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const auto& [v, interval] : job) first = std::min(first, interval.release);
    for (const auto& [v, of_v] : job) {
      source[v] = static_cast<char>(source[v] != 0 || of_v.release == first);
      for (const auto& [u, of_u] : job) {
        if (u == v || of_u.end > of_v.release || (of_u.end == of_v.release && of_u.release == of_u.end && u > v)) before[u][v] = 0;
        if (u != v && of_u.end == of_v.release) at_once[u][v] = 1;
      }
    }
  }
  std::size_t unclear = 0;
  for (std::size_t v = 0; v < n; ++v) {
    bool any = false;
    for (std::size_t u = 0; u < n; ++u) {
      if (before[u][v] == 0 || at_once[u][v] == 0) continue;
      out.edges.push_back({u, v, false});
      any = true;
    }
    if (any || source[v] != 0) continue;
    ++unclear;
    for (std::size_t u = 0; u < n; ++u) {
      if (before[u][v] != 0) out.edges.push_back({u, v, false});
    }
  }
  notes.assume(fmt::format(
      "DAG '{}': edges are not in a trace: a node follows those at whose end it became ready and that had always ended by then", out.name));
  if (unclear > 0)
    notes.assume(
        fmt::format("DAG '{}': {} nodes became ready when none ended: they follow all that had always ended by then", out.name, unclear));
}

// What the model is held against.
void ObservedSystem::keep_recorded(Draft& draft, Notes& notes) {
  if (kernels_ > most_kernels)
    notes.assume(fmt::format("more than {} kernels ran: how long they kept GPUs busy IS NOT COMPARED", most_kernels));
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const ObservedDag& dag : dags_) {
    for (const std::int64_t release : dag.releases) first = std::min(first, release);
  }
  for (std::size_t d = 0; d < dags_.size(); ++d) {
    ObservedDag& dag = dags_[d];
    RecordedDag& recorded = draft.recorded.emplace_back();
    recorded.dag = draft.dags[d].name;
    std::vector<std::size_t> order(dag.releases.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return dag.releases[i]; });
    recorded.releases.reserve(order.size());
    recorded.lengths.reserve(order.size());
    for (const std::size_t i : order) {
      std::int64_t release = 0;
      if (__builtin_sub_overflow(dag.releases[i], first, &release)) throw_overflow("difference");
      recorded.releases.emplace_back(release);
      recorded.lengths.emplace_back(dag.lengths[i]);
      recorded.length = std::max(recorded.length, recorded.lengths.back());
      if (kernels_ <= most_kernels) recorded.ran.push_back(std::move(dag.ran[i]));
    }
  }
}

Draft ObservedSystem::draft(const Options& options, Notes& notes, bool edges_known) {
  Draft draft;
  std::size_t open_nodes = 0, open_dags = 0;
  for (const ObservedDag& dag : dags_) {
    open_dags += dag.open.size();
    for (const ObservedNode& node : dag.nodes) open_nodes += node.running.size();
  }
  if (open_nodes + open_dags > 0) {
    notes.assume(
        fmt::format("{} jobs of nodes and {} of DAGs do not end in the trace: how long they took is not counted", open_nodes, open_dags));
  }
  add_pools(draft, options, notes);
  UniqueNames dag_names;
  std::vector<std::optional<std::int64_t>> least;
  for (const ObservedDag& dag : dags_) least.push_back(least_distance(dag.releases));
  const bool replaces = std::ranges::all_of(least, [](const auto& distance) { return distance.has_value(); });
  for (const ObservedDag& dag : dags_) {
    DraftDag out;
    out.name = dag_names.unique(one_word(dag.name, "dag"));
    set_period(least[draft.dags.size()], replaces, out, options, notes);
    UniqueNames names;
    for (const ObservedNode& node : dag.nodes) {
      if (!node.kind || node.count == 0) {
        refuse(notes.file(),
               fmt::format(
                   "nothing that ran of node '{}/{}' is in the trace: traces with blocks, copies and runs are needed (--trace-level block)",
                   one_line(dag.name, 60), one_line(node.name, 60)));
      }
      DraftNode of = draft_node(node, options);
      of.node.name = names.unique(one_word(node.name, "node"));
      out.add(std::move(of));
    }
    if (edges_known) {
      add_edges(dag, out, notes);
    } else if (dag.nodes.size() > 1) {
      notes.assume(
          fmt::format("DAG '{}': EDGES ARE MISSING: nodes were released at offsets, which shows nothing of what they wait for", out.name));
    }
    draft.dags.push_back(std::move(out));
  }
  if (!options.cpu_only) keep_recorded(draft, notes);
  notes.assume("execution times are the longest that were seen; min and mode are for simulations alone");
  notes.assume("whether jobs of one node wait for one another (sequential) is not in a trace: here they do not");
  return draft;
}

}  // namespace rta::convert
