// Probes: short experiments, each with what scheduling rules predict of it, stated before it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rta/examine/observed_run.hpp"
#include "rta/model/device_profile.hpp"
#include "rta/model/experiment.hpp"

namespace rta::examine {

/// What one run says of a prediction, with the figures that it rests on.
struct Reading {
  bool agrees = true;
  std::string seen;
};

/// What a rule says will be seen.
struct Prediction {
  std::optional<Rule> rule;  // none: a whole experiment is reproduced
  std::string variant;       // of a rule that has several: which one says so
  std::string text;          // a sentence without a full stop
  std::function<Reading(const ObservedRun&)> read;
};

/// What a run must have been like to be evidence, whatever the rules: that a kernel was issued while another one ran, for example.
struct Condition {
  std::string text;
  /// Why it did not hold; nothing where it did.
  std::function<std::optional<std::string>(const ObservedRun&)> fault;
};

struct Probe {
  std::string name;
  std::string purpose;  // one sentence
  Experiment experiment;
  std::vector<Condition> conditions;
  std::vector<Prediction> predictions;
};

struct Untestable {
  Rule rule = Rule::G1;
  std::string reason;
};

struct Catalogue {
  std::vector<Probe> probes;
  std::vector<Untestable> untestable;  // on a device with these limits
};

/// By how much two instants must differ before their order counts: above the jitter of launches and clocks, far below a block's length.
inline constexpr Time margin{100'000};

/// All probes, scaled to the device: a probe takes a few ms, its blocks fill SMs as far as its rule asks for.
[[nodiscard]] Catalogue catalogue(const DeviceLimits& limits);

}  // namespace rta::examine
