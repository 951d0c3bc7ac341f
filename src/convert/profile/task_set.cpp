#include "task_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "../../io/yaml_text.hpp"
#include "../names.hpp"
#include "../pools.hpp"
#include "device.hpp"
#include "records.hpp"
#include "rta/model/kernel_time.hpp"
#include "rta/model/partitions.hpp"
#include "union.hpp"
#include "unread.hpp"

namespace rta::convert {
namespace {

class ProfileDraft {
 public:
  /// `records`, where there are any, are filled in on the way.
  ProfileDraft(const OrderedProfile& ordered, const Options& options, Notes& notes, std::vector<trace::Record>* records)
      : ordered_(ordered), profile_(ordered.profile()), options_(options), notes_(notes), records_(records) {}

  Draft make() {
    draft_.name = std::filesystem::path(profile_.file).filename().string();
    refuse_what_has_no_node();
    const std::vector<JobFamily> families = find_jobs(ordered_, options_, notes_);
    tell_unread(ordered_, families, options_, notes_);
    const Beside beside = tell_outside(ordered_, families, options_, notes_);
    if (!options_.cpu_only) draft_.beside = beside;
    all_repeat_ = std::ranges::all_of(families, [](const JobFamily& family) { return family.jobs.size() > 1; });
    make_pools(families);
    if (options_.alone && !options_.cpu_only) alone_ = ran_alone(profile_);
    for (const JobFamily& family : families) make_dag(family);
    align_releases();
    tell_what_holds();
    return std::move(draft_);
  }

 private:
  // The processes that use a GPU, with the contexts of their kernels.
  using Users = std::map<std::uint32_t, std::set<std::int64_t>>;
  // The pools of one GPU.
  struct GpuPools {
    GpuPool gpu;
    PoolId kernels = 0, copies = 0, memory = 0;
    std::map<std::int64_t, std::pair<PoolId, GpuPool>> green;  // green context -> its partition; empty where the GPU is whole
    std::uint32_t engines = 1;
  };

  void refuse_what_has_no_node() const {
    if (options_.cpu_only) return;
    if (std::string foreign = foreign_gpu(profile_, options_); !foreign.empty()) {
      io::Diagnostic fault = profile_.without_grid.value_or(io::Diagnostic{profile_.file, 0, 0, {}});
      fault.message = std::move(foreign);
      throw io::InputError({std::move(fault)});
    }
  }

  PoolId add_pool(std::string name, decltype(Pool::resource) resource) {
    DraftPool pool;
    pool.pool = {std::move(name), std::move(resource)};
    draft_.pools.push_back(std::move(pool));
    return draft_.pools.size() - 1;
  }

  void make_pools(const std::vector<JobFamily>& families) {
    std::map<std::int64_t, std::set<GpuOperation::Kind>> used;
    std::map<std::int64_t, bool> within;  // copies and memsets that stay on the GPU
    std::map<std::int64_t, Users> users;
    for (const JobFamily& family : families) {
      for (const Job& job : family.jobs) {
        for (const std::uint32_t o : job.operations) {
          const GpuOperation& operation = profile_.operations[o];
          std::set<std::int64_t>& contexts = users[operation.device][operation.process];
          if (operation.kind == GpuOperation::Kind::kernel) contexts.insert(operation.context);
          if (is_within(operation)) {
            within[operation.device] = true;
          } else {
            used[operation.device].insert(operation.kind);
          }
        }
      }
    }
    draft_.pools.push_back(cpu_pool("cpu", options_, notes_));
    if (options_.cpu_only) return;
    refuse_unknown_contexts();
    for (const auto& [device, processes] : users) {
      const std::string number = users.size() == 1 ? std::string() : fmt::format("{}", device);
      const auto gpu = gpu_pool(profile_, device, options_, notes_);
      if (!gpu) continue;
      GpuPools pools;
      pools.gpu = *gpu;
      pools.gpu.interference = options_.alone;
      if (used[device].contains(GpuOperation::Kind::kernel)) add_kernels("gpu" + number, device, families, pools);
      share(device, processes, pools);
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
  }

  void refuse_unknown_contexts() const {
    std::set<std::int64_t> known;
    for (const GpuOperation& o : profile_.operations) {
      if (o.green > 0) known.insert(o.green);
    }
    for (const auto& [number, sms] : options_.green_contexts) {
      if (!known.empty() && !known.contains(number)) {
        refuse(profile_.file, fmt::format("--green-context {}={}: no kernel of the profile ran in that green context (there are: {})",
                                          number, sms, fmt::join(known, ", ")));
      }
    }
  }

  // One pool, or one for each green context that the options know the SMs of.
  void add_kernels(const std::string& name, std::int64_t device, const std::vector<JobFamily>& families, GpuPools& pools) {
    const Green green = green_contexts(device, families);
    notes_.uses("green-context");
    if (!options_.green_contexts.empty() && std::ranges::none_of(profile_.operations, [](const GpuOperation& o) { return o.green > 0; }))
      refuse(profile_.file, "--green-context: no kernel of the profile ran in a green context");
    if (options_.green_contexts.empty() || green.kernels == 0) {
      if (green.kernels > 0) {
        notes_.assume(fmt::format(
            "{} kernels ran in green contexts, which have a part of the SMs: here they may run on all of them, and BOUNDS MAY BE "
            "TOO LOW (--green-context NUMBER=SMS says how many SMs each of {} has)",
            green.kernels, fmt::join(green.numbers, ", ")));
      }
      pools.kernels = add_pool(name, pools.gpu);
      return;
    }
    if (green.outside > 0) {
      refuse(profile_.file, fmt::format("--green-context: {} kernels of jobs ran on GPU {} outside of green contexts, and might use any of "
                                        "its SMs: it has no partitions",
                                        green.outside, device));
    }
    std::uint64_t sms = 0;
    for (const std::int64_t number : green.numbers) {
      const auto given = options_.green_contexts.find(number);
      if (given == options_.green_contexts.end())
        refuse(profile_.file, fmt::format("--green-context: how many SMs green context {} has is missing", number));
      GpuPool part = pools.gpu;
      part.sms = given->second;
      part.partition =
          Partition{.gpu = name, .name = fmt::format("green-{}", number), .kind = PartitionKind::green, .of = pools.gpu.sms, .rest = false};
      sms += part.sms;
      if (sms > pools.gpu.sms) {
        refuse(profile_.file,
               fmt::format("--green-context: green contexts of GPU {} have {} SMs together, but it has {}", device, sms, pools.gpu.sms));
      }
      if (const auto fault = partition_fault(part))
        refuse(profile_.file, fmt::format("--green-context {}={}: {}", number, part.sms, *fault));
      pools.green.emplace(number, std::pair(add_pool(partition_name(name, part.partition->name), part), part));
    }
    notes_.assume(fmt::format("green contexts {} of GPU {} have no SM in common, and nothing else runs on it",
                              fmt::join(green.numbers, ", "), device));
  }

  struct Green {
    std::size_t kernels = 0;         // in green contexts
    std::size_t outside = 0;         // of jobs, in none
    std::set<std::int64_t> numbers;  // of those of jobs
  };
  [[nodiscard]] Green green_contexts(std::int64_t device, const std::vector<JobFamily>& families) const {
    Green green;
    for (const GpuOperation& o : profile_.operations) green.kernels += o.device == device && o.green > 0 ? 1U : 0U;
    for (const JobFamily& family : families) {
      for (const Job& job : family.jobs) {
        for (const std::uint32_t i : job.operations) {
          const GpuOperation& o = profile_.operations[i];
          if (o.device != device || o.kind != GpuOperation::Kind::kernel) continue;
          green.outside += o.green > 0 ? 0U : 1U;
          if (o.green > 0) green.numbers.insert(o.green);
        }
      }
    }
    return green;
  }

  // Contexts of a GPU take turns on it, those of one process, too.
  void share(std::int64_t device, const Users& processes, const GpuPools& pools) {
    for (const auto& [process, contexts] : processes) {
      if (contexts.size() > 1) of_several_.insert(process);
    }
    if (pools.kernels == 0 && pools.green.empty()) return;  // only copies
    const std::size_t contexts = processes.begin()->second.size();
    if (processes.size() == 1 && contexts <= 1) return;
    if (!pools.green.empty()) {
      refuse(profile_.file,
             fmt::format("--green-context: several processes or contexts used GPU {}, which take turns: it has no partitions", device));
    }
    if (options_.alone) {
      refuse(profile_.file,
             fmt::format("--alone: several processes or contexts took turns on GPU {}: what they find in the caches after that "
                         "is in no matrix",
                         device));
    }
    draft_.pools[pools.kernels].sharing = Sharing{};
    several_contexts_ = true;
    if (options_.slice && options_.switching) return;
    const std::string who =
        processes.size() == 1 ? fmt::format("{} contexts of one process", contexts) : fmt::format("{} processes", processes.size());
    draft_.taking_turns.push_back(
        fmt::format("{} took turns on GPU {}, unless they ran under MPS or in green contexts, and the recording does not say for how long "
                    "each: bounds here are those of one program, and may be too low (--slice and --switch say it, which rta examine "
                    "measures)",
                    who, device));
  }

  [[nodiscard]] std::string process_named(std::uint32_t process, std::int64_t context) const {
    std::string name = fmt::format("{}-{}", one_word(profile_.processes[process].name, "process"), process + 1);
    return of_several_.contains(process) ? fmt::format("{}-context-{}", name, context) : name;
  }

  static bool is_within(const GpuOperation& o) {
    return o.kind == GpuOperation::Kind::memset || (o.kind == GpuOperation::Kind::copy && !o.direction);
  }

  void make_dag(const JobFamily& family) {
    UnionGraph graph = union_of(ordered_, family, options_, notes_, records_ == nullptr ? Keep::spans : Keep::occurrences, alone_);
    if (options_.fuse) {
      const std::size_t before = graph.nodes.size();
      const std::size_t gone = fuse(graph, options_.fuse->count());
      notes_.assume(fmt::format(
          "DAG '{}': --fuse joined {} kernels to those before them ({} nodes instead of {}): of equal kernels in a row, each of at "
          "most {}, one with the sum of their times, as if no other kernel got between them",
          family.name, gone, graph.nodes.size(), before, io::time_text(*options_.fuse)));
    }
    if (options_.cpu_only) keep_cpu_only(graph);
    DraftDag dag;
    dag.name = family.name;
    dag.nodes.reserve(graph.nodes.size() + 1);
    dag.edges.reserve(graph.edges.size());
    set_period(family, dag);
    dag.D = options_.deadline;
    notes_.uses("deadline");
    trimmed_ = trimmed_ || graph.trimmed;
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
        add_gpu(dag, names, node, graph.operation(node));
      }
    }
    for (const auto& [from, to] : graph.edges) dag.edges.push_back({from, to, false});
    if (records_ != nullptr) add_records(dag, family, graph, *records_);
    if (!options_.cpu_only) {
      account_for_gaps(dag, graph, names);
      keep_recorded(family, dag, graph);
    }
    draft_.dags.push_back(std::move(dag));
  }

  // What the model is held against.
  void keep_recorded(const JobFamily& family, const DraftDag& dag, const UnionGraph& graph) {
    RecordedDag recorded;
    recorded.dag = dag.name;
    // Whatever a percentile leaves out of the model was there.
    recorded.length = Time(*std::ranges::max_element(graph.recorded_of));
    Wide longest = 0;  // of kernels, one after another
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::vector<std::uint32_t>> streams;
    for (std::size_t v = 0; v < graph.nodes.size(); ++v) {
      const UnionNode& node = graph.nodes[v];
      if (node.on_cpu) continue;
      const GpuOperation& o = graph.operation(node);
      if (o.kind != GpuOperation::Kind::kernel || !gpus_.contains(o.device)) continue;
      longest += checked_add(node.span.most, options_.dispatch_latency.value_or(Time::zero()).count());
      if (!node.together) streams[{o.device, o.context, o.stream}].push_back(static_cast<std::uint32_t>(v));
    }
    for (const Busy& job : graph.busy_of) {
      const Wide at_most = job.once + std::max<Wide>(longest - job.sum, 0);
      recorded.busy = std::max(recorded.busy, Time(job.once));
      recorded.kernels = std::max(recorded.kernels, Time(job.sum));
      recorded.busy_at_most = std::max(recorded.busy_at_most, to_time(at_most));
    }
    for (auto& [stream, kernels] : streams) recorded.streams.push_back(std::move(kernels));
    for (const Job& job : family.jobs) recorded.releases.push_back(Time(job.start));
    std::ranges::sort(recorded.releases);
    draft_.recorded.push_back(std::move(recorded));
  }

  // Releases count from the first of all DAGs.
  void align_releases() {
    Time first(std::numeric_limits<std::int64_t>::max());
    for (const RecordedDag& dag : draft_.recorded) first = std::min(first, dag.releases.front());
    for (RecordedDag& dag : draft_.recorded) {
      for (Time& release : dag.releases) release = Time(release.count() - first.count());
    }
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
      } else if (!all_repeat_) {
        notes_.assume(
            fmt::format("DAG '{}': T is the least distance of jobs that was seen; --period is for DAGs with one job", family.name));
      } else if (*options_.period > dag.T) {
        notes_.assume(fmt::format("DAG '{}': T is --period, though jobs were seen to begin {} apart", family.name, io::time_text(dag.T)));
      }
      if ((!options_.period || !all_repeat_) && dag.T <= Time::zero())
        refuse(profile_.file, fmt::format("DAG '{}': two jobs begin at one instant; give --period TIME", family.name));
    } else if (!options_.period) {
      notes_.miss(fmt::format("DAG '{}' has one job only, which tells no period: give --period TIME", family.name));
    }
    if (options_.period && (distances.empty() || all_repeat_)) {
      dag.T = *options_.period;
      notes_.uses("period");
    }
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
    dag.add(std::move(out));
  }

  // What took no time that the clock could show took less than its resolution.
  Span visible(Span span) {
    const std::int64_t least = profile_.resolution;
    if (span.most >= least) return span;
    ++too_short_;
    return {std::min(span.least, least), least, std::min(std::max(span.likeliest, span.least), least)};
  }

  void add_gpu(DraftDag& dag, UniqueNames& names, const UnionNode& node, const GpuOperation& o) {
    const auto pools = gpus_.find(o.device);
    DraftNode out;
    out.node.sequential = true;
    if (several_contexts_) out.process = process_named(o.process, o.context);
    Span span = visible(node.span);
    if (pools == gpus_.end()) {
      // Its device is missing; hand_over will say so.
      out.node.name = names.unique("kernel");
      out.node.demand = CpuDemand{Time(span.most)};
    } else if (o.kind == GpuOperation::Kind::kernel) {
      add_kernel(out, dag.name, names, node, o, pools->second, span);
    } else {
      std::string name = o.kind == GpuOperation::Kind::memset ? "memset" : "copy";
      if (o.direction) name += *o.direction == Direction::h2d ? "-h2d" : "-d2h";
      out.node.name = names.unique(name);
      out.node.pool = is_within(o) ? pools->second.memory : pools->second.copies;
      out.node.demand = CopyDemand{Time(span.most), o.direction};
      out.node.variation = variation_of(span);
    }
    dag.add(std::move(out));
  }

  void add_kernel(DraftNode& out, const std::string& dag, UniqueNames& names, const UnionNode& node, const GpuOperation& o,
                  const GpuPools& pools, Span span) {
    notes_.uses("dispatch-latency");
    const std::string_view full = profile_.texts[o.name];
    const std::string word = one_word(function_name(full), "kernel", 60);
    if (word != full && (short_names_.size() < 200 || short_names_.contains(word))) short_names_[word].insert(o.name);
    const bool known_blocks = has_known_blocks(o);
    const bool alone = options_.alone && node.alone >= 0 && known_blocks;
    if (alone) {
      const std::int64_t most = std::max(node.alone, profile_.resolution);
      span = {std::min(span.least, most), most, std::min(span.likeliest, most)};
    }
    if (alone) ++seen_alone_;
    if (options_.alone && !alone) {
      constexpr std::size_t most_named = 8;
      if (never_alone_++ < most_named) never_alone_names_ += fmt::format("{}'{}' of {}", never_alone_ == 1 ? "" : ", ", word, dag);
      if (never_alone_ == most_named + 1) never_alone_names_ += ", …";
    }
    if (options_.dispatch_latency) {
      const std::int64_t latency = options_.dispatch_latency->count();
      span = {checked_add(span.least, latency), checked_add(span.most, latency), checked_add(span.likeliest, latency)};
    }
    const StreamPriority priority = o.priority.value_or(low_priority);
    ++kernels_;
    without_priority_ += o.priority ? 0U : 1U;
    const auto part = pools.green.find(o.green);
    const GpuPool& gpu = part == pools.green.end() ? pools.gpu : part->second.second;
    GpuDemand demand;
    if (known_blocks) {
      demand.B = o.B;
      const std::uint32_t warp = gpu.allocation.warp;
      demand.H = (o.H + warp - 1) / warp * warp;
      rounded_ += static_cast<std::size_t>(demand.H != o.H);
      demand.L = Time(span.most);  // no block lasts longer than its kernel
      demand.time = demand.L;
      demand.C = Workload(static_cast<Wide>(span.most) * demand.H);
      demand.shared_memory = o.shared_memory;
      demand.registers_per_thread = o.registers;
      demand.priority = priority;
      demand.alone = alone;
    } else {
      demand = kernel_by_time(Time(span.most), gpu, priority);
    }
    out.node.name = names.unique(node.fused > 1 ? fmt::format("{}-x{}", word, node.fused) : word);
    out.node.pool = part == pools.green.end() ? pools.kernels : part->second.first;
    out.node.demand = demand;
    out.node.variation = variation_of(span);
  }

  // Blocks that start one by one, of a number and a size that the file tells.
  bool has_known_blocks(const GpuOperation& o) {
    if (o.B == 0 || o.H == 0) {
      ++without_grid_;
      return false;
    }
    return !profile_.together.contains(o.name) && !profile_.perhaps_together.contains(o.name) && !profile_.dependent.contains(o.name);
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
        dag.name, dag.nodes.back().name, io::time_text(Time(missing))));
  }

  // --blocking-streams: what some stream does is not in the file, and the NULL stream was used.
  void look_for_blocking_streams() {
    bool null = false, unclear = false;
    for (const GpuOperation& o : profile_.operations) {
      const auto stream = profile_.streams.find({o.process, o.context, o.stream});
      const bool is_null = ordered_.null_stream(o.process, o.context) == o.stream;
      null = null || is_null;
      unclear = unclear || (!is_null && (stream == profile_.streams.end() || !stream->second.blocking));
    }
    if (null && unclear) notes_.uses("blocking-streams");
  }

  void tell_what_holds() {
    notes_.uses("cpu-only");
    if (options_.blocking_streams) look_for_blocking_streams();
    const char* longest = options_.percentile ? "what the percentile asks for" : "the longest time that was recorded";
    if (!options_.cpu_only) {
      notes_.assume(fmt::format(
          "time of a kernel is {} from its first block to its last: what ran beside it made that longer, never shorter", longest));
    }
    notes_.assume(fmt::format("C is {}; min and mode are for simulations alone", longest));
    if (options_.percentile) {
      notes_.assume(
          fmt::format("--percentile {}: {}", static_cast<double>(*options_.percentile) / 10'000,
                      trimmed_ ? "longer times WERE SEEN, and bounds do not cover them" : "no time is so rare, and the longest count"));
    }
    notes_.assume(
        "a CPU node lasts from what it waited for to its launch on the clock: what its thread did without CUDA counts as execution");
    if (options_.waits == Waits::active) {
      notes_.assume("a thread that waits for the GPU keeps its processor, as CUDA's default is, for as long as was seen (--waits passive)");
    } else {
      notes_.assume("--waits passive: a thread that waits for the GPU gives its processor away");
    }
    notes_.assume("nodes are sequential: a program that uses the same threads and streams for every job does not overlap its jobs");
    if (options_.dispatch_latency) {
      notes_.assume(fmt::format("--dispatch-latency: {} are added to the time of every kernel", io::time_text(*options_.dispatch_latency)));
    } else if (!options_.cpu_only) {
      notes_.assume("times of kernels do not include the latency of dispatching (--dispatch-latency, or rta analyze --profile)");
    }
    if (too_short_ > 0)
      notes_.assume(fmt::format("{} nodes took less than the clock's {}: it counts", too_short_, io::time_text(Time(profile_.resolution))));
    if (profile_.resolution > 1) {
      notes_.assume(fmt::format("the clock of the file shows {}: what took longer by less than that is not seen",
                                io::time_text(Time(profile_.resolution))));
    }
    if (rounded_ > 0) notes_.assume(fmt::format("H of {} kernels is rounded up to whole warps", rounded_));
    if (options_.cpu_only) return;
    tell_alone();
    if (without_grid_ > 0)
      notes_.assume(fmt::format("the file has no grid and block of {} kernels: each has the GPU for itself, for its time", without_grid_));
    if (without_priority_ > 0 && without_priority_ == kernels_) notes_.assume(one_priority_for_all);
    if (without_priority_ > 0 && without_priority_ < kernels_) {
      notes_.assume(fmt::format(
          "the file does not say which priority the streams of {} kernels have: they have the lowest; where one is more urgent, BOUNDS OF "
          "OTHERS MAY BE TOO LOW (priority of its kernels)",
          without_priority_));
    }
    constexpr const char* clusters = "the longest time of clusters, where it depends on the SMs that they get, MAY NOT HAVE BEEN SEEN";
    for (const Texts::Id kernel : profile_.together) {
      notes_.assume(
          fmt::format("blocks of kernel '{}' start together, in clusters or all of them (a cooperative launch): it has the GPU for "
                      "itself, for its time; {}",
                      one_line(profile_.texts[kernel], 160), clusters));
    }
    if (!profile_.perhaps_together.empty()) {
      notes_.assume(fmt::format(
          "{} kernels, '{}' among them, are launched with attributes that the file does not tell, or by graphs, which may have them: as "
          "their blocks may start together, each "
          "has the GPU for itself, for its time; {}",
          profile_.perhaps_together.size(), one_line(profile_.texts[*profile_.perhaps_together.begin()], 160), clusters));
    }
    tell_calls();
    for (const auto& [word, kernels] : short_names_) {
      notes_.found(fmt::format("{} is {}{}", word, one_line(profile_.texts[*kernels.begin()], 160),
                               kernels.size() == 1 ? std::string() : fmt::format(" and {} more of that name", kernels.size() - 1)));
    }
  }

  void tell_alone() {
    if (!options_.alone) return;
    notes_.uses("alone");
    notes_.assume(
        fmt::format("--alone: of {} kernels the time is the longest that was seen with no other kernel on the GPU; copies and what CPUs "
                    "did to memory may have been beside them; none has a class, so that each counts as the worst (`class`)",
                    seen_alone_));
    if (never_alone_ > 0) {
      notes_.assume(fmt::format(
          "--alone: {} kernels were never seen alone, or their blocks may start together ({}): their time is the longest beside what ran "
          "then, and COMPANY THAT THEY DID NOT MEET IS NOT IN IT",
          never_alone_, never_alone_names_));
    }
  }

  // Calls for which streams wait, as no edge says.
  void tell_calls() {
    std::map<Texts::Id, std::size_t> made;
    for (const Call& call : profile_.calls) ++made[call.name];
    const auto count = [&](std::initializer_list<std::string_view> parts) {
      std::size_t all = 0;
      for (const auto& [name, times] : made) {
        const std::string_view text = profile_.texts[name];
        if (std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; })) all += times;
      }
      return all;
    };
    if (const std::size_t host = count({"LaunchHostFunc", "StreamAddCallback"}); host > 0) {
      notes_.assume(
          fmt::format("{} calls have streams run functions of the host (cudaLaunchHostFunc, cudaStreamAddCallback), which hold "
                      "them up and are no nodes: BOUNDS MAY BE TOO LOW where jobs make such calls",
                      host));
    }
    if (const std::size_t pool = count({"MallocAsync", "FreeAsync", "AllocFromPoolAsync", "MallocFromPoolAsync", "MemAllocAsync"});
        pool > 0) {
      notes_.assume(
          fmt::format("{} calls take memory from a pool or give it back (cudaMallocAsync, cudaFreeAsync): for that a stream may be "
                      "made to wait for another, which no edge says (unless cudaMemPoolReuseAllowInternalDependencies is 0)",
                      pool));
    }
  }

  const OrderedProfile& ordered_;
  const Profile& profile_;
  const Options& options_;
  Notes& notes_;
  std::vector<trace::Record>* records_;
  Draft draft_;
  std::map<std::int64_t, GpuPools> gpus_;
  std::vector<bool> alone_;             // of operations, where it is asked for
  bool several_contexts_ = false;       // of some GPU
  std::set<std::uint32_t> of_several_;  // processes that have several contexts on a GPU
  bool trimmed_ = false;                // some time that was seen is longer than what counts
  bool all_repeat_ = false;             // every DAG has several jobs, which show its period
  std::size_t seen_alone_ = 0, never_alone_ = 0;
  std::string never_alone_names_;
  std::size_t too_short_ = 0, rounded_ = 0, without_grid_ = 0, kernels_ = 0, without_priority_ = 0;
  std::map<std::string, std::set<Texts::Id>> short_names_;  // the kernels behind each
};

}  // namespace

Draft draft_of(Profile profile, const Options& options, Notes& notes) {
  const OrderedProfile ordered(std::move(profile), notes);
  return ProfileDraft(ordered, options, notes, nullptr).make();
}

std::vector<trace::Record> job_records(Profile profile, const Options& options, Notes& notes) {
  const OrderedProfile ordered(std::move(profile), notes);
  std::vector<trace::Record> records;
  static_cast<void>(ProfileDraft(ordered, options, notes, &records).make());
  return records;
}

}  // namespace rta::convert
