#include "task_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "../../io/yaml_text.hpp"
#include "../names.hpp"
#include "../pools.hpp"
#include "device.hpp"
#include "records.hpp"
#include "union.hpp"

namespace rta::convert {
namespace {

class ProfileDraft {
 public:
  /// `records`, where there are any, are filled in on the way.
  ProfileDraft(const OrderedProfile& ordered, const Options& options, Notes& notes, std::vector<trace::Record>* records)
      : ordered_(ordered), profile_(ordered.profile()), options_(options), notes_(notes), records_(records) {}

  Draft make() {
    draft_.name = std::filesystem::path(profile_.file).filename().string();
    const std::vector<JobFamily> families = find_jobs(ordered_, options_, notes_);
    make_pools(families);
    for (const JobFamily& family : families) make_dag(family);
    tell_what_holds();
    return std::move(draft_);
  }

 private:
  // The pools of one GPU.
  struct GpuPools {
    GpuPool gpu;
    PoolId kernels = 0, copies = 0, memory = 0;
    std::uint32_t engines = 1;
  };

  PoolId add_pool(std::string name, decltype(Pool::resource) resource) {
    DraftPool pool;
    pool.pool = {std::move(name), std::move(resource)};
    draft_.pools.push_back(std::move(pool));
    return draft_.pools.size() - 1;
  }

  void make_pools(const std::vector<JobFamily>& families) {
    std::map<std::int64_t, std::set<GpuOperation::Kind>> used;
    std::map<std::int64_t, bool> within;  // copies and memsets that stay on the GPU
    std::map<std::int64_t, std::set<std::uint32_t>> processes;
    for (const JobFamily& family : families) {
      for (const Job& job : family.jobs) {
        for (const std::uint32_t o : job.operations) {
          const GpuOperation& operation = profile_.operations[o];
          processes[operation.device].insert(operation.process);
          if (is_within(operation)) {
            within[operation.device] = true;
          } else {
            used[operation.device].insert(operation.kind);
          }
        }
      }
    }
    draft_.pools.push_back(cpu_pool("cpu", options_, notes_));
    for (const auto& [device, users] : processes) {
      const std::string number = processes.size() == 1 ? std::string() : fmt::format("{}", device);
      const auto gpu = gpu_pool(profile_, device, options_, notes_);
      if (!gpu) continue;
      GpuPools pools;
      pools.gpu = *gpu;
      if (used[device].contains(GpuOperation::Kind::kernel)) pools.kernels = add_pool("gpu" + number, *gpu);
      if (users.size() > 1) draft_.pools.back().sharing = Sharing{};
      if (used[device].contains(GpuOperation::Kind::copy)) {
        pools.engines = copy_engines(profile_, device, *gpu, options_, notes_);
        pools.copies = add_pool("copy" + number, EnginePool{pools.engines});
      }
      if (within[device]) {
        pools.memory = add_pool("device-memory" + number, EnginePool{1});
        notes_.assume(
            "memsets and copies within a GPU run one after another on an engine of their own: whether the driver uses SMs for them is not "
            "recorded");
      }
      gpus_.emplace(device, pools);
    }
    several_processes_ = std::ranges::any_of(processes, [](const auto& users) { return users.second.size() > 1; });
  }

  static bool is_within(const GpuOperation& o) {
    return o.kind == GpuOperation::Kind::memset || (o.kind == GpuOperation::Kind::copy && !o.direction);
  }

  void make_dag(const JobFamily& family) {
    UnionGraph graph = union_of(ordered_, family, options_, notes_, records_ == nullptr ? Keep::spans : Keep::occurrences);
    if (options_.fuse) {
      const std::size_t before = graph.nodes.size();
      const std::size_t gone = fuse(graph, options_.fuse->count());
      notes_.assume(fmt::format(
          "DAG '{}': --fuse joined {} kernels to those before them ({} nodes instead of {}): of equal kernels in a row, each of at "
          "most {}, one with the sum of their L, as if no other kernel got between them",
          family.name, gone, graph.nodes.size(), before, io::time_text(*options_.fuse)));
    }
    if (options_.cpu_only) keep_cpu_only(graph);
    DraftDag dag;
    dag.name = family.name;
    if (several_processes_)
      dag.process = fmt::format("{}-{}", one_word(profile_.processes[family.process].name, "process"), family.process + 1);
    set_period(family, dag);
    dag.D = options_.deadline;
    notes_.found(fmt::format("DAG '{}': jobs took {} {}", family.name, io::time_text(Time(graph.recorded)),
                             options_.percentile ? "by the percentile" : "at most"));
    UniqueNames names;
    std::vector<std::uint32_t> steps_of_thread;
    for (const UnionNode& node : graph.nodes) {
      if (node.on_cpu) {
        if (node.thread >= steps_of_thread.size()) steps_of_thread.resize(node.thread + 1);
        const std::string thread = node.thread == 0 ? "cpu" : fmt::format("thread{}", node.thread + 1);
        add_cpu(dag, names.unique(fmt::format("{}-{}", thread, ++steps_of_thread[node.thread])), node.span);
      } else {
        add_gpu(dag, names, node);
      }
    }
    for (const auto& [from, to] : graph.edges) dag.edges.push_back({from, to, false});
    if (records_ != nullptr) add_records(dag, family, graph, *records_);
    if (!options_.cpu_only) account_for_gaps(dag, graph, names);
    draft_.dags.push_back(std::move(dag));
  }

  void set_period(const JobFamily& family, DraftDag& dag) {
    std::vector<std::int64_t> starts, distances;
    for (const Job& job : family.jobs) starts.push_back(job.start);
    std::ranges::sort(starts);
    for (std::size_t i = 1; i < starts.size(); ++i) distances.push_back(starts[i] - starts[i - 1]);
    if (!distances.empty()) {
      const auto [least, most] = std::ranges::minmax_element(distances);
      Wide sum = 0;
      for (const std::int64_t distance : distances) sum += distance;
      const Time mean = to_time(sum / static_cast<Wide>(distances.size()));
      dag.T = Time(*least);
      notes_.found(fmt::format("DAG '{}': jobs begin {} apart at least, {} on average, {} at most", family.name,
                               io::time_text(Time(*least)), io::time_text(mean), io::time_text(Time(*most))));
      if (!options_.period) {
        notes_.assume(fmt::format("DAG '{}': T is the least distance of jobs that was seen (--period)", family.name));
      } else if (*options_.period > dag.T) {
        notes_.assume(fmt::format("DAG '{}': T is --period, though jobs were seen to begin {} apart", family.name, io::time_text(dag.T)));
      }
      if (!options_.period && dag.T <= Time::zero())
        refuse(profile_.file, fmt::format("DAG '{}': two jobs begin at one instant; give --period TIME", family.name));
    } else if (!options_.period) {
      notes_.miss(fmt::format("DAG '{}' has one job only, which tells no period: give --period TIME", family.name));
    }
    if (options_.period) dag.T = *options_.period;
    if (dag.T <= Time::zero()) dag.T = Time(1);  // missing
  }

  static std::optional<Variation> variation_of(const Span& span) {
    if (span.least == span.most) return std::nullopt;
    return Variation{Time(span.least), Time(span.likeliest)};
  }

  void add_cpu(DraftDag& dag, std::string name, const Span& span) {
    DraftNode out;
    out.node.name = std::move(name);
    out.node.pool = 0;
    out.node.demand = CpuDemand{Time(span.most)};
    out.node.sequential = true;
    out.node.variation = variation_of(span);
    dag.nodes.push_back(std::move(out));
  }

  // What took no time that the clock could show took less than its resolution.
  Span visible(Span span) {
    const std::int64_t least = profile_.resolution;
    if (span.most >= least) return span;
    ++too_short_;
    return {std::min(span.least, least), least, std::min(std::max(span.likeliest, span.least), least)};
  }

  void add_gpu(DraftDag& dag, UniqueNames& names, const UnionNode& node) {
    const GpuOperation& o = node.operation;
    const auto pools = gpus_.find(o.device);
    DraftNode out;
    out.node.sequential = true;
    out.process = dag.process;
    Span span = visible(node.span);
    if (pools == gpus_.end()) {
      // Its device is missing; hand_over will say so.
      out.node.name = names.unique("kernel");
      out.node.demand = CpuDemand{Time(span.most)};
    } else if (o.kind == GpuOperation::Kind::kernel) {
      add_kernel(out, names, node, pools->second, span);
    } else {
      std::string name = o.kind == GpuOperation::Kind::memset ? "memset" : "copy";
      if (o.direction) name += *o.direction == Direction::h2d ? "-h2d" : "-d2h";
      out.node.name = names.unique(name);
      out.node.pool = is_within(o) ? pools->second.memory : pools->second.copies;
      out.node.demand = CopyDemand{Time(span.most), o.direction};
      out.node.variation = variation_of(span);
    }
    dag.nodes.push_back(std::move(out));
  }

  void add_kernel(DraftNode& out, UniqueNames& names, const UnionNode& node, const GpuPools& pools, Span span) {
    const GpuOperation& o = node.operation;
    const std::string_view full = profile_.texts[o.name];
    const std::string word = one_word(function_name(full), "kernel", 60);
    if (word != full && (short_names_.size() < 200 || short_names_.contains(word))) short_names_[word].insert(o.name);
    if (options_.waves) {
      const auto waves = static_cast<std::int64_t>(
          ceil_div(static_cast<Wide>(o.B), static_cast<Wide>(pools.gpu.sms) * static_cast<Wide>(resident_blocks(pools.gpu, o))));
      const auto share = [&](std::int64_t time) { return static_cast<std::int64_t>(ceil_div(time, waves)); };
      span = {share(span.least), std::max<std::int64_t>(share(span.most), 1), share(span.likeliest)};
    }
    if (options_.dispatch_latency) {
      const std::int64_t latency = options_.dispatch_latency->count();
      span = {checked_add(span.least, latency), checked_add(span.most, latency), checked_add(span.likeliest, latency)};
    }
    GpuDemand demand;
    demand.B = o.B;
    const std::uint32_t warp = pools.gpu.allocation.warp;
    demand.H = (o.H + warp - 1) / warp * warp;
    rounded_ += static_cast<std::size_t>(demand.H != o.H);
    demand.L = Time(span.most);
    demand.C = Workload(static_cast<Wide>(span.most) * demand.H);
    demand.shared_memory = o.shared_memory;
    demand.registers_per_thread = o.registers;
    const auto stream = profile_.streams.find({o.process, o.context, o.stream});
    if (stream != profile_.streams.end()) demand.priority = stream->second.priority;
    out.node.name = names.unique(node.fused > 1 ? fmt::format("{}-x{}", word, node.fused) : word);
    out.node.pool = pools.kernels;
    out.node.demand = demand;
    out.node.variation = variation_of(span);
  }

  // What was recorded must be seen again: time that passed between nodes gets a node of its own at the end.
  void account_for_gaps(DraftDag& dag, const UnionGraph& graph, UniqueNames& names) {
    const std::int64_t missing = graph.recorded - longest_path(graph);
    if (missing <= 0) return;
    std::vector<bool> has_successor(dag.nodes.size());
    for (const Edge& e : dag.edges) has_successor[e.from] = true;
    const NodeId gaps = dag.nodes.size();
    add_cpu(dag, names.unique("gaps"), {missing, missing, missing});
    for (NodeId v = 0; v < gaps; ++v) {
      if (!has_successor[v]) dag.edges.push_back({v, gaps, false});
    }
    notes_.assume(fmt::format(
        "DAG '{}': node '{}' of {} stands for the time between nodes (launch latencies, pauses between kernels), so that a job takes at "
        "least as long as it was recorded to",
        dag.name, dag.nodes.back().node.name, io::time_text(Time(missing))));
  }

  void tell_what_holds() {
    if (options_.cpu_only) draft_.pools.resize(1);
    const char* longest = options_.percentile ? "what the percentile asks for" : "the longest time that was recorded";
    if (options_.waves) {
      notes_.assume(
          "--waves: L IS AN ESTIMATE: the time of the kernel shared out among its waves of blocks, as if all blocks took the same time");
    } else if (!options_.cpu_only) {
      notes_.assume(fmt::format(
          "L of a kernel is {} for the whole kernel: each of its blocks lasts at most as long (safe for what was seen; --waves estimates)",
          longest));
    }
    notes_.assume(fmt::format("C is {}; min and mode are for simulations alone", longest));
    if (options_.percentile)
      notes_.assume(fmt::format("--percentile {}: longer times WERE SEEN, and bounds do not cover them",
                                static_cast<double>(*options_.percentile) / 10'000));
    notes_.assume(
        "a CPU node lasts from what it waited for to its launch on the clock: what its thread did without CUDA counts as execution");
    if (options_.waits == Waits::active) {
      notes_.assume("a thread that waits for the GPU keeps its processor, as CUDA's default is, for as long as was seen (--waits passive)");
    } else {
      notes_.assume("--waits passive: a thread that waits for the GPU gives its processor away");
    }
    notes_.assume("nodes are sequential: a program that uses the same threads and streams for every job does not overlap its jobs");
    if (!options_.dispatch_latency && !options_.cpu_only) {
      notes_.assume("L does not include the latency of dispatching (--dispatch-latency, or rta analyze --profile)");
    }
    if (too_short_ > 0)
      notes_.assume(fmt::format("{} nodes took less than the clock's {}: it counts", too_short_, io::time_text(Time(profile_.resolution))));
    if (profile_.resolution > 1) {
      notes_.assume(fmt::format("the clock of the file shows {}: what took longer by less than that is not seen",
                                io::time_text(Time(profile_.resolution))));
    }
    if (rounded_ > 0) notes_.assume(fmt::format("H of {} kernels is rounded up to whole warps", rounded_));
    if (options_.cpu_only) return;
    for (const auto& [word, kernels] : short_names_) {
      notes_.found(fmt::format("{} is {}{}", word, one_line(profile_.texts[*kernels.begin()], 160),
                               kernels.size() == 1 ? std::string() : fmt::format(" and {} more of that name", kernels.size() - 1)));
    }
  }

  const OrderedProfile& ordered_;
  const Profile& profile_;
  const Options& options_;
  Notes& notes_;
  std::vector<trace::Record>* records_;
  Draft draft_;
  std::map<std::int64_t, GpuPools> gpus_;
  bool several_processes_ = false;
  std::size_t too_short_ = 0, rounded_ = 0;
  std::map<std::string, std::set<Texts::Id>> short_names_;  // the kernels behind each
};

}  // namespace

Draft draft_of(Profile profile, const Options& options, Notes& notes) {
  const OrderedProfile ordered(std::move(profile));
  return ProfileDraft(ordered, options, notes, nullptr).make();
}

std::vector<trace::Record> job_records(Profile profile, const Options& options, Notes& notes) {
  const OrderedProfile ordered(std::move(profile));
  std::vector<trace::Record> records;
  static_cast<void>(ProfileDraft(ordered, options, notes, &records).make());
  return records;
}

}  // namespace rta::convert
