#include "rta/sweep/set_analyzer.hpp"

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <vector>

#include "generate/recipes.hpp"
#include "rta/sweep/on_threads.hpp"

using namespace rta;
using namespace rta::generate;
using namespace rta::sweep;
using namespace rta::literals;

namespace {

AnalysisChoice plain(Scheduler scheduler) {
  AnalysisChoice choice;
  choice.options.release = Release::offsets;
  choice.options.scheduler = scheduler;
  choice.options.cpu_bound = analysis::CpuBound::T1;
  choice.options.gpu_bound = analysis::fifo::Bound::T5;
  choice.options.refinement = analysis::gel::Refinement::none;
  return choice;
}

AnalysisChoice plain(Scheduler scheduler, analysis::fifo::Bound gpu, analysis::gel::Refinement refinement) {
  AnalysisChoice choice = plain(scheduler);
  choice.options.cpu_bound = analysis::CpuBound::best;
  choice.options.gpu_bound = gpu;
  choice.options.shared_weights = true;
  choice.options.refinement = refinement;
  return choice;
}

}  // namespace

// R = 3, 5, 10 ms of T = 4, 5, 8 ms: mean 6, max 10, lateness 2; R/T = 0.75, 1, 1.25 on average 1. D = 4, none, 10 ms are met; 9 ms is not.
TEST_CASE("an outcome sums up the DAGs") {
  std::vector<RandomSet::Dag> dags(3);
  dags[0].T = 4_ms;
  dags[0].D = 4_ms;
  dags[1].T = 5_ms;
  dags[2].T = 8_ms;
  dags[2].D = 10_ms;
  const std::vector<Time> R{3_ms, 5_ms, 10_ms};
  Outcome outcome = outcome_of(dags, R);
  CHECK(outcome.answer == sweep::Answer::schedulable);
  CHECK(outcome.R_mean == 6_ms);
  CHECK(outcome.R_max == 10_ms);
  CHECK(outcome.lateness_max == Time::zero());
  CHECK(outcome.over_period == 1'000'000);
  dags[2].D = 9_ms;
  outcome = outcome_of(dags, R);
  CHECK(outcome.answer == sweep::Answer::deadline_missed);
  CHECK(outcome.lateness_max == 1_ms);
}

TEST_CASE("the flat way and `analyze` agree on every set") {
  using analysis::fifo::Bound;
  using analysis::gel::Refinement;
  const std::vector<AnalysisChoice> choices{plain(Scheduler::g_edf),
                                            plain(Scheduler::g_fl),
                                            plain(Scheduler::fifo),
                                            plain(Scheduler::g_edf, Bound::T6a, Refinement::none),
                                            plain(Scheduler::g_fl, Bound::T6b, Refinement::none),
                                            plain(Scheduler::g_fl, Bound::best, Refinement::carry),
                                            plain(Scheduler::g_edf, Bound::best, Refinement::all)};
  const std::vector<Shape> shapes{generate::Chain{}, LayerByLayer{{3, 5}, {1, 2}}, ErdosRenyi{{1, 5}}, ForkJoin{{2, 4}, 3, {1, 2}},
                                  SeriesParallel{{1, 2}}};
  int bounded = 0;
  int unbounded = 0;
  for (const Shape& shape : shapes) {
    for (const Fraction& gpu_load : {Fraction{65'536, 1}, Fraction{160'000, 1}}) {
      Recipe recipe = hundred_nodes();
      recipe.shapes = Choice<Shape>({{shape, 1}});
      recipe.gpu_work.utilization = gpu_load;
      recipe.deadline = Fraction{3, 1};
      if (gpu_load.numerator == 65'536) recipe.jitter = Fraction{1, 20};
      Generator generator(recipe);
      SetAnalyzer analyzer(recipe, choices);
      RandomSet set;
      std::vector<Outcome> outcomes;
      for (std::uint64_t i = 0; i < 4; ++i) {
        generator.draw({1, 0, i}, set);
        analyzer.evaluate(set, outcomes);
        REQUIRE(outcomes.size() == choices.size());
        const auto task_set = std::make_shared<const TaskSet>(to_task_set(recipe, set, "set"));
        for (std::size_t c = 0; c < choices.size(); ++c) {
          REQUIRE(choices[c].is_plain(recipe));
          const auto whole = analysis::analyze(task_set, choices[c].options);
          std::vector<Time> R;
          for (const auto& dag : whole.proof.dags) {
            if (dag.bound) R.push_back(dag.bound->R);
          }
          if (R.size() < set.dags.size()) {
            CHECK(outcomes[c].answer == sweep::Answer::unbounded);
            ++unbounded;
            continue;
          }
          ++bounded;
          const Outcome expected = outcome_of(set.dags, R);
          CHECK(outcomes[c].answer == expected.answer);
          CHECK(to_string(outcomes[c].answer) == analysis::to_string(whole.verdict));
          CHECK(outcomes[c].R_mean == expected.R_mean);
          CHECK(outcomes[c].R_max == expected.R_max);
          CHECK(outcomes[c].lateness_max == expected.lateness_max);
          CHECK(outcomes[c].over_period == expected.over_period);
        }
      }
    }
  }
  CHECK(bounded > 50);
  CHECK(unbounded > 50);
}

TEST_CASE("other analyses go through `analyze`") {
  Recipe recipe = hundred_nodes();
  recipe.dags = {2, 2};
  recipe.cpu_work.utilization = Fraction{2, 1};
  std::vector<AnalysisChoice> choices(3);
  choices[0].options.release = Release::offsets;
  choices[0].options.scheduler = Scheduler::lp;
  choices[2].options.release = Release::completion;
  choices[1].options.granularity = analysis::Granularity::monolithic;
  Generator generator(recipe);
  SetAnalyzer analyzer(recipe, choices);
  RandomSet set;
  std::vector<Outcome> outcomes;
  for (std::uint64_t i = 0; i < 3; ++i) {
    generator.draw({1, 0, i}, set);
    analyzer.evaluate(set, outcomes);
    const auto task_set = std::make_shared<const TaskSet>(to_task_set(recipe, set, "set"));
    for (std::size_t c = 0; c < choices.size(); ++c) {
      CHECK_FALSE(choices[c].is_plain(recipe));
      CHECK(to_string(outcomes[c].answer) == analysis::to_string(analysis::analyze(task_set, choices[c].options).verdict));
      CHECK(outcomes[c].time_ns > 0);
    }
  }
}

TEST_CASE("deadlines are enough: the same sets are schedulable as by all bounds") {
  Recipe recipe = hundred_nodes();
  recipe.pools.resize(1);
  std::get<CpuPool>(recipe.pools[0].resource).processors = 8;
  recipe.gpu.reset();
  recipe.gpu_share = {0, 1};
  recipe.gpu_work = {};
  recipe.dags = {3, 6};
  recipe.nodes = {1, 8};
  std::vector<AnalysisChoice> choices(5);
  const std::vector schedulers{Scheduler::g_edf, Scheduler::g_fl, Scheduler::fifo, Scheduler::lp, Scheduler::g_edf};
  for (std::size_t c = 0; c < choices.size(); ++c) {
    if (c < 4) choices[c].options.release = Release::completion;  // the last: best
    choices[c].options.scheduler = schedulers[c];
    choices[c].options.enough = analysis::Enough::deadlines;
    REQUIRE(choices[c].may_be_quick(recipe));
  }
  int schedulable = 0;
  int missed = 0;
  for (const std::int64_t load : {2, 4, 6}) {
    for (const std::int64_t D : {1, 2}) {
      recipe.cpu_work.utilization = Fraction{load, 2};
      recipe.deadline = Fraction{D, 2};
      Generator generator(recipe);
      SetAnalyzer analyzer(recipe, choices);
      RandomSet set;
      std::vector<Outcome> outcomes;
      for (std::uint64_t i = 0; i < 10; ++i) {
        generator.draw({1, 0, i}, set);
        analyzer.evaluate(set, outcomes);
        const auto task_set = std::make_shared<const TaskSet>(to_task_set(recipe, set, "set"));
        for (std::size_t c = 0; c < choices.size(); ++c) {
          analysis::Options all = choices[c].options;
          all.enough = analysis::Enough::bounds;
          const auto whole = analysis::analyze(task_set, all);
          CHECK(to_string(outcomes[c].answer) == analysis::to_string(whole.verdict));
          (whole.verdict == analysis::Verdict::schedulable ? schedulable : missed) += 1;
        }
      }
    }
  }
  CHECK(schedulable > 50);
  CHECK(missed > 20);
}

TEST_CASE("T10n alone: as whole analyses say, to the nanosecond") {
  Recipe recipe = hundred_nodes();
  recipe.pools.resize(1);
  std::get<CpuPool>(recipe.pools[0].resource).processors = 4;
  recipe.gpu.reset();
  recipe.gpu_share = {0, 1};
  recipe.gpu_work = {};
  recipe.dags = {2, 5};
  recipe.nodes = {2, 8};
  const std::vector schedulers{Scheduler::g_edf, Scheduler::g_fl, Scheduler::fifo};
  std::vector<AnalysisChoice> choices(schedulers.size());
  for (std::size_t c = 0; c < choices.size(); ++c) {
    choices[c].options.release = Release::completion;
    choices[c].options.scheduler = schedulers[c];
    choices[c].options.path_bound = analysis::PathBound::T10n;
    choices[c].options.most_periods = 10;
    REQUIRE(choices[c].is_T10n(recipe));
  }
  std::map<sweep::Answer, int> answers;
  for (const std::int64_t load : {1, 2, 3}) {
    recipe.cpu_work.utilization = Fraction{load, 1};
    recipe.deadline = Fraction{3, 4};
    Generator generator(recipe);
    SetAnalyzer analyzer(recipe, choices);
    RandomSet set;
    std::vector<Outcome> outcomes;
    for (std::uint64_t i = 0; i < 30; ++i) {
      generator.draw({1, 0, i}, set);
      analyzer.evaluate(set, outcomes);
      const auto task_set = std::make_shared<const TaskSet>(to_task_set(recipe, set, "set"));
      for (std::size_t c = 0; c < choices.size(); ++c) {
        const auto whole = analysis::analyze(task_set, choices[c].options);
        ++answers[outcomes[c].answer];
        CHECK(to_string(outcomes[c].answer) == analysis::to_string(whole.verdict));
        if (!outcomes[c].bounded()) continue;
        Time largest;
        for (const auto& dag : whole.proof.dags) largest = std::max(largest, dag.bound->R);
        CHECK(outcomes[c].R_max == largest);
      }
    }
  }
  for (const auto answer : {sweep::Answer::schedulable, sweep::Answer::deadline_missed, sweep::Answer::unbounded})
    CHECK(answers[answer] > 5);
}

TEST_CASE("T10n alone: what needs more than flat arrays is analysed as a whole") {
  Recipe recipe = hundred_nodes();
  AnalysisChoice choice;
  choice.options.release = Release::completion;
  choice.options.path_bound = analysis::PathBound::T10n;
  CHECK_FALSE(choice.is_T10n(recipe));  // kernels
  recipe.gpu.reset();
  CHECK(choice.is_T10n(recipe));
  const auto without = [&](auto change) {
    AnalysisChoice other = choice;
    change(other);
    return other.is_T10n(recipe);
  };
  CHECK_FALSE(without([](AnalysisChoice& c) { c.options.path_bound = analysis::PathBound::T10v; }));
  CHECK_FALSE(without([](AnalysisChoice& c) { c.options.release.reset(); }));
  CHECK_FALSE(without([](AnalysisChoice& c) { c.options.preemptive = false; }));
  CHECK_FALSE(without([](AnalysisChoice& c) { c.options.scheduler = Scheduler::fp; }));
  CHECK_FALSE(without([](AnalysisChoice& c) { c.options.scheduler = Scheduler::lp; }));
  CHECK_FALSE(without([](AnalysisChoice& c) { c.options.priorities = analysis::Priorities::best; }));
  CHECK_FALSE(without([](AnalysisChoice& c) { c.options.optimize_priorities = true; }));
  CHECK_FALSE(without([](AnalysisChoice& c) { c.simulated = 1_ms; }));
  recipe.sequential = true;
  CHECK_FALSE(choice.is_T10n(recipe));
}

TEST_CASE("deadlines are enough: what needs more than T10 is not quick") {
  Recipe recipe = hundred_nodes();
  AnalysisChoice choice;
  choice.options.release = Release::completion;
  choice.options.enough = analysis::Enough::deadlines;
  CHECK_FALSE(choice.may_be_quick(recipe));  // kernels
  recipe.gpu.reset();
  CHECK(choice.may_be_quick(recipe));
  const auto without = [&](auto change) {
    AnalysisChoice other = choice;
    change(other);
    return other.may_be_quick(recipe);
  };
  CHECK_FALSE(without([](AnalysisChoice& c) { c.options.enough = analysis::Enough::bounds; }));
  CHECK_FALSE(without([](AnalysisChoice& c) { c.options.release = Release::segments; }));
  CHECK_FALSE(without([](AnalysisChoice& c) { c.options.preemptive = false; }));
  CHECK_FALSE(without([](AnalysisChoice& c) { c.options.scheduler = Scheduler::fp; }));
  CHECK_FALSE(without([](AnalysisChoice& c) { c.options.priorities = analysis::Priorities::node; }));
  CHECK_FALSE(without([](AnalysisChoice& c) { c.simulated = 1_ms; }));
  recipe.sequential = true;
  CHECK_FALSE(choice.may_be_quick(recipe));
}

TEST_CASE("simulated responses stay within their bounds") {
  Recipe recipe = hundred_nodes();
  recipe.dags = {3, 3};
  recipe.nodes = {4, 4};
  recipe.cpu_work.utilization = Fraction{3, 1};
  recipe.gpu_work.utilization = Fraction{20'000, 1};
  std::vector<AnalysisChoice> choices(4);
  for (AnalysisChoice& choice : choices) choice.simulated = 300_ms;
  choices[0].options.release = Release::offsets;
  choices[1].options.release = Release::completion;
  choices[2].options.release = Release::segments;  // choices[3]: whichever is best
  Generator generator(recipe);
  SetAnalyzer analyzer(recipe, choices);
  RandomSet set;
  std::vector<Outcome> outcomes;
  int observed = 0;
  for (std::uint64_t i = 0; i < 5; ++i) {
    generator.draw({1, 0, i}, set);
    analyzer.evaluate(set, outcomes);
    for (const Outcome& outcome : outcomes) {
      if (!outcome.bounded()) continue;
      ++observed;
      CHECK(outcome.observed);
      CHECK(outcome.observed_mean > Time::zero());
      CHECK(outcome.observed_mean <= outcome.R_mean);
      CHECK(outcome.over_observed >= 1'000'000);
    }
  }
  CHECK(observed >= 5);
}

TEST_CASE("a search sees no less than the simulation that it begins with, and nothing above the bounds") {
  Recipe recipe = hundred_nodes();
  recipe.dags = {3, 3};
  recipe.nodes = {4, 4};
  recipe.pools[0] = {"cpu", CpuPool{2, Scheduler::g_edf}};
  recipe.cpu_work.utilization = Fraction{1, 1};
  recipe.gpu_work.utilization = Fraction{20'000, 1};
  std::vector<AnalysisChoice> choices(2);
  for (AnalysisChoice& choice : choices) {
    choice.simulated = 100_ms;
    choice.options.release = Release::completion;
  }
  choices[1].search_runs = 100;
  Generator generator(recipe);
  SetAnalyzer analyzer(recipe, choices);
  RandomSet set;
  std::vector<Outcome> outcomes;
  int worse = 0;
  for (std::uint64_t i = 0; i < 5; ++i) {
    generator.draw({1, 0, i}, set);
    analyzer.evaluate(set, outcomes);
    REQUIRE(outcomes[0].observed == outcomes[1].observed);
    if (!outcomes[0].observed) continue;
    CHECK(outcomes[1].over_observed <= outcomes[0].over_observed);
    CHECK(outcomes[1].over_observed >= 1'000'000);
    worse += outcomes[1].over_observed < outcomes[0].over_observed ? 1 : 0;
  }
  CHECK(worse > 0);
}

TEST_CASE("answers have names") {
  for (sweep::Answer answer : {sweep::Answer::schedulable, sweep::Answer::deadline_missed, sweep::Answer::unbounded, sweep::Answer::none})
    CHECK(answer_of(to_string(answer)) == answer);
  CHECK_FALSE(answer_of("schedulabl"));
}

// One node per DAG, T3 is for sequential nodes alone; G-EDF on completion meets all deadlines of light sets (T17).
TEST_CASE("sequential nodes of a recipe are sequential: T3 bounds them, and deadlines are met") {
  Recipe recipe = hundred_nodes();
  recipe.gpu.reset();
  recipe.pools.resize(1);
  recipe.gpu_share = Fraction{0, 1};
  recipe.gpu_work = {};
  recipe.dags = {8, 8};
  recipe.nodes = {1, 1};
  recipe.deadline = Fraction{1, 1};
  recipe.cpu_work.utilization = Fraction{2, 1};
  std::vector<AnalysisChoice> choices(2);
  choices[0].options.release = Release::offsets;
  choices[0].options.cpu_bound = analysis::CpuBound::T3;
  choices[1].options.release = Release::completion;
  for (const bool sequential : {false, true}) {
    recipe.sequential = sequential;
    Generator generator(recipe);
    SetAnalyzer analyzer(recipe, choices);
    RandomSet set;
    std::vector<Outcome> outcomes;
    for (std::uint64_t i = 0; i < 5; ++i) {
      generator.draw({1, 0, i}, set);
      CHECK(to_task_set(recipe, set, "set").dags()[0].nodes()[0].sequential == sequential);
      analyzer.evaluate(set, outcomes);
      CHECK((outcomes[0].answer == sweep::Answer::unbounded) == !sequential);
      CHECK(outcomes[1].answer == sweep::Answer::schedulable);
    }
  }
}

TEST_CASE("a periodic analysis knows the phases, others take the same set as sporadic") {
  Recipe recipe;
  recipe.pools = {{"cpu", CpuPool{2, Scheduler::g_edf, false}}};
  recipe.dags = {4, 4};
  recipe.nodes = {3, 3};
  recipe.periods = Harmonic{10_ms, 2, 3};
  recipe.deadline = Fraction{1, 1};
  recipe.phases = generate::Phases::random;
  recipe.shapes = Choice<Shape>({{generate::Chain{}, 1}});
  recipe.cpu_work.utilization = Fraction{1, 1};
  recipe.cpu_work.largest = Fraction{1, 1};
  recipe.cpu_least = Fraction{1, 2};
  std::vector<AnalysisChoice> choices(2);
  for (AnalysisChoice& choice : choices) choice.options.release = Release::completion;
  choices[1].periodic = true;
  choices[1].simulated = 200_ms;
  Generator generator(recipe);
  SetAnalyzer analyzer(recipe, choices);
  RandomSet set;
  std::vector<Outcome> outcomes;
  int less = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    CAPTURE(i);
    generator.draw({1, 0, i}, set);
    analyzer.evaluate(set, outcomes);
    const auto sporadic = std::make_shared<const TaskSet>(to_task_set(recipe, set, "set", generate::Clock::unknown));
    const auto periodic = std::make_shared<const TaskSet>(to_task_set(recipe, set, "set"));
    CHECK_FALSE(sporadic->dags()[0].attributes().phase.has_value());
    CHECK(periodic->dags()[0].attributes().periodic);
    CHECK(to_string(outcomes[0].answer) == analysis::to_string(analysis::analyze(sporadic, choices[0].options).verdict));
    CHECK(to_string(outcomes[1].answer) == analysis::to_string(analysis::analyze(periodic, choices[1].options).verdict));
    CHECK_FALSE(outcomes[0].left_out.has_value());
    CHECK(outcomes[1].left_out.has_value());
    if (!outcomes[0].bounded()) continue;
    REQUIRE(outcomes[1].bounded());
    CHECK(outcomes[1].observed);
    CHECK(outcomes[1].R_max <= outcomes[0].R_max);
    if (outcomes[1].R_mean < outcomes[0].R_mean) ++less;
  }
  CHECK(less >= 10);
}

// 10 and 10.000001 ms: 10,000,001 jobs of one, and as many of the other within a nanosecond of them, in a hyperperiod of more than a day.
TEST_CASE("a periodic analysis that came to a limit says so") {
  Recipe recipe;
  recipe.pools = {{"cpu", CpuPool{1, Scheduler::g_edf, true}}};
  recipe.dags = {6, 6};
  recipe.nodes = {1, 1};
  recipe.periods = Choice<Time>({{10_ms, 1}, {Time(10'000'001), 1}});
  recipe.phases = generate::Phases::together;
  recipe.shapes = Choice<Shape>({{generate::Chain{}, 1}});
  recipe.cpu_work.utilization = Fraction{1, 2};
  recipe.cpu_work.largest = Fraction{1, 1};
  std::vector<AnalysisChoice> choices(1);
  choices[0].options.release = Release::completion;
  choices[0].periodic = true;
  Generator generator(recipe);
  SetAnalyzer analyzer(recipe, choices);
  RandomSet set;
  std::vector<Outcome> outcomes;
  int limited = 0;
  for (std::uint64_t i = 0; i < 5; ++i) {
    generator.draw({1, 0, i}, set);
    analyzer.evaluate(set, outcomes);
    CHECK(outcomes[0].bounded());
    limited += outcomes[0].left_out.value_or(false) ? 1 : 0;
  }
  CHECK(limited >= 3);
}

// One DAG of two nodes in a chain on one processor; T = 100 ms, C = 10 and 10 ms, 5 ms more each as a node of its own.
TEST_CASE("what a split costs is counted where nodes are tasks of their own") {
  Recipe recipe;
  recipe.pools = {{"cpu", CpuPool{2, Scheduler::g_edf, true}}};
  recipe.dags = {1, 1};
  recipe.nodes = {2, 2};
  recipe.periods = Choice<Time>({{100_ms, 1}});
  recipe.shapes = Choice<Shape>({{generate::Chain{}, 1}});
  recipe.group_size = generate::Range{2, 2};
  recipe.cpu_work.length = generate::LogUniform{10_ms, 10_ms, 1_ms};
  recipe.cpu_work.largest = Fraction{1, 1};
  recipe.split_overhead = 5_ms;
  using analysis::Granularity;
  std::vector<AnalysisChoice> choices(5);
  choices[0].options.release = Release::completion;
  choices[1].options.granularity = Granularity::coarse;
  choices[2].options.granularity = Granularity::monolithic;
  choices[3] = choices[0];
  choices[3].options.enough = analysis::Enough::deadlines;
  choices[4] = plain(Scheduler::g_edf);
  Generator generator(recipe);
  RandomSet set;
  std::vector<Outcome> outcomes;
  SetAnalyzer(recipe, choices).evaluate((generator.draw({1, 0, 0}, set), set), outcomes);
  CHECK(outcomes[0].R_max == 30_ms);
  CHECK(outcomes[1].R_max == 20_ms);
  CHECK(outcomes[2].R_max == 20_ms);
  CHECK(outcomes[3].R_max == 30_ms);
  CHECK(outcomes[4].R_max >= 30_ms);
  recipe.grouped = Fraction{0, 1};  // no group is kept: coarse is fine
  Generator undone(recipe);
  SetAnalyzer(recipe, choices).evaluate((undone.draw({1, 0, 0}, set), set), outcomes);
  CHECK(outcomes[1].R_max >= 30_ms);
  CHECK(outcomes[2].R_max == 20_ms);
}

TEST_CASE("a mix of coarse and fine nodes: the same bounds as of the set that is written") {
  Recipe recipe = hundred_nodes();
  recipe.dags = {3, 3};
  recipe.cpu_work.utilization = Fraction{2, 1};
  recipe.group_size = generate::Range{2, 4};
  recipe.grouped = Fraction{1, 2};
  recipe.split_overhead = 100_us;
  std::vector<AnalysisChoice> choices{plain(Scheduler::g_edf), {}, {}};
  choices[1].options.granularity = analysis::Granularity::coarse;
  choices[2].options.granularity = analysis::Granularity::monolithic;
  Generator generator(recipe);
  SetAnalyzer analyzer(recipe, choices);
  RandomSet set;
  std::vector<Outcome> outcomes;
  int bounded = 0;
  for (std::uint64_t i = 0; i < 10; ++i) {
    generator.draw({3, 0, i}, set);
    analyzer.evaluate(set, outcomes);
    for (const generate::Grain grain : {generate::Grain::fine, generate::Grain::coarse, generate::Grain::monolithic}) {
      RandomSet played = set;
      add_split_overhead(recipe, grain, played);
      const auto c = static_cast<std::size_t>(grain);
      const auto whole = analysis::analyze(std::make_shared<const TaskSet>(to_task_set(recipe, played, "set")), choices[c].options);
      CHECK(to_string(outcomes[c].answer) == analysis::to_string(whole.verdict));
      if (!outcomes[c].bounded()) continue;
      ++bounded;
      Time largest;
      for (const auto& dag : whole.proof.dags) largest = std::max(largest, dag.bound->R);
      CHECK(outcomes[c].R_max == largest);
    }
  }
  CHECK(bounded > 10);
}

// a (1) before b (2) and c (3), these before d (4): a path of 8 ms, on one thread 10 ms.
TEST_CASE("a thread plays all nodes of a DAG, one after another") {
  const auto cpu = [](const char* name, Time C) { return Node{name, 0, CpuDemand{C}, std::nullopt, false, {}, std::nullopt}; };
  const Dag diamond("d", 10_ms, 20_ms, {cpu("a", 1_ms), cpu("b", 2_ms), cpu("c", 3_ms), cpu("d", 4_ms)},
                    {{0, 1, false}, {0, 2, false}, {1, 3, false}, {2, 3, false}});
  const TaskSet fine("set", {{"cpu", CpuPool{2, Scheduler::g_edf, true}}}, {diamond});
  const auto R = [](const TaskSet& set) {
    analysis::Options options;
    options.release = Release::completion;
    return analysis::analyze(std::make_shared<const TaskSet>(set), options).proof.dags[0].bound->R;
  };
  const TaskSet played = on_threads(fine, 1);
  const Dag& body = played.dags()[0];
  CHECK(body.attributes().threads == 1);
  CHECK(body.deadline() == 20_ms);
  REQUIRE(body.edges().size() == 3);
  for (const rta::Edge& edge : diamond.edges()) CHECK(body.precedes(edge.from, edge.to));
  CHECK(R(fine) < 10_ms);
  CHECK(R(played) == 10_ms);
  CHECK(R(on_threads(fine, 2)) == 10_ms);
}

TEST_CASE("DAGs on threads: the bounds of the set that is written, and no simulated response is above them") {
  Recipe recipe = hundred_nodes();
  recipe.dags = {3, 3};
  recipe.nodes = {4, 8};
  recipe.cpu_work.utilization = Fraction{1, 1};
  recipe.gpu_work.utilization = Fraction{16'000, 1};
  std::vector<AnalysisChoice> choices(2);
  for (std::uint32_t k = 1; k <= 2; ++k) {
    AnalysisChoice& choice = choices[k - 1];
    choice.threads = k;
    choice.options.release = Release::completion;
    choice.simulated = 500_ms;
    choice.search_runs = 5;
    CHECK_FALSE(choice.is_plain(recipe));
  }
  Generator generator(recipe);
  SetAnalyzer analyzer(recipe, choices);
  RandomSet set;
  std::vector<Outcome> outcomes;
  int bounded = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    generator.draw({5, 0, i}, set);
    analyzer.evaluate(set, outcomes);  // throws where a simulated response is above its bound
    for (std::uint32_t k = 1; k <= 2; ++k) {
      const Outcome& outcome = outcomes[k - 1];
      const auto written = std::make_shared<const TaskSet>(on_threads(to_task_set(recipe, set, "set"), k));
      const auto whole = analysis::analyze(written, choices[k - 1].options);
      CHECK(to_string(outcome.answer) == analysis::to_string(whole.verdict));
      if (!outcome.bounded()) continue;
      ++bounded;
      CHECK(outcome.observed);
      Time largest;
      for (const auto& dag : whole.proof.dags) largest = std::max(largest, dag.bound->R);
      CHECK(outcome.R_max == largest);
    }
  }
  CHECK(bounded > 20);
}
