// The wait-set rule, poll by poll, and executors of several threads, callback by callback; and reservations.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "rta/io/task_set_file.hpp"
#include "rta/simulate/simulate.hpp"

using namespace rta;

namespace {

/// All ends of nodes, in order.
class Ends : public simulate::Observer {
 public:
  Ends() : Observer(simulate::Detail::job) {}
  void dag(DagId, std::uint64_t, Time, Time) override {}
  void job(simulate::JobId id, Time /*release*/, Time /*start*/, Time end) override {
    lines.push_back(std::to_string(end.count()) + " " + std::to_string(id.dag) + "/" + std::to_string(id.node));
  }
  void block(simulate::JobId, std::uint64_t, std::uint32_t, Time, Time) override {}
  void copy(simulate::JobId, std::uint32_t, Time, Time) override {}
  void run(simulate::JobId, std::uint32_t, Time, Time) override {}
  std::vector<std::string> lines;
};

std::vector<std::string> played(const std::string& dags, std::int64_t duration, std::uint64_t seed, int processors = 1,
                                const std::string& kind = "wait-set", const std::string& more = "") {
  const TaskSet set = io::parse_task_set("platform: {cpu: {processors: " + std::to_string(processors) +
                                             "}}\nexecutors: {x: {on: cpu, kind: " + kind + more + "}}\ndags:\n" + dags,
                                         "set.yaml")
                          .task_set;
  Schedule schedule;
  for (const Dag& dag : set.dags()) schedule.nodes.emplace_back(dag.nodes().size());
  simulate::Options options;
  options.duration = Time(duration);
  options.seed = seed;
  Ends ends;
  static_cast<void>(simulate::simulate(set, schedule, options, &ends));
  return ends.lines;
}

}  // namespace

TEST_CASE("what becomes ready in a window waits for the next poll, and each node runs once a window") {
  // 7 first, or the 1 that comes every 2: then 7 of these wait. Whichever it was, the next windows have one 1 each, as nothing else comes.
  const std::string dags =
      "  - {name: a, T: 100 ns, nodes: {a: {executor: x, C: 7 ns}, b: {executor: x, C: 5 ns}}, edges: [a -> b]}\n"
      "  - {name: c, T: 2 ns, nodes: {c: {executor: x, C: 1 ns}}}\n";
  bool first = false, last = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto lines = played(dags, 14, seed);
    REQUIRE(lines.size() >= 4);
    // The set of the first poll is a and c; that of the second, at 8, b and one c.
    const std::vector<std::string> head(lines.begin(), lines.begin() + 4);
    const bool c_first = head[0] == "1 1/0";
    CHECK((c_first ? head[1] == "8 0/0" : head[0] == "7 0/0" && head[1] == "8 1/0"));
    const bool c_again = head[2] == "9 1/0";
    CHECK((c_again ? head[3] == "14 0/1" : head[2] == "13 0/1" && head[3] == "14 1/0"));
    first = first || c_first;
    last = last || !c_first;
  }
  CHECK(first);
  CHECK(last);
}

TEST_CASE("threads take what is ready, of a group one callback at a time and the oldest message first") {
  // Three threads: of g one at a time, so that its two and the next jobs of the first end 2, 5, then in either order; r runs beside itself.
  const std::string dags =
      "  - {name: a, T: 100 ns, nodes: {a: {executor: x, group: g, C: 2 ns}}}\n"
      "  - {name: b, T: 100 ns, nodes: {b: {executor: x, group: g, C: 3 ns}}}\n"
      "  - {name: r, T: 2 ns, nodes: {r: {executor: x, group: reentrant, C: 3 ns}}}\n";
  bool a_first = false, b_first = false;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto lines = played(dags, 6, seed, 3, "multi-threaded");
    REQUIRE(lines.size() == 5);
    const auto at = [&](const std::string& end) { return std::find(lines.begin(), lines.end(), end) != lines.end(); };
    const bool a = at("2 0/0") && at("5 1/0");
    const bool b = at("3 1/0") && at("5 0/0");
    CHECK(a != b);
    // Every 2 a job of 3: two threads are enough for it, and one is left for the group.
    CHECK((at("3 2/0") && at("5 2/0") && at("7 2/0")));
    a_first = a_first || a;
    b_first = b_first || b;
  }
  CHECK(a_first);
  CHECK(b_first);
}

TEST_CASE("callbacks without a group are one, which a thread plays alone") {
  const std::string dags =
      "  - {name: a, T: 100 ns, nodes: {a: {executor: x, C: 2 ns}}}\n"
      "  - {name: b, T: 100 ns, nodes: {b: {executor: x, C: 2 ns}}}\n";
  const auto lines = played(dags, 10, 1, 3, "multi-threaded");
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].substr(0, 1) == "2");
  CHECK(lines[1].substr(0, 1) == "4");
}

TEST_CASE("a reservation holds its thread back until its deadline lets it no longer") {
  // Asleep before, 4 of a server that has 3 every 5: 3 by 5, then 1, from 5 on. At once 3 and 6, as late as can be 5 and 8.
  const std::string dags = "  - {name: a, T: 100 ns, nodes: {a: {executor: x, C: 4 ns}}}\n";
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    for (const char* const kind : {"wait-set", "events", "priority"}) {
      const auto lines = played(dags, 10, seed, 1, kind, ", reservation: {runtime: 3 ns, period: 5 ns}");
      REQUIRE(lines.size() == 1);
      seen.insert(lines[0]);
    }
  }
  CHECK(seen == std::set<std::string>{"6 0/0", "7 0/0", "8 0/0"});
}

TEST_CASE("a thread that slept with budget and deadline left keeps them if they suit its rate") {
  // 3 every 5. 2 at 0 leave 1 until 5. What comes at t keeps that where 1 <= (5 - t) 3/5, at 3: 1 ends at 4 or 5. At 4 it has a new budget
  // until 9, and ends from 5 to 7.
  const std::string dags =
      "  - {name: a, T: 100 ns, nodes: {a: {executor: x, C: 2 ns}}}\n"
      "  - {name: b, T: 100 ns, phase: PHASE ns, nodes: {b: {executor: x, C: 1 ns}}}\n";
  const auto ends = [&](const std::string& phase) {
    std::set<std::string> seen;
    std::string at = dags;
    at.replace(at.find("PHASE"), 5, phase);
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const auto lines = played(at, 12, seed, 1, "wait-set", ", reservation: {runtime: 3 ns, period: 5 ns}");
      REQUIRE(lines.size() == 2);
      if (lines[0] == "2 0/0") seen.insert(lines[1]);
    }
    return seen;
  };
  CHECK(ends("3") == std::set<std::string>{"4 1/0", "5 1/0"});
  CHECK(ends("4") == std::set<std::string>{"5 1/0", "6 1/0", "7 1/0"});
}
