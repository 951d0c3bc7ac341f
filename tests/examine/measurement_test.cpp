// What is measured besides probes: reading, summaries, and the rules that measurements decide.
#include "rta/examine/measurement.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sstream>
#include <string>

#include "examine/measured_rules.hpp"
#include "rta/examine/examination.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/model/kernel_switch.hpp"
#include "rta/model/time_slices.hpp"

using namespace rta;
using namespace rta::examine;

namespace {

std::vector<Measurement> read(const std::string& text) {
  std::istringstream in(text);
  return read_measurements(in, "m.jsonl");
}

std::string repeated(int count, const std::string& fields) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("{{\"sample\": {}, {}}}\n", i, fields);
  return text;
}

std::string call(const std::string& name, bool blocks, bool synchronises, bool waits, int count = 40) {
  return repeated(count, fmt::format("\"measure\": \"synchronisation\", \"call\": \"{}\", \"blocks_other_threads\": {}, "
                                     "\"synchronises_implicitly\": {}, \"caller_waits\": {}, \"call_ns\": 12000",
                                     name, blocks, synchronises, waits));
}

RuleVerdict verdict(Rule rule, const std::string& text) { return verdict_of(rule, read(text)).value_or(RuleVerdict{}); }

}  // namespace

TEST_CASE("samples are grouped by their texts; numbers are summed up") {
  const auto all = read(
      "{\"measure\": \"m\", \"sample\": 0, \"kind\": \"x\", \"ns\": 10}\n"
      "{\"measure\": \"m\", \"sample\": 1, \"kind\": \"y\", \"ns\": 50}\n\n"
      "{\"measure\": \"m\", \"sample\": 2, \"kind\": \"x\", \"ns\": 30}\n"
      "{\"measure\": \"m\", \"sample\": 3, \"kind\": \"x\", \"ns\": 20}\n"
      "{\"measure\": \"other\", \"sample\": 0, \"ok\": true}\n");
  REQUIRE(all.size() == 2);
  const auto groups = summary(all[0]);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].texts.front().second == "x");
  CHECK(groups[0].samples == 3);
  CHECK(groups[0].spreads.front().field == "ns");
  CHECK(groups[0].spreads.front().least == 10);
  CHECK(groups[0].spreads.front().median == 20);
  CHECK(groups[0].spreads.front().most == 30);
  CHECK(groups[1].samples == 1);
  CHECK(summary(all[1]).front().texts.front().second == "true");
}

TEST_CASE("what is no measurement is refused with its line; a last line that was cut off is left out") {
  const auto message = [](const std::string& text) {
    try {
      return fmt::format("{} measurements", read(text).size());
    } catch (const io::InputError& error) {
      return std::string(error.what());
    }
  };
  CHECK(message("{\"measure\": \"m\", \"sample\": 0}\n{\"measure\": \"m\", \"sam") == "1 measurements");
  CHECK(message("\n{\"measure\": \"m\", \"sam\n{\"measure\": \"m\"}\n") == "m.jsonl:2:1: not a JSON object");
  CHECK(message("[]\n") == "m.jsonl:1:1: not a JSON object");
  CHECK(message("{\"sample\": 0}\n") == "m.jsonl:1:1: 'measure' must name the measurement");
}

TEST_CASE("Table 3.8: calls that do as it says, one that does not, and calls that it does not list") {
  const std::string free = call("cudaFree", true, true, true);
  const std::string asynchronous = call("cudaMemcpyAsync H-D", false, false, false);
  // `?` in the table: whether cudaMalloc blocks other threads does not count.
  const std::string allocate = call("cudaMalloc", true, false, false);
  const std::string unlisted = call("cudaEventSynchronize", true, true, true);
  const RuleVerdict holds = verdict(Rule::S_synchronisation, free + asynchronous + allocate + unlisted);
  CHECK(holds.state == RuleState::confirmed);
  CHECK(holds.runs == 120);
  const RuleVerdict broken = verdict(Rule::S_synchronisation, call("cudaFree", false, true, true) + asynchronous);
  CHECK(broken.state == RuleState::refuted);
  CHECK(broken.reason == "cudaFree: blocks other threads no, synchronises implicitly yes, caller waits yes");
  const RuleVerdict few = verdict(Rule::S_synchronisation, call("cudaFree", true, true, true, 5) + asynchronous);
  CHECK(few.state == RuleState::untested);
  CHECK(few.reason == "too few samples of cudaFree");
  CHECK_FALSE(verdict_of(Rule::S_synchronisation, read(unlisted)).has_value());
}

TEST_CASE("what calls were seen to do goes to the profile, each by its own test") {
  // 40 samples without an effect say no (33 do), 40 with it yes, 5 without it nothing.
  const std::string some =
      call("none", false, false, false) + call("cudaFree", true, false, true) + call("cudaMemset", false, false, true, 5);
  const auto calls = measured_calls(read(some));
  REQUIRE(calls.size() == 2);
  CHECK(calls[0] == MeasuredCall{"cudaFree", Answer::yes, Answer::no, Answer::yes, 40});
  CHECK(calls[1] == MeasuredCall{"cudaMemset", Answer::unclear, Answer::unclear, Answer::yes, 5});
  Examination examination(limits_of(*find_device("tx2")));
  examination.add(read(some));
  CHECK(examination.profile("2026-01-31").calls == calls);
}

TEST_CASE("where the control, which calls nothing, seems to hold others up, nothing was measured") {
  CHECK(measured_calls(read(call("none", true, false, false) + call("cudaFree", true, true, true))).empty());
  CHECK(measured_calls(read(repeated(3, "\"measure\": \"other\""))).empty());
}

TEST_CASE("resident grids, connections, processes") {
  const auto grids = [](int resident) {
    return verdict(Rule::S_grids,
                   repeated(40, fmt::format("\"measure\": \"resident_grids\", \"kernels\": 256, \"resident\": {}", resident)));
  };
  CHECK(grids(128).state == RuleState::confirmed);
  CHECK(grids(127).state == RuleState::refuted);
  const auto connections = [](int count, int concurrent) {
    return verdict(Rule::S_connections,
                   repeated(40, fmt::format("\"measure\": \"connections\", \"connections\": {}, \"streams\": 32, \"concurrent\": {}", count,
                                            concurrent)));
  };
  CHECK(connections(8, 8).state == RuleState::confirmed);
  CHECK(connections(8, 32).state == RuleState::confirmed);
  CHECK(connections(32, 31).state == RuleState::refuted);
  const auto processes = [](bool mps, bool together) {
    return verdict(Rule::S_processes,
                   repeated(40, fmt::format("\"measure\": \"processes\", \"mps\": {}, \"together\": {}", mps, together)));
  };
  CHECK(processes(false, false).state == RuleState::confirmed);
  CHECK(processes(true, true).state == RuleState::confirmed);
  CHECK(processes(false, true).state == RuleState::refuted);
  CHECK(processes(false, true).reason == "without MPS, kernels of two processes ran at once");
}

TEST_CASE("measured latencies join those of the probes") {
  Examination examination(limits_of(*find_device("tx2")));
  examination.add(read(
      repeated(3, "\"measure\": \"dispatch_latency\", \"freed_place_ns\": 1500, \"launch_to_start_ns\": 8000, \"timer_step_ns\": 32")));
  const auto latencies = examination.latencies();
  REQUIRE(latencies.size() == 2);
  CHECK(latencies[0] == Latency{"dispatch", Time(1500), Time(1500), Time(1500), 3});
  CHECK(latencies[1].name == "launch");
  examination.add(read(repeated(2, "\"measure\": \"kernel_switch\", \"switch_ns\": 900") +
                       repeated(1, "\"measure\": \"kernel_switch\", \"switch_ns\": 1300")));
  REQUIRE(examination.latencies().size() == 3);
  CHECK(examination.latencies()[2] == Latency{std::string(kernel_switch_latency), Time(900), Time(1300), Time(1300), 3});
  // Slices and switches, but of processes that ran at once or never took turns.
  const auto processes = [](bool mps, bool together, int slice, int change) {
    return repeated(
        2, fmt::format("\"measure\": \"processes\", \"mps\": {}, \"together\": {}, \"longest_slice_ns\": {}, \"longest_switch_ns\": {}",
                       mps, together, slice, change));
  };
  examination.add(read(processes(false, false, 2'000'000, 300) + processes(false, false, 2'100'000, 250) +
                       processes(true, false, 9'000'000, 9) + processes(false, true, 8'000'000, 8) + processes(false, false, 0, 7)));
  REQUIRE(examination.latencies().size() == 5);
  CHECK(examination.latencies()[3] == Latency{std::string(time_slice_latency), Time(2'000'000), Time(2'100'000), Time(2'100'000), 4});
  CHECK(examination.latencies()[4] == Latency{std::string(context_switch_latency), Time(250), Time(300), Time(300), 4});
  const auto verdicts = examination.verdicts();
  CHECK(verdicts.back().rule == Rule::S_synchronisation);
  CHECK(verdicts.back().reason == "it was not measured");
}
