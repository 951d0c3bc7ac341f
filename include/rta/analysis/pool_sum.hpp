// The numbers of inequalities on one pool, as far as they are more than their terms.
#pragma once

#include <optional>
#include <vector>

#include "rta/analysis/gpu/configuration.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis {

/// A task of which `jobs` jobs count, a number that follows from length/T; `work` is that of one job.
struct CountedTask {
  Wide length = 0;
  Wide T = 1;
  Wide jobs = 0;
  Wide work = 0;
};

/// A task of which ceil(length/T) jobs may be unfinished, each of `pieces` pieces of `work`.
struct LeftOver {
  Wide length = 0;
  Wide T = 1;
  Wide pieces = 1;
  Wide work = 0;
};

/// The `most` longest pieces that tasks may have left.
struct LongestPieces {
  std::vector<LeftOver> tasks;
  Wide most = 0;
};

/// T6c: lambda room + sum over the tasks of blocks max(0, work - lambda price), at most the carry that earlier and larger bounds gave.
struct CountedCarry {
  /// A kernel whose unfinished blocks count that much each.
  struct Term {
    Wide jobs = 0;    // ceil((R + J)/T)
    Wide blocks = 0;  // of these jobs
    Wide work = 0;    // of a block, credit x ns
    Wide price = 0;   // (b): credit of a block; (a): what it needs of `resource`
  };
  Wide lambda = 0;                                    // (b): ns; (a): credit x ns per unit of `resource`
  fifo::Resource resource = fifo::Resource::threads;  // (a)
  Wide room = 0;                                      // (b): most credit in use below U_w; (a): g capacity less the largest need of a block
  Wide total = 0;
  std::vector<Term> terms;  // one per task
};

struct PoolSum {
  std::vector<CountedTask> jobs = {};                        // T1n, T1bn, T6n: one per task
  std::optional<LongestPieces> carry = std::nullopt;         // T1c, T1r, T1b, T8: of jobs from before the pool was busy
  std::optional<LongestPieces> started = std::nullopt;       // T1b, T1bn: of jobs with later points
  std::optional<CountedCarry> counted_carry = std::nullopt;  // T6c
};

}  // namespace rta::analysis
