// What fits on one SM: configurations, blocking configurations, and the extremes of a linear function over them (theory section 4, T6).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rta/model/pool.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis::fifo {

/// What a block occupies on its SM.
enum class Resource : std::uint8_t { threads, block_slots, shared_memory, registers };
inline constexpr std::array<Resource, 4> all_resources{Resource::threads, Resource::block_slots, Resource::shared_memory,
                                                       Resource::registers};
/// `G-threads`, `block slots`, `shared memory`, `registers`.
[[nodiscard]] std::string_view to_string(Resource resource);
/// An amount with its unit: `2048 G-threads`, `32 block slots`, `48 KiB of shared memory`, `65536 registers`.
[[nodiscard]] std::string to_string(Resource resource, std::uint64_t amount);

/// An amount of each resource: G-threads, block slots, bytes, registers.
class Amounts {
 public:
  [[nodiscard]] std::uint64_t& operator[](Resource r) { return amount_[static_cast<std::size_t>(r)]; }
  [[nodiscard]] std::uint64_t operator[](Resource r) const { return amount_[static_cast<std::size_t>(r)]; }
  auto operator<=>(const Amounts&) const = default;

 private:
  std::array<std::uint64_t, all_resources.size()> amount_{};
};

/// What an SM of `gpu` holds; the largest 64-bit number where it is unlimited.
[[nodiscard]] Amounts sm_capacity(const GpuPool& gpu);

/// What one block takes, rounded up to the units of `gpu`; 0 of an unlimited resource. Throws `Overflow`.
[[nodiscard]] Amounts block_demand(std::uint32_t H, std::uint64_t shared_memory, std::uint32_t registers_per_thread, const GpuPool& gpu);

/// Registers that must be free on an SM for a block to start surely, wherever in the parts of the register file they are: a block of so
/// many warps, each with so many of them. `unit`: all that is taken is a multiple of it.
[[nodiscard]] std::uint64_t registers_to_start(std::uint64_t warps, std::uint64_t per_warp, std::uint64_t unit, const GpuPool& gpu);
/// What must be free on an SM for a block to start surely, for each of these blocks, which share the SM: their demands, but for registers
/// in several parts.
[[nodiscard]] std::vector<Amounts> needed_to_start(std::span<const Amounts> demand, const GpuPool& gpu);

/// Tasks whose blocks an SM cannot tell apart.
struct DemandClasses {
  std::vector<Amounts> demand;    // of class c, in increasing order
  std::vector<std::uint32_t> of;  // of task i: its class
};
[[nodiscard]] DemandClasses classify(std::span<const Amounts> demand);

/// x: x_c resident blocks of each class c on one SM.
using Configuration = std::vector<std::uint64_t>;

/// The least value of a blocking configuration, and one that attains it.
template <class Value>
struct LeastBlocking {
  Value value{};
  Configuration configuration;         // feasible and blocking
  Resource binds = Resource::threads;  // what is short
  std::size_t blocked = 0;             // a class that it blocks
};

/// A configuration of one SM in terms of tasks (one of each demand class), and why nothing more fits.
struct BlockingConfiguration {
  struct Resident {
    std::size_t task = 0;
    std::uint64_t blocks = 0;
  };
  std::vector<Resident> residents;
  Wide threads_in_use = 0;
  Wide threads_unused = 0;
  Resource binds = Resource::threads;
  std::size_t blocked = 0;  // a task of which no block fits
};

/// The configurations of one SM for blocks of several classes; blocks of equal demand are one class. A configuration x is feasible if
/// sum x_c d_c <= capacity for every resource; it is blocking if it is feasible and less is free than a block of some class k that may wait
/// needs to start surely: x + e_k is not feasible, or registers may lie in the wrong parts.
///
/// Invariant: every block fits on an empty SM; resources that never bind first are left out of `binding()`.
class Sm {
 public:
  /// `may_wait[c]` is false where blocks of class c never head the queue in question (less urgent kernels in T7's bounds).
  /// `to_start`: what a block of each class needs to start surely; its demand where that is left out.
  /// Requires at least one class that may wait, a positive demand of G-threads and slots, and that every demand fits.
  Sm(const Amounts& capacity, std::vector<Amounts> demand, std::vector<bool> may_wait = {}, std::vector<Amounts> to_start = {});
  /// Of blocks that share an SM of this GPU.
  Sm(const GpuPool& gpu, const std::vector<Amounts>& demand, std::vector<bool> may_wait = {})
      : Sm(sm_capacity(gpu), demand, std::move(may_wait), needed_to_start(demand, gpu)) {}

  [[nodiscard]] const Amounts& capacity() const { return capacity_; }
  [[nodiscard]] std::span<const Amounts> demand() const { return demand_; }
  /// Resources that may be the first to run short. A resource is left out when another one, relative to the SM, is at least as much in
  /// demand by every class: then whatever blocks through it blocks through the other.
  [[nodiscard]] std::span<const Resource> binding() const { return binding_; }
  /// The largest demand of a class that may wait: as much is free where nothing blocks.
  [[nodiscard]] std::uint64_t largest(Resource r) const { return largest_[r]; }
  /// Beyond so many units a dynamic program works on coarser ones, rounded to the safe side.
  static constexpr std::uint64_t most_units = 8192;
  /// The most units of a binding resource, where they are too many; else 0.
  [[nodiscard]] std::uint64_t coarsened() const;
  /// Where so much is free, r blocks nobody.
  [[nodiscard]] std::uint64_t enough(Resource r) const { return enough_[r]; }

  /// min over blocking x of sum x_c value_c, for value_c >= 0. Exact where every class may wait and a resource has at most some thousands
  /// of units; else it may be too small, never too large. Value: `double` (steers a search) or `Wide` (exact). Empty: nothing ever blocks
  /// through the resources asked for.
  template <class Value>
  [[nodiscard]] std::optional<LeastBlocking<Value>> least_blocking(std::span<const Value> value) const;
  /// The same, over configurations that are short of resource `r`; `configuration` may be infeasible in other resources.
  template <class Value>
  [[nodiscard]] std::optional<LeastBlocking<Value>> least_blocking(std::span<const Value> value, Resource r) const;

  /// An upper bound on max over feasible x of sum x_c value_c (T6's K; not over blocking x alone): the least over the resources, one at a
  /// time. `x` receives the configuration behind it.
  template <class Value>
  [[nodiscard]] Value most(std::span<const Value> value, Configuration* x = nullptr) const;
  /// The same over feasible configurations that are not blocking (T6's K').
  template <class Value>
  [[nodiscard]] Value most_non_blocking(std::span<const Value> value, Configuration* x = nullptr) const;

  [[nodiscard]] bool feasible(const Configuration& x) const;
  [[nodiscard]] bool blocking(const Configuration& x) const;
  /// sum x_c d_c of one resource.
  [[nodiscard]] Wide used(const Configuration& x, Resource r) const;

 private:
  template <class Value>
  Value most_within(std::span<const Value> value, bool leave_room, Configuration* x) const;

  Amounts capacity_;
  std::vector<Amounts> demand_;
  std::vector<bool> may_wait_;
  std::vector<Amounts> to_start_;
  Amounts largest_;
  Amounts enough_;
  std::vector<Resource> binding_;
};

extern template std::optional<LeastBlocking<double>> Sm::least_blocking(std::span<const double>) const;
extern template std::optional<LeastBlocking<Wide>> Sm::least_blocking(std::span<const Wide>) const;
extern template std::optional<LeastBlocking<double>> Sm::least_blocking(std::span<const double>, Resource) const;
extern template std::optional<LeastBlocking<Wide>> Sm::least_blocking(std::span<const Wide>, Resource) const;
extern template double Sm::most(std::span<const double>, Configuration*) const;
extern template Wide Sm::most(std::span<const Wide>, Configuration*) const;
extern template double Sm::most_non_blocking(std::span<const double>, Configuration*) const;
extern template Wide Sm::most_non_blocking(std::span<const Wide>, Configuration*) const;

}  // namespace rta::analysis::fifo
