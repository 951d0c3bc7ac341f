// Whether the entries of a schedule wait for what their graph makes them depend on.
#pragma once

#include "entries.hpp"
#include "waiting.hpp"

namespace rta::static_order {

class EntryOrder {
 public:
  EntryOrder(const Entries& entries, const Waiting& waiting, Submittee submittee, FaultList& faults)
      : graph_(entries.graph()), entries_(entries), waiting_(waiting), submittee_(submittee), faults_(faults) {}

  void check_dependencies(std::size_t i);
  /// The order of submitters on a stream is that of their submittees.
  void check_streams();

 private:
  [[nodiscard]] bool waits_for(std::size_t after, std::size_t before) const;
  void must_wait(std::size_t after, std::size_t before);

  const Graph& graph_;
  const Entries& entries_;
  const Waiting& waiting_;
  Submittee submittee_;
  FaultList& faults_;
};

}  // namespace rta::static_order
