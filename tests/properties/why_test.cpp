// Whatever is proven can be taken apart: the terms of its inequality sum to what is no more than the bound, and the parts of the whole to
// it.
#include "rta/analysis/why.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <variant>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/inequality.hpp"
#include "rta/io/task_set_file.hpp"
#include "support/inequality_laws.hpp"
#include "support/random_system.hpp"
#include "support/time_slices.hpp"

namespace {

using namespace rta;
using namespace rta::analysis;

/// Of every node with a bound.
void check_inequalities(const Proof& proof, std::set<Theorem>& theorems) {
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    for (NodeId v = 0; v < proof.dags[d].nodes.size(); ++v) {
      const auto& bound = proof.dags[d].nodes[v].bound;
      if (!bound) continue;
      CAPTURE(d);
      CAPTURE(v);
      const Inequality of = inequality_of(proof, *bound, d, v);
      CHECK(of.theorem == bound->basis.theorem);
      REQUIRE_FALSE(of.path.empty());
      REQUIRE_FALSE(of.terms.empty());
      CHECK(of.terms.front().cause == Cause::execution);
      theorems.insert(of.theorem);
      const auto* path = std::get_if<PathEvidence>(&proof.evidence[bound->basis.evidence]);
      const auto rounding = static_cast<Wide>(of.terms.size());  // of each term
      if (path == nullptr) {
        CHECK(of.total <= fine(bound->R) + FineTime(rounding));
        continue;
      }
      const auto& place = path->bounds.system.place[path->place_of(d)][v];
      const auto& ends = path->bounds.bounds;
      test::check_inequality(of, ends.support.empty() ? path->bounds.R[path->place_of(d)] : ends.F[place.dag][place.node]);
    }
  }
}

void check_sums(const Proof& proof, std::map<Cause, int>& seen) {
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    if (!proof.dags[d].bound) continue;
    const Why result = why(proof, d);
    Wide sum = 0;
    Wide rounding = 0;
    for (const BoundPart& part : result.parts) {
      sum += part.length.count();
      if (part.cause == Cause::rounding) rounding += part.length.count();
      CHECK((part.by ? part.cause == Cause::waiting : true));
      ++seen[part.cause];
    }
    CHECK(sum == proof.dags[d].bound->R.count());
    CHECK(rounding >= 0);
    REQUIRE_FALSE(result.path.empty());
    CHECK(result.alone <= proof.dags[d].bound->R);
  }
}

}  // namespace

TEST_CASE("The parts of every bound of random task sets sum to it, under every policy") {
  std::map<Cause, int> seen;
  std::set<Theorem> theorems;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    CAPTURE(seed);
    const auto set =
        std::make_shared<const TaskSet>(test::random_system(seed, {.sequential = true, .priorities = true, .non_preemptive = true}));
    CAPTURE(io::format_task_set(*set));
    for (const Release release : {Release::offsets, Release::early, Release::completion, Release::segments}) {
      CAPTURE(to_string(release));
      Options options;
      options.release = release;
      options.most_periods = 50;
      const Proof proof = analyze(set, options).proof;
      check_sums(proof, seen);
      check_inequalities(proof, theorems);
    }
    const Proof best = analyze(set).proof;
    check_sums(best, seen);
    check_inequalities(best, theorems);
    if (seed % 4 > 0) continue;
    const auto sliced = std::make_shared<const TaskSet>(
        test::with_slices(test::random_system(seed, {.sequential = true, .priorities = false, .non_preemptive = true}), seed, false));
    CAPTURE(io::format_task_set(*sliced));
    const Proof on_slices = analyze(sliced).proof;
    check_sums(on_slices, seen);
    check_inequalities(on_slices, theorems);
  }
  MESSAGE(theorems.size(), " theorems");
  CHECK(theorems.size() > 25);
  for (const Cause cause :
       {Cause::execution, Cause::waiting, Cause::blocking, Cause::carry, Cause::slices, Cause::priority, Cause::rounding}) {
    CAPTURE(to_string(cause));
    CHECK(seen[cause] > 10);
  }
}
