// One of the searches that run side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dice.hpp"
#include "ground.hpp"
#include "records.hpp"

namespace rta::simulate {

/// A run and the response of a target in it.
struct Trial {
  Time response;
  Options run;
};

/// What all climbers share between two rounds, and none changes within one.
struct Known {
  std::vector<std::vector<Trial>> elite;  // per target: scenarios, the worst first
  Records records;
};

/// Makes one target late after the other. What it does depends on its seed, on how much it may do and on what is known at the beginning of
/// each round, not on when or on which core it runs.
class Climber {
 public:
  Climber(const Ground& ground, const Known& known, std::uint64_t seed)
      : ground_(ground), known_(known), dice_(seed), limit_(ground.options.base.limit), records_(ground.task_set) {}
  virtual ~Climber() = default;
  Climber(const Climber&) = delete;
  Climber& operator=(const Climber&) = delete;

  /// At most `runs` simulations, and no further one after so much `cost`.
  void round(std::uint64_t runs, std::uint64_t cost);
  [[nodiscard]] Records& records() { return records_; }
  /// Cost of the last round.
  [[nodiscard]] std::uint64_t spent() const { return spent_; }
  /// The scenario worth keeping of the last round; an index into Ground::targets.
  [[nodiscard]] virtual std::optional<std::pair<std::size_t, Trial>> offer() = 0;

 protected:
  /// One simulation or a few.
  virtual void step() = 0;
  [[nodiscard]] bool may_go_on() const { return runs_ > 0 && spent_ < cost_ && !limit_.reached(); }
  /// Simulates; the response of `target`, if one of its jobs ended.
  [[nodiscard]] std::optional<Time> response(const Options& run, DagId target);

  const Ground& ground_;
  const Known& known_;
  Dice dice_;

 private:
  Limit limit_;
  Records records_;
  std::uint64_t runs_ = 0;
  std::uint64_t cost_ = 0;
  std::uint64_t spent_ = 0;
};

/// Of a simulation: about in proportion to its time.
[[nodiscard]] inline std::uint64_t cost_of(const Observation& seen) { return 1 + seen.jobs + seen.blocks / 64; }

}  // namespace rta::simulate
