// A coarse node, `{on: cpu, prepare: 2 ms, launch: 50 us, kernels: [..], await: 30 us, finish: 1 ms}`, as the nodes that it is split into.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fields.hpp"

namespace rta::io {

/// One after another.
struct SplitPart {
  std::string name;               // DETECT.launch
  const Value* kernel = nullptr;  // the mapping in `kernels`; null: a CPU node
  Time C;                         // of a CPU node, with what splitting adds
};

/// Whether the node is written so.
[[nodiscard]] inline bool is_split(const Fields& node) { return node.usable() && node.has("kernels"); }

/// At least one; nothing when something is wrong, which is then reported.
[[nodiscard]] std::optional<std::vector<SplitPart>> split(const Fields& node, std::string_view name, const Unit* time_unit);

}  // namespace rta::io
