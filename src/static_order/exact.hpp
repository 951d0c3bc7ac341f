// Exact search: every order of every pair on a machine, cut off where windows are empty.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "order.hpp"
#include "random.hpp"
#include "windows_state.hpp"

namespace rta::static_order {

/// Looks for an order that meets due times, or proves that there is none. Depth first; the pair (or choice) that had most failures for its
/// room comes first (Boussemart et al., ECAI 2004; Grimes and Hebrard, INFORMS J. on Computing 27, 2015), as in the best known order;
/// begun anew after ever longer times, so that it learns which pairs matter.
class ExactSearch {
 public:
  explicit ExactSearch(const Problem& problem);

  enum class Answer : std::uint8_t { unknown, found, impossible };
  /// From now on these due times count. `guide`: an order with its starts, whose sides are tried first.
  void aim(std::span<const Ns> due, const Order& guide, std::span<const Ns> starts);
  /// Goes on for about `steps` steps. After `found`, `order` is one that meets the due times.
  template <class Stop>
  [[nodiscard]] Answer run(std::uint64_t steps, Random& random, const Stop& stop) {
    const std::uint64_t until = state_.steps() + steps;
    while (state_.steps() < until && !stop()) {
      const Answer answer = step(random);
      if (answer != Answer::unknown) return answer;
    }
    return Answer::unknown;
  }
  [[nodiscard]] const Order& order() const { return found_; }

 private:
  struct Decision {
    WindowsState::Level level;  // before it
    std::uint32_t pair;         // or none
    ChoiceId choice;
    std::uint32_t value;  // side or option that was tried
    bool refuted;         // the other side is being tried
  };
  struct Fact {
    std::uint32_t pair;
    Side side;
  };
  [[nodiscard]] Answer step(Random& random);
  [[nodiscard]] Answer begin();
  [[nodiscard]] Answer refute();
  [[nodiscard]] bool shave();
  [[nodiscard]] std::optional<Decision> next_decision(Random& random) const;
  [[nodiscard]] bool take(const Decision& decision);
  [[nodiscard]] bool take_other_way(const Decision& decision);
  void blame();
  [[nodiscard]] bool keep_order();

  const Problem& problem_;
  WindowsState state_;
  Evaluation evaluate_;
  Order guide_;
  std::vector<Ns> due_, starts_;
  std::vector<Fact> facts_;     // hold for all due times from now on
  std::vector<double> weight_;  // of tasks; steers only
  std::vector<Decision> decisions_;
  Order found_;
  bool begun_ = false;
  bool shaved_ = false;
  std::uint64_t failures_ = 0, restart_after_ = 0;
};

}  // namespace rta::static_order
