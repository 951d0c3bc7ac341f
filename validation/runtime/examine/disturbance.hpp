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

/// How much the SMs' clock differs, measured right before and right after; 0: not known.
inline double clock_change(const Surroundings& s) {
  if (s.khz_before <= 0 || s.khz_after <= 0) return 0;
  return std::abs(s.khz_after - s.khz_before) / std::max(s.khz_after, s.khz_before);
}
inline constexpr double small_clock_change = 0.03;

/// Bits of NVML's reasons for low clocks.
inline constexpr unsigned long long power_cap = 0x4;
inline constexpr unsigned long long hardware_slowdown = 0x8;
inline constexpr unsigned long long hardware_temperature = 0x40;
inline constexpr unsigned long long power_brake = 0x80;

/// Reasons that slow a GPU down against its owner's will.
inline std::string slowed_by(unsigned long long reasons) {
  std::string text;
  const auto add = [&](unsigned long long bit, const char* what) {
    if ((reasons & bit) != 0) text += (text.empty() ? "" : ", ") + std::string(what);
  };
  add(power_cap, "power cap");
  add(hardware_slowdown, "hardware slowdown");
  add(0x20, "temperature (software)");
  add(hardware_temperature, "temperature (hardware)");
  add(power_brake, "power brake");
  return text;
}

/// `before` and `after`: while the GPU was at work, or had just been. A power cap is a warning: its clock is checked for what it did. So is
/// the hardware's slowdown where neither its reason nor another clock is seen: some boards show it for moments at idle.
inline Check check_throttling(const Observation& before, const Observation& after, const Surroundings& surroundings) {
  if (!after.known || !after.slowed_by_known) return {"throttling", Outcome::warning, "not known: NVML is missing or does not tell"};
  const unsigned long long reasons = before.slowed_by | after.slowed_by;
  unsigned long long harmless = power_cap;
  if ((reasons & (hardware_temperature | power_brake)) == 0 && clock_change(surroundings) <= small_clock_change)
    harmless |= hardware_slowdown;
  const std::string why = slowed_by(reasons);
  const std::string state = std::to_string(after.sm_mhz) + " MHz, " + std::to_string(after.celsius) + " degrees";
  const Outcome outcome = why.empty() ? Outcome::ok : slowed_by(reasons & ~harmless).empty() ? Outcome::warning : Outcome::failed;
  return {"throttling", outcome, why.empty() ? state : "the clock is held down by " + why + "; " + state};
}

/// The SMs' clock, measured right before and right after.
inline Check check_clock(const Surroundings& s) {
  if (s.khz_before <= 0 || s.khz_after <= 0) return {"SM clock", Outcome::warning, "not known"};
  char text[96];
  std::snprintf(text, sizeof text, "%.0f MHz before, %.0f MHz after", s.khz_before / 1e3, s.khz_after / 1e3);
  // Blocks last by the timer, whatever the clock; a large change is another state of the device.
  const double change = clock_change(s);
  return {"SM clock", change > 0.1 ? Outcome::failed : change > small_clock_change ? Outcome::warning : Outcome::ok, text};
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
