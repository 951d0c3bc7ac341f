// What is known about a static schedule, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rta/report/schedule_report.hpp"

namespace rta::report {

/// `GpuX.kernel`, with its frame where the epoch has several: `GpuX.kernel [2]`.
[[nodiscard]] std::string runnable_name(const static_order::ScheduledHyperepoch& hyperepoch, std::size_t id);
/// `CPU0, GpuX.STREAM0`.
[[nodiscard]] std::string resource_names(const static_order::ScheduledHyperepoch& hyperepoch,
                                         const static_order::ScheduledRunnable& runnable);
/// Why no schedule can be better: `4 runnables of CPU0 take 40 ms from 0 ms on`.
[[nodiscard]] std::string obstacle_text(const static_order::Obstacle& obstacle);
[[nodiscard]] std::string fault_text(const static_order::Schedule& schedule, const static_order::Fault& fault);
/// `on CPU0`, `its dependency`.
[[nodiscard]] std::string decision_text(const static_order::ScheduledHyperepoch& hyperepoch, const static_order::Decision& decision);
/// The sentence that comes first.
[[nodiscard]] std::string verdict(const ScheduleReport& report);
/// How a search ended, and what is left to gain: `shortest possible`, `at most 2.3 % longer than possible (time limit)`.
[[nodiscard]] std::string quality(const static_order::CompiledHyperepoch& compiled, static_order::Objective objective);
/// What the objective counts: `length`, `lateness`, `longest frame`.
[[nodiscard]] std::string_view objective_text(static_order::Objective objective);
/// The proof of a runnable's latest end, line by line, so that a pocket calculator can check it.
[[nodiscard]] std::vector<std::string> explanation(const static_order::ScheduledHyperepoch& hyperepoch,
                                                   const static_order::HyperepochProof& proof, std::size_t id);
/// By what all WCETs could be multiplied, rounded down: `1.11`.
[[nodiscard]] std::string scale_text(const static_order::Scale& scale);

}  // namespace rta::report
