// Experiments: kernels and copies issued once each on named streams, and calls, as in studies of GPU scheduling, instead of periodic DAGs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rta/model/gpu_call.hpp"
#include "rta/model/pool.hpp"
#include "rta/model/task_set.hpp"

namespace rta {

/// The stream whose operations obey rules N1 and N2.
inline constexpr std::string_view null_stream = "NULL";
/// Streams whose names begin so are made with cudaStreamNonBlocking: N1 and N2 do not count them.
inline constexpr std::string_view non_blocking_prefix = "non-blocking";

/// The pool of calls: the threads that make them, one for each call. No file names it.
inline constexpr std::string_view calling_threads = "calling threads";

/// A call by a thread of its own; it ends when it returns.
struct CallDemand {
  const GpuCall* call = nullptr;  // of `gpu_calls`, no copy
  bool operator==(const CallDemand&) const = default;
};
/// It takes no time but that for which it waits.
[[nodiscard]] constexpr Time longest_piece(const CallDemand&) { return Time::zero(); }

/// A kernel, a copy or a call, issued at `at`, or `delay` after the last of `after` has ended if that is later (a program that waits).
struct Operation {
  std::string name;
  PoolId pool = 0;
  std::variant<GpuDemand, CopyDemand, CallDemand> demand;
  std::string stream;  // of calls only where they wait for one
  Time at;
  std::vector<std::size_t> after;  // indices of earlier operations
  Time delay;
  bool by_memcpy = false;  // a copy by cudaMemcpy, on the NULL stream: who calls the driver meanwhile waits for its end
  bool operator==(const Operation&) const = default;
};

/// A platform and operations. Operations of one instant are issued in their order here. Invariants: names are unique; every demand fits
/// the kind of its pool, calls that of the calling threads; `after` names earlier operations only; times are not negative; where there are
/// calls, there is one GPU, not in time slices.
class Experiment {
 public:
  /// Throws `Defect` when an invariant does not hold.
  Experiment(std::string name, std::vector<Pool> pools, std::vector<Operation> operations);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::span<const Pool> pools() const { return pools_; }
  [[nodiscard]] std::span<const Operation> operations() const { return operations_; }
  /// Whether some operation is a call, or a copy by one.
  [[nodiscard]] bool has_calls() const;

  /// Same platform and operations; the name does not count.
  friend bool operator==(const Experiment& a, const Experiment& b) { return a.pools_ == b.pools_ && a.operations_ == b.operations_; }

 private:
  std::string name_;
  std::vector<Pool> pools_;
  std::vector<Operation> operations_;
};

}  // namespace rta
