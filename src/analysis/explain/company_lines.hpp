// What company adds to durations that were measured alone, in lines for people.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/proof.hpp"

namespace rta::analysis {

/// `C1: L of detect = 300000 ns alone + 696000 ns beside DRAM: fusion, track can meet it`, and which kernels of its own DAG never do, with
/// the rule and its numbers. Empty where the kernel was not measured alone.
[[nodiscard]] std::vector<std::string> company_lines(const Proof& proof, DagId d, NodeId v);

}  // namespace rta::analysis
