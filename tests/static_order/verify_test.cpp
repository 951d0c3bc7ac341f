// Schedules edited by hand: each kind of fault is found, and nothing else is.
#include "rta/static_order/verify.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "graphs.hpp"

using namespace rta;
using namespace rta::static_order;

namespace {

Time ms(std::int64_t n) { return Time(n * 1'000'000); }

// s puts k into stream s0; p waits for k; q is free. CPU0 has all three, the GPU k.
Graph graph() {
  return graph_of_text(graph_text("CPU: [C0, C1], GPU: [G]",
                                  line("s: {WCET: 1ms, Resources: [C0, S], Submits: c.k}") + line("k: {WCET: 4ms, Resources: [G]}") +
                                      line("p: {WCET: 2ms, Resources: [C0], Dependencies: [c.k], Deadline: 10ms}") +
                                      line("q: {WCET: 3ms, Resources: [C1]}"),
                                  "100ms", "S: [{s0: G}]"));
}

struct Edited {
  Schedule schedule = compile(graph(), effort(1)).schedule;

  ScheduledHyperepoch& hyperepoch() { return schedule.hyperepochs.at(0); }
  std::size_t id(const std::string& name) {
    const auto& all = hyperepoch().runnables;
    return static_cast<std::size_t>(std::ranges::find(all, name, &ScheduledRunnable::name) - all.begin());
  }
  ScheduledRunnable& operator[](const std::string& name) { return hyperepoch().runnables.at(id(name)); }
  [[nodiscard]] std::vector<Fault> faults() const { return verify(schedule, graph()).faults; }
  [[nodiscard]] bool has(Fault::Kind kind) const {
    const auto found = faults();
    return std::ranges::any_of(found, [&](const Fault& fault) { return fault.kind == kind; });
  }
};

}  // namespace

TEST_CASE("what the compiler makes is sound") {
  const Edited edited;
  CHECK(edited.faults().empty());
}

TEST_CASE("a dependency that nothing keeps, and one that another order keeps") {
  Edited edited;
  edited["p"].after.clear();
  // p stands behind s on C0, but k is elsewhere.
  REQUIRE(edited.faults().size() >= 1);
  CHECK(edited.has(Fault::Kind::dependency));
  // q needs nothing: an order more is no fault, as long as the times say so. p ends at 7, q at 10.
  Edited later;
  later["q"].after.push_back(later.id("p"));
  CHECK(later.has(Fault::Kind::claim));
  later["q"].start = ms(7);
  later["q"].end = ms(10);
  later.hyperepoch().length = ms(10);
  CHECK(later.faults().empty());
}

TEST_CASE("a deadlock names everybody in the circle") {
  Edited edited;
  edited["s"].after.push_back(edited.id("p"));
  const auto faults = edited.faults();
  const auto at = std::ranges::find(faults, Fault::Kind::deadlock, &Fault::kind);
  REQUIRE(at != faults.end());
  CHECK(at->runnables.size() >= 2);
}

TEST_CASE("runnables that are missing, unknown or there twice") {
  Edited missing;
  missing.hyperepoch().runnables.erase(missing.hyperepoch().runnables.begin() + static_cast<std::ptrdiff_t>(missing.id("q")));
  CHECK(missing.has(Fault::Kind::missing));
  Edited unknown;
  unknown["q"].name = "r";
  CHECK(unknown.has(Fault::Kind::unknown));
  Edited twice;
  twice.hyperepoch().runnables.push_back(twice["q"]);
  CHECK(twice.has(Fault::Kind::twice));
}

TEST_CASE("resources and values that are not the graph's") {
  Edited resources;
  resources["q"].resources = resources["p"].resources;  // C0 in place of C1
  CHECK(resources.has(Fault::Kind::resources));
  Edited wcet;
  wcet["q"].wcet = ms(2);
  CHECK(wcet.has(Fault::Kind::value));
  Edited period;
  period.hyperepoch().period = ms(50);
  CHECK(period.has(Fault::Kind::graph));
}

TEST_CASE("times that claim too little, by how much") {
  Edited edited;
  edited["p"].end = ms(6);
  const auto faults = edited.faults();
  REQUIRE(faults.size() == 1);
  CHECK(faults[0].kind == Fault::Kind::claim);
  CHECK(faults[0].by == ms(1));  // s 1, k 4, p 2: 7
}

TEST_CASE("an order that is late is one of the graph, but not in time") {
  // q before s on C0, if it were there: here p waits for q and q for k: 1 + 4 + 3 + 2 = 10 is in time, at WCET 4 it is 11.
  Edited edited;
  edited["q"].after.push_back(edited.id("k"));
  edited["p"].after.push_back(edited.id("q"));
  // The list has what waits behind what it waits for.
  auto& all = edited.hyperepoch().runnables;
  std::vector<std::size_t> order{edited.id("s"), edited.id("k"), edited.id("q"), edited.id("p")};
  std::vector<ScheduledRunnable> sorted;
  sorted.reserve(order.size());
  for (const std::size_t i : order) sorted.push_back(all[i]);
  for (ScheduledRunnable& r : sorted) {
    for (auto* ids : {&r.after, &r.submits}) {
      for (std::size_t& id : *ids) id = static_cast<std::size_t>(std::ranges::find(order, id) - order.begin());
    }
  }
  all = sorted;
  edited["q"].end = ms(8);
  edited["p"].end = edited.hyperepoch().length = ms(10);
  edited["q"].start = ms(5);
  edited["p"].start = ms(8);
  CHECK(edited.faults().empty());
  edited["q"].wcet = ms(4);
  CHECK(edited.has(Fault::Kind::late));
}
