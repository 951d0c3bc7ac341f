// Slots of an epoch: runnables, and groups of them that take turns.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rta/static_order/graph.hpp"
#include "rta/static_order/schedule.hpp"

namespace rta::static_order {

struct Slot {
  std::string name;                              // of the runnable or the group
  std::vector<std::optional<RunnableId>> steps;  // one where nobody takes turns
  std::vector<ResourceNeed> needs;               // of all steps at once
  std::vector<std::size_t> before;               // slots that any step waits for
  std::optional<std::size_t> submits;            // slot
  std::optional<std::size_t> submitter;
  bool waits_for_submitter = false;  // a step depends on another of that slot than its own submitter
  bool group = false;
};

struct Slots {
  std::vector<Slot> slots;  // in the order of their first runnables
};

/// Whether it may start when its submitter in slot `before` does.
[[nodiscard]] bool starts_together(const Slot& slot, std::size_t before, Submittee submittee);
/// Those that its steps are, in their order.
[[nodiscard]] std::vector<RunnableId> runnables_of(const Slot& slot);

/// What keeps a group from being one slot.
struct SlotFault {
  std::string group;
  std::string message;
};

/// The slots of an epoch. What submitters of one slot submit shares a slot, too, whether a group says so or not. Reports to `fault` where
/// steps have no resource in common, submit in different orders, or wait for one another in a circle; the result means nothing then.
[[nodiscard]] Slots slots_of(const Graph& graph, HyperepochId hyperepoch, std::size_t epoch, std::optional<SlotFault>& fault);

}  // namespace rta::static_order
