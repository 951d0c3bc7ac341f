// Was a run disturbed? Every answer is a check of its trace; a failed one says that the run must be made again.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "common/check.hpp"
#include "gpu.hpp"
#include "nvml.hpp"

namespace examine {

using common::Check;
using common::Checks;
using common::Outcome;

/// Processes that use the device now and did not when the examination began, but for those of the examination itself.
inline std::size_t newcomers(const Observation& at_first, const Observation& now, std::size_t own) {
  std::vector<unsigned> others;
  for (const unsigned process : now.processes) {
    const bool old = std::find(at_first.processes.begin(), at_first.processes.end(), process) != at_first.processes.end();
    if (!old && std::find(others.begin(), others.end(), process) == others.end()) others.push_back(process);
  }
  // By their count, not their numbers: those in a container differ from the host's.
  return others.size() > own ? others.size() - own : 0;
}

/// `at_first`: before this program used the GPU. `own`: its processes that use it (those of MPS are one).
inline Check check_others(const Observation& at_first, const Observation& before, const Observation& after, std::size_t own) {
  const std::string name = "other processes on the GPU";
  if (!after.known || !after.processes_known) return {name, Outcome::warning, "not known: NVML is missing or does not tell"};
  const std::size_t came = std::max(newcomers(at_first, before, own), newcomers(at_first, after, own));
  if (came > 0) return {name, Outcome::failed, std::to_string(came) + " came while the examination ran"};
  if (!at_first.processes.empty())
    return {name, Outcome::warning, std::to_string(at_first.processes.size()) + " used it before the examination began"};
  return {name, Outcome::ok, "none"};
}

/// Reasons that slow a GPU down against its owner's will.
inline std::string slowed_by(unsigned long long reasons) {
  std::string text;
  const auto add = [&](unsigned long long bit, const char* what) {
    if ((reasons & bit) != 0) text += (text.empty() ? "" : ", ") + std::string(what);
  };
  add(0x4, "power cap");
  add(0x8, "hardware slowdown");
  add(0x20, "temperature (software)");
  add(0x40, "temperature (hardware)");
  add(0x80, "power brake");
  return text;
}

inline Check check_throttling(const Observation& before, const Observation& after) {
  if (!after.known || !after.slowed_by_known) return {"throttling", Outcome::warning, "not known: NVML is missing or does not tell"};
  const std::string why = slowed_by(before.slowed_by | after.slowed_by);
  const std::string state = std::to_string(after.sm_mhz) + " MHz, " + std::to_string(after.celsius) + " degrees";
  return {"throttling", why.empty() ? Outcome::ok : Outcome::failed,
          why.empty() ? state : "the clock is held down by " + why + "; " + state};
}

/// The SMs' clock, measured right before and right after.
inline Check check_clock(const Surroundings& s) {
  if (s.khz_before <= 0 || s.khz_after <= 0) return {"SM clock", Outcome::warning, "not known"};
  char text[96];
  std::snprintf(text, sizeof text, "%.0f MHz before, %.0f MHz after", s.khz_before / 1e3, s.khz_after / 1e3);
  // Blocks last by the timer, whatever the clock; a large change is another state of the device.
  const double change = std::abs(s.khz_after - s.khz_before) / std::max(s.khz_after, s.khz_before);
  return {"SM clock", change > 0.1 ? Outcome::failed : change > 0.03 ? Outcome::warning : Outcome::ok, text};
}

inline Check check_conversion(const Surroundings& s) {
  const std::int64_t error = s.clock_error + s.drift;
  return {"clock of the GPU",
          error > 100'000  ? Outcome::failed
          : error > 20'000 ? Outcome::warning
                           : Outcome::ok,
          "read to within " + common::in_us(s.clock_error) + ", off by " + common::in_us(s.drift) + " at the end"};
}

/// How late operations were issued against the probe.
inline Check check_issues(std::int64_t latest, const std::string& which) {
  const std::string text = latest <= 0 ? "none late" : which + " was " + common::in_us(latest) + " late";
  return {"issue times", latest > 500'000 ? Outcome::failed : latest > 100'000 ? Outcome::warning : Outcome::ok, text};
}

}  // namespace examine
