// Played schedules as timelines: what waited in a stream, and what in front of a resource.
#include "rta/compare/static_timeline.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "rta/trace/waits.hpp"
#include "support/build.hpp"

using namespace rta;
using namespace rta::test;

namespace {

using static_order::Role;
using static_order::ScheduledRunnable;

/// Two kernels on one stream: a runs from 10 to 40 ns, b is submitted at 20 and starts at 40; c on another stream starts at 50.
static_order::Schedule two_streams() {
  static_order::Schedule schedule;
  schedule.clients = {"Camera"};
  static_order::ScheduledHyperepoch& h = schedule.hyperepochs.emplace_back();
  h.name = "h";
  h.period = 100_ns;
  h.resources = {
      {"CPU0", "CPU", std::nullopt}, {"iGPU", "GPU", std::nullopt}, {"Camera.S", "CUDA_STREAM", 1}, {"Camera.R", "CUDA_STREAM", 1}};
  h.epochs = {{"e", 100_ns, 1}};
  const auto submit = [&](const char* name, std::size_t stream) {
    ScheduledRunnable& submitter = h.runnables.emplace_back();
    submitter.name = std::string("submit_") + name;
    submitter.client = "Camera";
    submitter.role = Role::submitter;
    submitter.resources = {0, stream};
    submitter.submits = {h.runnables.size()};
    ScheduledRunnable& kernel = h.runnables.emplace_back();
    kernel.name = name;
    kernel.client = "Camera";
    kernel.role = Role::submittee;
    kernel.resources = {1};
    kernel.stream = stream;
    kernel.after = {h.runnables.size() - 2};
    if (std::string(name) == "b") kernel.after.push_back(1);  // as a schedule names the one before it in its stream
  };
  submit("a", 2);
  submit("b", 2);
  submit("c", 3);
  return schedule;
}

compare::StaticComparison played(const static_order::Schedule& schedule, const std::vector<std::pair<Time, Time>>& times) {
  compare::StaticComparison result;
  for (std::size_t i = 0; i < times.size(); ++i) {
    compare::PlayedRunnable& runnable = result.runnables.emplace_back();
    runnable.epoch = "h.e";
    runnable.name = schedule.hyperepochs[0].runnables[i].full_name();
    result.timeline.push_back({i, 0, 0, i, Time::zero(), times[i].first, times[i].second});
  }
  return result;
}

}  // namespace

TEST_CASE("a kernel waits in its stream for the one before it, and one of another stream for the GPU") {
  const auto schedule = two_streams();
  const auto comparison = played(schedule, {{0_ns, 10_ns}, {10_ns, 40_ns}, {10_ns, 20_ns}, {40_ns, 50_ns}, {20_ns, 30_ns}, {50_ns, 60_ns}});
  const trace::Timeline timeline = compare::static_timeline(schedule, comparison, 0);
  REQUIRE(timeline.labels().pools.size() == 2);
  CHECK(timeline.labels().pools[0].name == "CPU0");
  CHECK(timeline.labels().pools[1].kind == PoolKind::gpu);
  CHECK(timeline.units(1) == trace::Units::single);
  CHECK(timeline.labels().dags[0].name == "Camera");
  CHECK(timeline.bars().size() == 6);
  const auto waiting = trace::waiting(timeline);
  const auto of = [&](const std::string& name) {
    const auto& nodes = timeline.labels().dags[0].nodes;
    const auto job = std::ranges::find_if(timeline.jobs(), [&](const trace::TimelineJob& j) { return nodes[j.id.node].name == name; });
    return waiting[static_cast<std::size_t>(job - timeline.jobs().begin())];
  };
  CHECK(of("a").waits.empty());
  REQUIRE(of("b").waits.size() == 1);
  CHECK(of("b").waits[0].cause == trace::WaitCause::stream);
  CHECK(of("b").waits[0].from == 20_ns);
  CHECK(of("b").waits[0].to == 40_ns);
  // c is at the head of its stream at 30, when a runs; at 40 b is before it.
  REQUIRE_FALSE(of("c").waits.empty());
  CHECK(of("c").queued == 30_ns);
  CHECK(of("c").waits.back().to == 50_ns);
  // Nothing but the order of CPU0 holds submit_b back, behind submit_a.
  REQUIRE(of("submit_b").waits.size() == 1);
  CHECK(of("submit_b").waits[0].cause == trace::WaitCause::processor);
  CHECK(of("submit_b").waits[0].to == 10_ns);
}

TEST_CASE("whose client the schedule does not name is one of its own, and what holds no resource is not drawn") {
  auto schedule = two_streams();
  schedule.clients.clear();
  schedule.hyperepochs[0].runnables[4].resources.clear();
  const auto comparison = played(schedule, {{0_ns, 10_ns}, {10_ns, 40_ns}, {10_ns, 20_ns}, {40_ns, 50_ns}, {20_ns, 30_ns}, {50_ns, 60_ns}});
  const trace::Timeline timeline = compare::static_timeline(schedule, comparison, 0);
  CHECK(timeline.bars().size() == 5);
  CHECK(timeline.labels().dags.size() == 5);
}
