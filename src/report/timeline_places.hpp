// Where things stand in a row of a timeline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta::report {

/// Something that takes a place from `start` to `end`.
struct Stretch {
  double start = 0, end = 0;
};
/// The lowest lane of each in which it overlaps none before it; `most` where that many are not enough. In the order of
/// `stretches`, which are sorted by start.
[[nodiscard]] std::vector<std::size_t> lanes_of(const std::vector<Stretch>& stretches, std::size_t most);

/// Places on one SM, as parts [low, high) of its threads.
class SmPlaces {
 public:
  explicit SmPlaces(std::uint32_t threads) : threads_(threads) {}
  using Part = std::pair<std::uint32_t, std::uint32_t>;
  /// The lowest free places for so many threads, in several parts where they are scattered. What does not fit, if anything, stands on top
  /// of others. Calls come by start.
  [[nodiscard]] std::vector<Part> place(std::uint64_t threads, Time start, Time end);

 private:
  struct Resident {
    Part part;
    Time end;
  };
  std::uint32_t threads_;
  std::vector<Resident> residents_;  // by place
};

}  // namespace rta::report
