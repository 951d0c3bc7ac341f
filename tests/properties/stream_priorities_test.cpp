// Laws of T11g over random systems whose kernels have two to six stream priorities; the theorem by the letter; and formulas that are wrong,
// which schedules exceed.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "properties/law_1.hpp"
#include "rta/analysis/path/derivations.hpp"
#include "support/inequality_laws.hpp"
#include "support/path_oracle.hpp"

using namespace rta;

namespace {

constexpr test::Ingredients kernels{.sequential = true, .priorities = true, .non_preemptive = true, .fixed = true};

/// Two to six priorities, often for kernels of one pool; the periods are those of the set that was drawn.
TaskSet with_priorities(const TaskSet& set, std::uint64_t seed) {
  test::Dice dice(seed + 1'000'003);
  const std::int64_t levels = dice.one_in(3) ? 2 : dice.between(3, 6);
  const auto one = [&] { return static_cast<StreamPriority>(dice.between(0, levels - 1)); };
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) {
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    const bool whole = dice.one_in(2);
    const StreamPriority of_dag = one();
    for (Node& node : nodes) {
      auto* const kernel = std::get_if<GpuDemand>(&node.demand);
      if (kernel != nullptr) kernel->priority = whole ? of_dag : one();
    }
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::move(nodes), std::vector<Edge>(dag.edges().begin(), dag.edges().end()),
                      dag.attributes());
  }
  return {set.name(), std::vector<Pool>(set.pools().begin(), set.pools().end()), std::move(dags)};
}

bool has_several_priorities(const TaskSet& set) {
  for (PoolId p = 0; p < set.pools().size(); ++p) {
    std::set<StreamPriority> priorities;
    for (const Dag& dag : set.dags()) {
      for (const Node& node : dag.nodes()) {
        const auto* const kernel = std::get_if<GpuDemand>(&node.demand);
        if (kernel != nullptr && node.pool == p) priorities.insert(kernel->priority);
      }
    }
    if (priorities.size() > 1) return true;
  }
  return false;
}

/// Half of the DAGs are late by up to twice the least distance of their releases, which stays.
TaskSet late(const TaskSet& set, test::Dice& dice) {
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) {
    DagAttributes attributes = dag.attributes();
    attributes.jitter = Time(dice.one_in(2) ? 0 : dice.between(1, 2 * dag.period().count()));
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::vector<Node>(dag.nodes().begin(), dag.nodes().end()),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()), attributes);
  }
  return {set.name(), std::vector<Pool>(set.pools().begin(), set.pools().end()), std::move(dags)};
}

/// As `analyze` proves it for this release.
test::Law proven_for(const char* release, bool jitter = false) {
  return [release, jitter](const TaskSet& drawn, std::uint64_t seed, test::Compared& compared) -> std::optional<std::string> {
    test::Dice dice(seed);
    TaskSet set = drawn;
    for (std::uint64_t next = 0; next < 8 && !has_several_priorities(set); ++next) {  // of four systems one has such a GPU
      set = with_priorities(next == 0 ? drawn : test::random_system(seed + next * 1'000'000, kernels), seed);
    }
    if (!has_several_priorities(set)) return std::nullopt;
    if (jitter) set = late(set, dice);
    analysis::GivenOptions how{{"release", release}, {"most-periods", "100"}};
    if (dice.one_in(3)) how.emplace_back("fitting", "true");
    const auto proven = analysis::analyze(std::make_shared<const TaskSet>(set), analysis::options_of(how));
    if (proven.verdict == analysis::Verdict::unbounded) return std::nullopt;
    return test::broken_in_proof(dice, proven.proof, how, compared);
  };
}

using Ends = std::vector<std::vector<std::int64_t>>;

bool exceeded(const simulate::Observation& seen, const analysis::PathSystem& system, const std::optional<Ends>& F) {
  for (DagId d = 0; F && d < seen.dags.size(); ++d) {
    for (NodeId v = 0; v < seen.dags[d].nodes.size(); ++v) {
      const auto& place = system.place[d][v];
      if (seen.dags[d].nodes[v].count() > 0 && seen.dags[d].nodes[v].max().count() > (*F)[place.dag][place.node]) return true;
    }
  }
  return false;
}

struct Variant {
  const char* name;
  test::Mutant mutant;
  std::size_t caught = 0;
};

}  // namespace

TEST_CASE("Law 1 with stream priorities, on completion: no node ends after its bound (T11g)") {
  test::Compared compared;  // of four systems that are tried less than one is bounded
  const auto broken = test::first_broken(1, 250, kernels, proven_for("completion"), compared);
  if (broken) FAIL_CHECK(broken->what << "\n" << test::command_to_repeat(broken->seed) << "\n" << io::format_task_set(broken->task_set));
  CHECK(compared.systems > 200);
  CHECK(compared.tight * 25 >= compared.nodes);
  CHECK(compared.bound["T11g"] > 600);
}

TEST_CASE("Law 1 with stream priorities, on segments: no node ends after its bound (T11g)") {
  test::check_law_1(1, 120, kernels, proven_for("segments"), 50, {"T11g"});
}

TEST_CASE("Law 1 with stream priorities and release jitter, on completion: no node ends after its bound (T11g, T12)") {
  test::check_law_1(1, 120, kernels, proven_for("completion", true), 20, {"T12"});
}

TEST_CASE("T11g is the theorem by the letter, and no schedule exceeds it; wrong formulas are exceeded") {
  namespace path = analysis::path;
  const char* const given = std::getenv("RTA_PRIORITY_SYSTEMS");  // NOLINT(concurrency-mt-unsafe): nothing sets it
  const std::size_t wanted = given == nullptr ? 600 : std::stoul(given);
  constexpr test::Ingredients plain{.sequential = false, .priorities = false, .non_preemptive = false, .fixed = true};
  std::array variants{Variant{"no blocking", test::Mutant::no_blocking}, Variant{"(g-1) K", test::Mutant::one_piece_less},
                      Variant{"blocks of the lowest priority alone", test::Mutant::lowest_level_blocks},
                      Variant{"A_q for what is more urgent", test::Mutant::ready_for_less_urgent},
                      Variant{"no carried-in job", test::Mutant::no_carry_in}};
  path::Limits limits;
  limits.periods = 100;
  std::size_t systems = 0;
  std::size_t reached = 0;
  for (std::uint64_t seed = 1; systems < wanted; ++seed) {
    CAPTURE(seed);
    const TaskSet set = with_priorities(test::random_system(seed, plain), seed);
    if (!has_several_priorities(set)) continue;
    const auto weights = analysis::kernel_weights(set);
    if (!weights) continue;
    const std::vector<Time> Y = analysis::dag_priority_points(set);
    const auto system = analysis::path_system(set, analysis::whole_dags(set), weights->back(), Y);
    const auto bounds = path::node_bounds(system.system, path::Refinement::T10n, limits);
    if (!bounds) continue;
    ++systems;
    Ends F;
    for (const auto& row : bounds->F) {
      auto& ends = F.emplace_back();
      for (const Time f : row) ends.push_back(f.count());
    }
    const auto by_letter = test::PathOracle(system.system).nodes(INT64_MAX / 4);
    REQUIRE(by_letter);
    const path::Derivations derivations(system.system, *bounds);
    for (std::size_t d = 0; d < F.size(); ++d) {
      for (std::size_t v = 0; v < F[d].size(); ++v) {
        test::check_inequality(derivations.of(d, v), bounds->F[d][v]);
        if (bounds->support[d][v] != path::Support::successor) CHECK(F[d][v] == (*by_letter)[d][v]);
      }
    }
    for (const auto refinement : {path::Refinement::T10v, path::Refinement::T10g, path::Refinement::T10w}) {
      const auto finer = path::node_bounds(system.system, refinement, limits);
      REQUIRE(finer);
      for (std::size_t d = 0; d < F.size(); ++d) CHECK(finer->R[d] <= bounds->R[d]);
    }
    std::vector<std::optional<Ends>> wrong;
    wrong.reserve(variants.size());
    for (const Variant& variant : variants) wrong.push_back(test::PathOracle(system.system, variant.mutant).nodes(INT64_MAX / 4));
    std::array<bool, variants.size()> caught{};
    bool is_reached = false;
    test::Dice dice(seed);
    for (int run = 0; run < 10; ++run) {
      const auto seen = simulate::simulate(set, test::on_completion(set, Y), test::random_options(dice, set));
      REQUIRE_FALSE(exceeded(seen, system, F));
      for (std::size_t i = 0; i < variants.size(); ++i) caught[i] = caught[i] || exceeded(seen, system, wrong[i]);
      for (DagId d = 0; d < seen.dags.size(); ++d) {
        for (NodeId v = 0; v < seen.dags[d].nodes.size(); ++v) {
          const auto& place = system.place[d][v];
          const bool fixed = bounds->support[place.dag][place.node] == path::Support::fixed;
          is_reached = is_reached || (fixed && seen.dags[d].nodes[v].max().count() == F[place.dag][place.node]);
        }
      }
    }
    reached += static_cast<std::size_t>(is_reached);
    for (std::size_t i = 0; i < variants.size(); ++i) variants[i].caught += static_cast<std::size_t>(caught[i]);
  }
  for (const Variant& variant : variants) {
    MESSAGE(std::string(variant.name), ": caught in ", variant.caught, " of ", systems);
    CHECK(variant.caught > 0);
  }
  MESSAGE("reached in ", reached);
  CHECK(reached * 20 > systems);
}

namespace {

Node on_cpu(std::string name, std::int64_t C, PoolId pool) {
  Node node;
  node.name = std::move(name);
  node.pool = pool;
  node.demand = CpuDemand{Time(C)};
  return node;
}

/// A kernel of one block on pool 0.
Node kernel(std::string name, std::int64_t L, StreamPriority priority) {
  Node node;
  node.name = std::move(name);
  node.demand = GpuDemand{1, 1, Workload(L), Time(L), 0, 0, priority};
  return node;
}

/// One SM for one block at a time, and two FIFO processors; all DAGs are released at 0. Of node v of the first one its bound, the broken
/// one, and its end.
struct OfNode {
  std::int64_t F = 0, broken = 0, end = 0;
};
OfNode of_node(std::vector<Dag> dags, NodeId v, test::Mutant mutant) {
  GpuPool gpu;
  gpu.sms = gpu.sm.threads = gpu.sm.threads_per_block = gpu.sm.blocks = 1;
  const TaskSet set("by hand", {{"gpu", gpu}, {"p", CpuPool{1, Scheduler::fifo}}, {"q", CpuPool{1, Scheduler::fifo}}}, std::move(dags));
  const std::vector<Time> Y(set.dags().size());
  const auto system = analysis::path_system(set, analysis::whole_dags(set), analysis::kernel_weights(set)->front(), Y);
  const auto bounds = analysis::path::node_bounds(system.system, analysis::path::Refinement::T10n);
  const auto broken = test::PathOracle(system.system, mutant).nodes(100'000);
  REQUIRE(bounds);
  REQUIRE(broken);
  simulate::Options options;
  options.duration = Time(100);
  const auto seen = simulate::simulate(set, test::on_completion(set, Y), options);
  return {bounds->F[0][v].count(), (*broken)[0][v], seen.dags[0].nodes[v].max().count()};
}

}  // namespace

TEST_CASE("T11g: blocks of the kernel's own DAG block too") {
  // q (1, high) follows s (1, on p); a (4, low) has started when q is ready: 1 + 4 + 1 = 6, and 5 occurs. Without own blocks: 2.
  const OfNode q =
      of_node({Dag("d", Time(1000), {}, {on_cpu("s", 1, 1), kernel("q", 1, high_priority), kernel("a", 4, low_priority)}, {{0, 1}})}, 1,
              test::Mutant::no_own_pieces);
  CHECK(q.F == 6);
  CHECK(q.broken == 2);
  CHECK(q.end == 5);
}

TEST_CASE("T11g: less urgent blocks are met by each kernel of a path, not once") {
  // a (1, on p), h (1, high), b (2, on p), i (1, high). Of two low kernels of 5 one starts at 0, the other one, after 7 on q, at 7: h from
  // 5 to 6, b to 8, i from 12 to 13. 5 of execution and twice 5: 15; once: 10.
  const OfNode i = of_node(
      {Dag("d", Time(1000), {}, {on_cpu("a", 1, 1), kernel("h", 1, high_priority), on_cpu("b", 2, 1), kernel("i", 1, high_priority)},
           {{0, 1}, {1, 2}, {2, 3}}),
       Dag("first", Time(1000), {}, {kernel("l", 5, low_priority)}, {}),
       Dag("second", Time(1000), {}, {on_cpu("w", 7, 2), kernel("m", 5, low_priority)}, {{0, 1}})},
      3, test::Mutant::blocked_once_per_path);
  CHECK(i.F == 15);
  CHECK(i.broken == 10);
  CHECK(i.end == 13);
}
