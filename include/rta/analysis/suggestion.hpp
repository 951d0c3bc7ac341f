// Advice on block sizes: what another cut of the same kernels would let a GPU carry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rta/model/task_set.hpp"

namespace rta::analysis {

/// Another block size for a GPU node, with as many G-threads in all. Advice, no bound.
struct Suggestion {
  std::string node;      // `dag/node`
  std::size_t dags = 1;  // DAGs from that one on that are equal but for their name: their nodes change with it
  std::uint32_t H = 0;
  std::uint64_t B = 0;
  std::uint64_t shared_memory = 0;  // bytes of a block
  double capacity_alone = 0;        // of the pool, G-threads, if this node changes and no other
  double gain_alone = 0;            // over the capacity as it is
  double capacity = 0;              // if all nodes of the group change to this H
  double gain = 0;
  std::size_t group = 0;  // of `Suggestions::groups`
};

struct Suggestions {
  std::vector<Suggestion> list;                  // the largest gain first
  std::vector<std::vector<std::string>> groups;  // nodes of equal block demand, named as in the list
};

/// For all GPUs of the task set; copies of a node are advised once.
[[nodiscard]] Suggestions suggest_block_sizes(const TaskSet& task_set);

}  // namespace rta::analysis
