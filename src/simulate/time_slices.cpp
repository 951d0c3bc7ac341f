#include "time_slices.hpp"

#include <algorithm>

namespace rta::simulate {

TimeSlices::TimeSlices(const PlanSlices& plan, SliceOrder order, std::span<Gpu> contexts)
    : plan_(plan), order_(order), contexts_(contexts), turns_(order == SliceOrder::round_robin ? 1 : contexts.size()) {
  for (std::uint32_t i = 0; i < turns_.size(); ++i) turns_[i].context = i;
  if (order == SliceOrder::round_robin) turns_.front().context = static_cast<std::uint32_t>(contexts.size()) - 1;  // the first comes first
  for (Gpu& context : contexts_) context.pause(0);
}

std::int64_t TimeSlices::next() const {
  std::int64_t least = never;
  for (const Turn& turn : turns_) least = std::min(least, turn.until);
  return least;
}

void TimeSlices::advance(std::int64_t now) {
  if (order_ == SliceOrder::round_robin) {
    take_turns(now);
  } else {
    for (Turn& turn : turns_) wait_alone(turn, now);
  }
}

std::uint32_t TimeSlices::after(std::uint32_t context) const {
  const auto count = static_cast<std::uint32_t>(contexts_.size());
  for (std::uint32_t i = 1; i < count; ++i) {
    const std::uint32_t other = (context + i) % count;
    if (contexts_[other].has_work()) return other;
  }
  return none;
}

void TimeSlices::begin(Turn& turn, std::uint32_t context, std::int64_t length, std::int64_t now) {
  turn.phase = Phase::waiting;
  turn.context = context;
  turn.until = now + length;
}

void TimeSlices::serve(Turn& turn, std::int64_t now) {
  turn.phase = Phase::serving;
  turn.since = now;
  turn.until = never;
  contexts_[turn.context].resume(now);
}

void TimeSlices::take_turns(std::int64_t now) {
  Turn& turn = turns_.front();
  while (true) {
    Gpu& context = contexts_[turn.context];
    const std::uint32_t other = after(turn.context);
    switch (turn.phase) {
      case Phase::idle:
        if (other == none && !context.has_work()) return;
        if (other == none) {
          serve(turn, now);
        } else {
          begin(turn, other, plan_.switch_time, now);
        }
        break;
      case Phase::waiting:
        if (now < turn.until) return;
        serve(turn, now);
        break;
      case Phase::serving: {
        const bool works = context.has_work();
        if (works && other == none) {  // alone it goes on, slice by slice
          turn.until = never;
          return;
        }
        if (works) {
          const std::int64_t slices = std::max<std::int64_t>(1, (now - turn.since + plan_.slice - 1) / plan_.slice);
          if (turn.until == never) turn.until = turn.since + slices * plan_.slice;
          if (now < turn.until) return;
        }
        context.pause(now);
        turn.phase = Phase::idle;
        turn.until = never;
        break;
      }
    }
  }
}

void TimeSlices::wait_alone(Turn& turn, std::int64_t now) {
  Gpu& context = contexts_[turn.context];
  while (true) {
    switch (turn.phase) {
      case Phase::idle:
        if (!context.has_work()) return;
        begin(turn, turn.context, plan_.gap, now);
        break;
      case Phase::waiting:
        if (now < turn.until) return;
        serve(turn, now);
        turn.until = now + plan_.slice;
        break;
      case Phase::serving:
        if (context.has_work() && now < turn.until) return;
        context.pause(now);
        turn.phase = Phase::idle;
        turn.until = never;
        break;
    }
  }
}

}  // namespace rta::simulate
