// Long runs by their options: phases, jitter, execution times, placement and ties, by random restarts and hill climbing.
#pragma once

#include "climber.hpp"

namespace rta::simulate {

class OptionClimber : public Climber {
 public:
  OptionClimber(const Ground& ground, const Known& known, std::uint64_t seed, std::size_t first_target)
      : Climber(ground, known, seed), next_(first_target) {}

  [[nodiscard]] std::optional<std::pair<std::size_t, Trial>> offer() override { return std::nullopt; }

 private:
  void step() override;
  void change(Options& o);

  std::size_t next_;  // target
  std::size_t target_ = 0;
  bool climbing_ = false;
  std::uint64_t idle_ = 0;
  Options current_;
  std::optional<Time> best_;
};

/// Synchronous, periodic, worst-case times.
[[nodiscard]] Options classical_run(const TaskSet& task_set, const Options& base);

}  // namespace rta::simulate
