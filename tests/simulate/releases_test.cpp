// When DAGs are released: phases and release jitter of their own.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "rta/simulate/search.hpp"
#include "simulate/scene.hpp"

using namespace rta;

namespace {

class Releases : public simulate::Observer {
 public:
  Releases() : Observer(simulate::Detail::dag) {}
  void dag(DagId dag, std::uint64_t job, Time release, Time end) override {
    if (dag != 0) return;
    REQUIRE(job == at.size());
    at.push_back(release.count());
    responses.push_back((end - release).count());
  }
  void job(simulate::JobId /*id*/, Time /*release*/, Time /*start*/, Time /*end*/) override {}
  void block(simulate::JobId /*id*/, std::uint64_t /*block*/, std::uint32_t /*sm*/, Time /*start*/, Time /*end*/) override {}
  void copy(simulate::JobId /*id*/, std::uint32_t /*engine*/, Time /*start*/, Time /*end*/) override {}
  void run(simulate::JobId /*id*/, std::uint32_t /*cpu*/, Time /*start*/, Time /*end*/) override {}

  std::vector<std::int64_t> at, responses;
};

Releases releases_of(DagAttributes attributes, simulate::Releases how = {}) {
  const Dag dag("d", Time(10) - attributes.jitter, std::nullopt, {scene::node("d", 0, CpuDemand{Time(1)})}, {}, attributes);
  const TaskSet set("test", {scene::cpu(1)}, {dag});
  simulate::Options options;
  options.duration = Time(4'000);
  options.releases = std::move(how);
  Releases seen;
  (void)simulate::simulate(set, test::on_completion(set, std::vector{Time(10)}), options, &seen);
  return seen;
}

}  // namespace

TEST_CASE("A DAG is first released at its phase, unless other phases are asked for") {
  CHECK(releases_of({}).at.front() == 0);
  CHECK(releases_of({.phase = Time(3)}).at.front() == 3);
  CHECK(releases_of({.phase = Time(3)}).at.back() == 3'993);
  CHECK(releases_of({.phase = Time(3)}, {.phases = {Time(0)}}).at.front() == 0);
}

TEST_CASE("With jitter every release is late after its nominal instant by any time up to it, and responses count from it") {
  const Releases seen = releases_of({.jitter = Time(6), .phase = Time(3)});
  CHECK(seen.at.size() >= 399);
  std::set<std::int64_t> late;
  std::int64_t closest = 100;
  for (std::size_t j = 0; j < seen.at.size(); ++j) {
    late.insert(seen.at[j] - 3 - 10 * static_cast<std::int64_t>(j));
    if (j > 0) closest = std::min(closest, seen.at[j] - seen.at[j - 1]);
  }
  CHECK(late == std::set<std::int64_t>{0, 1, 2, 3, 4, 5, 6});
  CHECK(closest == 4);
  CHECK(std::set<std::int64_t>(seen.responses.begin(), seen.responses.end()) == std::set<std::int64_t>{1});
}

TEST_CASE("Periodic DAGs are released at phase + n T, and up to their jitter later, whatever else is asked for") {
  const simulate::Releases sporadic{.phases = {Time(1)}, .random_phases = true, .jitter = simulate::whole};
  const auto exact = releases_of({.phase = Time(3), .periodic = true}, sporadic).at;
  REQUIRE(exact.size() == 400);
  for (std::size_t j = 0; j < exact.size(); ++j) CHECK(exact[j] == 3 + 10 * static_cast<std::int64_t>(j));
  const auto late = releases_of({.jitter = Time(2), .phase = Time(3), .periodic = true}, sporadic).at;
  std::set<std::int64_t> seen;
  for (std::size_t j = 0; j < late.size(); ++j) seen.insert(late[j] - 3 - 10 * static_cast<std::int64_t>(j));
  CHECK(seen == std::set<std::int64_t>{0, 1, 2});
}

TEST_CASE("What a periodic DAG's node takes at least it takes in every run") {
  Node node = scene::node("d", 0, CpuDemand{Time(10)});
  node.variation = Variation{Time(4), std::nullopt};
  const auto response = [&](bool periodic, simulate::Execution execution) {
    const Dag dag("d", Time(20), std::nullopt, {node}, {}, {.phase = Time(0), .periodic = periodic});
    const TaskSet set("test", {scene::cpu(1)}, {dag});
    simulate::Options options;
    options.duration = Time(20);
    options.execution = execution;
    Releases seen;
    (void)simulate::simulate(set, test::on_completion(set, std::vector{Time(20)}), options, &seen);
    return seen.responses.front();
  };
  CHECK(response(false, {100'000, 100'000}) == 1);
  CHECK(response(true, {100'000, 100'000}) == 4);
  CHECK(response(true, {700'000, 700'000}) == 7);
}

TEST_CASE("The search for worst cases keeps to the clock of periodic DAGs") {
  // Both on one processor, 10 apart: neither ever waits, while sporadic ones do.
  const auto worst = [](bool periodic) {
    std::vector<Dag> dags;
    for (const std::int64_t phase : {0, 10}) {
      dags.emplace_back(phase == 0 ? "a" : "b", Time(20), std::nullopt, std::vector{scene::node("n", 0, CpuDemand{Time(4)})},
                        std::vector<Edge>{}, DagAttributes{.phase = Time(phase), .periodic = periodic});
    }
    const TaskSet set("test", {scene::cpu(1)}, std::move(dags));
    simulate::SearchOptions options;
    options.base.duration = Time(400);
    options.max_runs = 200;
    const auto found = simulate::search(set, test::on_completion(set, std::vector{Time(20), Time(20)}), options);
    return std::max(found.dags[0]->response, found.dags[1]->response).count();
  };
  CHECK(worst(true) == 4);
  CHECK(worst(false) == 8);
}

TEST_CASE("Jitter adds to sporadic delays of the nominal releases, which T_max limits") {
  simulate::Releases sporadic;
  sporadic.jitter = simulate::whole;
  const Releases seen = releases_of({.T_max = Time(12), .jitter = Time(6)}, sporadic);
  std::int64_t closest = 100, farthest = 0;
  for (std::size_t j = 1; j < seen.at.size(); ++j) {
    closest = std::min(closest, seen.at[j] - seen.at[j - 1]);
    farthest = std::max(farthest, seen.at[j] - seen.at[j - 1]);
  }
  CHECK(closest >= 4);
  CHECK(farthest <= 18);
  CHECK(farthest > 14);
}
