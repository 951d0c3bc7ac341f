// T14 and T14j on completion, and T14j at offsets: examples that are worked out by hand.
#include <doctest/doctest.h>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/path/derivations.hpp"
#include "rta/analysis/path/path.hpp"
#include "support/build.hpp"
#include "support/inequality_laws.hpp"

using namespace rta;
using namespace rta::analysis;
using namespace rta::test;

namespace {

path::Pool sliced_pool(std::int64_t S, std::int64_t G, std::optional<Wide> resident = std::nullopt) {
  path::Pool pool;
  pool.name = "gpu";
  pool.unit_weights = false;
  pool.slices = path::Slices{Time(S), Time(G)};
  pool.resident = resident;
  return pool;
}

path::Node node_on(std::size_t pool, std::int64_t e) {
  path::Node node;
  node.pool = pool;
  node.e = Time(e);
  node.s = e;
  node.vol = e;
  return node;
}

path::Dag chain_of(std::vector<path::Node> nodes, std::int64_t T) {
  path::Dag dag;
  dag.name = "d";
  dag.T = Time(T);
  dag.nodes = std::move(nodes);
  for (std::size_t v = 1; v < dag.nodes.size(); ++v) dag.edges.push_back({v - 1, v});
  return dag;
}

std::vector<std::int64_t> ends(const path::System& system, path::Refinement refinement = path::Refinement::T10n) {
  std::vector<std::int64_t> F;
  const auto bounds = path::node_bounds(system, refinement);
  REQUIRE(bounds);
  for (const Time f : bounds->F.front()) F.push_back(f.count());
  return F;
}

using Instants = std::vector<std::int64_t>;

/// A GPU of one SM for one block at a time, shared by so many processes.
std::vector<Pool> contexts(std::uint32_t count, Time S, Time theta) {
  std::vector<Pool> pools{cpu_pool(1, Scheduler::fifo)};
  for (std::uint32_t i = 0; i < count; ++i) {
    Pool pool = gpu_pool(1, 1, "gpu/p" + std::to_string(i));
    std::get<GpuPool>(pool.resource).sharing =
        Sharing{.gpu = "gpu", .process = "p" + std::to_string(i), .slice = S, .switch_time = theta, .contexts = count};
    pools.push_back(std::move(pool));
  }
  return pools;
}

Analysis analysed(std::shared_ptr<const TaskSet> set, Release release) {
  Options options;
  options.release = release;
  return analyze(std::move(set), options);
}

}  // namespace

// 10 of execution in slices of 1: a gap of 6 before each of ten slices.
TEST_CASE("T14: a kernel of 10 alone in slices of 1 ends by 10 + 10 x 6") {
  CHECK(ends({{sliced_pool(1, 6)}, {chain_of({node_on(0, 10)}, 1000)}}) == Instants{70});
}

// The first kernel: ceil(5/2) = 3 gaps of 3. The second one begins another stretch: X = 10, so 2 - 1 + 5 gaps.
TEST_CASE("T14: two kernels with a CPU node between them pay for a stretch each") {
  path::System system{{{.name = "cpu"}, sliced_pool(2, 3)}, {chain_of({node_on(1, 5), node_on(0, 2), node_on(1, 5)}, 1000)}};
  CHECK(ends(system) == Instants{14, 16, 30});
  CHECK(ends(system, path::Refinement::T10v) == Instants{14, 16, 30});
  const auto bounds = path::node_bounds(system, path::Refinement::T10n);
  for (const path::Support support : bounds->support.front()) CHECK(support == path::Support::sliced);
  const auto derivation = path::Derivations(system, *bounds).of(0, 2);
  const auto sum = sum_of<path::CountedSum>(derivation);
  CHECK(derivation.path == std::vector<std::size_t>{0, 1, 2});
  CHECK(ceil_to_time(derivation.total) == Time(30));
  const auto& gaps = sum.waits.back().gaps;
  REQUIRE(gaps);
  CHECK(gaps->stretches == 2);
  CHECK(gaps->busy == fine(Time(10)));
  CHECK(gaps->count == 6);
}

// A kernel of length 0 may find its slice just over: 1 + floor(0/1) gaps. With one of 2 behind it: 2 + floor(2/1).
TEST_CASE("T14: with a kernel of length 0 there are n + floor(X/S) gaps") {
  CHECK(ends({{sliced_pool(1, 6)}, {chain_of({node_on(0, 0)}, 1000)}}) == Instants{6});
  CHECK(ends({{sliced_pool(1, 6)}, {chain_of({node_on(0, 0), node_on(0, 2)}, 1000)}}) == Instants{6, 26});
}

// Another DAG's kernel of 4 may come first: X = 3 + 4, 4 gaps of 1 in slices of 2.
TEST_CASE("T14 counts what a kernel waits for as well") {
  const path::System system{{sliced_pool(2, 1)}, {chain_of({node_on(0, 3)}, 100), chain_of({node_on(0, 4)}, 100)}};
  CHECK(ends(system) == Instants{11});
}

// A path over two kernels of 1 in the slices of one GPU, and one over a node of 4 elsewhere: 1 + 1 + (2 - 1 + 2/2) x 5 > 4, but no gap for
// the other one.
TEST_CASE("T14: the path that decides may be shorter than another one, and has more gaps") {
  path::Dag dag;
  dag.name = "d";
  dag.T = Time(1000);
  dag.nodes = {node_on(1, 1), node_on(1, 1), node_on(0, 4), node_on(0, 0)};
  dag.edges = {{0, 1}, {1, 3}, {2, 3}};
  const path::System system{{{.name = "cpu", .capacity = 2}, sliced_pool(2, 5)}, {dag}};
  const Instants F = ends(system);
  CHECK(F[1] == 12);
  CHECK(F[2] == 4);
  // CPU work of 4 may run meanwhile on one of two processors: 2 more.
  CHECK(F[3] == 14);
}

// T = 20, C = 10, slices of 2 with gaps of 6: X = 10 takes 40, two jobs meet. U_w = 1/2 > 2/8.
TEST_CASE("T14: slices that cannot carry the work give no bound") {
  path::Limits limits;
  limits.periods = 100;
  CHECK_FALSE(path::node_bounds({{sliced_pool(2, 6)}, {chain_of({node_on(0, 10)}, 20)}}, path::Refinement::T10g, limits));
}

// (b): L_max U_w/alpha + U_w G = 10 x 1/100 x 4 + 1/100 x 6 = 0.46; (0.46 + 10 - 10) x 4 + 10 x 4 + 6 = 47.84. (a): no block leaves room
// for another, K' = 0, and 10 x 4 + 6 = 46.
TEST_CASE("T14j: a kernel of 10 every 1000 in slices of 2 with gaps of 6 ends by 46, by T14 by 40") {
  const auto kernel = gpu_node("k", 1, 1, Time(10));
  const auto set = task_set(contexts(2, Time(2), Time(2)), {Dag("d", Time(1000), std::nullopt, {kernel}, {})});
  const Analysis at_offsets = analysed(set, Release::offsets);
  REQUIRE(at_offsets.proof.dags[0].nodes[0].bound);
  CHECK(at_offsets.proof.dags[0].nodes[0].bound->R == Time(46));
  CHECK(at_offsets.proof.dags[0].nodes[0].bound->basis.theorem == Theorem::T14j);
  const Analysis on_completion = analysed(set, Release::completion);
  CHECK(on_completion.proof.dags[0].bound->R == Time(40));
  CHECK(on_completion.proof.dags[0].bound->basis.theorem == Theorem::T14);
}

// U_w = 10/40 = 2/(2 + 6), full load: (a) (0 + 10 - 10) x 4 + 40 + 6 = 46; (b) 10 x 1/4 x 4 + 6/4 = 11.5 in place of K' = 0: 92.
// T14: 10 + 5 x 6 = 40 again, and T = 40.
TEST_CASE("T14j holds up to full load of the slices, and not beyond") {
  const auto at = [](std::int64_t T) {
    const auto kernel = gpu_node("k", 1, 1, Time(10));
    return task_set(contexts(2, Time(2), Time(2)), {Dag("d", Time(T), std::nullopt, {kernel}, {})});
  };
  const Analysis full = analysed(at(40), Release::offsets);
  REQUIRE(full.proof.dags[0].bound);
  CHECK(full.proof.dags[0].bound->R == Time(46));
  CHECK(analysed(at(40), Release::completion).proof.dags[0].bound->R == Time(40));
  const Analysis over = analysed(at(39), Release::offsets);
  REQUIRE_FALSE(over.proof.dags[0].bound);
  CHECK(std::holds_alternative<reason::SlicesOverload>(over.proof.pools[1].none->reason));
}

// As T10j, A_u = 3 of the kernel behind a CPU node of 3, U_w = 2/100, slices of 5 with gaps of 5: (a) would be 2.
// (b): 2 x 2/100 x 2 + 2/100 x 5 = 0.18; 3 + (0.18 + 2 x 1.03 - 2) x 2 + 2 x 2 + 5 = 12.48. T14: 3 + 2 + 1 x 5 = 10.
TEST_CASE("T14j on completion counts the jitter of the kernels, and T14 is kept where it is less") {
  path::System system{{{.name = "cpu"}, sliced_pool(5, 5, 2)}, {chain_of({node_on(0, 3), node_on(1, 2)}, 100)}};
  const auto bounds = path::node_bounds(system, path::Refinement::T10j);
  REQUIRE(bounds);
  CHECK(bounds->F[0][1] == Time(10));
  const auto late = path::Derivations(system, *bounds).by(path::Support::late, 0, 1);
  const auto sum = sum_of<path::SporadicSum>(late);
  CHECK(ceil_to_time(late->total) == Time(13));
  CHECK_FALSE(sum.resident);
  CHECK(sum.gap == Time(5));
}

TEST_CASE("What no theorem covers of time slices is refused, with its reason") {
  auto low = gpu_node("low", 1, 1, Time(10));
  auto high = gpu_node("high", 1, 1, Time(10));
  std::get<GpuDemand>(high.demand).priority = high_priority;
  const auto set = task_set(contexts(2, Time(2), Time(2)), {Dag("d", Time(1000), std::nullopt, {low, high}, {{0, 1}})});
  const Analysis two = analysed(set, Release::offsets);
  CHECK(two.verdict == Verdict::unbounded);
  CHECK(std::holds_alternative<reason::TimeSlices>(two.proof.pools[1].none->reason));
  CHECK(analysed(set, Release::completion).verdict == Verdict::unbounded);
  Options by_T5;
  by_T5.release = Release::offsets;
  by_T5.gpu_bound = fifo::Bound::T5;
  const auto one = task_set(contexts(2, Time(2), Time(2)), {Dag("d", Time(1000), std::nullopt, {low}, {})});
  CHECK(analyze(one, by_T5).verdict == Verdict::unbounded);
}

TEST_CASE("One context alone without switches is a GPU as any other") {
  const auto kernel = gpu_node("k", 1, 1, Time(10));
  const auto set = task_set(contexts(1, Time(2), Time::zero()), {Dag("d", Time(1000), std::nullopt, {kernel}, {})});
  const Analysis analysis = analysed(set, Release::offsets);
  CHECK(analysis.proof.dags[0].bound->R == Time(10));
  CHECK(analysis.proof.dags[0].nodes[0].bound->basis.theorem != Theorem::T14j);
}

TEST_CASE("Every term of a bound in slices is explained, and its parts sum up") {
  Options options;
  options.release = Release::completion;
  options.explain = {"d"};
  const auto first = gpu_node("k1", 1, 1, Time(5));
  const auto second = gpu_node("k2", 1, 1, Time(5));
  const auto set = task_set(contexts(2, Time(2), Time(1)),  // G = 2 + 2 x 1
                            {Dag("d", Time(1000), std::nullopt, {first, cpu_node("c", Time(2)), second}, {{0, 1}, {1, 2}})});
  const Analysis analysis = analyze(set, options);
  // 12 + (2 - 1 + 5) x 4
  CHECK(analysis.proof.dags[0].bound->R == Time(36));
  std::string text;
  for (const std::string& line : analysis.explanations.front().lines) text += line + "\n";
  CHECK(text.find("T14: F >=") != std::string::npos);
  CHECK(text.find("(2 - 1 + ceil(10/2)) x 4 ns of gaps = 24 ns") != std::string::npos);
  CHECK(text.find("= 36 ns, rounded up") != std::string::npos);
}
