// Compute graphs as a static, non-preemptive scheduler takes them: runnables of several processes on resources, in epochs of hyperepochs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/model/pool.hpp"
#include "rta/model/quantity.hpp"
#include "rta/model/task_set.hpp"

namespace rta::static_order {

using ResourceId = std::size_t;    // index into Graph::resources
using ClientId = std::size_t;      // index into Graph::clients
using HyperepochId = std::size_t;  // index into Graph::hyperepochs
using RunnableId = std::size_t;    // index into Graph::runnables

/// `cpu`: runs functions. `engine`: a GPU, DLA, VPU, PVA or copy engine, which runs what is submitted to it. `stream`: an order in which
/// work is submitted to an engine. `mutex`: everything else; held by whoever names it.
enum class ResourceKind : std::uint8_t { cpu, engine, stream, mutex };

/// The kind of resources of that type: `CPU`; `GPU`, `DLA`, `VPU`, `VPI`, `PVA`, `COPY_ENGINE`; else mutex.
[[nodiscard]] ResourceKind kind_of_type(std::string_view type);

/// One instance: a time line.
struct Resource {
  std::string name;                // iGPU
  std::string type;                // GPU
  std::string soc;                 // empty: the only one
  std::optional<ClientId> client;  // whose own it is
  ResourceKind kind = ResourceKind::mutex;
  std::optional<ResourceId> serves;  // of a stream: the engine that it leads to
  std::optional<GpuPool> gpu;        // SMs that can hold blocks of several kernels at once
  bool operator==(const Resource&) const = default;
};

/// One of these resources, whichever is chosen.
struct ResourceNeed {
  std::vector<ResourceId> any_of;  // not empty
  std::string type;                // as written, when the type was named and no instance
  bool operator==(const ResourceNeed&) const = default;
};

/// Invariant: at most one need of a CPU or engine. A runnable that submits needs a CPU; its submittee needs the engine of its stream.
struct Runnable {
  std::string name;  // may hold dots
  ClientId client = 0;
  HyperepochId hyperepoch = 0;
  std::size_t epoch = 0;  // index into Hyperepoch::epochs
  Time wcet;              // alone on its resource
  std::vector<ResourceNeed> needs;
  std::vector<RunnableId> dependencies;  // of the same epoch, same frame
  std::vector<RunnableId> previous;      // of the same epoch: of the frame before
  std::optional<RunnableId> submits;
  Time start_time;                  // not before, from the frame's start
  std::optional<Time> deadline;     // from the frame's start
  unsigned priority = 10;           // 1 (first) to 10; decides between orders that are equally good
  std::optional<GpuDemand> blocks;  // of a kernel on a resource with `gpu`
  bool operator==(const Runnable&) const = default;
};

/// Runnables that take one slot in turn; nothing: nobody.
struct AliasGroup {
  std::string name;
  std::vector<std::optional<RunnableId>> steps;
  bool operator==(const AliasGroup&) const = default;
};

struct Epoch {
  std::string name;
  Time period;
  std::uint64_t frames = 1;      // a period apart, from the hyperepoch's start
  std::optional<Time> deadline;  // of all its runnables, from the frame's start
  bool overlap = false;          // a frame may start while the one before has not ended
  std::vector<AliasGroup> aliases;
  std::vector<ResourceNeed> frame_sync;  // where the start of its frames is pinned
  bool operator==(const Epoch&) const = default;
};

struct Hyperepoch {
  std::string name;
  Time period;
  std::vector<ResourceId> resources;  // its part; empty: whatever no other hyperepoch has
  std::vector<Epoch> epochs;
  bool operator==(const Hyperepoch&) const = default;
};

struct Client {
  std::string name;  // without dots
  std::string soc;
  bool operator==(const Client&) const = default;
};

struct Graph {
  std::string name;
  std::uint32_t identifier = 0;
  std::vector<Resource> resources;
  std::vector<Hyperepoch> hyperepochs;
  std::vector<Client> clients;
  std::vector<Runnable> runnables;
  bool operator==(const Graph&) const = default;
};

/// How many jobs its schedule orders: every frame of every runnable.
[[nodiscard]] std::uint64_t jobs_of(const Graph& graph);

/// `iGPU`, `soc.iGPU`, `client.STREAM0`, `client.soc.STREAM0`.
[[nodiscard]] std::string full_name(const Graph& graph, ResourceId resource);
/// `client.runnable`.
[[nodiscard]] std::string full_name(const Graph& graph, const Runnable& runnable);

}  // namespace rta::static_order
