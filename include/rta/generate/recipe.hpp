// What a random task set is like: the `random` part of a generation file (docs/guide-sweep.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rta/generate/random.hpp"
#include "rta/generate/shape.hpp"
#include "rta/model/error.hpp"
#include "rta/model/pool.hpp"
#include "rta/model/task_set.hpp"

namespace rta::generate {

/// A recipe that cannot be followed; `parameter` is its key, e.g. `random.gpu.utilization`.
class RecipeError : public UserError {
 public:
  RecipeError(std::string parameter, const std::string& why) : UserError(parameter + ": " + why), parameter_(std::move(parameter)) {}
  [[nodiscard]] const std::string& parameter() const { return parameter_; }

 private:
  std::string parameter_;
};

/// Whole multiples of `granularity` in [low, high], each with probability proportional to its reciprocal.
struct LogUniform {
  Time low;
  Time high;
  Time granularity{1};
  bool operator==(const LogUniform&) const = default;
};
/// base factor^k, k uniform in {0 .. levels - 1}: every period divides every longer one.
struct Harmonic {
  Time base;
  std::uint32_t factor = 2;
  std::uint32_t levels = 1;
  bool operator==(const Harmonic&) const = default;
};
using Periods = std::variant<LogUniform, Harmonic, Choice<Time>>;

/// How a total utilization is split among the nodes of a pool.
enum class Split : std::uint8_t {
  rand_fixed_sum,    // uniform over all splits with no part above `largest`
  drs,               // uniform over all splits that respect each node's own range
  uunifast_discard,  // UUniFast, drawn again while some part is above `largest`
  proportional       // lengths drawn first, then scaled by one factor
};

/// The work of all nodes of one kind.
struct Work {
  /// Exact total (dimensionless on a CPU, G-threads on a GPU). None: lengths as drawn.
  std::optional<Fraction> utilization;
  Split split = Split::rand_fixed_sum;
  /// Largest utilization of one node. None: no limit (but that of `length`).
  std::optional<Fraction> largest;
  /// C of a CPU node, L of a kernel's blocks. With `drs` only the limits count.
  std::optional<LogUniform> length;
  bool operator==(const Work&) const = default;
};

/// What kernels look like, next to their length.
struct Kernels {
  Choice<Range> B;                      // blocks per job
  Choice<std::uint32_t> H;              // G-threads per block
  Choice<std::uint64_t> shared_memory;  // bytes per block
  Choice<std::uint32_t> registers;      // per thread
  bool operator==(const Kernels&) const = default;
};

/// Where periodic releases begin.
enum class Phases : std::uint8_t {
  unknown,   // releases are T apart or more, and nothing else is known of them
  together,  // at 0
  random     // each DAG's anywhere within its first T, in whole ns
};

struct Recipe {
  std::vector<Pool> pools;
  PoolId cpu = 0;
  std::optional<PoolId> gpu;

  Range dags{1, 1};
  Range nodes{1, 1};  // of each DAG
  Periods periods;
  std::optional<Fraction> deadline;  // end-to-end D as a multiple of T, rounded down to whole ns
  Fraction jitter{0, 1};             // of releases, as a share of T, rounded down to whole ns
  Phases phases = Phases::unknown;
  bool process_per_dag = false;  // where processes share the GPU by time slices: each DAG is one; else all are
  Choice<Shape> shapes;
  /// Nodes of a coarse-grained node: consecutive in topological order, as many more as it takes to have a CPU node. None: no groups.
  std::optional<Range> group_size;
  Fraction grouped{1, 1};    // of the groups; the nodes of the others are nodes of their own in every analysis
  Time split_overhead;       // what each CPU node takes longer as a node of its own, beside what is drawn
  Fraction gpu_share{0, 1};  // of all nodes of the set, rounded to the nearest whole number of nodes (half up)
  Work cpu_work;
  bool sequential = false;   // CPU nodes: job j+1 waits for job j
  Fraction cpu_least{0, 1};  // the least time of a CPU node, as a share of its C, rounded down to whole ns
  Work gpu_work;
  Kernels kernels;
  bool operator==(const Recipe&) const = default;
};

/// Throws `RecipeError` when a value is out of its range or does not fit the platform, or when not even the best draw could have the
/// asked utilization.
void check(const Recipe& recipe);

}  // namespace rta::generate
