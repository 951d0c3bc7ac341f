// Carry by count (T1c, T8, T10j, T10g): the longest pieces of work that may be left of unfinished jobs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rta/analysis/task_names.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis {

/// A task of which ceil(length/T) jobs may be unfinished, each of `pieces` pieces of `work`.
struct LeftOver {
  Wide length = 0;
  Wide T = 1;
  Wide pieces = 1;
  Wide work = 0;
};

/// The `most` longest pieces, longest first.
struct LongestPieces {
  std::vector<std::string> lines;  // `name: ceil(R/T) x pieces, n x C = sum`; tasks of a kind and of one length together
  Wide sum = 0;
};
[[nodiscard]] LongestPieces longest_pieces(std::span<const LeftOver> tasks, Wide most, const TaskNames& names);

}  // namespace rta::analysis
