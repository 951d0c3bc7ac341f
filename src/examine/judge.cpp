#include "rta/examine/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rta/model/error.hpp"

namespace rta::examine {

SequentialTest::SequentialTest(const ErrorRates& rates)
    : agreeing_(std::log((1 - rates.broken) / (1 - rates.noise))),
      contradicting_(std::log(rates.broken / rates.noise)),
      lower_(std::log(rates.wrong_confirmation / (1 - rates.wrong_refutation))),
      upper_(std::log((1 - rates.wrong_confirmation) / rates.wrong_refutation)) {
  const auto is_error_rate = [](double rate) { return rate > 0 && rate < 0.5; };
  require(0 < rates.noise && rates.noise < rates.broken && rates.broken < 1, "a sequential test has 0 < noise < broken < 1");
  require(is_error_rate(rates.wrong_refutation) && is_error_rate(rates.wrong_confirmation), "rates of wrong verdicts are within (0, 1/2)");
}

void SequentialTest::add(bool agrees) {
  // Once decided, decided: Wald's test ends where it first leaves its interval.
  if (!confirmed() && !refuted()) ratio_ += agrees ? agreeing_ : contradicting_;
}

Judge::Judge(const Probe& probe, const ErrorRates& rates) : probe_(&probe) {
  for (const Prediction& prediction : probe.predictions) {
    trials_.push_back({SequentialTest(rates), {prediction.rule, prediction.variant, probe.name, prediction.text, {}, 0, 0, {}, {}}, 0});
  }
}

Heard Judge::hear(const ObservedRun& run) {
  if (!run.disturbances.empty()) {
    ++disturbed_;
    last_fault_ = run.disturbances.front();
    return Heard::disturbed;
  }
  for (const Condition& condition : probe_->conditions) {
    if (const auto fault = condition.fault(run)) {
      ++unfit_;
      last_fault_ = *fault;
      return Heard::unfit;
    }
  }
  ++counted_;
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    Trial& trial = trials_[i];
    Finding& finding = trial.finding;
    if (finding.state != RuleState::untested) continue;
    const Reading reading = probe_->predictions[i].read(run);
    trial.test.add(reading.agrees);
    ++finding.runs;
    if (!reading.agrees) {
      ++finding.contradicting;
      if (finding.contradicting == 1 || run.records < trial.evidence_records) {
        finding.seen = reading.seen;
        finding.evidence = run.file;
        trial.evidence_records = run.records;
      }
    } else if (finding.contradicting == 0) {
      finding.seen = reading.seen;
    }
    if (trial.test.confirmed()) finding.state = RuleState::confirmed;
    if (trial.test.refuted()) finding.state = RuleState::refuted;
  }
  return Heard::counted;
}

bool Judge::is_done() const {
  const auto is_decided = [](const Trial& trial) { return trial.finding.state != RuleState::untested; };
  return std::ranges::all_of(trials_, is_decided) || counted_ >= most_counted || disturbed_ + unfit_ >= most_unused;
}

std::vector<Finding> Judge::findings() const {
  std::vector<Finding> all;
  for (const Trial& trial : trials_) all.push_back(trial.finding);
  return all;
}

std::string Judge::reason() const {
  if (std::ranges::all_of(trials_, [](const Trial& trial) { return trial.finding.state != RuleState::untested; })) return {};
  if (counted_ + disturbed_ + unfit_ == 0) return fmt::format("probe '{}' was not run", probe_->name);
  if (unfit_ > counted_ && unfit_ >= disturbed_)
    return fmt::format("in {} of {} runs of '{}' the scene did not come about: {}", unfit_, counted_ + unfit_ + disturbed_, probe_->name,
                       last_fault_);
  if (disturbed_ > counted_)
    return fmt::format("{} of {} runs of '{}' were disturbed: {}", disturbed_, counted_ + unfit_ + disturbed_, probe_->name, last_fault_);
  return fmt::format("{} runs of '{}' that count did not decide it", counted_, probe_->name);
}

}  // namespace rta::examine
