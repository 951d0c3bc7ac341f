// Random graphs with everything that a graph can have.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "rta/static_order/graph.hpp"
#include "static_order/random.hpp"
#include "static_order/slots.hpp"

namespace rta::static_order {

struct RandomGraphOptions {
  std::size_t runnables = 12;  // at most, in all
  bool blocks = false;         // kernels on GPUs whose SMs are known
  bool aliases = true;
  bool files = false;  // only what a graph file can say
};

class RandomGraph {
 public:
  RandomGraph(Random& random, const RandomGraphOptions& options) : random_(random), options_(options) {}

  Graph make() {
    graph_.name = "random";
    graph_.identifier = random_.below(65'536);
    add_hardware();
    for (std::uint32_t c = random_.between(1, 3); c > 0; --c) add_client();
    add_hyperepoch();
    for (ClientId c = 0; c < graph_.clients.size(); ++c) add_runnables(c);
    if (graph_.runnables.empty()) add_cpu_runnable(0, 0);
    add_dependencies();
    if (options_.aliases) add_aliases();
    return std::move(graph_);
  }

 private:
  bool chance(std::uint32_t percent) { return random_.below(100) < percent; }
  Time time(std::uint32_t least, std::uint32_t most) { return Time(random_.between(least, most)); }

  ResourceId add_resource(std::string name, std::string type, ResourceKind kind, std::optional<ClientId> client = std::nullopt) {
    Resource r;
    r.name = std::move(name);
    r.type = std::move(type);
    r.kind = kind;
    r.client = client;
    graph_.resources.push_back(std::move(r));
    return graph_.resources.size() - 1;
  }

  void add_hardware() {
    for (std::uint32_t i = random_.between(1, 3); i > 0; --i)
      cpus_.push_back(add_resource("CPU" + std::to_string(i), "CPU", ResourceKind::cpu));
    for (std::uint32_t i = random_.between(1, 2); i > 0; --i)
      gpus_.push_back(add_resource("GPU" + std::to_string(i), "GPU", ResourceKind::engine));
    if (options_.blocks) {
      for (const ResourceId gpu : gpus_) {
        GpuPool pool;
        pool.sms = random_.between(1, 3);
        pool.sm = {4, 4, random_.between(2, 4), chance(30) ? std::optional<std::uint64_t>(6) : std::nullopt, std::nullopt};
        graph_.resources[gpu].gpu = pool;
      }
    }
    for (std::uint32_t i = random_.below(3); i > 0; --i)
      mutexes_.push_back(add_resource("lock" + std::to_string(i), "LOCK" + std::to_string(i), ResourceKind::mutex));
    if (chance(30)) mutexes_.push_back(add_resource("lockb", "LOCK1", ResourceKind::mutex));  // perhaps a second one of the type
  }

  void add_client() {
    const ClientId c = graph_.clients.size();
    graph_.clients.push_back({"c" + std::to_string(c), {}});
    for (const ResourceId gpu : gpus_) {
      for (std::uint32_t i = random_.between(1, 2); i > 0; --i) {
        const ResourceId s = add_resource("S" + std::to_string(gpu) + std::to_string(i), "CUDA_STREAM", ResourceKind::stream, c);
        graph_.resources[s].serves = gpu;
      }
    }
  }

  void add_hyperepoch() {
    Hyperepoch& h = graph_.hyperepochs.emplace_back();
    h.name = "h";
    h.period = Time(4000);
    for (std::uint32_t e = 0, count = random_.between(1, 2); e < count; ++e) {
      Epoch epoch;
      epoch.name = "e" + std::to_string(e);
      epoch.frames = random_.between(1, 3);
      epoch.period = time(5, 120);
      epoch.overlap = !options_.files && chance(40);
      if (chance(20)) epoch.deadline = time(50, 400);
      if (chance(30)) epoch.frame_sync = {need({cpus_[random_.below(static_cast<std::uint32_t>(cpus_.size()))]})};
      h.epochs.push_back(std::move(epoch));
    }
  }

  static ResourceNeed need(std::vector<ResourceId> any_of) { return {std::move(any_of), {}}; }

  ResourceNeed any(const std::vector<ResourceId>& of, const std::string& type) {
    if (chance(60)) return {of, type};
    return need({of[random_.below(static_cast<std::uint32_t>(of.size()))]});
  }

  std::vector<ResourceId> of_type(const std::string& type) const {
    std::vector<ResourceId> ids;
    for (ResourceId r = 0; r < graph_.resources.size(); ++r) {
      if (graph_.resources[r].type == type) ids.push_back(r);
    }
    return ids;
  }

  Runnable runnable(ClientId client, std::size_t epoch) {
    Runnable r;
    r.name = "r" + std::to_string(graph_.runnables.size());
    r.client = client;
    r.epoch = epoch;
    r.wcet = time(0, 20);
    if (chance(10)) r.start_time = time(0, 40);
    if (chance(10)) r.deadline = time(30, 300);
    if (chance(20)) r.priority = random_.between(1, 10);
    return r;
  }

  RunnableId add_cpu_runnable(ClientId client, std::size_t epoch) {
    Runnable r = runnable(client, epoch);
    r.needs.push_back(any(cpus_, "CPU"));
    for (const ResourceId m : mutexes_) {
      const std::string& type = graph_.resources[m].type;
      const auto has = [&](const ResourceNeed& n) { return graph_.resources[n.any_of.front()].type == type; };
      if (chance(20) && std::ranges::none_of(r.needs, has)) r.needs.push_back(any(of_type(type), type));
    }
    if (!options_.files && chance(10)) r.previous.push_back(graph_.runnables.size());
    graph_.runnables.push_back(std::move(r));
    return graph_.runnables.size() - 1;
  }

  void add_submission(ClientId client, std::size_t epoch) {
    const RunnableId submitter = add_cpu_runnable(client, epoch);
    const ResourceId gpu = gpus_[random_.below(static_cast<std::uint32_t>(gpus_.size()))];
    const bool any_gpu = chance(25) && !options_.blocks;
    std::vector<ResourceId> streams;
    for (ResourceId r = 0; r < graph_.resources.size(); ++r) {
      const Resource& s = graph_.resources[r];
      if (s.client == client && s.serves && (any_gpu || *s.serves == gpu)) streams.push_back(r);
    }
    if (chance(85)) {
      ResourceNeed stream = any(streams, "CUDA_STREAM");
      graph_.runnables[submitter].needs.push_back(std::move(stream));
    }
    Runnable kernel = runnable(client, epoch);
    kernel.needs.push_back(any_gpu ? ResourceNeed{gpus_, "GPU"} : need({gpu}));
    if (options_.blocks && chance(90)) {
      GpuDemand blocks;
      blocks.B = random_.between(1, 6);
      blocks.H = random_.between(1, 4);
      blocks.L = time(1, 12);
      blocks.C = Workload(static_cast<Wide>(blocks.L.count()) * blocks.H);
      if (graph_.resources[gpu].gpu->sm.shared_memory) blocks.shared_memory = random_.between(0, 6);
      kernel.blocks = blocks;
      kernel.wcet = chance(20) ? blocks.L * static_cast<std::int64_t>(blocks.B) : Time::zero();
    }
    graph_.runnables[submitter].submits = graph_.runnables.size();
    graph_.runnables.push_back(std::move(kernel));
  }

  void add_runnables(ClientId client) {
    const auto share = static_cast<std::uint32_t>(options_.runnables / graph_.clients.size());
    for (std::uint32_t left = share == 0 ? 0 : random_.between(0, share); left > 0;) {
      const std::size_t epoch = random_.below(static_cast<std::uint32_t>(graph_.hyperepochs[0].epochs.size()));
      if (left >= 2 && chance(40)) {
        add_submission(client, epoch);
        left -= 2;
      } else {
        add_cpu_runnable(client, epoch);
        --left;
      }
    }
  }

  // From a random order of the runnables, which submissions respect.
  void add_dependencies() {
    std::vector<std::uint64_t> rank(graph_.runnables.size());
    for (std::uint64_t& r : rank) r = random_.next() >> 1U;
    for (const Runnable& r : graph_.runnables) {
      if (r.submits) rank[*r.submits] = rank[static_cast<std::size_t>(&r - graph_.runnables.data())] + 1;
    }
    for (RunnableId id = 0; id < graph_.runnables.size(); ++id) {
      for (RunnableId other = 0; other < graph_.runnables.size(); ++other) {
        if (graph_.runnables[other].epoch == graph_.runnables[id].epoch && rank[other] < rank[id] && chance(15))
          graph_.runnables[id].dependencies.push_back(other);
      }
    }
  }

  void add_aliases() {
    for (std::size_t e = 0; e < graph_.hyperepochs[0].epochs.size(); ++e) {
      if (!chance(40)) continue;
      AliasGroup group;
      group.name = "slot" + std::to_string(e);
      for (RunnableId id = 0; id < graph_.runnables.size() && group.steps.size() < 3; ++id) {
        const Runnable& r = graph_.runnables[id];
        const bool submitted = std::ranges::any_of(graph_.runnables, [&](const Runnable& other) { return other.submits == id; });
        if (r.epoch == e && !submitted && chance(30)) group.steps.emplace_back(id);
      }
      if (chance(20)) group.steps.emplace_back();
      if (group.steps.empty() || !group.steps.front()) continue;
      graph_.hyperepochs[0].epochs[e].aliases.push_back(std::move(group));
      std::optional<SlotFault> fault;
      static_cast<void>(slots_of(graph_, 0, e, fault));
      if (fault) graph_.hyperepochs[0].epochs[e].aliases.pop_back();
    }
  }

  Random& random_;
  RandomGraphOptions options_;
  Graph graph_;
  std::vector<ResourceId> cpus_, gpus_, mutexes_;
};

}  // namespace rta::static_order
