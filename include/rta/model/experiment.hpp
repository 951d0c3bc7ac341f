// Experiments: kernels and copies issued once each on named streams, as in studies of GPU scheduling, instead of periodic DAGs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rta/model/pool.hpp"
#include "rta/model/task_set.hpp"

namespace rta {

/// The stream whose operations obey rules N1 and N2.
inline constexpr std::string_view null_stream = "NULL";
/// Streams whose names begin so are made with cudaStreamNonBlocking: N1 and N2 do not count them.
inline constexpr std::string_view non_blocking_prefix = "non-blocking";

/// A kernel or a copy, issued at `at`, or `delay` after the last of `after` has ended if that is later (a program that waits).
struct Operation {
  std::string name;
  PoolId pool = 0;
  std::variant<GpuDemand, CopyDemand> demand;
  std::string stream;
  Time at;
  std::vector<std::size_t> after;  // indices of earlier operations
  Time delay;
  bool operator==(const Operation&) const = default;
};

/// A platform and operations. Operations of one instant are issued in their order here. Invariants: names are unique; every demand fits
/// the kind of its pool; `after` names earlier operations only; times are not negative.
class Experiment {
 public:
  /// Throws `Defect` when an invariant does not hold.
  Experiment(std::string name, std::vector<Pool> pools, std::vector<Operation> operations);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::span<const Pool> pools() const { return pools_; }
  [[nodiscard]] std::span<const Operation> operations() const { return operations_; }

  /// Same platform and operations; the name does not count.
  friend bool operator==(const Experiment& a, const Experiment& b) { return a.pools_ == b.pools_ && a.operations_ == b.operations_; }

 private:
  std::string name_;
  std::vector<Pool> pools_;
  std::vector<Operation> operations_;
};

}  // namespace rta
