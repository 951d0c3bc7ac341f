#include "rta/generate/generator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "generate/recipes.hpp"
#include "generate/statistics.hpp"
#include "rta/model/utilization.hpp"

using namespace rta;
using namespace rta::generate;
using namespace rta::literals;

namespace {

Utilization total(const RandomSet& set, bool on_gpu) {
  Utilization sum;
  for (const auto& dag : set.dags) {
    for (const auto& node : set.nodes_of(dag)) {
      if (node.on_gpu() != on_gpu) continue;
      const Wide k = on_gpu ? static_cast<Wide>(node.B) * node.H : 1;
      sum.add(k * node.length.count(), dag.T.count());
    }
  }
  return sum;
}

// At most the target, and above it with 1 ns more of the node with the smallest step.
void check_total(const RandomSet& set, bool on_gpu, const Fraction& target) {
  const Utilization sum = total(set, on_gpu);
  CHECK(sum.compare(target.numerator, target.denominator) <= 0);
  for (const auto& dag : set.dags) {
    for (const auto& node : set.nodes_of(dag)) {
      if (node.on_gpu() != on_gpu) continue;
      Utilization more = sum;
      more.add(on_gpu ? static_cast<Wide>(node.B) * node.H : 1, dag.T.count());
      REQUIRE(more.compare(target.numerator, target.denominator) > 0);
    }
  }
}

std::string parameter_of(const Recipe& recipe) {
  try {
    check(recipe);
  } catch (const RecipeError& e) {
    return e.parameter();
  }
  return "";
}

}  // namespace

TEST_CASE("sizes, shares and totals are as asked") {
  const Recipe recipe = hundred_nodes();
  Generator generator(recipe);
  RandomSet set;
  for (std::uint64_t i = 0; i < 50; ++i) {
    generator.draw({1, 0, i}, set);
    CHECK(set.dags.size() == 10);
    CHECK(set.nodes.size() == 100);
    CHECK(std::count_if(set.nodes.begin(), set.nodes.end(), [](const auto& n) { return n.on_gpu(); }) == 50);
    for (const auto& dag : set.dags) {
      CHECK(dag.T >= 10_ms);
      CHECK(dag.T <= 100_ms);
      CHECK(dag.T.count() % 1000 == 0);
      CHECK(dag.D == dag.T);
    }
    for (const auto& node : set.nodes) CHECK(node.length > Time::zero());
    check_total(set, false, *recipe.cpu_work.utilization);
    check_total(set, true, *recipe.gpu_work.utilization);
  }
}

TEST_CASE("a set depends on its id alone, not on what was drawn before") {
  Generator forward(hundred_nodes());
  Generator backward(hundred_nodes());
  std::vector<RandomSet> sets(20);
  for (std::uint64_t i = 0; i < 20; ++i) forward.draw({1, 2, i}, sets[i]);
  RandomSet again;
  for (std::uint64_t i = 20; i-- > 0;) {
    backward.draw({1, 2, i}, again);
    CHECK(again == sets[i]);
  }
}

TEST_CASE("no two of 2000 sets of different seeds, points and numbers are equal, nor any of their DAGs") {
  Generator generator(hundred_nodes());
  RandomSet set;
  std::set<std::string> seen;
  std::size_t drawn = 0;
  for (std::uint64_t seed : {0ULL, 1ULL, 2ULL, ~0ULL}) {
    for (std::uint64_t point = 0; point < 5; ++point) {
      for (std::uint64_t index = 0; index < 100; ++index) {
        generator.draw({seed, point, index}, set);
        for (const auto& dag : set.dags) {
          std::string key = std::to_string(dag.T.count());
          for (const auto& n : set.nodes_of(dag)) key.append(",").append(std::to_string(n.length.count()));
          seen.insert(key);
          ++drawn;
        }
      }
    }
  }
  CHECK(seen.size() == drawn);
}

TEST_CASE("every split gives an exact total") {
  for (Split way : {Split::rand_fixed_sum, Split::drs, Split::uunifast_discard, Split::proportional}) {
    CAPTURE(static_cast<int>(way));
    Recipe recipe = hundred_nodes();
    recipe.cpu_work = {Fraction{37, 5}, way, Fraction{1, 1}, {}};
    recipe.gpu_work = {Fraction{100'000, 3}, way, Fraction{20'000, 1}, {}};
    if (way == Split::proportional) {
      recipe.cpu_work.length = LogUniform{100_us, 10_ms};
      recipe.gpu_work.length = LogUniform{50_us, 2_ms};
    }
    Generator generator(recipe);
    RandomSet set;
    for (std::uint64_t i = 0; i < 20; ++i) {
      generator.draw({3, 0, i}, set);
      check_total(set, false, *recipe.cpu_work.utilization);
      check_total(set, true, *recipe.gpu_work.utilization);
      for (const auto& dag : set.dags) {
        for (const auto& n : set.nodes_of(dag)) {
          if (!n.on_gpu()) CHECK(n.length <= dag.T);
        }
      }
    }
  }
}

TEST_CASE("DRS keeps every length within its range") {
  Recipe recipe = hundred_nodes();
  recipe.gpu_work = {Fraction{20'000, 1}, Split::drs, {}, LogUniform{50_us, 3_ms}};
  Generator generator(recipe);
  RandomSet set;
  for (std::uint64_t i = 0; i < 50; ++i) {
    generator.draw({5, 0, i}, set);
    for (const auto& n : set.nodes) {
      if (!n.on_gpu()) continue;
      CHECK(n.length >= 50_us);
      CHECK(n.length <= 3_ms);
    }
    CHECK(total(set, true).compare(20'000) <= 0);
    CHECK(total(set, true).approximate() == doctest::Approx(20'000).epsilon(1e-6));
  }
}

TEST_CASE("without a total, lengths are log-uniform as drawn") {
  Recipe recipe = hundred_nodes();
  recipe.cpu_work = {{}, Split::proportional, {}, LogUniform{1_ms, 64_ms}};
  Generator generator(recipe);
  RandomSet set;
  std::vector<double> octave(6);
  for (std::uint64_t i = 0; i < 100; ++i) {
    generator.draw({7, 0, i}, set);
    for (const auto& n : set.nodes) {
      if (n.on_gpu()) continue;
      std::size_t o = 0;
      while (o < 5 && n.length.count() >= (2'000'000LL << o)) ++o;
      ++octave[o];
    }
  }
  CHECK(chi_square(octave, std::vector<double>(6, 5000.0 / 6)) < chi_square_limit(5));
}

TEST_CASE("periods: harmonic ones divide each other, lists follow their weights") {
  Recipe recipe = hundred_nodes();
  recipe.periods = Harmonic{10_ms, 2, 4};
  RandomSet set;
  std::map<std::int64_t, double> count;
  {
    Generator generator(recipe);
    for (std::uint64_t i = 0; i < 200; ++i) {
      generator.draw({11, 0, i}, set);
      for (const auto& dag : set.dags) ++count[dag.T.count()];
      check_total(set, false, *recipe.cpu_work.utilization);
    }
  }
  REQUIRE(count.size() == 4);
  std::vector<double> observed;
  for (const auto& [T, c] : count) {
    CHECK(80'000'000 % T == 0);
    observed.push_back(c);
  }
  CHECK(chi_square(observed, std::vector<double>(4, 500)) < chi_square_limit(3));

  recipe.periods = Choice<Time>({{25_ms, 1}, {100_ms, 3}});
  Generator generator(recipe);
  double fast = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    generator.draw({13, 0, i}, set);
    for (const auto& dag : set.dags) fast += dag.T == 25_ms ? 1 : 0;
  }
  CHECK(chi_square({fast, 2000 - fast}, {500, 1500}) < chi_square_limit(1));
}

TEST_CASE("other shapes leave the periods as they are") {
  Recipe recipe = hundred_nodes();
  RandomSet a, b;
  Generator(recipe).draw({17, 0, 0}, a);
  recipe.shapes = Choice<Shape>({{generate::Chain{}, 1}});
  Generator(recipe).draw({17, 0, 0}, b);
  CHECK_FALSE(a.edges == b.edges);
  for (std::size_t d = 0; d < a.dags.size(); ++d) CHECK(a.dags[d].T == b.dags[d].T);
}

TEST_CASE("as a task set: same nodes, edges and periods") {
  const Recipe recipe = hundred_nodes();
  Generator generator(recipe);
  RandomSet set;
  generator.draw({19, 0, 0}, set);
  const TaskSet task_set = to_task_set(recipe, set, "set");
  REQUIRE(task_set.dags().size() == 10);
  CHECK(task_set.node_count() == 100);
  for (std::size_t d = 0; d < 10; ++d) {
    const auto& dag = task_set.dags()[d];
    CHECK(dag.period() == set.dags[d].T);
    CHECK(dag.deadline() == set.dags[d].D);
    CHECK(dag.edges().size() == set.edges_of(set.dags[d]).size());
    for (std::size_t v = 0; v < dag.nodes().size(); ++v) {
      const auto& drawn = set.nodes_of(set.dags[d])[v];
      if (const auto* gpu = std::get_if<GpuDemand>(&dag.nodes()[v].demand)) {
        CHECK(gpu->B == drawn.B);
        CHECK(gpu->L == drawn.length);
        CHECK(gpu->C == Workload(static_cast<Wide>(drawn.H) * drawn.length.count()));
      } else {
        CHECK(std::get<CpuDemand>(dag.nodes()[v].demand).C == drawn.length);
      }
    }
  }
}

TEST_CASE("groups: consecutive nodes, each with a CPU node, of the size asked for") {
  Recipe recipe = hundred_nodes();
  recipe.group_size = Range{2, 3};
  Generator generator(recipe);
  RandomSet set;
  for (std::uint64_t i = 0; i < 50; ++i) {
    generator.draw({29, 0, i}, set);
    for (const auto& dag : set.dags) {
      const auto nodes = set.nodes_of(dag);
      const bool any_cpu_node = std::any_of(nodes.begin(), nodes.end(), [](const auto& n) { return !n.on_gpu(); });
      std::map<std::uint32_t, int> size, cpu_nodes;
      for (std::size_t v = 0; v < nodes.size(); ++v) {
        if (v > 0) CHECK((nodes[v].group == nodes[v - 1].group || nodes[v].group == nodes[v - 1].group + 1));
        ++size[nodes[v].group];
        if (!nodes[v].on_gpu()) ++cpu_nodes[nodes[v].group];
      }
      CHECK(nodes.front().group == (any_cpu_node ? 1 : 0));
      for (const auto& [group, n] : size) {
        if (group == 0) continue;
        CHECK(cpu_nodes[group] >= 1);
        if (group != nodes.back().group) CHECK(n >= 2);
      }
    }
    CHECK(to_task_set(recipe, set, "set").dags()[0].nodes()[0].group == "g1");
  }
}

TEST_CASE("a share of the groups is kept, whole, and which groups there are does not depend on it") {
  Recipe recipe = hundred_nodes();
  recipe.group_size = Range{2, 3};
  Generator all(recipe);
  recipe.grouped = Fraction{1, 4};
  Generator some(recipe);
  RandomSet whole, part;
  int kept = 0;
  int undone = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    all.draw({31, 0, i}, whole);
    some.draw({31, 0, i}, part);
    for (const auto& dag : whole.dags) {
      std::map<std::uint32_t, std::set<std::uint32_t>> left;
      for (std::uint32_t v = dag.first_node; v < dag.end_node; ++v) left[whole.nodes[v].group].insert(part.nodes[v].group);
      for (const auto& [group, now] : left) {
        if (group == 0) continue;
        REQUIRE(now.size() == 1);
        CHECK((*now.begin() == 0 || *now.begin() == group));
        ++(*now.begin() == 0 ? undone : kept);
      }
    }
    CHECK(std::ranges::equal(whole.nodes, part.nodes, {}, &RandomSet::Node::length, &RandomSet::Node::length));
  }
  CHECK(kept + undone > 2000);
  CHECK(std::abs(4 * kept - (kept + undone)) < (kept + undone) / 10);
}

TEST_CASE("what a split costs is added to CPU nodes that are tasks of their own") {
  Recipe recipe = hundred_nodes();
  recipe.split_overhead = 7_us;
  RandomSet set;
  set.nodes.resize(3);
  set.nodes[0].length = 10_us;
  set.nodes[0].group = 1;
  set.nodes[1].length = 20_us;
  set.nodes[2].length = 30_us;
  set.nodes[2].B = 1;
  const auto lengths = [&](Grain grain) {
    RandomSet played = set;
    add_split_overhead(recipe, grain, played);
    return std::vector<Time>{played.nodes[0].length, played.nodes[1].length, played.nodes[2].length};
  };
  CHECK(lengths(Grain::fine) == std::vector<Time>{17_us, 27_us, 30_us});
  CHECK(lengths(Grain::coarse) == std::vector<Time>{10_us, 27_us, 30_us});
  CHECK(lengths(Grain::monolithic) == std::vector<Time>{10_us, 20_us, 30_us});
}

TEST_CASE("H is rounded up to whole warps") {
  Recipe recipe = hundred_nodes();
  recipe.kernels.H = Choice<std::uint32_t>({{100, 1}});
  std::get<GpuPool>(recipe.pools[1].resource).allocation.warp = 32;
  Generator generator(recipe);
  RandomSet set;
  generator.draw({23, 0, 0}, set);
  for (const auto& n : set.nodes) {
    if (n.on_gpu()) CHECK(n.H == 128);
  }
  check_total(set, true, *recipe.gpu_work.utilization);
}

TEST_CASE("what cannot be is refused by the name of its parameter") {
  CHECK(parameter_of(hundred_nodes()) == "");
  const auto with = [](auto change) {
    Recipe recipe = hundred_nodes();
    change(recipe);
    return parameter_of(recipe);
  };
  CHECK(with([](Recipe& r) { r.cpu_work.utilization = Fraction{51, 1}; }) == "random.cpu.utilization");  // 50 nodes of at most 1
  CHECK(with([](Recipe& r) { r.cpu_work.utilization = Fraction{50, 1}; }) == "");
  CHECK(with([](Recipe& r) { r.cpu_work.utilization = Fraction{-1, 1}; }) == "random.cpu.utilization");
  CHECK(with([](Recipe& r) { r.cpu_work.utilization = {}; }) == "random.cpu.utilization");
  CHECK(with([](Recipe& r) { r.cpu_work.length = LogUniform{1_ms, 2_ms}; }) == "random.cpu.C");
  CHECK(with([](Recipe& r) { r.cpu_work.split = Split::proportional; }) == "random.cpu.C");
  CHECK(with([](Recipe& r) { r.gpu_work = {Fraction{160'000, 1}, Split::drs, {}, LogUniform{1_us, 2_us}}; }) == "random.gpu.utilization");
  CHECK(with([](Recipe& r) { r.gpu_work = {Fraction{1, 10}, Split::drs, {}, LogUniform{1_ms, 2_ms}}; }) == "random.gpu.utilization");
  CHECK(with([](Recipe& r) { r.gpu.reset(); }) == "random.gpu.share");
  CHECK(with([](Recipe& r) { r.gpu_share = {3, 2}; }) == "random.gpu.share");
  CHECK(with([](Recipe& r) { r.kernels.H = Choice<std::uint32_t>({{2048, 1}}); }) == "random.gpu.H");
  CHECK(with([](Recipe& r) { r.kernels.B = Choice<Range>({{{0, 4}, 1}}); }) == "random.gpu.B");
  CHECK(with([](Recipe& r) { r.kernels.shared_memory = Choice<std::uint64_t>({{1 << 20, 1}}); }) == "random.gpu.shared_memory");
  CHECK(with([](Recipe& r) { r.kernels.registers = Choice<std::uint32_t>({{255, 1}}); }) == "random.gpu.registers");
  CHECK(with([](Recipe& r) { r.periods = LogUniform{2_ms, 1_ms}; }) == "random.periods");
  CHECK(with([](Recipe& r) { r.periods = Harmonic{1_ms, 2, 60}; }) == "random.periods");
  CHECK(with([](Recipe& r) { r.nodes = {5, 4}; }) == "random.nodes");
  CHECK(with([](Recipe& r) { r.dags = {0, 4}; }) == "random.dags");
  CHECK(with([](Recipe& r) { r.shapes = Choice<Shape>({{LayerByLayer{{3, 3}, {3, 2}}, 1}}); }) == "random.shape.p");
  CHECK(with([](Recipe& r) { r.deadline = Fraction{0, 1}; }) == "random.deadline");
  CHECK(with([](Recipe& r) { r.jitter = Fraction{1, 1}; }) == "random.jitter");
  CHECK(with([](Recipe& r) { r.cpu_least = Fraction{3, 2}; }) == "random.cpu.min");
  CHECK(with([](Recipe& r) { r.grouped = Fraction{1, 2}; }) == "random.grouped");
  CHECK(with([](Recipe& r) {
          r.group_size = Range{2, 3};
          r.grouped = Fraction{3, 2};
        }) == "random.grouped");
  CHECK(with([](Recipe& r) { r.split_overhead = Time(-1); }) == "random.split_overhead");
}

TEST_CASE("jitter is a share of the period, and changes nothing else") {
  Recipe recipe = hundred_nodes();
  RandomSet plain, late;
  Generator(recipe).draw({19, 0, 0}, plain);
  recipe.jitter = Fraction{1, 3};
  Generator(recipe).draw({19, 0, 0}, late);
  const TaskSet set = to_task_set(recipe, late, "set");
  for (std::size_t d = 0; d < 10; ++d) {
    CHECK(late.dags[d].T == plain.dags[d].T);
    CHECK(late.dags[d].jitter.count() == plain.dags[d].T.count() / 3);
    CHECK(set.dags()[d].attributes().jitter == late.dags[d].jitter);
    CHECK(set.dags()[d].nominal_period() == late.dags[d].T);
  }
  CHECK(late.nodes == plain.nodes);
}

TEST_CASE("phases are within the first T, least times a share of C, and neither changes anything else") {
  Recipe recipe = hundred_nodes();
  RandomSet plain, periodic;
  Generator(recipe).draw({19, 0, 0}, plain);
  recipe.phases = Phases::random;
  recipe.cpu_least = Fraction{1, 3};
  Generator(recipe).draw({19, 0, 0}, periodic);
  CHECK(periodic.nodes == plain.nodes);
  const TaskSet set = to_task_set(recipe, periodic, "set");
  const TaskSet sporadic = to_task_set(recipe, periodic, "set", Clock::unknown);
  std::set<Time> phases;
  for (std::size_t d = 0; d < 10; ++d) {
    CHECK(periodic.dags[d].T == plain.dags[d].T);
    CHECK(periodic.dags[d].phase >= Time::zero());
    CHECK(periodic.dags[d].phase < periodic.dags[d].T);
    phases.insert(periodic.dags[d].phase);
    CHECK(set.dags()[d].attributes().periodic);
    CHECK(set.dags()[d].attributes().phase == periodic.dags[d].phase);
    CHECK_FALSE(sporadic.dags()[d].attributes().periodic);
    CHECK_FALSE(sporadic.dags()[d].attributes().phase.has_value());
    for (const rta::Node& node : set.dags()[d].nodes()) {
      const auto* const cpu = std::get_if<CpuDemand>(&node.demand);
      CHECK(node.variation.has_value() == (cpu != nullptr));
      if (cpu != nullptr) CHECK(node.variation->least.count() == cpu->C.count() / 3);
    }
  }
  CHECK(phases.size() == 10);
  recipe.phases = Phases::together;
  Generator(recipe).draw({19, 0, 0}, periodic);
  CHECK(to_task_set(recipe, periodic, "set").dags()[3].attributes().phase == Time::zero());
}

// UUniFast-discard of 50 shares that sum to 49: no try ever fits, although the total is not above the maximum.
TEST_CASE("a total that the draws miss is an error in the end") {
  Recipe recipe = hundred_nodes();
  recipe.cpu_work = {Fraction{49, 1}, Split::uunifast_discard, Fraction{1, 1}, {}};
  recipe.nodes = {1, 1};
  recipe.gpu_share = {0, 1};
  recipe.dags = {50, 50};
  Generator generator(recipe);
  RandomSet set;
  CHECK_THROWS_AS(generator.draw({1, 0, 0}, set), RecipeError);
}
