// A task set on a device as it was measured, and whether the rules that its bounds rest on were found to hold there.
#pragma once

#include <string>
#include <vector>

#include "rta/model/device_profile.hpp"
#include "rta/model/task_set.hpp"

namespace rta::analysis {

struct OnMeasuredDevice {
  TaskSet task_set;
  std::vector<std::string> warnings;
  bool kernel_switches = false;  // some kernel has blocks that stand for switches: `Options::kernel_switches`
};

/// The task set with what was measured in place of what was assumed: GPUs that name a built-in device get the profile's SMs and resources,
/// and every kernel's L grows by the largest dispatch latency seen (C by that times H), since the resources of a block that has ended are
/// idle for so long. GPUs described in full keep their description. Warns where the task set names another device or claims more than was
/// measured. With a measured kernel switch, B grows by as many blocks as are worth the GPU's whole work during one switch under any valid
/// weights (theory/gpu.md). Throws `Overflow`, and `UserError` for a kernel that the measured GPU would refuse to launch.
[[nodiscard]] OnMeasuredDevice on_measured_device(const TaskSet& task_set, const DeviceProfile& profile);

/// A rule, and the pools whose bounds rest on it.
struct RuleUse {
  RuleVerdict verdict;
  std::vector<std::string> pools;
};

/// The rules on which the bounds of a task set rest, by what an examination found.
struct RuleCheck {
  std::string device, driver, date;
  std::vector<RuleUse> confirmed, refuted, untested;
};

/// Rules per pool with nodes. GPU (T5-T7, T10): G2, G3, X1, R1, R2, R-slots, S-grids; R3 and R-registers where kernels ask for shared
/// memory or registers; A1, A2 and S-preemption where kernels of a pool have several priorities (T7). Copy engines (T8): C-order; C-engines
/// where there are two.
[[nodiscard]] RuleCheck check_rules(const TaskSet& task_set, const DeviceProfile& profile);

}  // namespace rta::analysis
