// Traces of rta itself as task sets.
#pragma once

#include "bytes.hpp"
#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// Reads JSON Lines or Chrome trace events that `rta` wrote. Nodes, times, blocks and periods are those that were observed; edges are
/// inferred from the instants at which nodes became ready. Throws `io::InputError`.
[[nodiscard]] Draft read_trace(Bytes& bytes, const Options& options, Notes& notes);

}  // namespace rta::convert
