// Decides from repetitions of a probe whether its predictions hold, by a sequential test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rta/examine/probe.hpp"

namespace rta::examine {

/// Wald's sequential probability ratio test between two kinds of devices: on one that follows the rule a run contradicts the prediction
/// with probability `noise` (what disturbances do that nothing recognised), on one that breaks it at least with probability `broken`.
/// Assumed: runs are independent and each has the same probability; a rule that is broken more rarely than that may pass. With these
/// figures 33 agreeing runs confirm, and three contradicting ones in a row refute.
struct ErrorRates {
  double wrong_refutation = 0.001;    // of a rule that holds
  double wrong_confirmation = 0.001;  // of a rule that is broken
  double noise = 0.01;
  double broken = 0.2;
};

class SequentialTest {
 public:
  /// Throws `Defect` unless 0 < noise < broken < 1 and both error rates are in (0, 1/2).
  explicit SequentialTest(const ErrorRates& rates = {});

  void add(bool agrees);
  [[nodiscard]] bool confirmed() const { return ratio_ <= lower_; }
  [[nodiscard]] bool refuted() const { return ratio_ >= upper_; }

 private:
  double agreeing_, contradicting_, lower_, upper_;
  double ratio_ = 0;  // logarithm of the likelihood ratio, broken over holding
};

/// A prediction and what runs have said about it.
struct Finding {
  std::optional<Rule> rule;
  std::string variant, probe, prediction;
  RuleState state = RuleState::untested;
  std::uint64_t runs = 0, contradicting = 0;
  std::string seen;      // in the smallest contradicting run; else in the last run
  std::string evidence;  // the smallest contradicting trace; empty: none
};

/// What became of a run.
enum class Heard : std::uint8_t {
  counted,
  disturbed,  // something else was going on: to be repeated
  unfit       // a condition of the probe did not hold: to be repeated
};

class Judge {
 public:
  /// `probe` must outlive this.
  explicit Judge(const Probe& probe, const ErrorRates& rates = {});

  Heard hear(const ObservedRun& run);
  /// Every prediction is decided, or too many runs have not decided it.
  [[nodiscard]] bool is_done() const;

  [[nodiscard]] const Probe& probe() const { return *probe_; }
  [[nodiscard]] std::vector<Finding> findings() const;
  [[nodiscard]] std::uint64_t counted() const { return counted_; }
  [[nodiscard]] std::uint64_t disturbed() const { return disturbed_; }
  [[nodiscard]] std::uint64_t unfit() const { return unfit_; }
  /// Why predictions that are not decided are not; empty where all are.
  [[nodiscard]] std::string reason() const;

  static constexpr std::uint64_t most_counted = 300;  // runs after which an undecided prediction is given up
  static constexpr std::uint64_t most_unused = 100;   // disturbed and unfit runs after which a probe is

 private:
  struct Trial {
    SequentialTest test;
    Finding finding;
    std::uint64_t evidence_records = 0;
  };

  const Probe* probe_;
  std::vector<Trial> trials_;
  std::uint64_t counted_ = 0, disturbed_ = 0, unfit_ = 0;
  std::string last_fault_;
};

}  // namespace rta::examine
