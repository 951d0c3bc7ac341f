// Random valid task sets over everything that the file format can say; shrinks to small ones.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "rta/io/task_set_file.hpp"
#include "rta/model/device.hpp"
#include "rta/model/launch.hpp"
#include "rta/model/partitions.hpp"
#include "rta/model/streams.hpp"
#include "rta/model/task_set.hpp"

namespace rta {

/// RapidCheck shows a counterexample as the file that it is.
inline void showValue(const TaskSet& task_set, std::ostream& out) { out << '\n' << io::format_task_set(task_set); }

}  // namespace rta

namespace rta::test {

/// Draws one task set after another; each call is a chain of RapidCheck choices.
class TaskSetChoices {
 public:
  [[nodiscard]] TaskSet task_set() {
    const auto pool_names = names(*rc::gen::inRange<std::size_t>(1, 5));
    for (const std::string& name : pool_names) append_pool(pool(name));
    prioritised_ = *rc::gen::element(Prioritised::nothing, Prioritised::nodes, Prioritised::dags);
    std::vector<Dag> dags;
    for (const std::string& name : names(*rc::gen::inRange<std::size_t>(1, 5))) append_family(name, dags);
    return {"arbitrary", pools_, std::move(dags)};
  }

 private:
  static bool coin() { return *rc::gen::arbitrary<bool>(); }
  template <class Integer>
  static Integer between(Integer least, Integer most) {
    if (most == std::numeric_limits<Integer>::max()) return std::max(least, *rc::gen::arbitrary<Integer>());
    return *rc::gen::inRange<Integer>(least, most + 1);
  }
  static Time time() {
    // Whole in some unit, in none, or at the edge of the range.
    const auto count = between<std::int64_t>(1, 2000);
    const auto unit = *rc::gen::element<std::int64_t>(1, 1'000, 1'000'000, 1'000'000'000, 1'048'576, 999'999'937);
    return Time(between(0, 30) == 0 ? std::numeric_limits<std::int64_t>::max() : count * unit);
  }

  // Words that YAML or the format could take for something else are among them.
  static std::vector<std::string> names(std::size_t count) {
    static const std::vector<std::string> words{
        "a",   "tau1", "GPU-0", "null", "~",   "true", "12", "1.5", "x[0]", "x[1]", "x", "a:b",   "#x",     "-", "it's",      "\"q\"",
        "\\n", "{",    "}",     "[",    "a,b", "&a",   "*a", "!t",  "%",    "@",    "`", "größe", "カメラ", "|", "time_unit", "<<"};
    std::vector<std::size_t> order(words.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::string> result;
    while (result.size() < count) {
      const auto at = order.begin() + static_cast<std::ptrdiff_t>(between<std::size_t>(0, order.size() - 1));
      result.push_back(words[*at]);
      order.erase(at);
    }
    return result;
  }

  /// The pool, or the partitions of a GPU in its place.
  void append_pool(Pool whole) {
    const auto* const gpu = std::get_if<GpuPool>(&whole.resource);
    if (gpu == nullptr || gpu->sms < 4 || coin()) {
      pools_.push_back(std::move(whole));
      return;
    }
    const std::uint32_t of = gpu->sms;
    std::uint32_t left = of;
    const bool rest = coin();
    for (const std::string& name : names(between<std::size_t>(rest ? 2 : 1, 3))) {
      Pool part = whole;
      part.name = partition_name(whole.name, name);
      auto& resource = std::get<GpuPool>(part.resource);
      resource.sms = rest && left < of ? left : between<std::uint32_t>(1, left / 2);
      resource.partition = Partition{.gpu = whole.name, .name = name, .kind = PartitionKind::mps, .of = of, .rest = rest && left < of};
      left -= resource.sms;
      pools_.push_back(std::move(part));
      if (left == 0 || left / 2 == 0) break;
    }
  }

  static Pool pool(const std::string& name) {
    switch (*rc::gen::element(PoolKind::cpu, PoolKind::gpu, PoolKind::engines, PoolKind::workers)) {
      case PoolKind::cpu: {
        CpuPool cpu;
        cpu.processors = between<std::uint32_t>(1, 64);
        cpu.scheduler = *rc::gen::element(Scheduler::g_edf, Scheduler::g_fl, Scheduler::fifo, Scheduler::lp, Scheduler::fp);
        cpu.preemptive = coin();
        if (cpu.scheduler == Scheduler::fp && coin()) cpu.equals = Equals::fifo;
        if (may_see_first(cpu) && coin()) cpu.simultaneous = Simultaneous::before_starts;
        return {coin() && name == "a" ? "cpu" : name, cpu};
      }
      case PoolKind::gpu: return {name, gpu()};
      case PoolKind::engines: return {name, EnginePool{between<std::uint32_t>(1, 2)}};
      case PoolKind::workers: return {name, WorkerPool{between<std::uint32_t>(1, 2000), coin() ? time() : Time::zero()}};
    }
    return {};
  }

  static GpuPool gpu() {
    GpuPool pool;
    if (coin()) {
      pool = devices()[between<std::size_t>(0, devices().size() - 1)].gpu;
    } else {
      pool.sm.threads = *rc::gen::element<std::uint32_t>(1, 32, 2016, 2048, 1536);
      pool.sm.threads_per_block = std::min(pool.sm.threads_per_block, pool.sm.threads);
    }
    if (coin()) pool.sms = between<std::uint32_t>(1, 200);
    if (coin()) pool.sm.threads_per_block = between<std::uint32_t>(1, 2048);
    if (coin()) pool.sm.blocks = between<std::uint32_t>(1, 64);
    if (coin()) pool.sm.shared_memory = *rc::gen::element<std::uint64_t>(65'536, 100'000, 167'936);
    if (between(0, 3) == 0) pool.sm.shared_memory.reset();
    if (coin()) pool.sm.registers = between<std::uint64_t>(1, 100'000);
    if (between(0, 3) == 0) pool.sm.registers.reset();
    if (coin()) pool.allocation.warp = *rc::gen::element<std::uint32_t>(1, 32, 64);
    if (coin()) pool.allocation.shared_memory = *rc::gen::element<std::uint64_t>(1, 128, 256, 1024);
    if (coin()) pool.allocation.reserved_shared_memory = *rc::gen::element<std::uint64_t>(0, 1024, 100);
    if (coin()) pool.allocation.registers_per_warp = *rc::gen::element<std::uint64_t>(1, 256);
    if (coin()) pool.allocation.register_parts = between<std::uint32_t>(1, most_register_parts);
    if (coin()) pool.launch.shared_memory = *rc::gen::element<std::uint64_t>(48 * 1024, 100'000);
    if (coin()) pool.launch.registers_per_block = *rc::gen::element<std::uint64_t>(32'768, 65'536);
    if (coin()) pool.launch.registers_per_thread = *rc::gen::element<std::uint64_t>(63, 255);
    if (between(0, 3) == 0) pool.launch = {};
    // At least one warp must fit.
    pool.sm.threads = std::max(pool.sm.threads, pool.allocation.warp);
    pool.sm.threads_per_block = std::max(pool.sm.threads_per_block, pool.allocation.warp);
    return pool;
  }

  static GpuDemand gpu_demand(const GpuPool& pool) {
    GpuDemand demand;
    const std::uint32_t warp = pool.allocation.warp;
    demand.B = between(0, 20) == 0 ? 1'000'000 : between<std::uint64_t>(1, 500);
    demand.H = warp * between<std::uint32_t>(1, std::min(pool.sm.threads, pool.sm.threads_per_block) / warp);
    demand.L = Time(time().count() / 2 + 1);
    demand.C = Workload(static_cast<Wide>(demand.L.count()) * demand.H);
    // As if C had been given: any workload that needs L.
    if (coin()) demand.C -= Workload(between<std::uint32_t>(0, demand.H - 1));
    if (coin() && !pool.sm.shared_memory) demand.shared_memory = between<std::uint64_t>(0, 200'000);
    if (coin() && pool.sm.shared_memory) demand.shared_memory = between<std::uint64_t>(0, 48) * 1024;
    if (coin() && !pool.sm.registers) demand.registers_per_thread = between<std::uint32_t>(1, 255);
    if (!launch_faults(demand, pool, {}).empty()) demand.shared_memory = demand.registers_per_thread = 0;
    if (coin()) demand.priority = between<StreamPriority>(1, coin() ? 5 : highest_stream_priority);
    return demand;
  }

  static FixedPriority priority() { return between<FixedPriority>(0, coin() ? 3 : highest_priority); }

  static Variation variation(Time longest) {
    const auto least = between<std::int64_t>(0, longest.count());
    return {Time(least), coin() ? std::optional(Time(between(least, longest.count()))) : std::nullopt};
  }

  [[nodiscard]] Node node(const std::string& name) const {
    Node node;
    node.name = name;
    node.pool = between<std::size_t>(0, pools_.size() - 1);
    const Pool& pool = pools_[node.pool];
    switch (pool.kind()) {
      case PoolKind::cpu: {
        CpuDemand job{coin() ? time() : Time::zero()};
        if (prioritised_ == Prioritised::nodes || (prioritised_ == Prioritised::dags && coin())) job.priority = priority();
        node.demand = job;
        break;
      }
      case PoolKind::gpu: node.demand = gpu_demand(std::get<GpuPool>(pool.resource)); break;
      case PoolKind::engines: {
        CopyDemand copy{time(), std::nullopt};
        if (std::get<EnginePool>(pool.resource).engines == 2 || coin()) copy.direction = *rc::gen::element(Direction::h2d, Direction::d2h);
        node.demand = copy;
        break;
      }
      case PoolKind::workers: node.demand = WorkerDemand{between<std::uint64_t>(1, 1000), time()}; break;
    }
    if (between(0, 3) == 0) node.variation = variation(longest_piece(node));
    if (coin()) node.deadline = time();
    node.sequential = coin();
    if (coin()) node.group = names(1).front();
    return node;
  }

  // A DAG and its copies, or a lone DAG that looks like a copy.
  void append_family(const std::string& name, std::vector<Dag>& dags) const {
    std::vector<Node> nodes;
    const auto deadline = coin() ? std::optional(time()) : std::nullopt;
    if (coin()) {  // may be written in the short form
      nodes.push_back(node(name));
      if (coin()) nodes.front().deadline = deadline;
    } else {
      for (const std::string& node_name : names(between<std::size_t>(1, 6))) nodes.push_back(node(node_name));
    }
    // Edges from earlier to later in a random order of the nodes, listed in random order.
    std::vector<NodeId> order(nodes.size());
    std::iota(order.begin(), order.end(), NodeId{0});
    shuffle(order);
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        if (coin()) edges.push_back({order[i], order[j], between(0, 4) == 0});
      }
    }
    // Streams that the edges leave in the order of the file.
    for (Node& node : nodes) {
      const bool on_device = std::holds_alternative<GpuDemand>(node.demand) || std::holds_alternative<CopyDemand>(node.demand);
      if (!on_device || coin()) continue;
      node.stream = *rc::gen::element<std::string>("s", "t-1", "größe");
      auto* const kernel = std::get_if<GpuDemand>(&node.demand);
      if (kernel == nullptr) continue;
      node.stream += std::to_string(node.pool);  // of one GPU
      kernel->priority = low_priority;
    }
    if (coin()) shuffle(edges);
    if (order_streams(nodes, edges)) {
      for (Node& node : nodes) node.stream.clear();
    }
    const Time period = time();
    DagAttributes attributes;
    for (NodeId v = 0; v < nodes.size() && nodes.size() > 1; ++v) {
      if (between(0, 3) != 0) continue;
      attributes.after.push_back({between<NodeId>(0, nodes.size() - 1), v, between<std::uint32_t>(1, 10'000)});
    }
    if (prioritised_ == Prioritised::dags || (prioritised_ == Prioritised::nodes && coin())) attributes.priority = priority();
    const bool on_threads = nodes.size() == 1 && attributes.after.empty() && nodes[0].stream.empty() && between(0, 1) == 0;
    if (on_threads) {
      nodes[0].sequential = false;
      attributes.threads = between<std::uint32_t>(1, 10'000);
      if (std::holds_alternative<CpuDemand>(nodes[0].demand) && between(0, 1) == 0) attributes.wait = Wait::spin;
    }
    if (!on_threads && between(0, 3) == 0) attributes.in_flight = between<std::uint32_t>(1, 10'000);
    const bool taken = std::any_of(dags.begin(), dags.end(), [&](const Dag& d) { return d.name().starts_with(name + "["); });
    const std::size_t copies = taken ? 1 : between<std::size_t>(1, 4);
    for (std::size_t i = 0; i < copies; ++i) {
      const std::string copy = copies == 1 ? name : name + "[" + std::to_string(i) + "]";
      if (std::any_of(dags.begin(), dags.end(), [&](const Dag& d) { return d.name() == copy; })) return;
      dags.emplace_back(copy, period, deadline, nodes, edges, attributes);
    }
  }

  template <class T>
  static void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[between<std::size_t>(0, i - 1)]);
  }

  // What gives every node of a pool under FP its priority.
  enum class Prioritised : std::uint8_t { nothing, nodes, dags };

  std::vector<Pool> pools_;
  Prioritised prioritised_ = Prioritised::nothing;
};

/// Task sets of up to four pools and a dozen DAGs, with every feature of the file format.
inline rc::Gen<TaskSet> arbitrary_task_set() {
  return rc::gen::exec([] { return TaskSetChoices().task_set(); });
}

}  // namespace rta::test
