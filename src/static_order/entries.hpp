// What of its graph every entry of a scheduled hyperepoch is: which slot in which frame, and on which resources.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "fault_list.hpp"
#include "rta/static_order/graph.hpp"
#include "rta/static_order/schedule.hpp"
#include "slots.hpp"

namespace rta::static_order {

/// All is empty until `identify`, whose faults leave it incomplete.
class Entries {
 public:
  static constexpr std::size_t frame_sync = static_cast<std::size_t>(-1);  // in place of a slot

  Entries(const Graph& graph, HyperepochId id, const ScheduledHyperepoch& scheduled);

  /// Finds the epochs, resources and runnables of the schedule in the graph. False where something is missing, unknown or there twice.
  [[nodiscard]] bool identify(FaultList& faults);

  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const ScheduledHyperepoch& scheduled() const { return scheduled_; }
  [[nodiscard]] const Epoch& epoch(std::size_t e) const { return hyperepoch_.epochs[e]; }
  [[nodiscard]] const std::vector<Slot>& slots(std::size_t epoch) const { return slots_[epoch].slots; }
  [[nodiscard]] std::size_t size() const { return scheduled_.runnables.size(); }
  [[nodiscard]] const ScheduledRunnable& operator[](std::size_t i) const { return scheduled_.runnables[i]; }

  /// The slot of an entry; null: it is the start of a frame.
  [[nodiscard]] const Slot* slot_at(std::size_t i) const {
    return slot_[i] == frame_sync ? nullptr : &slots_[scheduled_.runnables[i].epoch].slots[slot_[i]];
  }
  /// What may run in an entry's slot.
  [[nodiscard]] std::vector<RunnableId> runnables_at(std::size_t i) const {
    const Slot* slot = slot_at(i);
    return slot == nullptr ? std::vector<RunnableId>() : runnables_of(*slot);
  }
  /// The entry of a slot (or `frame_sync`) in a frame.
  [[nodiscard]] std::size_t entry(std::size_t epoch, std::uint64_t frame, std::size_t slot) const {
    return id_of_.at({epoch, frame, slot});
  }
  /// In the frame of entry i.
  [[nodiscard]] std::size_t entry_beside(std::size_t i, std::size_t slot) const {
    return entry(scheduled_.runnables[i].epoch, scheduled_.runnables[i].frame, slot);
  }
  /// The resource of the graph that a resource of the schedule is.
  [[nodiscard]] ResourceId resource_id(std::size_t resource) const { return resource_[resource]; }
  [[nodiscard]] const Resource& resource(std::size_t resource) const { return graph_.resources[resource_[resource]]; }
  [[nodiscard]] bool needs_sync(std::size_t epoch, std::uint64_t frame) const;
  [[nodiscard]] std::size_t slot_of(std::size_t epoch, RunnableId id) const;

 private:
  void find_epochs(FaultList& faults) const;
  void find_resources(FaultList& faults);
  void find_runnables(FaultList& faults);
  void require_entry(std::size_t epoch, std::uint64_t frame, std::size_t slot, FaultList& faults) const;
  [[nodiscard]] std::string slot_name(std::size_t epoch, std::size_t slot) const;

  const Graph& graph_;
  const Hyperepoch& hyperepoch_;
  const ScheduledHyperepoch& scheduled_;
  std::vector<Slots> slots_;                                                          // by epoch
  std::vector<ResourceId> resource_;                                                  // of the graph, by resource of the schedule
  std::vector<std::size_t> slot_;                                                     // by entry
  std::map<std::tuple<std::size_t, std::uint64_t, std::size_t>, std::size_t> id_of_;  // (epoch, frame, slot) -> entry
};

}  // namespace rta::static_order
