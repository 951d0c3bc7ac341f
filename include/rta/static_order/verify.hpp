// Whether a schedule, ours or one edited by hand, is one of a graph: complete, on resources that fit, in an order that keeps all
// dependencies.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rta/static_order/graph.hpp"
#include "rta/static_order/proof.hpp"
#include "rta/static_order/schedule.hpp"

namespace rta::static_order {

/// One thing that is wrong with a schedule.
struct Fault {
  enum class Kind : std::uint8_t {
    graph,       // of other hyperepochs, epochs, periods or resources
    missing,     // a runnable of the graph does not occur in a frame
    unknown,     // a runnable that the graph does not have, or has not in this frame
    twice,       // a runnable occurs twice in one frame
    resources,   // it is not what the runnable needs
    stream,      // submitters and submittees of a stream in different orders
    dependency,  // nothing makes it wait for what it depends on
    value,       // release, deadline, wcet, blocks or weight is not what the graph says
    sharing,     // weights that are not valid, or kernels for which there is no room
    deadlock,    // runnables that wait for one another
    claim,       // start, end or length is less than the latest that can happen
    late         // it may end after its deadline or the period
  };
  Kind kind = Kind::graph;
  std::size_t hyperepoch = 0;
  std::vector<std::size_t> runnables;  // ids; deadlock: in the order in which each waits for the next
  std::string name;                    // of what is meant otherwise: a runnable, a resource, a key
  std::string found, expected;         // values, for some kinds
  std::optional<Time> by;              // how late, how much too little
};

struct Verification {
  std::vector<Fault> faults;
  std::vector<std::optional<HyperepochProof>> proofs;  // by hyperepoch; nothing where there is a cycle
  [[nodiscard]] bool sound() const { return faults.empty(); }
};

/// Checks everything anew, from the graph. `schedule` needs no valid times: `claim` faults say where they are too small. At most a thousand
/// faults are kept.
[[nodiscard]] Verification verify(const Schedule& schedule, const Graph& graph);

}  // namespace rta::static_order
