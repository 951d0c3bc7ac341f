// Nodes that wait for earlier jobs, by hand.
#include <doctest/doctest.h>

#include <string>

#include "rta/io/task_set_file.hpp"
#include "rta/simulate/simulate.hpp"

using namespace rta;
using namespace rta::literals;

namespace {

simulate::DagObservation played(const std::string& dag, Time duration, std::optional<Time> offset_of_last = std::nullopt) {
  const TaskSet set =
      io::parse_task_set(
          "platform: {a: {processors: 2, scheduler: FIFO}, b: {processors: 2, scheduler: FIFO}}\ndags:\n  - {name: f, " + dag + "}\n",
          "set.yaml")
          .task_set;
  simulate::Options options;
  options.duration = duration;
  Schedule schedule;
  schedule.nodes = {std::vector<NodeSchedule>(set.dags()[0].nodes().size())};
  if (offset_of_last) schedule.nodes[0].back().offset = offset_of_last;
  return simulate::simulate(set, schedule, options).dags[0];
}

}  // namespace

TEST_CASE("a node starts when the one of the earlier job has ended, and the first jobs do not wait") {
  const std::string nodes = "nodes: {x: {on: a, C: 4 ms, after: {node: y, jobs: COUNT}}, y: {on: b, C: 8 ms}}, edges: [x -> y]";
  const auto with = [&](const std::string& count) { return std::string(nodes).replace(nodes.find("COUNT"), 5, count); };
  // Releases at 0, 10, 20 ms. One job before: x from 0, 12, 24; the jobs end after 12, 14, 16 ms.
  const auto one = played("T: 10 ms, " + with("1"), 30_ms);
  CHECK(one.response.count() == 3);
  CHECK(one.response.max() == 16_ms);
  CHECK(one.after_earlier == 2);
  CHECK(one.held_back == 0);
  const auto two = played("T: 10 ms, " + with("2"), 30_ms);
  CHECK(two.response.max() == 12_ms);
  CHECK(two.after_earlier == 0);
  // At T = 12 y ends when x is released.
  const auto exact = played("T: 12 ms, " + with("1"), 60_ms);
  CHECK(exact.response.max() == 12_ms);
  CHECK(exact.after_earlier == 0);
}

TEST_CASE("a node may wait for itself, and for what comes after it") {
  // y from 4, 12, 20 ms: its jobs wait for one another alone; they end at 12, 20, 28, after 12, 15 and 18.
  const auto itself = played("T: 5 ms, nodes: {x: {on: a, C: 4 ms}, y: {on: b, C: 8 ms, after: {node: y}}}, edges: [x -> y]", 15_ms);
  CHECK(itself.response.max() == 18_ms);
  CHECK(itself.after_earlier == 2);
}

TEST_CASE("a job that waits to be admitted is ready for nothing before") {
  // One at once: x of the second job at 12, when it is admitted.
  const auto one =
      played("T: 5 ms, in_flight: 1, nodes: {x: {on: a, C: 4 ms, after: {node: x}}, y: {on: b, C: 8 ms}}, edges: [x -> y]", 10_ms);
  CHECK(one.response.max() == 19_ms);
  CHECK(one.held_back == 1);
  CHECK(one.after_earlier == 0);
  // Two: the second job begins at 5 and waits for y until 12; the third is admitted at 12 and waits for y of the second until 24.
  const auto two =
      played("T: 5 ms, in_flight: 2, nodes: {x: {on: a, C: 4 ms, after: {node: y}}, y: {on: b, C: 8 ms}}, edges: [x -> y]", 15_ms);
  CHECK(two.response.max() == 26_ms);
  CHECK(two.held_back == 1);
  CHECK(two.after_earlier == 2);
}

TEST_CASE("at an offset a node waits for both") {
  // y at 6 ms, of the second job at 16, but y of the first ends at 20: 6 + 14.
  const auto seen = played("T: 10 ms, nodes: {x: {on: a, C: 4 ms}, y: {on: b, C: 14 ms, after: {node: y}}}, edges: [x -> y]", 20_ms, 6_ms);
  CHECK(seen.response.max() == 24_ms);
}
