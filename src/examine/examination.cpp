#include "rta/examine/examination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "measured_rules.hpp"
#include "rta/examine/limits_file.hpp"
#include "rta/model/kernel_switch.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::examine {
namespace {

bool is_in(std::string_view groups, Rule rule) { return groups.find(to_string(rule).front()) != std::string_view::npos; }

bool is_wanted(std::string_view groups, Rule rule) {
  if (is_in(groups, rule)) return true;
  return std::ranges::any_of(
      rules(), [&](Rule other) { return is_in(groups, other) && std::ranges::find(presumed(other), rule) != presumed(other).end(); });
}

Catalogue wanted(Catalogue all, std::string_view groups, std::vector<Probe> reproductions) {
  for (Probe& probe : all.probes) std::erase_if(probe.predictions, [&](const Prediction& p) { return !is_wanted(groups, *p.rule); });
  std::erase_if(all.probes, [](const Probe& probe) { return probe.predictions.empty(); });
  all.probes.insert(all.probes.end(), std::make_move_iterator(reproductions.begin()), std::make_move_iterator(reproductions.end()));
  return all;
}

// From the end of a block to the start of the one that takes its place. On each SM the n-th block of the second wave takes the place of the
// n-th that ended.
void add_dispatch_latencies(const std::vector<Piece>& blocks, std::uint64_t first_wave, std::vector<std::int64_t>& out) {
  struct OnSm {
    std::vector<Time> ends, starts;
  };
  std::map<std::uint32_t, OnSm> sms;
  for (const Piece& b : blocks) {
    OnSm& sm = sms[b.unit];
    // `blocks` are in the order of their starts: the first `first_wave` on an SM found it empty.
    if (sm.ends.size() < first_wave) {
      sm.ends.push_back(b.end);
    } else {
      sm.starts.push_back(b.start);
    }
  }
  for (auto& [number, sm] : sms) {
    std::ranges::sort(sm.ends);
    for (std::size_t i = 0; i < std::min(sm.starts.size(), sm.ends.size()); ++i) {
      out.push_back(std::max<std::int64_t>(0, (sm.starts[i] - sm.ends[i]).count()));
    }
  }
}

std::optional<Latency> latency(std::string name, std::vector<std::int64_t> values) {
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  const auto at = [&](std::size_t percent) { return Time(values[(values.size() * percent + 99) / 100 - 1]); };
  return Latency{std::move(name), at(50), at(99), Time(values.back()), values.size()};
}

std::string sentence(const Finding& finding) {
  return fmt::format("{}: {}{}{}", finding.probe, finding.prediction, finding.seen.empty() ? "" : "; ", finding.seen);
}

void fill(RuleVerdict& verdict, const Finding& finding) {
  verdict.state = finding.state;
  verdict.variant = finding.variant;
  verdict.runs = finding.runs;
  verdict.contradicting = finding.contradicting;
  verdict.reason = sentence(finding);
  if (finding.state == RuleState::refuted) verdict.evidence = finding.evidence;
}

}  // namespace

Examination::Examination(const DeviceLimits& limits, std::string_view groups, std::vector<Probe> reproductions, const ErrorRates& rates)
    : limits_(limits),
      groups_(groups),
      catalogue_(std::make_unique<const Catalogue>(wanted(catalogue(limits), groups, std::move(reproductions)))) {
  for (const Probe& probe : catalogue_->probes) {
    judges_.emplace_back(probe, rates);
    examples_.push_back({std::nullopt, std::vector<std::optional<ObservedRun>>(probe.predictions.size())});
  }
}

bool Examination::examines(Rule rule) const { return is_wanted(groups_, rule); }

Heard Examination::hear(std::size_t probe, const ObservedRun& run) {
  const Heard heard = judges_[probe].hear(run);
  if (heard != Heard::counted) return heard;
  Examples& examples = examples_[probe];
  if (!examples.first) examples.first = run;
  const Probe& description = catalogue_->probes[probe];
  for (std::size_t i = 0; i < description.predictions.size(); ++i) {
    auto& smallest = examples.contradicting[i];
    if ((!smallest || run.records < smallest->records) && !description.predictions[i].read(run).agrees) smallest = run;
  }
  if (description.name == "threads") {
    const ObservedOperation& a = run.operations.front();
    add_dispatch_latencies(a.pieces, 4, dispatch_);
    if (a.issued) launch_.push_back(std::max<std::int64_t>(0, (a.pieces.front().start - *a.issued).count()));
  }
  return heard;
}

void Examination::add(std::vector<Measurement> measurements) {
  for (Measurement& measurement : measurements) {
    const auto at = std::ranges::find(measurements_, measurement.name, &Measurement::name);
    if (at == measurements_.end()) {
      measurements_.push_back(std::move(measurement));
    } else {
      at->samples.insert(at->samples.end(), measurement.samples.begin(), measurement.samples.end());
    }
  }
}

const ObservedRun* Examination::example(std::size_t probe) const {
  const Examples& examples = examples_[probe];
  const auto findings = judges_[probe].findings();
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].variant.empty() && findings[i].state == RuleState::refuted) return &*examples.contradicting[i];
  }
  return examples.first ? &*examples.first : nullptr;
}

RuleVerdict Examination::verdict(Rule rule) const {
  RuleVerdict verdict;
  verdict.rule = rule;
  if (const auto measured = verdict_of(rule, measurements_)) return *measured;
  if (const auto at = std::ranges::find(catalogue_->untestable, rule, &Untestable::rule); at != catalogue_->untestable.end()) {
    verdict.reason = at->reason;
    return verdict;
  }
  std::vector<Finding> findings;
  std::string undecided;
  for (const Judge& judge : judges_) {
    for (const Finding& finding : judge.findings()) {
      if (finding.rule != rule) continue;
      findings.push_back(finding);
      if (finding.state == RuleState::untested) undecided = ended_.empty() || judge.is_done() ? judge.reason() : ended_;
    }
  }
  if (findings.empty()) {
    verdict.reason = ended_.empty() ? "it was not measured" : ended_;
    return verdict;
  }
  const auto first = [&](RuleState state) { return std::ranges::find(findings, state, &Finding::state); };
  const bool has_variants = !findings.front().variant.empty();
  // One variant is enough; without variants every prediction must hold.
  const auto decisive = first(has_variants ? RuleState::confirmed : RuleState::refuted);
  if (decisive != findings.end()) {
    fill(verdict, *decisive);
  } else if (!undecided.empty()) {
    verdict.reason = undecided;
  } else {
    fill(verdict, findings.front());
    if (has_variants) verdict.variant.clear();
  }
  return verdict;
}

std::vector<RuleVerdict> Examination::verdicts() const {
  std::vector<RuleVerdict> all;
  for (const Rule rule : rules()) {
    if (examines(rule)) all.push_back(verdict(rule));
  }
  // What was seen says nothing about a rule that presumes a refuted one.
  for (RuleVerdict& one : all) {
    for (const Rule before : presumed(one.rule)) {
      if (verdict(before).state != RuleState::refuted) continue;
      one = {one.rule, RuleState::untested, {}, fmt::format("its probe presumes {}, which was refuted", to_string(before)), {}, 0, 0};
    }
  }
  return all;
}

namespace {

/// Two processes without MPS, of which each had the GPU for some slices between the other's.
bool took_turns(const Sample& sample) {
  const auto is = [&](const char* field, std::string_view word) {
    const auto* const value = sample.find(field);
    const auto* const text = value == nullptr ? nullptr : std::get_if<std::string>(value);
    return text != nullptr && *text == word;
  };
  const auto* const slice = sample.find("longest_slice_ns");
  const auto* const ns = slice == nullptr ? nullptr : std::get_if<double>(slice);
  return is("mps", "false") && is("together", "false") && ns != nullptr && *ns > 0;
}

}  // namespace

std::vector<Latency> Examination::latencies() const {
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> all{{std::string(dispatch_latency), dispatch_}, {"launch", launch_}};
  // Fields of measurements; those that a probe shows too join its observations.
  struct Field {
    const char* measure;
    const char* field;
    std::string_view name;
  };
  constexpr const char* idle = "dispatch_latency";
  constexpr const char* slices = "processes";
  constexpr std::array<Field, 8> fields{{{idle, "freed_place_ns", dispatch_latency},
                                         {idle, "launch_to_start_ns", "launch"},
                                         {idle, "same_stream_ns", "same-stream"},
                                         {idle, "other_stream_ns", "other-stream"},
                                         {idle, "end_to_host_ns", "end-to-host"},
                                         {"kernel_switch", "switch_ns", kernel_switch_latency},
                                         {slices, "longest_slice_ns", time_slice_latency},
                                         {slices, "longest_switch_ns", context_switch_latency}}};
  for (const auto& [measure, field, name] : fields) {
    const auto measured = std::ranges::find(measurements_, measure, &Measurement::name);
    if (measured == measurements_.end()) continue;
    auto at = std::ranges::find(all, name, [](const auto& entry) { return std::string_view(entry.first); });
    if (at == all.end()) at = all.insert(at, {std::string(name), {}});
    for (const Sample& sample : measured->samples) {
      if (std::string_view(measure) == slices && !took_turns(sample)) continue;
      const auto* const value = sample.find(field);
      const auto* const ns = value == nullptr ? nullptr : std::get_if<double>(value);
      if (ns != nullptr && std::abs(*ns) < 1e15) at->second.push_back(std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(*ns))));
    }
  }
  std::vector<Latency> latencies;
  for (auto& [name, values] : all) {
    if (auto one = latency(name, std::move(values))) latencies.push_back(std::move(*one));
  }
  return latencies;
}

DeviceProfile Examination::profile(std::string date) const {
  return {built_in_name(limits_), std::move(date), limits_, latencies(), verdicts(), measured_calls(measurements_), std::nullopt};
}

}  // namespace rta::examine
