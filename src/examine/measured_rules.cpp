#include "measured_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "rta/examine/judge.hpp"

namespace rta::examine {
namespace {

// What one sample says; nothing where it is about something else.
struct Said {
  std::string subject;  // what is judged by itself, e.g. one call
  bool agrees = true;
  std::string seen;
};

std::optional<std::string> text(const Sample& sample, const char* field) {
  const auto* const value = sample.find(field);
  const auto* const words = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return words == nullptr ? std::nullopt : std::optional(*words);
}
std::optional<double> number(const Sample& sample, const char* field) {
  const auto* const value = sample.find(field);
  const auto* const figure = value == nullptr ? nullptr : std::get_if<double>(value);
  return figure == nullptr ? std::nullopt : std::optional(*figure);
}

// Yang (2020), Table 3.8, the observed columns; `?` in the table: anything.
struct Call {
  std::string_view name;
  std::optional<bool> blocks_others;
  bool synchronises, caller_waits;
};
constexpr std::array<Call, 11> table_3_8{{{"cudaDeviceSynchronize", false, false, true},
                                          {"cudaFree", true, true, true},
                                          {"cudaFreeHost", true, true, true},
                                          {"cudaMalloc", std::nullopt, false, false},
                                          {"cudaMallocHost", std::nullopt, false, false},
                                          {"cudaMemcpyAsync D-D", false, false, false},
                                          {"cudaMemcpyAsync D-H", false, false, false},
                                          {"cudaMemcpyAsync H-D", false, false, false},
                                          {"cudaMemset", false, true, false},
                                          {"cudaMemsetAsync", false, false, false},
                                          {"cudaStreamSynchronize", false, false, true}}};

std::optional<Said> synchronisation(const Sample& sample) {
  const auto call = text(sample, "call");
  if (!call) return std::nullopt;
  const auto* const row = std::ranges::find(table_3_8, *call, &Call::name);
  const auto blocks = text(sample, "blocks_other_threads");
  const auto synchronises = text(sample, "synchronises_implicitly");
  const auto waits = text(sample, "caller_waits");
  if (row == table_3_8.end() || !blocks || !synchronises || !waits) return std::nullopt;
  const bool agrees = (!row->blocks_others || *row->blocks_others == (*blocks == "true")) &&
                      row->synchronises == (*synchronises == "true") && row->caller_waits == (*waits == "true");
  const auto yes_no = [](const std::string& value) { return value == "true" ? "yes" : "no"; };
  return Said{*call, agrees,
              fmt::format("{}: blocks other threads {}, synchronises implicitly {}, caller waits {}", *call, yes_no(*blocks),
                          yes_no(*synchronises), yes_no(*waits))};
}

std::optional<Said> grids(const Sample& sample) {
  const auto resident = number(sample, "resident");
  if (!resident) return std::nullopt;
  return Said{"", *resident >= 128, fmt::format("{:.0f} grids were resident at once", *resident)};
}

std::optional<Said> connections(const Sample& sample) {
  const auto connections = number(sample, "connections");
  const auto streams = number(sample, "streams");
  const auto concurrent = number(sample, "concurrent");
  if (!connections || !streams || !concurrent) return std::nullopt;
  return Said{fmt::format("{:.0f} connections", *connections), *concurrent >= std::min(*connections, *streams),
              fmt::format("{:.0f} of {:.0f} streams ran at once with {:.0f} connections", *concurrent, *streams, *connections)};
}

std::optional<Said> processes(const Sample& sample) {
  const auto mps = text(sample, "mps");
  const auto together = text(sample, "together");
  if (!mps || !together) return std::nullopt;
  return Said{*mps == "true" ? "MPS" : "no MPS", *mps == *together,
              fmt::format("{} MPS, kernels of two processes {} at once", *mps == "true" ? "with" : "without",
                          *together == "true" ? "ran" : "did not run")};
}

struct RuleReader {
  Rule rule;
  std::string_view measurement;
  std::optional<Said> (*read)(const Sample&);
};
constexpr std::array<RuleReader, 4> readers{{{Rule::S_synchronisation, "synchronisation", synchronisation},
                                             {Rule::S_grids, "resident_grids", grids},
                                             {Rule::S_connections, "connections", connections},
                                             {Rule::S_processes, "processes", processes}}};

struct Trial {
  SequentialTest test;
  std::uint64_t runs = 0, contradicting = 0;
  std::string seen;
};

}  // namespace

std::optional<RuleVerdict> verdict_of(Rule rule, const std::vector<Measurement>& measurements) {
  const auto* const reader = std::ranges::find(readers, rule, &RuleReader::rule);
  if (reader == readers.end()) return std::nullopt;
  const auto measurement = std::ranges::find(measurements, reader->measurement, &Measurement::name);
  if (measurement == measurements.end()) return std::nullopt;
  std::map<std::string, Trial> trials;
  for (const Sample& sample : measurement->samples) {
    const auto said = reader->read(sample);
    if (!said) continue;
    Trial& trial = trials[said->subject];
    trial.test.add(said->agrees);
    ++trial.runs;
    if (!said->agrees) ++trial.contradicting;
    if (!said->agrees || trial.contradicting == 0) trial.seen = said->seen;
  }
  if (trials.empty()) return std::nullopt;
  RuleVerdict verdict;
  verdict.rule = rule;
  std::string contradictions, undecided;
  for (const auto& [subject, trial] : trials) {
    verdict.runs += trial.runs;
    verdict.contradicting += trial.contradicting;
    if (trial.test.refuted()) contradictions += (contradictions.empty() ? "" : "; ") + trial.seen;
    if (!trial.test.refuted() && !trial.test.confirmed())
      undecided += (undecided.empty() ? "" : ", ") + (subject.empty() ? std::string(reader->measurement) : subject);
  }
  if (!contradictions.empty()) {
    verdict.state = RuleState::refuted;
    verdict.reason = contradictions;
  } else if (!undecided.empty()) {
    verdict.reason = "too few samples of " + undecided;
  } else {
    verdict.state = RuleState::confirmed;
    verdict.reason = trials.size() == 1 ? trials.begin()->second.seen : fmt::format("{} cases as stated", trials.size());
  }
  return verdict;
}

std::vector<MeasuredCall> measured_calls(const std::vector<Measurement>& measurements) {
  struct Seen {
    std::string name;
    SequentialTest blocks, synchronises, waits;  // of "it does not"
    std::uint64_t samples = 0;
  };
  const auto measurement = std::ranges::find(measurements, "synchronisation", &Measurement::name);
  if (measurement == measurements.end()) return {};
  std::vector<Seen> seen;
  for (const Sample& sample : measurement->samples) {
    const auto name = text(sample, "call");
    const auto blocks = text(sample, "blocks_other_threads");
    const auto synchronises = text(sample, "synchronises_implicitly");
    const auto waits = text(sample, "caller_waits");
    if (!name || !blocks || !synchronises || !waits) continue;
    auto at = std::ranges::find(seen, *name, &Seen::name);
    if (at == seen.end()) {
      at = seen.emplace(at);
      at->name = *name;
    }
    at->blocks.add(*blocks != "true");
    at->synchronises.add(*synchronises != "true");
    at->waits.add(*waits != "true");
    ++at->samples;
  }
  const auto answer = [](const SequentialTest& test) {
    return test.confirmed() ? Answer::no : test.refuted() ? Answer::yes : Answer::unclear;
  };
  std::vector<MeasuredCall> calls;
  for (const Seen& one : seen) {
    MeasuredCall call{one.name, answer(one.blocks), answer(one.synchronises), answer(one.waits), one.samples};
    if (call.name != "none") {
      calls.push_back(std::move(call));
    } else if (call.blocks_others == Answer::yes || call.synchronises == Answer::yes || call.caller_waits == Answer::yes) {
      return {};
    }
  }
  return calls;
}

}  // namespace rta::examine
