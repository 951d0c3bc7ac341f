// T35 and T36 within an analysis: never above the bounds without it, nor below what simulation shows, and every bound has its certificate.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "checker/checker.hpp"
#include "checker/sha256.hpp"
#include "rta/certificate/certificate.hpp"
#include "rta/io/task_set_file.hpp"
#include "support/runs_against_bounds.hpp"

using namespace rta;
using namespace rta::test;

namespace {

/// Periods that divide one another, no shorter than they were, with phases, jitter and least execution times; or the same, but sporadic.
TaskSet with_clock(const TaskSet& set, std::uint64_t seed, bool periodic) {
  Dice dice(seed);
  Time base = set.dags()[0].period();
  for (const Dag& dag : set.dags()) base = std::min(base, dag.period());
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) {
    Time T = base;
    while (T < dag.period()) T = T + T;
    DagAttributes attributes = dag.attributes();
    attributes.phase = Time(dice.between(0, T.count() - 1));
    attributes.jitter = dice.one_in(3) ? Time(dice.between(0, T.count() / 4)) : Time::zero();
    attributes.periodic = periodic;
    std::vector<Node> nodes(dag.nodes().begin(), dag.nodes().end());
    for (Node& node : nodes) {
      if (dice.one_in(2)) node.variation = Variation{Time(dice.between(0, longest_piece(node).count() - 1)), std::nullopt};
    }
    dags.emplace_back(dag.name(), T - attributes.jitter, dag.deadline(), std::move(nodes),
                      std::vector<Edge>(dag.edges().begin(), dag.edges().end()), attributes);
  }
  return TaskSet(set.name(), std::vector<Pool>(set.pools().begin(), set.pools().end()), std::move(dags));
}

/// By way of a file, which rounds what it cannot say.
std::shared_ptr<const TaskSet> as_file(const TaskSet& set, std::string& text) {
  text = io::format_task_set(set);
  return std::make_shared<const TaskSet>(io::parse_task_set(text, "set.yaml").task_set);
}

struct Seen {
  Compared compared;
  int less = 0, only = 0, jobs_apart = 0;  // bounds of nodes that they lower, or have alone; DAGs whose jobs have different bounds
};

void check(std::uint64_t seed, Seen& seen) {
  const TaskSet drawn = random_system(seed, {.sequential = true, .priorities = false, .non_preemptive = true, .fixed = seed % 2 == 0});
  std::string text, sporadic_text;
  const auto set = as_file(with_clock(drawn, seed, true), text);
  CAPTURE(text);
  analysis::Options options;
  options.release = Release::completion;
  options.critical_paths = seed % 2 == 0;
  const auto sporadic = analysis::analyze(as_file(with_clock(drawn, seed, false), sporadic_text), options).proof;
  const auto analysis = analysis::analyze(set, options);
  const analysis::Proof& proof = analysis.proof;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const auto check_less = [&](const std::optional<analysis::Bound>& with, const std::optional<analysis::Bound>& without) {
      if (!without) {
        seen.only += with ? 1 : 0;
        return;
      }
      REQUIRE(with);
      CHECK(with->R <= without->R);
      seen.less += with->R < without->R ? 1 : 0;
    };
    check_less(proof.dags[d].bound, sporadic.dags[d].bound);
    for (NodeId v = 0; v < proof.dags[d].nodes.size(); ++v) check_less(proof.dags[d].nodes[v].bound, sporadic.dags[d].nodes[v].bound);
  }
  if (analysis.verdict == analysis::Verdict::unbounded) return;
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    const auto why = analysis::why(proof, d);  // its parts are not more than the bound
    CHECK_FALSE(why.path.empty());
    for (NodeId v = 0; v < proof.dags[d].nodes.size(); ++v) {
      const analysis::Bound& bound = *proof.dags[d].nodes[v].bound;
      if (bound.basis.theorem != analysis::Theorem::T35 && bound.basis.theorem != analysis::Theorem::T36) continue;
      const auto inequality = analysis::inequality_of(proof, bound, d, v);
      CHECK(inequality.total == analysis::fine(bound.R));
      const auto lines = analysis::explain(proof, proof.task_set->dags()[d].name() + "/" + proof.task_set->dags()[d].nodes()[v].name).lines;
      CHECK(lines.back() == fmt::format("R = {} ns", bound.R.count()));
    }
  }
  if (const auto jobs = analysis::job_bounds(proof)) {
    for (DagId d = 0; d < proof.dags.size(); ++d) {
      Time most = Time::zero(), least = jobs->dags[d].front().R;
      for (const auto& job : jobs->dags[d]) {
        most = std::max(most, job.R);
        least = std::min(least, job.R);
      }
      CHECK(most <= proof.dags[d].bound->R + proof.task_set->dags()[d].attributes().jitter);  // from the nominal release
      seen.jobs_apart += least < most ? 1 : 0;
    }
  }
  const auto certificate = certificate::certificate_of(proof, *set, checker::sha256(text));
  CHECK(certificate.uncertified.empty());
  for (const checker::Verdict& verdict : checker::check(text, certificate.text).verdicts) {
    CAPTURE(verdict.statement);
    CAPTURE(verdict.why);
    CHECK(verdict.verified);
  }
  Dice dice(seed);
  const auto broken = broken_in_proof(dice, proof, {}, seen.compared);
  CHECK_MESSAGE(!broken, *broken);
}

}  // namespace

TEST_CASE("T35 and T36 are never above other bounds, hold in simulation, and are certified: 1,000 random systems") {
  Seen seen;
  for (std::uint64_t seed = 1; seed <= 1'000; ++seed) check(seed, seen);
  MESSAGE(seen.compared.systems, " systems, ", seen.compared.nodes, " times a node, ", seen.compared.tight, " within 1 %; lowered ",
          seen.less, ", alone ", seen.only, ", different jobs ", seen.jobs_apart);
  CHECK(seen.less > 1'000);
  CHECK(seen.only > 300);
  CHECK(seen.jobs_apart > 150);
  CHECK(seen.compared.bound["T35"] > 500);
  CHECK(seen.compared.bound["T36"] > 300);
}
