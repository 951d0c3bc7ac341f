// What jobs waited for, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rta/report/simulation_report.hpp"

namespace rta::report {

/// `camera/detect job 3`; of an experiment the operation alone.
[[nodiscard]] std::string job_name(const trace::Timeline& timeline, simulate::JobId id);
/// `K8, the head of the queue`, `room on an SM (K1, K2 and 3 more)`, without how long. `of`: names; `self`: of whom waits.
[[nodiscard]] std::string wait_text(trace::WaitCause cause, std::vector<std::string> of, const std::string& self);
/// `K8, the head of the queue: 400 ms; ...`; empty where nothing is known.
[[nodiscard]] std::string waits_text(const std::string& self, const std::vector<OperationWait>& waits);
[[nodiscard]] std::string waits_text(const trace::Timeline& timeline, simulate::JobId self, const std::vector<trace::Wait>& waits);

}  // namespace rta::report
