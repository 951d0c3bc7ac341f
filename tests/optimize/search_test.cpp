// The search for the best choice, against all choices.
#include "optimize/search.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "optimize/outcome.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/model/error.hpp"
#include "sets.hpp"

using namespace rta;

namespace {

/// All selections, in an order of its own.
std::map<io::Selection, std::optional<optimize::Score>> judged_all(const io::ChoiceFile& file) {
  std::map<io::Selection, std::optional<optimize::Score>> all{{{}, std::nullopt}};
  for (const io::Choice& choice : file.choices()) {
    std::map<io::Selection, std::optional<optimize::Score>> longer;
    for (const auto& [selection, none] : all) {
      for (std::size_t a = 0; a < choice.alternatives.size(); ++a) {
        io::Selection more = selection;
        more.push_back(a);
        longer.emplace(more, std::nullopt);
      }
    }
    all = std::move(longer);
  }
  for (auto& [selection, score] : all) {
    try {
      const auto task_set = std::make_shared<const TaskSet>(file.task_set(selection).task_set);
      score = optimize::score_of(analysis::analyze(task_set), analysis::Objective::sum);
    } catch (const io::InputError&) {
      score.reset();
    }
  }
  return all;
}

optimize::Score best_of(const std::map<io::Selection, std::optional<optimize::Score>>& all) {
  std::optional<optimize::Score> best;
  for (const auto& [selection, score] : all) {
    if (score && (!best || *score < *best)) best = score;
  }
  REQUIRE(best.has_value());
  return *best;
}

}  // namespace

TEST_CASE("the best of all choices is found, by trying all and by climbing") {
  for (const SetWithChoices& set : sets_with_choices) {
    CAPTURE(set.what);
    const io::ChoiceFile file(set.text, "set.yaml");
    const auto all = judged_all(file);
    CHECK(all.size() == optimize::combinations(file));
    const optimize::Score best = best_of(all);

    const optimize::Result tried = optimize::search(file, {});
    CHECK(tried.complete);
    CHECK(tried.scores.at(tried.best) == best);

    optimize::Options climbing;
    climbing.try_all = 0;
    climbing.effort = 10'000;
    climbing.known = tried.scores;  // every score has been proven above
    const optimize::Result climbed = optimize::search(file, climbing);
    CHECK(climbed.scores.at(climbed.best) == best);
    CHECK(all.at(climbed.best) == best);
  }
}

TEST_CASE("three kernels on two GPUs: the one with two SMs takes the two heavier ones or all, never none") {
  const io::ChoiceFile file(sets_with_choices[0].text, "set.yaml");
  CHECK(file.choices().size() == 3);
  CHECK(file.choices()[0] == io::Choice{"task 'a': on", {"gpu0", "gpu1"}});
  const optimize::Result result = optimize::search(file, {});
  CHECK(result.best != io::Selection{1, 1, 1});
  CHECK(result.scores.size() == 8);
}

TEST_CASE("the same seed finds the same, whatever was known before; an end by effort goes on from there") {
  const io::ChoiceFile file(sets_with_choices[6].text, "set.yaml");
  optimize::Options options;
  options.try_all = 0;
  options.effort = 5;
  options.seed = 7;
  std::size_t proven = 0;
  options.judged = [&](const io::Selection&, const std::optional<optimize::Score>&) { ++proven; };
  const optimize::Result first = optimize::search(file, options);
  CHECK(first.scores.size() == 5);
  CHECK(first.ended == Limit::Cause::effort);
  CHECK(proven == 5);

  options.known = first.scores;
  proven = 0;
  const optimize::Result again = optimize::search(file, options);
  CHECK(again.scores == first.scores);
  CHECK(again.best == first.best);
  CHECK(proven == 0);

  options.effort = 8;
  const optimize::Result further = optimize::search(file, options);
  CHECK(proven == 8 - 5);
  options.known.clear();
  CHECK(optimize::search(file, options).scores == further.scores);
}

TEST_CASE("a request ends the search with the best so far") {
  const io::ChoiceFile file(sets_with_choices[1].text, "set.yaml");
  std::stop_source stop;
  optimize::Options options;
  options.limit = Limit(stop.get_token());
  options.progress = [&](std::uint64_t tried, const std::optional<optimize::Score>&) {
    if (tried == 3) stop.request_stop();
  };
  const optimize::Result result = optimize::search(file, options);
  CHECK(result.scores.size() == 3);
  CHECK_FALSE(result.complete);
  CHECK(result.ended == Limit::Cause::request);
  CHECK(result.scores.contains(result.best));
}

TEST_CASE("a file in which no combination makes a task set is refused with what is wrong") {
  const io::ChoiceFile file("platform: {cpu: {processors: [1, 2]}}\ntasks:\n  - {name: a, on: gpu7, C: 1 ms, T: 5 ms}\n", "set.yaml");
  CHECK_THROWS_AS(static_cast<void>(optimize::search(file, {})), io::InputError);
}

TEST_CASE("what a choice means beside the others is what its combination was judged as") {
  for (const SetWithChoices& set : sets_with_choices) {
    CAPTURE(set.what);
    const io::ChoiceFile file(set.text, "set.yaml");
    const optimize::Result result = optimize::search(file, {});
    const optimize::Outcome outcome = optimize::outcome_of(file, result, {}, Limit());
    REQUIRE(outcome.after != nullptr);
    CHECK(optimize::score_of(*outcome.after, analysis::Objective::sum) == result.scores.at(result.best));
    // As analyzed anew.
    optimize::Result bare = result;
    bare.of_best.reset();
    bare.of_first.reset();
    bare.scores.clear();
    const optimize::Outcome anew = optimize::outcome_of(file, bare, {}, Limit());
    CHECK(anew.after->verdict == outcome.after->verdict);
    CHECK((anew.before == nullptr) == (outcome.before == nullptr));
    for (std::size_t i = 0; i < outcome.decisions.size(); ++i) {
      for (std::size_t a = 0; a < outcome.decisions[i].alternatives.size(); ++a) {
        CHECK(anew.decisions[i].alternatives[a].score == outcome.decisions[i].alternatives[a].score);
      }
    }
  }
}

TEST_CASE("a verdict is that of the score") {
  for (const SetWithChoices& set : sets_with_choices) {
    const io::ChoiceFile file(set.text, "set.yaml");
    const optimize::Result result = optimize::search(file, {});
    for (const auto& [selection, score] : result.scores) {
      if (!score) continue;
      const auto found = optimize::analyzed(file, selection, {}, Limit());
      CHECK(optimize::verdict_of(*score) == found->verdict);
    }
  }
}

TEST_CASE("a search that ends before all is known says what is not") {
  const io::ChoiceFile file(sets_with_choices[0].text, "set.yaml");
  std::stop_source stop;
  optimize::Options options;
  options.limit = Limit(stop.get_token());
  options.judged = [&](const io::Selection&, const std::optional<optimize::Score>&) { stop.request_stop(); };  // after the first
  const optimize::Result result = optimize::search(file, options);
  CHECK(result.scores.size() == 1);
  CHECK(result.ended == Limit::Cause::request);
  const optimize::Outcome outcome = optimize::outcome_of(file, result, {}, options.limit);
  CHECK(outcome.after == outcome.before);
  for (const optimize::Decision& decision : outcome.decisions) {
    for (const optimize::Alternative& one : decision.alternatives) CHECK(one.judged == one.chosen);
  }
  // Before the first there is nothing to choose from.
  const optimize::Result none = optimize::search(file, options);
  CHECK(none.scores.empty());
  CHECK_THROWS_WITH_AS((void)optimize::outcome_of(file, none, {}, options.limit), "interrupted before the best combination was analyzed",
                       UserError);
}

// Of 1 to 16 SMs of 16 for each of three green contexts, which have 4, 6, 8 ... of them, few combinations fit: of 4096 these are
// 4 + 4 + 4 to 4 + 6 + 6 and the like, 10.
TEST_CASE("combinations that make no task set are no effort") {
  const std::string part = "{sms: {from: 1, to: 16, step: 1}, kind: green}";
  const io::ChoiceFile file("platform: {g: {device: orin, partitions: {a: " + part + ", b: " + part + ", c: " + part +
                                "}}}\ntasks:\n  - {name: t, T: 10 ms, on: g/a, B: 4, H: 128, L: 1 ms}\n"
                                "  - {name: u, T: 10 ms, on: g/b, B: 4, H: 128, L: 1 ms}\n"
                                "  - {name: v, T: 10 ms, on: g/c, B: 4, H: 128, L: 1 ms}\n",
                            "f.yaml");
  optimize::Options options;
  options.effort = 400;
  const optimize::Result result = optimize::search(file, options);
  CHECK(std::ranges::any_of(result.scores, [](const auto& one) { return one.second.has_value(); }));
  CHECK_NOTHROW((void)file.task_set(result.best));
}

TEST_CASE("where alternatives have costs the cheapest that meets everything is chosen, and of those the least late") {
  // FIFO: a node waits for at most 8 ms of the two others, on m processors 8/m ms: 4 + 8, 4 + 4, 4 + 8/3. Due
  // after 10 ms: one processor for 0 does not meet it, with 2 for 30 the lateness is -2 ms, and with 3 for 50 -3.333333 ms.
  const std::string tasks =
      "tasks:\n  - {name: a, on: cpu, C: [4 ms, 5 ms], T: 20 ms, D: 10 ms}\n  - {name: b, on: cpu, C: 4 ms, T: 20 ms, D: 10 ms}\n"
      "  - {name: c, on: cpu, C: 4 ms, T: 20 ms, D: 10 ms}\n";
  const io::ChoiceFile file("platform: {cpu: {processors: [{value: 3, cost: 50}, 1, {value: 2, cost: 30}], scheduler: FIFO}}\n" + tasks,
                            "set.yaml");
  for (const std::uint64_t try_all : {std::uint64_t{2'000}, std::uint64_t{0}}) {
    CAPTURE(try_all);
    optimize::Options options;
    options.try_all = try_all;
    const optimize::Result result = optimize::search(file, options);
    CHECK(result.best == io::Selection{2, 0});
    CHECK(result.scores.at(result.best)->cost == 30);
    CHECK(result.scores.at({1, 0})->missed > 0);
    CHECK(result.scores.at({1, 0})->cost == 0);
    const optimize::Outcome outcome = optimize::outcome_of(file, result, options.analysis, options.limit);
    CHECK(outcome.cost == 30);
    CHECK(outcome.decisions[0].alternatives[0].cost == 50);
    CHECK(outcome.decisions[0].alternatives[1].cost == 0);
    REQUIRE(outcome.frontier.size() == 2);
    CHECK(outcome.frontier[0].cost == 30);
    CHECK(outcome.frontier[0].lateness == -2'000'000);
    CHECK(outcome.frontier[0].departures.empty());
    CHECK(outcome.frontier[1].cost == 50);
    CHECK(outcome.frontier[1].lateness == -3'333'333);
    REQUIRE(outcome.frontier[1].departures.size() == 1);
    CHECK(outcome.frontier[1].departures[0].what == "pool 'cpu': processors");
    CHECK(outcome.frontier[1].departures[0].value == "3");
  }
  const io::ChoiceFile without("platform: {cpu: {processors: [3, 1, 2], scheduler: FIFO}}\n" + tasks, "set.yaml");
  const optimize::Result result = optimize::search(without, {});
  CHECK(result.best == io::Selection{0, 0});
  const optimize::Outcome outcome = optimize::outcome_of(without, result, {}, Limit());
  CHECK(!outcome.cost);
  CHECK(outcome.frontier.empty());
}

TEST_CASE("what costs more and is no less late is not on the frontier") {
  const auto weighed = [](std::size_t number, std::uint64_t cost, Wide lateness) {
    return optimize::Weighed{{number}, {0, 0, cost, lateness, 0}};
  };
  std::vector<std::size_t> kept;
  for (const auto& one : optimize::frontier_of({weighed(0, 7, -5), weighed(1, 3, -2), weighed(2, 3, -1), weighed(3, 5, -2),
                                                weighed(4, 9, -5), weighed(5, 8, -6), weighed(6, 3, -2)}))
    kept.push_back(one.selection.front());
  CHECK(kept == std::vector<std::size_t>{1, 0, 5});
  CHECK(optimize::frontier_of({}).empty());
}
