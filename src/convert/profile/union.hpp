// The jobs of a family as one graph: every node that any of them has.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../notes.hpp"
#include "steps.hpp"

namespace rta::convert {

/// How long something took: the least, the value that counts, and what is likeliest between them. ns.
struct Span {
  std::int64_t least = 0;
  std::int64_t most = 0;
  std::int64_t likeliest = 0;
};
/// The span of observations (at least one), which it sorts: `most` is what at least `ppm` millionths do not exceed; `likeliest` gives a
/// triangular density the mean that was observed.
[[nodiscard]] Span span_of(std::span<std::int64_t> observed, std::uint32_t ppm);

/// A node in one job: when it began and ended.
struct Occurrence {
  std::uint32_t job = 0;  // index into JobFamily::jobs
  std::int64_t start = 0, end = 0;
};

/// A node of the union.
struct UnionNode {
  Span span;
  std::uint32_t thread = 0;
  std::uint32_t operation = no_index;  // of a GPU node: the first job's, in the profile
  std::uint32_t widened = no_index;    // of one that was larger in another job: its place in `UnionGraph::widened`
  std::uint32_t jobs = 0;              // in how many it is
  std::uint32_t fused = 1;             // of how many kernels or CPU steps it was made
  std::int64_t alone = -1;             // the longest that it took while no other kernel ran on its GPU; negative: one always did
  bool on_cpu = false;
  bool together = false;  // one call launched it with others, which may run beside it on its stream
};

/// The kernels of a job.
struct Busy {
  std::int64_t once = 0;  // how long at least one ran, on each GPU
  std::int64_t sum = 0;   // of their times
};

struct UnionGraph {
  const Profile* profile = nullptr;
  std::vector<UnionNode> nodes;                                // in the order in which jobs issue them
  std::vector<GpuOperation> widened;                           // B, H, registers and shared memory are the largest of all jobs
  std::vector<std::vector<Occurrence>> seen;                   // of each node, where they are asked for
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // all lead forward
  std::int64_t recorded = 0;                                   // how long jobs took, by the same measure as spans
  std::vector<std::int64_t> recorded_of;                       // of each job
  std::vector<Busy> busy_of;                                   // of each job
  bool trimmed = false;                                        // a percentile leaves some time out

  /// Of a GPU node.
  [[nodiscard]] const GpuOperation& operation(const UnionNode& node) const {
    return node.widened == no_index ? profile->operations[node.operation] : widened[node.widened];
  }
};

enum class Keep : std::uint8_t { spans, occurrences };

/// Of each operation of a profile whether it is a kernel beside which no other kernel ran on its GPU at any time.
[[nodiscard]] std::vector<bool> ran_alone(const Profile& profile);

/// The union of a family's jobs. Differences are told in `notes`; with `strict` they are refused. `alone`: as above, or empty.
[[nodiscard]] UnionGraph union_of(const OrderedProfile& ordered, const JobFamily& family, const Options& options, Notes& notes,
                                  Keep keep = Keep::spans, const std::vector<bool>& alone = {});

/// The longest path, each node as long as `most` of its span.
[[nodiscard]] std::int64_t longest_path(const UnionGraph& graph);

/// Runs of equal kernels, each of at most `longest` ns, become one. See the guide for the rule. Returns how many kernels went.
std::size_t fuse(UnionGraph& graph, std::int64_t longest);

/// GPU nodes go; CPU nodes that they joined stay joined.
void keep_cpu_only(UnionGraph& graph);

}  // namespace rta::convert
