// Carry by count (T1c, T8, T10j, T10g): the longest pieces of work that may be left of unfinished jobs.
#pragma once

#include <string>
#include <vector>

#include "rta/analysis/pool_sum.hpp"
#include "rta/analysis/task_names.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis {

/// The pieces that are longest, longest first, and their sum.
struct PieceLines {
  std::vector<std::string> lines;  // `name: ceil(R/T) x pieces, n x C = sum`; tasks of a kind and of one length together
  Wide sum = 0;
};
[[nodiscard]] PieceLines piece_lines(const LongestPieces& of, const TaskNames& names);

}  // namespace rta::analysis
