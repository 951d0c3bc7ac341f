// Frames of a played schedule, put together from the records of a trace.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "rta/static_order/schedule.hpp"
#include "rta/static_order/steps.hpp"
#include "rta/trace/record.hpp"

namespace rta::compare {

/// A runnable of a hyperepoch as it ran in one frame.
struct PlayedJob {
  std::size_t step = 0;      // among the runnable's steps
  std::uint64_t number = 0;  // of the trace's job
  Time release, start, end;  // instants
};

struct PlayedFrame {
  std::size_t hyperepoch = 0;
  std::uint64_t number = 0;
  Time start;                                  // instant
  std::vector<std::optional<PlayedJob>> jobs;  // by runnable of the hyperepoch
};

/// Frames come whole, hyperepoch by hyperepoch in the order of their numbers.
class StaticFrames {
 public:
  /// `trace` stands for the file in messages. The schedule must outlive this.
  StaticFrames(const static_order::Schedule& schedule, std::string trace, std::function<void(const PlayedFrame&)> use);

  /// Both throw `io::InputError` for what the schedule does not have, or has not in that frame.
  void add(const trace::DagRecord& record);
  void add(const trace::JobRecord& record);
  /// No record comes any more.
  void finish();

  [[nodiscard]] const std::vector<std::vector<static_order::Step>>& steps(std::size_t hyperepoch) const { return steps_[hyperepoch]; }
  /// Frames of which something is missing, by hyperepoch.
  [[nodiscard]] std::uint64_t incomplete(std::size_t hyperepoch) const { return incomplete_[hyperepoch]; }

 private:
  struct Epoch {
    std::size_t hyperepoch = 0;
    std::size_t epoch = 0;
    std::uint64_t frames = 1;
    /// By name and frame of the epoch: runnables, and which of their steps.
    std::map<std::pair<std::string, std::uint64_t>, std::vector<std::pair<std::size_t, std::size_t>>> runnables;
  };
  struct Pending {
    PlayedFrame frame;
    std::uint64_t ends = 0;  // of frames of epochs
  };
  [[noreturn]] void refuse(const std::string& message) const;
  Epoch& epoch_of(const std::string& dag);
  Pending& pending(std::size_t hyperepoch, std::uint64_t number);
  void hand_on(std::size_t hyperepoch, std::uint64_t before);

  const static_order::Schedule& schedule_;
  std::string trace_;
  std::function<void(const PlayedFrame&)> use_;
  std::unordered_map<std::string, Epoch> epochs_;
  std::vector<std::vector<std::vector<static_order::Step>>> steps_;  // by hyperepoch and runnable
  std::vector<std::map<std::uint64_t, Pending>> pending_;            // by hyperepoch
  std::vector<std::uint64_t> incomplete_;
};

}  // namespace rta::compare
