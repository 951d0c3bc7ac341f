// T12j: T10j, T10g and T11j where releases are late.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/path/late/jitter.hpp"
#include "analysis/path/late/late.hpp"
#include "analysis/path/priority/urgent.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

using EndsOfClasses = std::vector<std::vector<std::int64_t>>;  // class -> one value per node, ns

/// Every value and its DAG's release jitter: so long after the nominal release.
[[nodiscard]] EndsOfClasses since_nominal(const Ticks& ticks, EndsOfClasses all);

class LateSums {
 public:
  LateSums(const Ticks& ticks, Refinement refinement);

  /// Takes the ends and ready times to count with, since the releases.
  void prepare(const EndsOfClasses& F, const EndsOfClasses& A);
  /// The right-hand side for node v of class k, which is ready by A, ns; `no_bound` where none applies, perhaps where it is no less than
  /// `below`.
  [[nodiscard]] std::int64_t bound(std::size_t k, std::size_t v, std::int64_t A, std::int64_t below) const;

 private:
  struct Sums {
    std::optional<JitterPool> fifo;
    std::optional<LatePool> gel;
    std::optional<UrgentPool> urgent;
    Tick left;  // the carry, on FIFO pools with the work
  };
  const Ticks& ticks_;
  std::vector<Sums> of_pool_;
};

}  // namespace rta::analysis::path
