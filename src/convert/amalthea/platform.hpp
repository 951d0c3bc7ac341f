// The pools of a model: cores that tasks share, GPUs, copy engines.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../draft.hpp"
#include "model.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert::amalthea {

class Platform {
 public:
  /// Throws `io::InputError` for tasks without allocation and for processing units that are not there.
  Platform(const Model& model, const Options& options, Notes& notes);

  [[nodiscard]] std::vector<DraftPool> take_pools() { return std::move(pools_); }
  [[nodiscard]] bool on_gpu(const Task& task) const { return units_of(task).front()->gpu; }
  /// Of the CPU pool that the task runs on; 1 on a GPU.
  [[nodiscard]] std::uint32_t processors_of(const Task& task) const {
    const auto* const cpu = std::get_if<CpuPool>(&pools_[pool_of(task)].pool.resource);
    return cpu == nullptr ? 1 : cpu->processors;
  }
  /// Larger is more urgent.
  [[nodiscard]] std::optional<std::int64_t> priority_of(const Task& task) const;
  [[nodiscard]] PoolId pool_of(const Task& task) const { return pool_of_unit_.at(units_of(task).front()->name); }
  /// The copy engine of the GPU that the task runs on; made when it is first asked for.
  [[nodiscard]] PoolId copy_pool_of(const Task& task);
  /// A kernel that has the GPU to itself for that time.
  [[nodiscard]] GpuDemand whole_gpu(const Task& task, Time time) const;

  struct Cost {
    Time least, most;
    std::optional<Time> average;
    bool known = false;  // there are ticks for a unit that the task may run on
  };
  /// The time of ticks on the slowest unit that the task may run on.
  [[nodiscard]] Cost cost_of(const Task& task, const TicksByUnit& ticks, const Place& place) const;
  /// The longest time of an access by the data rate of the unit that makes it, or, without one, by its latency and `--access-size`. Nothing
  /// when the model gives neither.
  [[nodiscard]] std::optional<Time> access_time(const Task& task, const LabelAccess& access) const;

 private:
  [[nodiscard]] const std::vector<const ProcessingUnit*>& units_of(const Task& task) const { return units_.at(task.name); }
  [[nodiscard]] std::string unit_names() const;
  void allocate();
  void find_units(const Task& task);
  void make_pools();
  std::map<PoolId, std::vector<const ProcessingUnit*>> group_units();
  void refuse_two_schedulers() const;
  void make_gpu(PoolId id, DraftPool& pool);
  void make_cpu(PoolId id, std::size_t processors, DraftPool& pool);
  void tell_of_migration(PoolId id, std::size_t processors, const std::string& pool);
  [[nodiscard]] std::optional<Sharing> sharing_of(const std::set<std::string>& tasks) const;
  [[nodiscard]] Wide frequency_of(const ProcessingUnit& unit, const Place& place) const;

  [[nodiscard]] const Allocation& allocation_of(const Task& task) const { return allocations_.at(task.name); }

  const Model& model_;
  const Options& options_;
  Notes& notes_;
  std::map<std::string, Allocation> allocations_;  // the model's and --allocate's
  std::map<std::string, const ProcessingUnit*> unit_named_;
  std::map<std::string, std::vector<const ProcessingUnit*>> units_;  // that a task may run on; never empty
  std::map<std::string, PoolId> pool_of_unit_, copy_pool_of_unit_;
  std::vector<DraftPool> pools_;
};

}  // namespace rta::convert::amalthea
