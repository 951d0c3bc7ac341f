// Short runs in which every job is fixed: threshold accepting (Dueck, Scheuer 1990), from new starts and from what the others found.
#pragma once

#include "climber.hpp"

namespace rta::simulate {

class ScenarioClimber : public Climber {
 public:
  ScenarioClimber(const Ground& ground, const Known& known, std::uint64_t seed, std::size_t first_target)
      : Climber(ground, known, seed), next_(first_target) {}

  [[nodiscard]] std::optional<std::pair<std::size_t, Trial>> offer() override;

 private:
  void step() override;
  void begin();
  void race();

  std::size_t next_;  // target
  std::size_t target_ = 0;
  bool climbing_ = false;
  bool offers_ = false;  // `best_` is news
  std::uint64_t steps_ = 0, idle_ = 0, length_ = 0;
  std::int64_t threshold_ = 0;  // at the beginning
  std::optional<Trial> current_, best_;
};

}  // namespace rta::simulate
