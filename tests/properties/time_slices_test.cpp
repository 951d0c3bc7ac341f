// Laws of T14 and T14j over random systems, with both ways of serving contexts; T14 against the theorem by the letter; and formulas that
// are wrong, which schedules exceed.
#include "rta/model/time_slices.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdlib>

#include "properties/law_1.hpp"
#include "support/path_oracle.hpp"
#include "support/time_slices.hpp"

using namespace rta;

namespace {

constexpr test::Ingredients kernels{.sequential = true, .priorities = false, .non_preemptive = true, .fixed = true};

/// As `analyze` proves it for this release. A kernel of length 0 that starts at the instant of an offset ends after this has passed, so
/// only on completion are there any.
test::Law proven_for(const char* release) {
  return [release](const TaskSet& plain, std::uint64_t seed, test::Compared& compared) -> std::optional<std::string> {
    const TaskSet set = test::with_slices(plain, seed, std::string_view(release) == "completion");
    if (!first_gpu_with_slices(set)) return std::nullopt;
    test::Dice dice(seed);
    const analysis::GivenOptions how{{"release", release}, {"most-periods", "100"}};
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
  std::optional<test::Mutant> mutant;  // none: T14j without G
  std::size_t caught = 0;
};

/// T14j's bounds without the gap before the first slice.
std::optional<Ends> without_first_gap(const analysis::PathSystem& system, const analysis::path::NodeBounds& bounds) {
  namespace path = analysis::path;
  std::optional<Ends> F;
  for (std::size_t d = 0; d < bounds.F.size(); ++d) {
    for (std::size_t v = 0; v < bounds.F[d].size(); ++v) {
      const auto& slices = system.system.pools[system.system.dags[d].nodes[v].pool].slices;
      if (bounds.support[d][v] != path::Support::late || !slices) continue;
      if (!F) {
        F.emplace();
        for (const auto& row : bounds.F) F->emplace_back(row.size(), INT64_MAX);
      }
      (*F)[d][v] = (bounds.F[d][v] - slices->gap).count();
    }
  }
  return F;
}

}  // namespace

TEST_CASE("Law 1 with time slices, offsets: no response time above its bound") {
  test::Compared compared;  // few come close to T14j
  const auto broken = test::first_broken(1, 200, kernels, proven_for("offsets"), compared);
  if (broken) FAIL_CHECK(broken->what << "\n" << test::command_to_repeat(broken->seed) << "\n" << io::format_task_set(broken->task_set));
  CHECK(compared.systems > 150);
  CHECK(compared.bound["T14j"] > 300);
}

TEST_CASE("Law 1 with time slices, on completion: no node ends after its bound") {
  test::check_law_1(1, 300, kernels, proven_for("completion"), 100, {"T14", "T14j"});
}

TEST_CASE("Law 1 with time slices, on segments: no node ends after its bound") {
  test::check_law_1(1, 100, kernels, proven_for("segments"), 50, {"T14"});
}

TEST_CASE("T14 is the theorem by the letter, and no schedule exceeds it; wrong formulas are exceeded") {
  namespace path = analysis::path;
  const char* const given = std::getenv("RTA_SLICES_SYSTEMS");  // NOLINT(concurrency-mt-unsafe): nothing sets it
  const std::size_t wanted = given == nullptr ? 600 : std::stoul(given);
  constexpr test::Ingredients plain{.sequential = false, .priorities = false};
  std::array variants{Variant{"one gap per path", test::Mutant::one_gap_per_path},
                      Variant{"execution alone", test::Mutant::gaps_of_execution}, Variant{"rounded down", test::Mutant::gaps_rounded_down},
                      Variant{"length 0 as others", test::Mutant::empty_as_others}, Variant{"T14j without G", std::nullopt}};
  path::Limits limits;
  limits.periods = 100;
  std::size_t systems = 0;
  std::size_t reached = 0;
  for (std::uint64_t seed = 1; systems < wanted; ++seed) {
    CAPTURE(seed);
    const TaskSet set = test::with_slices(test::random_system(seed, plain), seed, true);
    const auto weights = analysis::kernel_weights(set);
    if (!first_gpu_with_slices(set) || !weights) continue;
    const std::vector<Time> Y = analysis::dag_priority_points(set);
    const auto system = analysis::path_system(set, analysis::whole_dags(set), weights->front(), Y);
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
    for (std::size_t d = 0; d < F.size(); ++d) {
      for (std::size_t v = 0; v < F[d].size(); ++v) {
        if (bounds->support[d][v] != path::Support::successor) CHECK(F[d][v] == (*by_letter)[d][v]);
      }
    }
    std::vector<std::optional<Ends>> wrong;
    for (const Variant& variant : variants) {
      if (variant.mutant) {
        wrong.push_back(test::PathOracle(system.system, *variant.mutant).nodes(INT64_MAX / 4));
        continue;
      }
      const auto late = path::node_bounds(system.system, path::Refinement::T10j, limits);
      wrong.push_back(late ? without_first_gap(system, *late) : std::nullopt);
    }
    std::array<bool, variants.size()> caught{};
    bool is_reached = false;
    test::Dice dice(seed);
    for (int run = 0; run < 6; ++run) {
      const auto seen = simulate::simulate(set, test::on_completion(set, Y), test::random_options(dice, set));
      REQUIRE_FALSE(exceeded(seen, system, F));
      for (std::size_t i = 0; i < variants.size(); ++i) caught[i] = caught[i] || exceeded(seen, system, wrong[i]);
      for (DagId d = 0; d < seen.dags.size(); ++d) {
        for (NodeId v = 0; v < seen.dags[d].nodes.size(); ++v) {
          const auto& place = system.place[d][v];
          const bool sliced = bounds->support[place.dag][place.node] == path::Support::sliced;
          is_reached = is_reached || (sliced && seen.dags[d].nodes[v].max().count() == F[place.dag][place.node]);
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
