// What jobs wait for, worked out by hand on small systems.
#include "rta/trace/waits.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "rta/io/experiment_file.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/simulate/simulate.hpp"

using namespace rta;
using namespace rta::trace;

namespace {

// `queue 100-200 a b; ...` in ms, of the job of that name.
std::string waits_of(const Timeline& timeline, const std::string& name, std::uint64_t number = 0) {
  const auto node = [&](simulate::JobId id) { return timeline.labels().dags[id.dag].nodes[id.node].name; };
  const auto found = waiting(timeline);
  for (std::size_t j = 0; j < found.size(); ++j) {
    if (node(timeline.jobs()[j].id) != name || timeline.jobs()[j].id.job != number) continue;
    std::string text;
    for (const trace::Wait& wait : found[j].waits) {
      text += fmt::format("{}{} {}-{}", text.empty() ? "" : "; ", to_string(wait.cause), wait.from.count() / 1'000'000,
                          wait.to.count() / 1'000'000);
      for (const simulate::JobId of : wait.of) text += " " + node(of);
    }
    return text;
  }
  return "no such job";
}

Timeline played(const std::string& experiment, simulate::CopyRules rules = simulate::CopyRules::yang2020) {
  const Experiment e =
      io::parse_experiment("platform:\n  gpu: {sms: 1, threads: 1024}\n  copy: {engines: 1}\nexperiment:\n" + experiment, "e.yaml")
          .experiment;
  Timeline timeline = trace::timeline(e, Time::zero(), simulate::longest_time, 1000);
  simulate::Options options;
  options.copy_rules = rules;
  (void)simulate::simulate(e, options, &timeline);
  return timeline;
}

std::string kernel(const std::string& name, const std::string& more) { return "  - {kernel: " + name + ", on: gpu, " + more + "}\n"; }
std::string copy(const std::string& name, const std::string& more) {
  return "  - {copy: " + name + ", on: copy, direction: h2d, " + more + "}\n";
}

}  // namespace

TEST_CASE("the head of the EE queue waits for room, who stands behind it for the head") {
  // a fills half of the SM until 10, b needs all of it from 1 on, c would fit beside a from 2 on.
  const Timeline timeline =
      played(kernel("a", "stream: S1, at: 0 ms, B: 1, H: 512, L: 10 ms") + kernel("b", "stream: S2, at: 1 ms, B: 1, H: 1024, L: 5 ms") +
             kernel("c", "stream: S3, at: 2 ms, B: 1, H: 512, L: 5 ms"));
  CHECK(waits_of(timeline, "a").empty());
  CHECK(waits_of(timeline, "b") == "room 1-10 a");
  CHECK(waits_of(timeline, "c") == "queue 2-10 b; room 10-15 b");
}

TEST_CASE("a kernel of high priority is the head even where it comes later") {
  // low's first block runs from 0 to 4; its second waits behind high, which runs from 4 to 6.
  const Timeline timeline = played(kernel("low", "stream: S1, at: 0 ms, B: 2, H: 1024, L: 4 ms") +
                                   kernel("high", "stream: S2, at: 1 ms, B: 1, H: 1024, L: 2 ms, priority: high"));
  CHECK(waits_of(timeline, "high") == "room 1-4 low");
  CHECK(waits_of(timeline, "low") == "room 0-1 low; queue 1-4 high; room 4-6 high");
}

TEST_CASE("operations of a stream wait for the one before") {
  const Timeline timeline =
      played(kernel("a", "stream: S, at: 0 ms, B: 1, H: 32, L: 3 ms") + kernel("b", "stream: S, at: 0 ms, B: 1, H: 32, L: 3 ms") +
             kernel("c", "stream: T, at: 1 ms, B: 1, H: 32, L: 3 ms"));
  CHECK(waits_of(timeline, "b") == "stream 0-3 a");
  CHECK(waits_of(timeline, "c").empty());
}

TEST_CASE("the NULL stream waits for others, and others for it, but not those that do not block") {
  const Timeline timeline = played(
      kernel("a", "stream: S, at: 0 ms, B: 1, H: 32, L: 3 ms") + kernel("legacy", "stream: \"NULL\", at: 1 ms, B: 1, H: 32, L: 3 ms") +
      kernel("b", "stream: T, at: 2 ms, B: 1, H: 32, L: 3 ms") + kernel("free", "stream: non-blocking-1, at: 2 ms, B: 1, H: 32, L: 3 ms"));
  CHECK(waits_of(timeline, "legacy") == "stream 1-3 a");
  CHECK(waits_of(timeline, "b") == "stream 2-6 legacy");
  CHECK(waits_of(timeline, "free").empty());
}

TEST_CASE("a copy waits for the engine, or for a copy that was issued before and is not at the head of its stream") {
  // By C1 the copy `out` holds its place from 0 on, though its kernel runs until 5; `other` stands behind it. By C1 to C4 of 2017 it does
  // not.
  const std::string system = copy("in", "stream: S1, at: 0 ms, C: 1 ms") + kernel("k", "stream: S1, at: 0 ms, B: 1, H: 32, L: 4 ms") +
                             copy("out", "stream: S1, at: 0 ms, C: 2 ms") + copy("other", "stream: S2, at: 0 ms, C: 1 ms") +
                             copy("last", "stream: S3, at: 6 ms, C: 1 ms");
  const Timeline strict = played(system);
  CHECK(waits_of(strict, "k") == "stream 0-1 in");
  CHECK(waits_of(strict, "out") == "stream 0-5 k");
  CHECK(waits_of(strict, "other") == "queue 0-5 out; engine 5-7 out");
  CHECK(waits_of(strict, "last") == "queue 6-7 other; engine 7-8 other");
  const Timeline loose = played(system, simulate::CopyRules::amert2017);
  CHECK(waits_of(loose, "other") == "engine 0-1 in");
}

TEST_CASE("jobs on processors wait for those that run there, also once they were preempted; a sequential one for the job before") {
  const TaskSet set = io::parse_task_set(R"yaml(
platform:
  cpu: {processors: 1}
tasks:
  - {name: long, on: cpu, T: 100 ms, C: 4 ms}
  - {name: urgent, on: cpu, T: 100 ms, C: 1 ms}
  - {name: second, on: cpu, T: 1 ms, C: 1 ms, sequential: true}
)yaml",
                                         "set.yaml")
                          .task_set;
  Timeline timeline = trace::timeline(set, Time::zero(), Time(100'000'000), 1000);
  const auto at = [](std::int64_t ms) { return Time(ms * 1'000'000); };
  // One processor: long runs from 0 to 2 and from 3 to 5, urgent in between; second's two jobs, released at 1 and 2, run from 5 to 6 to 7.
  timeline.run({0, 0, 0}, 0, at(0), at(2));
  timeline.run({1, 0, 0}, 0, at(2), at(3));
  timeline.job({1, 0, 0}, at(2), at(2), at(3));
  timeline.run({0, 0, 0}, 0, at(3), at(5));
  timeline.job({0, 0, 0}, at(0), at(0), at(5));
  timeline.run({2, 0, 0}, 0, at(5), at(6));
  timeline.job({2, 0, 0}, at(1), at(5), at(6));
  timeline.run({2, 0, 1}, 0, at(6), at(7));
  timeline.job({2, 0, 1}, at(2), at(6), at(7));
  CHECK(waits_of(timeline, "urgent").empty());
  CHECK(waits_of(timeline, "long") == "processor 2-3 urgent");
  CHECK(waits_of(timeline, "second", 0) == "processor 1-5 long");
  CHECK(waits_of(timeline, "second", 1) == "previous 2-6 second");
}

TEST_CASE("what the window does not show is not made up") {
  Timeline timeline = trace::timeline(io::parse_experiment("platform:\n  gpu: {sms: 1, threads: 1024}\nexperiment:\n" +
                                                               kernel("a", "stream: S, at: 0 ms, B: 1, H: 1024, L: 1 ms") +
                                                               kernel("b", "stream: T, at: 0 ms, B: 1, H: 1024, L: 1 ms"),
                                                           "e.yaml")
                                          .experiment,
                                      Time::zero(), Time(10'000'000), 1);
  // Room for one bar: b's is left out, so that nobody knows what it waited for.
  timeline.block({0, 0, 0}, 0, 0, Time::zero(), Time(1'000'000));
  timeline.block({0, 1, 0}, 0, 0, Time(1'000'000), Time(2'000'000));
  timeline.job({0, 0, 0}, Time::zero(), Time::zero(), Time(1'000'000));
  timeline.job({0, 1, 0}, Time::zero(), Time(1'000'000), Time(2'000'000));
  CHECK(timeline.left_out() == 1);
  CHECK(timeline.complete_until() == Time(1'000'000));
  CHECK(waits_of(timeline, "a").empty());
  CHECK(waiting(timeline).size() == 1);
}
