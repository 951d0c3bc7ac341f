// Orders of starts by hand (docs/theory/periodic.md, examples), played.
#include "rta/simulate/witness.hpp"

#include <doctest/doctest.h>

#include "simulate/scene.hpp"

using namespace rta;
using namespace scene;
using simulate::JobId;

namespace {

Node on_cpu(const std::string& name, std::int64_t least, std::int64_t C, FixedPriority priority) {
  Node n = node(name, 0, CpuDemand{Time(C), priority});
  n.variation = Variation{Time(least), std::nullopt};
  return n;
}

Dag every(const std::string& name, std::int64_t T, std::int64_t phase, std::int64_t J, std::vector<Node> nodes,
          std::vector<Edge> edges = {}) {
  return Dag(name, Time(T - J), std::nullopt, std::move(nodes), std::move(edges),
             {.jitter = Time(J), .phase = Time(phase), .periodic = true});
}

Pool fp(std::uint32_t processors) { return {"cpu", CpuPool{processors, Scheduler::fp, false}}; }

simulate::Witness played(const TaskSet& set, std::vector<JobId> starts, bool fifo = false) {
  simulate::WantedStarts wanted{std::move(starts), {}, {fifo}, Time(15)};
  for (const Dag& dag : set.dags()) wanted.queues.emplace_back(dag.nodes().size(), 0);
  return simulate::play_starts(set, test::on_completion(set, std::vector<Time>(set.dags().size())), {}, wanted);
}

}  // namespace

TEST_CASE("A witness on two servers: w waits for u and v where s is short") {
  const TaskSet set{"servers",
                    {fp(2)},
                    {every("d", 20, 0, 0, {on_cpu("s", 1, 2, 2), on_cpu("u", 2, 2, 2), on_cpu("v", 2, 3, 2)}, {{0, 1}, {0, 2}}),
                     every("w", 20, 1, 0, {on_cpu("w", 2, 4, 1)})}};
  // If s takes 2, w starts at 1. It is made 1: then u and v start at 1, and w when u has ended, at 3.
  const auto witness = played(set, {{0, 0, 0}, {0, 1, 0}, {0, 2, 0}, {1, 0, 0}});
  CHECK(witness.end == Time(6));
  CHECK(witness.in_order);
  CHECK(witness.runs == 2);
  CHECK(witness.run.jobs[0][0].nodes[0].takes == Time(1));
  CHECK(witness.run.jobs[0][0].nodes[2].takes == Time(3));
  // With w at 1 and s as long as it may be, v waits for u.
  CHECK(played(set, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 2, 0}}).end == Time(7));
}

TEST_CASE("A witness on one server: the latest release and the longest execution, unless a job is to start before another comes") {
  const TaskSet set{"server",
                    {fp(1)},
                    {every("a", 20, 0, 0, {on_cpu("a", 1, 3, 2)}), every("b", 20, 1, 1, {on_cpu("b", 2, 4, 1)}),
                     every("c", 20, 2, 0, {on_cpu("c", 2, 2, 3)})}};
  const auto last = played(set, {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}});
  CHECK(last.end == Time(8));
  CHECK(last.runs == 1);
  // T36 has 6 for c: b starts at 2, just before c is there. A simulation, which knows no such order within an instant, has b start at 1.
  const auto blocked = played(set, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}});
  CHECK(blocked.end == Time(5));
  CHECK(blocked.in_order);
  CHECK(blocked.run.jobs[1][0].release == Time(1));
  CHECK(blocked.run.jobs[0][0].nodes[0].takes == Time(1));
}

TEST_CASE("A witness behind a FIFO: what is to go first is released sooner, and at one instant its rank decides") {
  const TaskSet set{"queue",
                    {{"cpu", CpuPool{1, Scheduler::fifo}}},
                    {every("a", 20, 0, 3, {on_cpu("a", 1, 2, 0)}), every("b", 20, 1, 1, {on_cpu("b", 3, 3, 0)})}};
  // a comes at 3 and b at 2: b first. For a first, both at 2.
  CHECK(played(set, {{1, 0, 0}, {0, 0, 0}}, true).end == Time(7));
  const auto after = played(set, {{0, 0, 0}, {1, 0, 0}}, true);
  CHECK(after.run.jobs[0][0].release == Time(2));
  CHECK(after.end == Time(6));
  CHECK(after.in_order);
}

TEST_CASE("A witness of an order that no schedule has is the latest of what was seen") {
  const TaskSet set{"server", {fp(1)}, {every("a", 20, 0, 0, {on_cpu("a", 2, 2, 1)}), every("b", 20, 0, 0, {on_cpu("b", 3, 3, 2)})}};
  const auto witness = played(set, {{0, 0, 0}, {1, 0, 0}});
  CHECK(!witness.in_order);
  CHECK(witness.end == Time(3));
}
