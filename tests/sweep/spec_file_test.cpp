#include "rta/sweep/spec_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rta/analysis/option_table.hpp"
#include "rta/generate/generator.hpp"
#include "rta/io/diagnostic.hpp"

using namespace rta;
using namespace rta::generate;
using namespace rta::sweep;
using namespace rta::literals;

namespace {

const std::string example = R"(platform:
  cpu: {processors: 16, scheduler: G-FL}
  gpu: {device: titan-v}
random:
  dags: 10
  nodes: 5 .. 20
  periods: 10 ms .. 100 ms
  deadline: 200 %
  shape:
    - {layers: 3 .. 5, p: 50 %, weight: 2}
    - {fork-join: 2 .. 4, depth: 3, nesting: 0.25}
    - chain
  cpu: {utilization: 50 %, largest: 0.5}
  gpu:
    share: 50 %
    utilization: 40 %
    split: proportional
    L: 50 us .. 2 ms
    B: {16 .. 64: 2, 128: 1}
    H: [128, 256]
    shared_memory: {0 B: 1, 48 KiB: 3}
    registers: 32
sweep:
  seed: 7
  sets: 1000
  grid:
    - random.gpu.utilization: {from: 10 %, to: 30 %, step: 10 %}
    - {random.cpu.utilization: [2, 25 %], platform.cpu.processors: [4, 8]}
  analyses:
    - {name: T5, cpu_bound: T1, gpu_bound: T5, refine: none}
    - {name: LP, scheduler: LP, objective: max-lateness}
)";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = example;
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::vector<std::string> errors(const std::string& text) {
  std::vector<std::string> all;
  try {
    static_cast<void>(parse_plan(text, "s.yaml"));
  } catch (const io::InputError& e) {
    for (const auto& d : e.diagnostics()) all.push_back(d.text());
  }
  return all;
}

std::string error_of(const std::string& from, const std::string& to) {
  const auto all = errors(changed(from, to));
  if (all.size() != 1) {
    for (const auto& e : all) MESSAGE(e);
  }
  REQUIRE(all.size() == 1);
  return all.front();
}

}  // namespace

TEST_CASE("a sweep file: recipe, grid and analyses") {
  const Plan plan = parse_plan(example, "s.yaml");
  CHECK(plan.text == example);
  CHECK(plan.seed == 7);
  CHECK(plan.sets == 1000);
  CHECK(plan.parameters == std::vector<std::string>{"random.gpu.utilization", "random.cpu.utilization", "platform.cpu.processors"});
  REQUIRE(plan.points.size() == 6);
  CHECK(plan.points[0].values == std::vector<std::string>{"10 %", "2", "4"});
  CHECK(plan.points[1].values == std::vector<std::string>{"10 %", "25 %", "8"});
  CHECK(plan.points[5].values == std::vector<std::string>{"30 %", "25 %", "8"});
  const Recipe& recipe = plan.points[5].recipe;
  CHECK(recipe.cpu_work.utilization == Fraction{2, 1});  // 25 % of 8
  CHECK(plan.points[4].recipe.cpu_work.utilization == Fraction{2, 1});
  CHECK(recipe.gpu_work.utilization == Fraction{49'152, 1});  // 30 % of 80 x 2048
  CHECK(recipe.cpu_work.largest == Fraction{1, 2});
  CHECK(recipe.cpu_work.split == Split::rand_fixed_sum);
  CHECK(recipe.gpu_work.split == Split::proportional);
  CHECK(recipe.gpu_work.length == LogUniform{50_us, 2_ms});
  CHECK(recipe.nodes == Range{5, 20});
  CHECK(std::get<LogUniform>(recipe.periods) == LogUniform{10_ms, 100_ms, 1_us});
  CHECK(recipe.deadline == Fraction{2, 1});
  CHECK(recipe.gpu_share == Fraction{1, 2});
  REQUIRE(recipe.shapes.values().size() == 3);
  CHECK(recipe.shapes.values()[0] == Weighted<Shape>{LayerByLayer{{3, 5}, {1, 2}}, 2});
  CHECK(recipe.shapes.values()[1] == Weighted<Shape>{ForkJoin{{2, 4}, 3, {1, 4}}, 1});
  CHECK(recipe.shapes.values()[2] == Weighted<Shape>{generate::Chain{}, 1});
  CHECK(recipe.kernels.B == Choice<Range>({{{16, 64}, 2}, {{128, 128}, 1}}));
  CHECK(recipe.kernels.H == Choice<std::uint32_t>({{128, 1}, {256, 1}}));
  CHECK(recipe.kernels.shared_memory == Choice<std::uint64_t>({{0, 1}, {48 * 1024, 3}}));
  CHECK(recipe.kernels.registers == Choice<std::uint32_t>({{32, 1}}));
  REQUIRE(plan.analyses.size() == 2);
  CHECK(plan.analyses[0].is_plain(recipe));
  CHECK_FALSE(plan.analyses[1].is_plain(recipe));
  CHECK(plan.analyses[1].options.objective == analysis::Objective::max_lateness);
}

TEST_CASE("every option of an analysis is a key of an analysis, with the same values") {
  for (const analysis::OptionEntry& entry : analysis::option_table()) {
    std::vector<std::string> values(entry.values.begin(), entry.values.end());
    if (values.empty()) values = {"1", "7"};
    for (const std::string& value : values) {
      analysis::GivenOptions given{{std::string(entry.name), value}};
      // Offsets unless something else is given, or where that means nothing.
      const auto& without = entry.without_effect;
      const bool at_offsets = std::ranges::find(without, Release::offsets) == without.end();
      if (entry.name != "release") given.emplace_back("release", at_offsets ? "offsets" : "completion");
      std::string keys = entry.key() + ": ";
      keys += value;
      if (!at_offsets) keys += ", release: completion";
      CAPTURE(entry.name);
      CAPTURE(value);
      const Plan plan = parse_plan(changed("scheduler: LP, objective: max-lateness", keys), "s.yaml");
      const analysis::Options expected = analysis::options_of(given);
      const analysis::Options& read = plan.analyses[1].options;
      if (entry.name != "granularity" || value == "fine") CHECK(read.release == expected.release);
      CHECK(read.granularity == expected.granularity);
      CHECK(read.scheduler == expected.scheduler);
      CHECK(read.preemptive == expected.preemptive);
      CHECK(read.objective == expected.objective);
      CHECK(read.cpu_bound == expected.cpu_bound);
      CHECK(read.gpu_bound == expected.gpu_bound);
      CHECK(read.shared_weights == expected.shared_weights);
      CHECK(read.refinement == expected.refinement);
      CHECK(read.priorities == expected.priorities);
      CHECK(read.optimize_priorities == expected.optimize_priorities);
      CHECK(read.most_periods == expected.most_periods);
      CHECK(read.enough == expected.enough);
      CHECK(read.path_bound == expected.path_bound);
      // Small task sets are not fitted in sweeps unless that is asked for.
      CHECK(read.fitting == (expected.fitting == analysis::Fitting::small ? analysis::Fitting::open : expected.fitting));
    }
  }
}

TEST_CASE("an analysis that is simulated may be of any release") {
  for (const std::string release : {"best", "offsets", "early", "completion", "segments"}) {
    const Plan plan = parse_plan(changed("scheduler: LP", "simulate: 1 s, release: " + release), "s.yaml");
    CHECK(plan.analyses[1].simulated == 1_s);
    CHECK(plan.analyses[1].options.release == (release == "best" ? std::nullopt : release_named(release)));
  }
}

TEST_CASE("the command line's seed and number of sets come first") {
  const Plan plan = parse_plan(example, "s.yaml", {3, 5, true});
  CHECK(plan.seed == 3);
  CHECK(plan.sets == 5);
  CHECK(plan.timing);
}

TEST_CASE("without a sweep: one point") {
  const Plan plan = parse_plan(example.substr(0, example.find("sweep:")), "s.yaml");
  CHECK(plan.points.size() == 1);
  CHECK(plan.points[0].recipe.gpu_work.utilization == Fraction{65'536, 1});
  CHECK(plan.analyses.empty());
  CHECK(plan.sets == 1);
}

TEST_CASE("periods: range, granularity, harmonic, rates, weights") {
  const auto periods = [](const std::string& text) {
    return parse_plan(changed("10 ms .. 100 ms", text), "s.yaml").points[0].recipe.periods;
  };
  CHECK(periods("{log-uniform: 5 ms .. 50 ms, granularity: 1 ms}") == Periods{LogUniform{5_ms, 50_ms, 1_ms}});
  CHECK(periods("{harmonic: 10 ms, factor: 3, levels: 2}") == Periods{Harmonic{10_ms, 3, 2}});
  CHECK(periods("[10 Hz, 15 Hz, 30 Hz, 40 Hz]") ==
        Periods{Choice<Time>({{100_ms, 1}, {Time(66'666'666), 1}, {Time(33'333'333), 1}, {25_ms, 1}})});
  CHECK(periods("{33 ms: 5, 29.97 Hz: 1}") == Periods{Choice<Time>({{33_ms, 5}, {Time(33'366'700), 1}})});
  CHECK(periods("20 ms") == Periods{Choice<Time>({{20_ms, 1}})});
}

TEST_CASE("one mapping is one axis per parameter") {
  const Plan plan =
      parse_plan(changed("    - random.gpu.utilization: {from: 10 %, to: 30 %, step: 10 %}\n    - {random.cpu.utilization: [2, 25 "
                         "%], platform.cpu.processors: [4, 8]}\n",
                         "    random.gpu.B: [16, {8 .. 32: 1, 64: 2}]\n    random.shape: [chain, {gnp: 20 %}, [chain, {gnp: 0.1}]]\n"),
                 "s.yaml");
  REQUIRE(plan.points.size() == 6);
  CHECK(plan.points[4].values == std::vector<std::string>{"{8 .. 32: 1, 64: 2}", "{gnp: 20 %}"});
  CHECK(plan.points[4].recipe.kernels.B == Choice<Range>({{{8, 32}, 1}, {{64, 64}, 2}}));
  CHECK(plan.points[5].recipe.shapes.values().size() == 2);
  CHECK(plan.points[1].recipe.shapes == Choice<Shape>({{ErdosRenyi{{1, 5}}, 1}}));
}

TEST_CASE("decimal steps are exact") {
  const Plan plan = parse_plan(changed("{from: 10 %, to: 30 %, step: 10 %}", "{from: 0.1, to: 0.3, step: 0.1}"), "s.yaml");
  CHECK(plan.points.size() == 6);
  CHECK(plan.points[4].values[0] == "0.3");
}

TEST_CASE("errors name file, line and column") {
  CHECK(error_of("scheduler: G-FL", "scheduler: G-XX").find("s.yaml:2:36: pool 'cpu': scheduler: 'G-XX' is not known") == 0);
  CHECK(error_of("5 .. 20", "20 .. 5") == "s.yaml:6:10: random.nodes: the range '20 .. 5' is empty");
  const auto two = errors(changed("nodes:", "node:"));
  REQUIRE(two.size() == 2);
  CHECK(two[0].find("s.yaml:5:3: 'nodes' is missing") == 0);
  CHECK(two[1].find("s.yaml:6:3: unknown key 'node'; did you mean 'nodes'?") == 0);
  CHECK(error_of("10 ms .. 100 ms", "10 .. 100 ms").find("s.yaml:7:12: random.periods: '10' is not a time") == 0);
  CHECK(error_of("deadline: 200 %", "deadline: -1").find("s.yaml:8:13: random.deadline: must be zero or more") == 0);
  CHECK(error_of("p: 50 %", "p: 150 %").find("s.yaml:10:5: random.shape.p: must be between 0 and 1") == 0);
  CHECK(error_of("{fork-join: 2 .. 4", "{fork_join: 2 .. 4").find("random.shape: a kind is missing") != std::string::npos);
  CHECK(error_of("- chain", "- chian").find("'chian' is not known; did you mean 'chain'?") != std::string::npos);
  CHECK(error_of("largest: 0.5", "largest: much").find("random.cpu.largest: 'much' is not a number") != std::string::npos);
  CHECK(error_of("split: proportional", "split: evenly").find("split: 'evenly' is not known") != std::string::npos);
  CHECK(error_of("H: [128, 256]", "H: [128, 2048]").find("random.gpu.H: 2048 G-threads are more than") != std::string::npos);
  CHECK(error_of("H: [128, 256]", "H: []") == "s.yaml:20:8: random.gpu.H: the list is empty");
  CHECK(error_of("128: 1}", "128: many}") == "s.yaml:19:27: random.gpu.B: 'many' is not a whole number from 0 to 1000000000");
  CHECK(error_of("48 KiB: 3", "48 kB: 3").find("'48 kB' is not a size") != std::string::npos);
  CHECK(error_of("seed: 7", "seed: -7").find("s.yaml:24:9: sweep.seed: '-7' is not a whole number") == 0);
  CHECK(error_of("gpu_bound: T5", "gpu_bound: T7").find("gpu_bound: 'T7' is not known") != std::string::npos);
  CHECK(error_of("name: LP", "name: T5").find("two analyses are called 'T5'") != std::string::npos);
  CHECK(error_of("name: LP", "name: 'L,P'").find("holds a comma") != std::string::npos);
  CHECK(error_of("name: LP", "name: '=1+1'").find("or begins with one of = + - @ '") != std::string::npos);
  CHECK(parse_plan(changed("scheduler: LP", "simulate: 1 s, search: 20"), "s.yaml").analyses[1].search_runs == 20);
  CHECK(error_of("scheduler: LP", "search: 20") == "s.yaml:31:26: search: how long each run is stands in 'simulate', which is missing");
  CHECK(error_of("scheduler: LP", "simulate: 1 s, search: 0").find("search: ") != std::string::npos);
  CHECK(error_of("scheduler: LP", "simulate: 1").find("simulate: '1' is not a time") != std::string::npos);
  CHECK(parse_plan(changed("scheduler: LP", "simulate: 1 s, granularity: coarse"), "s.yaml").analyses[1].simulated);
  CHECK(error_of("scheduler: LP", "release: completion, gpu_bound: T5")
            .find("s.yaml:31:7: --release completion and --gpu-bound do not go together") == 0);
  CHECK(error_of("scheduler: LP", "most_periods: 0").find("s.yaml:31:32: most_periods: ") == 0);
  CHECK(error_of("scheduler: LP", "non_preemptive: maybe").find("s.yaml:31:34: non_preemptive: ") == 0);
  CHECK(error_of("{name: LP, ", "{").find("'name' is missing") != std::string::npos);
}

TEST_CASE("errors of the grid stand in the grid") {
  CHECK(error_of("- random.gpu.utilization", "- random.gpu.utilisation") ==
        "s.yaml:27:7: sweep.grid: this file has no 'random.gpu.utilisation'; give it some value there, which the grid then replaces");
  CHECK(error_of("to: 30 %", "to: 3").find("from, to and step need the same unit") != std::string::npos);
  CHECK(error_of("step: 10 %", "step: 0 %").find("the range is empty") != std::string::npos);
  CHECK(error_of("step: 10 %", "step: 0.0001 %").find("more than 100000 steps") != std::string::npos);
  CHECK(error_of("[4, 8]", "[4, 8, 16]").find("has 3 values and 'random.cpu.utilization' 2") != std::string::npos);
  CHECK(error_of("[4, 8]", "[4, 0]") == "s.yaml:28:72: pool 'cpu': processors: must be at least 1, not '0'");
  CHECK(error_of("[2, 25 %]", "[2000 %, 25 %]").find("s.yaml:28:33: random.cpu.utilization: out of reach: 80 asked, but") == 0);
  CHECK(error_of("platform.cpu.processors", "random.cpu").find("vary the same value") != std::string::npos);
  CHECK(error_of("platform.cpu.processors", "sweep.sets").find("has no 'sweep.sets' that could vary") != std::string::npos);
}

// At most 100 kernels of 128 x 256 G-threads for 60 us every 10 ms: 19,661 G-threads. The second point asks for 20 % of 163,840.
TEST_CASE("an unreachable point is an error at its value, before any work") {
  std::string text = changed("split: proportional", "split: DRS");
  const auto all = errors(text.replace(text.find("50 us .. 2 ms"), 13, "50 us .. 60 us"));
  REQUIRE(all.size() == 1);
  CHECK(all[0].find("s.yaml:27:31: random.gpu.utilization: out of reach:") == 0);
}

TEST_CASE("threads that play each DAG") {
  const std::string text = R"(platform: {cpu: {processors: 2}}
random: {nodes: 4, periods: 10 ms, phases: random, shape: chain, cpu: {utilization: 50 %}}
sweep:
  analyses: [{name: t, threads: 2}, {name: fine}]
)";
  const Plan plan = parse_plan(text, "s.yaml");
  CHECK(plan.analyses[0].threads == 2);
  CHECK(plan.analyses[0].options.release == Release::completion);
  CHECK_FALSE(plan.analyses[1].threads);
  CHECK(plan.analyses[1].options.release == Release::offsets);
  const auto refused = [&](const std::string& with) {
    std::string all = text;
    try {
      static_cast<void>(parse_plan(all.replace(all.find("threads: 2"), 10, with), "s.yaml"));
    } catch (const io::InputError& error) {
      return error.diagnostics().front().text();
    }
    return std::string();
  };
  CHECK(refused("threads: 4096").empty());
  CHECK(refused("threads: 0").starts_with("s.yaml:4:33: "));
  CHECK(refused("threads: 4097").starts_with("s.yaml:4:33: "));
  CHECK(refused("threads: 1, release: segments") == "s.yaml:4:45: release: with `threads` it is completion");
  CHECK(refused("threads: 1, path_bound: T10n") == "s.yaml:4:48: path_bound: with `threads` it is best");
  CHECK(refused("threads: 1, release: completion, granularity: coarse").starts_with("s.yaml:4:"));
  CHECK(refused("threads: 1, periodic: true") ==
        "s.yaml:4:46: periodic: bounds of threads make no use of phases; leave `periodic` out beside `threads`");
}

TEST_CASE("several errors at once, and files that are no mapping") {
  CHECK(errors("").size() == 1);
  CHECK(errors("[]").size() == 1);
  CHECK(errors("platform: {cpu: {processors: 4}}\nrandom: 5\n").size() == 1);
  CHECK(errors("platform: {gpu: {device: titan-v}}\nrandom: {nodes: 1, periods: 1 ms, shape: chain, cpu: {utilization: 50 %}}\n").size() ==
        1);
  CHECK(errors("random: {nodes: x, periods: 1, shape: ring, cpu: {}}\n").size() == 4);
}

TEST_CASE("what a split costs, and how many groups are kept, are read and may vary") {
  const std::string text = R"(platform: {cpu: {processors: 2}}
random:
  nodes: 4
  periods: 10 ms
  shape: chain
  group_size: 2
  grouped: 50 %
  split_overhead: 50 us
  cpu: {utilization: 50 %}
sweep:
  grid: {random.split_overhead: [0 us, 20 us], random.grouped: [0 %, 100 %]}
  analyses: [{name: coarse, granularity: coarse}]
)";
  const Plan plan = parse_plan(text, "s.yaml");
  REQUIRE(plan.points.size() == 4);
  CHECK(plan.points[0].recipe.split_overhead == Time(0));
  CHECK(plan.points[0].recipe.grouped == Fraction{0, 1});
  CHECK(plan.points[3].recipe.split_overhead == Time(20'000));
  CHECK(plan.points[3].recipe.grouped == Fraction{1, 1});
  const auto refused = [&](const std::string& what, const std::string& other) {
    std::string all = text.substr(0, text.find("sweep:"));
    all.replace(all.find(what), what.size(), other);
    try {
      static_cast<void>(parse_plan(all, "s.yaml"));
      return std::string("accepted");
    } catch (const UserError& error) {
      return std::string(error.what());
    }
  };
  CHECK(refused("50 us", "50 us") == "accepted");
  CHECK(refused("50 us", "-1 us").find("s.yaml:8:19: random.split_overhead: must be zero or more, not '-1 us'") != std::string::npos);
  CHECK(refused("50 us", "fast").find("s.yaml:8:19: random.split_overhead: 'fast' is not a time") != std::string::npos);
  CHECK(refused("grouped: 50 %", "grouped: 150 %").find("s.yaml:7:12: random.grouped: must be between 0 and 1") != std::string::npos);
  CHECK(refused("group_size: 2", "jitter: 0").find("s.yaml:7:12: random.grouped: needs groups: give `group_size`") != std::string::npos);
}

TEST_CASE("periodic analyses: release on completion, of sets with phases") {
  const std::string text = R"(platform: {cpu: {processors: 2}}
random:
  nodes: 1
  periods: 10 ms
  phases: random
  shape: chain
  cpu: {utilization: 50 %, min: 25 %}
sweep:
  analyses:
    - {name: p, periodic: true}
    - {name: s, periodic: false}
)";
  const auto with = [&](const std::string& what, const std::string& other) {
    std::string all = text;
    return all.replace(all.find(what), what.size(), other);
  };
  const Plan plan = parse_plan(text, "s.yaml");
  CHECK(plan.points[0].recipe.phases == generate::Phases::random);
  CHECK(plan.points[0].recipe.cpu_least == Fraction{1, 4});
  CHECK(plan.analyses[0].periodic);
  CHECK(plan.analyses[0].options.release == Release::completion);
  CHECK_FALSE(plan.analyses[1].periodic);
  CHECK(plan.analyses[1].options.release == Release::offsets);
  CHECK(parse_plan(with("phases: random", "phases: together"), "s.yaml").points[0].recipe.phases == generate::Phases::together);
  const auto refused = [&](const std::string& what, const std::string& other) {
    try {
      static_cast<void>(parse_plan(with(what, other), "s.yaml"));
    } catch (const io::InputError& error) {
      return error.diagnostics().front().text();
    }
    return std::string();
  };
  CHECK(refused("  phases: random\n", "") ==
        "s.yaml:9:5: periodic: the sets have no phases; give `phases: random` or `together` in `random`");
  CHECK(refused("phases: random", "phases: some").starts_with("s.yaml:5:11: "));
  CHECK(refused("min: 25 %", "min: 101 %").starts_with("s.yaml:7:33: random.cpu.min: "));
  CHECK(refused("periodic: true", "periodic: true, release: offsets") == "s.yaml:10:42: release: with `periodic: true` it is completion");
  CHECK(refused("periodic: true", "periodic: true, path_bound: T10n") == "s.yaml:10:45: path_bound: with `periodic: true` it is best");
  CHECK(refused("periodic: true", "periodic: true, granularity: coarse") == "s.yaml:10:7: release: with `periodic: true` it is completion");
}
