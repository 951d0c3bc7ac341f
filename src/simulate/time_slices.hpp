// Whose slice it is on a GPU that processes share.
#pragma once

#include <span>
#include <vector>

#include "gpu.hpp"

namespace rta::simulate {

class TimeSlices {
 public:
  /// `contexts`: those of the plan, which must outlive this.
  TimeSlices(const PlanSlices& plan, SliceOrder order, std::span<Gpu> contexts);

  /// When a slice, a switch or a gap ends.
  [[nodiscard]] std::int64_t next() const;
  /// Serves whom it is the turn of, once all ends and arrivals of `now` are known.
  void advance(std::int64_t now);

 private:
  enum class Phase : std::uint8_t { idle, waiting, serving };
  /// What the GPU does (round robin), or what a context sees of it (worst).
  struct Turn {
    Phase phase = Phase::idle;
    std::uint32_t context = 0;  // served now, next or last
    std::int64_t since = 0;     // begin of the slice
    std::int64_t until = never;
  };

  void take_turns(std::int64_t now);
  /// One that has work, in the ring after `context`; `none`: no other has.
  [[nodiscard]] std::uint32_t after(std::uint32_t context) const;
  /// Waits for `length` first.
  void begin(Turn& turn, std::uint32_t context, std::int64_t length, std::int64_t now);
  void serve(Turn& turn, std::int64_t now);
  void wait_alone(Turn& turn, std::int64_t now);

  const PlanSlices& plan_;
  SliceOrder order_;
  std::span<Gpu> contexts_;
  std::vector<Turn> turns_;  // one, or one per context
};

}  // namespace rta::simulate
