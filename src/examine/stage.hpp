// A probe under construction: operations are issued one after the other, statements name them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "predictions.hpp"
#include "rta/examine/probe.hpp"

namespace rta::examine {

/// Blocks of most probes; all others are in proportion to it. Far above launch latencies, short enough for many repetitions.
inline constexpr Time block_length{1'000'000};
/// Between two issues: above the jitter of a host thread.
inline constexpr Time gap{200'000};

class Stage {
 public:
  Stage(std::string name, std::string purpose, const DeviceLimits& limits);

  struct Kernel {
    std::uint64_t B = 1;
    std::uint32_t H = 32;
    Time L = block_length;
    std::uint64_t shared_memory = 0;
    std::uint32_t registers = 0;
    StreamPriority priority = low_priority;
  };
  Named launch(std::string name, std::string stream, Time at, const Kernel& kernel);
  Named copy(std::string name, std::string stream, Time at, Time C, Direction direction);

  void needs(Condition condition) { conditions_.push_back(std::move(condition)); }
  void predicts(Rule rule, Statement statement, std::string variant = {}) {
    predictions_.push_back({rule, std::move(variant), std::move(statement.text), std::move(statement.read)});
  }

  /// The experiment so far.
  [[nodiscard]] Experiment experiment() const;
  [[nodiscard]] Probe take();

 private:
  std::string name_, purpose_;
  std::vector<Pool> pools_;
  std::vector<Operation> operations_;
  std::vector<Condition> conditions_;
  std::vector<Prediction> predictions_;
};

}  // namespace rta::examine
