// Law 1 with release jitter: whatever the analysis proves of a task set holds where its releases are late.
#include <doctest/doctest.h>

#include "properties/law_1.hpp"

using namespace rta;

namespace {

Dag with_jitter(const Dag& dag, Time J) {
  DagAttributes attributes = dag.attributes();
  attributes.jitter = J;
  return {dag.name(), dag.period(), dag.deadline(), {dag.nodes().begin(), dag.nodes().end()}, {dag.edges().begin(), dag.edges().end()},
          attributes};
}

/// The least distance of releases stays, so that most sets keep their bounds; half of the DAGs are late by up to twice that.
TaskSet late(const TaskSet& set, std::uint64_t seed) {
  test::Dice dice(seed + 77);
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) dags.push_back(with_jitter(dag, Time(dice.one_in(2) ? 0 : dice.between(1, 2 * dag.period().count()))));
  return {set.name(), {set.pools().begin(), set.pools().end()}, std::move(dags)};
}

test::Law with_late_releases(const test::Law& law) {
  return [law](const TaskSet& set, std::uint64_t seed, test::Compared& compared) { return law(late(set, seed), seed, compared); };
}

}  // namespace

TEST_CASE("Law 1 with release jitter, offsets: no response time above its bound") {
  test::check_law_1(1, 600, {}, with_late_releases(test::broken_with_offsets));
}

namespace {

/// The periods of nominal releases stay: T - J has bounds of few, at high loads.
TaskSet late_at_full_load(const TaskSet& set, std::uint64_t seed) {
  test::Dice dice(seed + 77);
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) {
    DagAttributes attributes = dag.attributes();
    attributes.jitter = Time(dice.one_in(3) ? 0 : dice.between(0, dag.period().count() - 1));
    dags.emplace_back(dag.name(), dag.period() - attributes.jitter, dag.deadline(),
                      std::vector<Node>(dag.nodes().begin(), dag.nodes().end()), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      attributes);
  }
  return {set.name(), {set.pools().begin(), set.pools().end()}, std::move(dags)};
}

}  // namespace

TEST_CASE("Law 1 with release jitter, offsets, at loads that nominal periods carry") {
  test::check_law_1(1, 600, {.non_preemptive = true}, [](const TaskSet& set, std::uint64_t seed, test::Compared& compared) {
    return test::broken_with_offsets(late_at_full_load(set, seed), seed, compared);
  });
}

TEST_CASE("Bounds at offsets are never above those with T - J for T") {
  int compared = 0;
  int lower = 0;
  int only = 0;
  for (std::uint64_t seed = 1; compared < 600; ++seed) {
    const TaskSet drawn = late_at_full_load(test::random_system(seed, {.non_preemptive = true}), seed);
    std::vector<Dag> closer;
    for (const Dag& dag : drawn.dags()) closer.push_back(with_jitter(dag, Time::zero()));
    analysis::Options options;
    options.release = Release::offsets;
    options.scheduler = Scheduler::fifo;  // the points do not depend on the bounds
    const auto bounds_of = [&](TaskSet set) { return analysis::analyze(std::make_shared<const TaskSet>(std::move(set)), options).proof; };
    const auto sporadic = bounds_of({drawn.name(), {drawn.pools().begin(), drawn.pools().end()}, std::move(closer)});
    const auto proven = bounds_of(drawn);
    for (DagId d = 0; d < drawn.dags().size(); ++d) {
      for (NodeId v = 0; v < drawn.dags()[d].nodes().size(); ++v) {
        const auto& now = proven.dags[d].nodes[v].bound;
        const auto& before = sporadic.dags[d].nodes[v].bound;
        CAPTURE(seed);
        if (before) REQUIRE(now);
        if (!now) continue;
        ++compared;
        only += before ? 0 : 1;
        if (before) CHECK(now->R <= before->R);
        lower += before && now->R < before->R ? 1 : 0;
      }
    }
  }
  MESSAGE(compared, " nodes with bounds, ", only, " by nominal periods alone, ", lower, " with lower ones");
  CHECK(only > 100);
  CHECK(lower > 10);
}

TEST_CASE("Law 1 with release jitter, on segments: no node ends after its bound") {
  test::check_law_1(1, 400, test::one_fifo, with_late_releases(test::broken_on_segments));
}

TEST_CASE("Law 1 with release jitter, as the analysis chooses") {
  test::check_law_1(1, 200, test::one_fifo, with_late_releases(test::broken_by_policy), 20, {"T12", "T12j"});
}

TEST_CASE("Bounds that forget the jitter are exceeded") {
  const test::Law wrong = [](const TaskSet& set, std::uint64_t seed, test::Compared&) -> std::optional<std::string> {
    test::Dice dice(seed);
    const TaskSet played = late(set, seed);
    std::vector<Dag> dags;
    for (const Dag& dag : played.dags()) {
      const Dag without = with_jitter(dag, Time::zero());
      dags.emplace_back(dag.name(), dag.nominal_period(), without.deadline(), std::vector<Node>(dag.nodes().begin(), dag.nodes().end()),
                        std::vector<Edge>(dag.edges().begin(), dag.edges().end()), without.attributes());
    }
    analysis::Options options;
    options.release = Release::completion;
    const auto proven = analysis::analyze(
        std::make_shared<const TaskSet>("forgets", std::vector<Pool>(set.pools().begin(), set.pools().end()), std::move(dags)), options);
    if (proven.verdict == analysis::Verdict::unbounded) return std::nullopt;
    const auto bounds = compare::bounds_of(proven.proof);
    test::Compared compared;
    for (int run = 0; run < 3; ++run) {
      const auto seen = simulate::simulate(played, schedule_of(proven.proof), test::random_options(dice, played));
      if (auto what = test::above(played, bounds.node, bounds.dag, seen, compared)) return what;
    }
    return std::nullopt;
  };
  test::Compared compared;
  CHECK(test::first_broken(1, 300, test::one_fifo, wrong, compared));
}
