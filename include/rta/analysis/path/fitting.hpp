// T10w's and T10m's inequalities with their numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rta/analysis/fine.hpp"
#include "rta/analysis/path/path.hpp"

namespace rta::analysis::path {

/// What paths to one node wait for on one pool: waiting = sum of work/capacity + own.
struct FittingPool {
  struct Jobs {
    std::size_t dag = 0;
    std::optional<Time>
        first;      // the first nominal release that counts, after that of the job in question; others follow every T. None: counted
    FineTime work;  // over the capacity
  };
  std::size_t pool = 0;
  std::optional<FineTime> cut;  // at the waiting known so far; none: nothing is cut, and nothing but own nodes is left out
  std::vector<Jobs> jobs;       // of other DAGs, and of the node's own but for the job in question
  FineTime own;                 // of the job in question
  FineTime waiting;
};

/// T10w for one node: F = execution + the waiting on each pool of the path.
struct FittingDerivation {
  std::vector<std::size_t> path;  // nodes, source first
  Time execution;                 // sum of e
  bool least_unit = false;        // the node has length 0: the least unit of time is added
  std::vector<FittingPool> pools;
  FineTime total;
};

/// T10m for one node v: F = longest + own + the jobs' work.
struct FamilyDerivation {
  std::vector<std::size_t> path;  // the longest one to v, source first
  Time longest;                   // L, its sum of e
  bool least_unit = false;        // v has length 0: the least unit of time is added
  std::size_t pool = 0;
  bool whole = false;                            // chains of all nodes that do not follow v; else of v and those before it
  std::vector<std::vector<std::size_t>> chains;  // disjoint ones
  std::int64_t free = 1;                         // m - j, with j + 1 chains
  Time longer;                                   // by how much the longest path in those nodes is longer than that to v
  Time beside;                                   // sum of C of those nodes, and of what can run while one of them waits, less the chains'
  FineTime own;                                  // these two over `free`
  std::vector<FittingPool::Jobs> jobs;           // work over `free`
  FineTime total;
};

}  // namespace rta::analysis::path
