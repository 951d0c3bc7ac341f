// An examination: the probes for a device, a judge for each, what was measured besides, and the verdicts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/examine/judge.hpp"
#include "rta/examine/measurement.hpp"
#include "rta/examine/observed_run.hpp"
#include "rta/examine/probe.hpp"

namespace rta::examine {

class Examination {
 public:
  /// Examines the rules whose group (the first letter of their name) is among `groups`, and what these presume. `reproductions`: further
  /// probes, by which no rule is judged.
  explicit Examination(const DeviceLimits& limits, std::string_view groups = "GXRCNAS", std::vector<Probe> reproductions = {},
                       const ErrorRates& rates = {});

  [[nodiscard]] const DeviceLimits& limits() const { return limits_; }
  [[nodiscard]] std::size_t probes() const { return judges_.size(); }
  [[nodiscard]] const Judge& judge(std::size_t probe) const { return judges_[probe]; }
  [[nodiscard]] bool examines(Rule rule) const;

  Heard hear(std::size_t probe, const ObservedRun& run);
  void add(std::vector<Measurement> measurements);
  /// Rules without a verdict of runs will be `untested` for that reason, e.g. that time was up.
  void end(std::string reason) { ended_ = std::move(reason); }

  /// The verdicts of all examined rules, in their order.
  [[nodiscard]] std::vector<RuleVerdict> verdicts() const;
  [[nodiscard]] std::vector<Latency> latencies() const;
  [[nodiscard]] const std::vector<Measurement>& measurements() const { return measurements_; }
  /// The smallest run that contradicts a prediction of the probe which was refuted; else the first one that counted; null when none did.
  [[nodiscard]] const ObservedRun* example(std::size_t probe) const;
  [[nodiscard]] DeviceProfile profile(std::string date) const;

 private:
  [[nodiscard]] RuleVerdict verdict(Rule rule) const;

  DeviceLimits limits_;
  std::string groups_;
  std::unique_ptr<const Catalogue> catalogue_;
  std::vector<Judge> judges_;  // one per probe
  struct Examples {
    std::optional<ObservedRun> first;
    std::vector<std::optional<ObservedRun>> contradicting;  // per prediction, the smallest
  };
  std::vector<Examples> examples_;
  std::vector<std::int64_t> dispatch_, launch_;  // ns
  std::vector<Measurement> measurements_;
  std::string ended_;
};

}  // namespace rta::examine
