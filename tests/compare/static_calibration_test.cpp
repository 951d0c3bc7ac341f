// WCETs that a played schedule showed.
#include "rta/compare/static_calibration.hpp"

#include <doctest/doctest.h>

using namespace rta;

namespace {

static_order::Graph graph_of(const std::vector<std::string>& names) {
  static_order::Graph graph;
  graph.clients.push_back({"c", ""});
  static_order::Hyperepoch hyperepoch;
  hyperepoch.name = "h";
  hyperepoch.epochs.emplace_back().name = "e";
  graph.hyperepochs.push_back(hyperepoch);
  for (const std::string& name : names) {
    static_order::Runnable runnable;
    runnable.name = name;
    runnable.wcet = Time(1000);
    graph.runnables.push_back(runnable);
  }
  return graph;
}

compare::PlayedRunnable seen(const std::string& name, std::vector<Time> sorted) {
  compare::PlayedRunnable runnable;
  runnable.epoch = "h.e";
  runnable.name = name;
  runnable.execution.sorted = std::move(sorted);
  return runnable;
}

}  // namespace

TEST_CASE("WCETs become the observed maximum or percentile; what was not seen, or has blocks, keeps its own") {
  static_order::Graph graph = graph_of({"a", "b", "kernel"});
  graph.runnables[2].blocks.emplace();
  compare::StaticComparison comparison;
  comparison.runnables = {seen("c.a", {Time(10), Time(20), Time(30), Time(2000)}), seen("c.kernel", {Time(5)})};
  compare::StaticCalibration all = compare::calibrate(comparison, graph, 1'000'000);
  CHECK(all.graph.runnables[0].wcet == Time(2000));
  CHECK(all.graph.runnables[1].wcet == Time(1000));
  CHECK(all.graph.runnables[2].wcet == Time(1000));
  CHECK(all.replaced == 1);
  REQUIRE(all.warnings.size() == 2);
  CHECK(all.warnings[0] == "the trace shows nothing of 'c.b'; it keeps its WCET");
  // Three of four are at most 30.
  CHECK(compare::calibrate(comparison, graph, 750'000).graph.runnables[0].wcet == Time(30));
  CHECK(compare::calibrate(comparison, graph, 750'001).graph.runnables[0].wcet == Time(2000));
}

TEST_CASE("a runnable of the same name in another epoch is another one") {
  compare::StaticComparison comparison;
  comparison.runnables = {seen("c.a", {Time(10)})};
  comparison.runnables[0].epoch = "h.other";
  CHECK(compare::calibrate(comparison, graph_of({"a"}), 1'000'000).replaced == 0);
}
