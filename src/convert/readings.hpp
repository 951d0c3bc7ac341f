// The rows of each reader, kept beside its kind.
#pragma once

#include <span>

#include "rta/convert/reading.hpp"

namespace rta::convert {

// Profiles and recordings.
[[nodiscard]] std::span<const Reading> kineto_readings();
[[nodiscard]] std::span<const Reading> nsys_readings();
[[nodiscard]] std::span<const Reading> nsys_stats_readings();
[[nodiscard]] std::span<const Reading> trtexec_readings();
[[nodiscard]] std::span<const Reading> sched_readings();
[[nodiscard]] std::span<const Reading> ros2_readings();
[[nodiscard]] std::span<const Reading> recording_readings();

// Models, job sets, graphs and traces.
[[nodiscard]] std::span<const Reading> amalthea_readings();
[[nodiscard]] std::span<const Reading> sag_readings();
[[nodiscard]] std::span<const Reading> dag_scheduling_readings();
[[nodiscard]] std::span<const Reading> stg_readings();
[[nodiscard]] std::span<const Reading> tgff_readings();
[[nodiscard]] std::span<const Reading> dot_readings();
[[nodiscard]] std::span<const Reading> openvx_readings();
[[nodiscard]] std::span<const Reading> stm_readings();
[[nodiscard]] std::span<const Reading> examiner_readings();
[[nodiscard]] std::span<const Reading> trace_readings();
[[nodiscard]] std::span<const Reading> task_set_readings();

}  // namespace rta::convert
