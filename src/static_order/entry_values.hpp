// Whether an entry of a schedule takes the resources and has the values that its graph says.
#pragma once

#include "entries.hpp"

namespace rta::static_order {

class EntryValues {
 public:
  EntryValues(const Entries& entries, Submittee submittee, FaultList& faults)
      : graph_(entries.graph()), entries_(entries), submittee_(submittee), faults_(faults) {}

  void check(std::size_t i);

 private:
  void check_resources(std::size_t i);
  void check_stream_of(std::size_t i, const Slot* slot);
  void check_values(std::size_t i);
  [[nodiscard]] Time wcet_of(std::size_t i);
  [[nodiscard]] const Sharing* sharing_of(const ScheduledRunnable& r) const;

  const Graph& graph_;
  const Entries& entries_;
  Submittee submittee_;
  FaultList& faults_;
};

}  // namespace rta::static_order
