// Whatever is proven can be taken apart, and the parts sum to the bound.
#include "rta/analysis/why.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "rta/analysis/analyze.hpp"
#include "rta/io/task_set_file.hpp"
#include "support/random_system.hpp"
#include "support/time_slices.hpp"

namespace {

using namespace rta;
using namespace rta::analysis;

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
      check_sums(analyze(set, options).proof, seen);
    }
    check_sums(analyze(set).proof, seen);
    if (seed % 4 > 0) continue;
    const auto sliced = std::make_shared<const TaskSet>(
        test::with_slices(test::random_system(seed, {.sequential = true, .priorities = false, .non_preemptive = true}), seed, false));
    CAPTURE(io::format_task_set(*sliced));
    check_sums(analyze(sliced).proof, seen);
  }
  for (const Cause cause :
       {Cause::execution, Cause::waiting, Cause::blocking, Cause::carry, Cause::slices, Cause::priority, Cause::rounding}) {
    CAPTURE(to_string(cause));
    CHECK(seen[cause] > 10);
  }
}
