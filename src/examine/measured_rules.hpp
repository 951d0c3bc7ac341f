// Rules that measurements decide, not probes.
#pragma once

#include <optional>
#include <vector>

#include "rta/examine/measurement.hpp"
#include "rta/model/device_profile.hpp"

namespace rta::examine {

/// Each sample counts as a run of the sequential test. Nothing for a rule that none of these measurements is about.
[[nodiscard]] std::optional<RuleVerdict> verdict_of(Rule rule, const std::vector<Measurement>& measurements);

/// What calls were seen to do, in the order in which they were measured; nothing when the control, a call that does nothing, seemed to do
/// something: then the machine was not quiet.
[[nodiscard]] std::vector<MeasuredCall> measured_calls(const std::vector<Measurement>& measurements);

}  // namespace rta::examine
