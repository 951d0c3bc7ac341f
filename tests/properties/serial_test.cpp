// Laws of T27 and T28 over random systems: kernels that are known by their blocks, by their duration or by both, against schedules of
// their blocks; and durations that are wrong, which schedules exceed.
#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "analysis/policies/turns.hpp"
#include "properties/law_1.hpp"
#include "rta/model/kernel_time.hpp"
#include "rta/model/time_slices.hpp"
#include "support/durations.hpp"
#include "support/path_oracle.hpp"
#include "support/time_slices.hpp"

using namespace rta;
using test::all_fit;
using test::with_durations;

namespace {

constexpr test::Ingredients one_fifo_of_kernels{.sequential = true, .priorities = false, .non_preemptive = true, .fixed = true};

/// The simulator plays them by the same durations, which their blocks share in both ways.
std::optional<std::string> broken_by_durations(const analysis::Proof& proof, std::uint64_t seed, test::Compared& compared) {
  const TaskSet& set = *proof.task_set;
  const compare::Bounds bounds = compare::bounds_of(proof);
  test::Dice dice(seed);
  for (const simulate::BlockTimes how : {simulate::BlockTimes::even, simulate::BlockTimes::long_first}) {
    simulate::Options options = test::random_options(dice, set);
    options.block_times = how;
    const auto seen = simulate::simulate(set, schedule_of(proof), options);
    if (auto what = test::above(set, bounds.node, bounds.dag, seen, compared))
      return fmt::format("{}; by durations, {}, {}", *what, to_string(how), test::in_words(options));
  }
  return std::nullopt;
}

/// As `analyze` proves it from the durations, played by the blocks; `sliced`: by processes that share the GPUs.
test::Law proven_for(const char* release, bool sliced = false) {
  return [release, sliced](const TaskSet& plain, std::uint64_t seed, test::Compared& compared) -> std::optional<std::string> {
    if (!all_fit(plain)) return std::nullopt;
    const TaskSet played = sliced ? test::with_slices(plain, seed, false) : plain;
    if (sliced && !first_gpu_with_slices(played)) return std::nullopt;
    const TaskSet known = with_durations(played, seed);
    if (known == played) return std::nullopt;
    test::Dice dice(seed);
    const analysis::GivenOptions how{{"release", release}, {"most-periods", "100"}};
    auto proven = analysis::analyze(std::make_shared<const TaskSet>(known), analysis::options_of(how));
    if (proven.verdict == analysis::Verdict::unbounded) return std::nullopt;
    for (const analysis::Evidence& evidence : proven.proof.evidence) {
      const auto* path = std::get_if<analysis::PathEvidence>(&evidence);
      const bool in_turn = path != nullptr && std::ranges::any_of(path->bounds.system.system.pools, &analysis::path::Pool::in_turn);
      if (in_turn) ++compared.bound["in turn"];
      const bool mixed = path != nullptr && std::ranges::any_of(path->bounds.system.system.pools, &analysis::path::Pool::mixed);
      if (mixed) ++compared.bound["beside blocks"];
    }
    if (auto broken = broken_by_durations(proven.proof, seed, compared)) return broken;
    proven.proof.task_set = std::make_shared<const TaskSet>(played);
    return test::broken_in_proof(dice, proven.proof, how, compared);
  };
}

void check(std::uint64_t wanted, const char* release, const std::string& theorem, std::uint64_t least, bool sliced = false) {
  test::Compared compared;
  if (const char* const asked = std::getenv("RTA_LAW_SYSTEMS")) wanted = std::stoull(asked);  // NOLINT(concurrency-mt-unsafe)
  const auto broken = test::first_broken(1, wanted, one_fifo_of_kernels, proven_for(release, sliced), compared);
  if (broken) FAIL_CHECK(broken->what << "\n" << test::command_to_repeat(broken->seed) << "\n" << io::format_task_set(broken->task_set));
  MESSAGE(compared.systems, " systems, ", compared.nodes, " times a node, ", compared.tight, " within 1 % of their bound");
  CHECK(compared.systems * 2 > wanted);
  CHECK(compared.tight * 25 >= compared.nodes);
  CHECK(compared.bound[theorem] >= least);
  MESSAGE(compared.bound["in turn"], " in turn, ", compared.bound["beside blocks"], " beside blocks");
}

}  // namespace

TEST_CASE("Law 1 with durations of kernels, offsets: no response time above its bound") { check(200, "offsets", "T27", 50); }

TEST_CASE("Law 1 with durations of kernels, on completion: no node ends after its bound") { check(300, "completion", "in turn", 50); }

TEST_CASE("Law 1 with durations of kernels, on segments: no node ends after its bound") { check(60, "segments", "in turn", 5); }

TEST_CASE("Law 1 with durations of kernels and time slices, on completion: no node ends after its bound") {
  check(300, "completion", "in turn", 50, true);
}

/// By T29 alone, with what the tail of others adds to a kernel without blocks or without it.
std::optional<analysis::path::NodeBounds> beside_blocks(const TaskSet& set, bool tail, analysis::PathSystem* system = nullptr) {
  const auto nodes = analysis::nodes_of_pools(set);
  const auto weights = analysis::kernel_weights(set, nodes, analysis::kernel_bounds(set, nodes), {}, false);
  if (!weights) return std::nullopt;
  analysis::PathSystem of = analysis::path_system(set, analysis::whole_dags(set), weights->front(), analysis::dag_priority_points(set));
  for (DagId d = 0; d < set.dags().size() && !tail; ++d) {
    for (NodeId v = 0; v < set.dags()[d].nodes().size(); ++v) {
      const Node& node = set.dags()[d].nodes()[v];
      const auto* kernel = std::get_if<GpuDemand>(&node.demand);
      if (kernel == nullptr || kernel->has_blocks) continue;
      auto& item = of.system.dags[of.place[d][v].dag].nodes[of.place[d][v].node];
      item.e = *kernel->time;
      item.s = item.vol = Wide{of.system.pools[node.pool].capacity} * of.system.pools[node.pool].unit * item.e.count();
    }
  }
  analysis::path::Limits limits;
  limits.periods = 100;
  auto bounds = analysis::path::node_bounds(of.system, analysis::path::Refinement::T10n, limits);
  if (system != nullptr) *system = std::move(of);
  if (!bounds) return std::nullopt;
  return std::move(*bounds);
}

TEST_CASE("T29: a kernel in turn may wait for the rest of blocks that were there before") {
  // 4 SMs. A block of 4 ms takes one, then a kernel of 10 ms comes, a block for each SM: the last starts at 4 and ends at 14. Weight 1, so
  // 4/4 counts, and 10 + 4: 15. Without Lambda 11.
  const TaskSet set = io::parse_task_set(
                          "platform: {gpu: {sms: 4, threads: 1024}}\ntasks:\n"
                          "  - {name: o, T: 100 ms, on: gpu, B: 1, H: 1024, L: 4 ms}\n  - {name: z, T: 100 ms, on: gpu, time: 10 ms}\n",
                          "set.yaml")
                          .task_set;
  CHECK(beside_blocks(set, true)->F[1][0] == Time(15'000'000));
  CHECK(beside_blocks(set, false)->F[1][0] == Time(11'000'000));
  Time latest;
  test::Dice dice(1);
  for (int run = 0; run < 50; ++run) {
    const auto seen =
        simulate::simulate(set, test::on_completion(set, analysis::dag_priority_points(set)), test::random_options(dice, set));
    if (seen.dags[1].nodes[0].count() > 0) latest = std::max(latest, seen.dags[1].nodes[0].max());
  }
  CHECK(latest == Time(14'000'000));
}

TEST_CASE("T29: no node of random systems ends after its bound") {
  constexpr test::Ingredients plain{.sequential = false, .priorities = false};
  std::uint64_t wanted = 300;
  if (const char* const asked = std::getenv("RTA_LAW_SYSTEMS")) wanted = std::stoull(asked);  // NOLINT(concurrency-mt-unsafe)
  std::uint64_t systems = 0, reached = 0, caught = 0;
  for (std::uint64_t seed = 1; systems < wanted; ++seed) {
    CAPTURE(seed);
    const TaskSet set = test::random_system(seed, plain);
    if (!all_fit(set)) continue;
    const TaskSet known = with_durations(set, seed);
    analysis::PathSystem system;
    const auto bounds = beside_blocks(known, true, &system);
    if (!bounds || std::ranges::none_of(system.system.pools, &analysis::path::Pool::mixed)) continue;
    const auto wrong = beside_blocks(known, false);
    ++systems;
    bool is_reached = false;
    bool is_caught = false;
    test::Dice dice(seed);
    for (int run = 0; run < 6; ++run) {
      const auto seen =
          simulate::simulate(set, test::on_completion(set, analysis::dag_priority_points(set)), test::random_options(dice, set));
      for (DagId d = 0; d < set.dags().size(); ++d) {
        for (NodeId v = 0; v < set.dags()[d].nodes().size(); ++v) {
          const auto& of = seen.dags[d].nodes[v];
          const auto& place = system.place[d][v];
          if (of.count() == 0) continue;
          REQUIRE_LE(of.max(), bounds->F[place.dag][place.node]);
          is_reached = is_reached || of.max() == bounds->F[place.dag][place.node];
          is_caught = is_caught || (wrong && of.max() > wrong->F[place.dag][place.node]);
        }
      }
    }
    reached += static_cast<std::uint64_t>(is_reached);
    caught += static_cast<std::uint64_t>(is_caught);
  }
  MESSAGE(systems, " systems, bounds reached in ", reached, "; without Lambda caught in ", caught);
  CHECK(reached > 0);
  CHECK(caught > 0);
}

TEST_CASE("Kernels in turn: wrong durations are exceeded, and what is right is reached") {
  namespace path = analysis::path;
  struct Variant {
    const char* name;
    std::size_t caught = 0;
  };
  std::array variants{Variant{"blocks packed as if they could be cut"}, Variant{"weighted work of the whole GPU"}, Variant{"one block"}};
  std::size_t systems = 0;
  std::size_t reached = 0;
  constexpr test::Ingredients plain{.sequential = false, .priorities = false};
  for (std::uint64_t seed = 1; systems < 300; ++seed) {
    CAPTURE(seed);
    const TaskSet set = test::random_system(seed, plain);
    if (!all_fit(set)) continue;
    const auto nodes = analysis::nodes_of_pools(set);
    const std::vector<PoolId> pools = analysis::pools_in_turn(set, nodes, Durations::least);
    const auto weights = analysis::kernel_weights(set);
    if (pools.empty() || !weights) continue;
    const std::vector<Time> Y = analysis::dag_priority_points(set);
    auto system = analysis::path_system(set, analysis::whole_dags(set), weights->front(), Y);
    analysis::serve_in_turn(system, set, pools, false);
    path::Limits limits;
    limits.periods = 100;
    const auto bounds = path::node_bounds(system.system, path::Refinement::T10g, limits);
    if (!bounds) continue;
    ++systems;
    std::array<std::optional<path::NodeBounds>, variants.size()> wrong;
    for (std::size_t i = 0; i < variants.size(); ++i) {
      auto other = system.system;
      for (DagId d = 0; d < set.dags().size(); ++d) {
        for (NodeId v = 0; v < set.dags()[d].nodes().size(); ++v) {
          const Node& node = set.dags()[d].nodes()[v];
          if (std::ranges::find(pools, node.pool) == pools.end()) continue;
          const auto& kernel = std::get<GpuDemand>(node.demand);
          const auto& gpu = std::get<GpuPool>(set.pools()[node.pool].resource);
          const Wide work = static_cast<Wide>(kernel.B) * kernel.L.count();
          const std::array<Wide, variants.size()> D{
              std::max<Wide>(kernel.L.count(), ceil_div(work, places(kernel, gpu))),
              ceil_div(kernel.C.count() * static_cast<Wide>(kernel.B), Wide{gpu.sms} * gpu.sm.threads), kernel.L.count()};
          path::Node& item = other.dags[system.place[d][v].dag].nodes[system.place[d][v].node];
          item.e = to_time(D[i]);
          item.s = item.vol = D[i];
        }
      }
      if (auto found = path::node_bounds(other, path::Refinement::T10g, limits)) wrong[i] = std::move(*found);
    }
    std::array<bool, variants.size()> caught{};
    bool is_reached = false;
    test::Dice dice(seed);
    for (int run = 0; run < 4; ++run) {
      const auto seen = simulate::simulate(set, test::on_completion(set, Y), test::random_options(dice, set));
      for (DagId d = 0; d < set.dags().size(); ++d) {
        for (NodeId v = 0; v < set.dags()[d].nodes().size(); ++v) {
          const auto& of = seen.dags[d].nodes[v];
          const auto& place = system.place[d][v];
          if (of.count() == 0) continue;
          REQUIRE_LE(of.max(), bounds->F[place.dag][place.node]);
          is_reached = is_reached || of.max() == bounds->F[place.dag][place.node];
          for (std::size_t i = 0; i < variants.size(); ++i)
            caught[i] = caught[i] || (wrong[i] && of.max() > wrong[i]->F[place.dag][place.node]);
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
  CHECK(reached * 20 > systems);
}

TEST_CASE("T33: kernels in turn in time slices never end after their bounds, and with fewer gaps they do") {
  namespace path = analysis::path;
  constexpr test::Ingredients plain{.sequential = false, .priorities = false};
  std::uint64_t wanted = 300;
  if (const char* const asked = std::getenv("RTA_LAW_SYSTEMS")) wanted = std::stoull(asked);  // NOLINT(concurrency-mt-unsafe)
  constexpr std::array mutants{test::Mutant::gaps_rounded_down, test::Mutant::one_gap_per_path};
  std::array<std::uint64_t, mutants.size()> caught{};
  std::uint64_t systems = 0, reached = 0;
  for (std::uint64_t seed = 1; systems < wanted; ++seed) {
    CAPTURE(seed);
    const TaskSet of = test::random_system(seed, plain);
    if (!all_fit(of)) continue;
    const TaskSet set = test::with_slices(of, seed, seed % 2 == 0);
    if (!first_gpu_with_slices(set)) continue;
    const auto nodes = analysis::nodes_of_pools(set);
    const std::vector<PoolId> pools = analysis::pools_in_turn(set, nodes, Durations::least);
    const auto weights = analysis::kernel_weights(set);
    if (pools.empty() || !weights) continue;
    const std::vector<Time> Y = analysis::dag_priority_points(set);
    auto system = analysis::path_system(set, analysis::whole_dags(set), weights->front(), Y);
    analysis::serve_in_turn(system, set, pools, false);
    path::Limits limits;
    limits.periods = 100;
    const auto bounds = path::node_bounds(system.system, path::Refinement::T10j, limits);
    if (!bounds) continue;
    ++systems;
    std::array<std::optional<std::vector<std::vector<std::int64_t>>>, mutants.size()> wrong;
    std::int64_t most = 0;
    for (const path::Dag& dag : system.system.dags) most = std::max(most, 100 * dag.T.count());
    for (std::size_t i = 0; i < mutants.size(); ++i) wrong[i] = test::PathOracle(system.system, mutants[i]).nodes(most);
    std::array<bool, mutants.size()> is_caught{};
    bool is_reached = false;
    test::Dice dice(seed);
    for (int run = 0; run < 6; ++run) {
      const auto seen = simulate::simulate(set, test::on_completion(set, Y), test::random_options(dice, set));
      for (DagId d = 0; d < set.dags().size(); ++d) {
        for (NodeId v = 0; v < set.dags()[d].nodes().size(); ++v) {
          const auto& of_node = seen.dags[d].nodes[v];
          const auto& place = system.place[d][v];
          if (of_node.count() == 0) continue;
          REQUIRE_LE(of_node.max(), bounds->F[place.dag][place.node]);
          is_reached = is_reached || of_node.max() == bounds->F[place.dag][place.node];
          for (std::size_t i = 0; i < mutants.size(); ++i)
            is_caught[i] = is_caught[i] || (wrong[i] && of_node.max().count() > (*wrong[i])[place.dag][place.node]);
        }
      }
    }
    reached += static_cast<std::uint64_t>(is_reached);
    for (std::size_t i = 0; i < mutants.size(); ++i) caught[i] += static_cast<std::uint64_t>(is_caught[i]);
  }
  MESSAGE(systems, " systems, bounds reached in ", reached, "; rounded down caught in ", caught[0], ", one gap per path in ", caught[1]);
  CHECK(reached > 0);
  for (const std::uint64_t of : caught) CHECK(of > 0);
}
