// docs/theory/cpu.md, T3s on one processor: no schedule of sequential nodes there shows more than the bounds, whatever the periods.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <string>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/simulate/simulate.hpp"

using namespace rta;

namespace {

// Chains of one to three nodes over two pools of one processor, each loaded to 95 % at most.
std::string arbitrary_set(std::mt19937_64& random) {
  const auto pick = [&](int from, int to) { return std::uniform_int_distribution(from, to)(random); };
  const std::array<std::string, 3> schedulers{"G-EDF", "G-FL", "FP"};
  const std::array<std::string, 2> of{schedulers.at(static_cast<std::size_t>(pick(0, 2))),
                                      schedulers.at(static_cast<std::size_t>(pick(0, 2)))};
  std::string text = fmt::format("platform:\n  p0: {{processors: 1, scheduler: {}{}}}\n  p1: {{processors: 1, scheduler: {}}}\ndags:\n",
                                 of[0], pick(0, 2) == 0 ? ", preemptive: false" : "", of[1]);
  std::array<double, 2> left{0.95, 0.95};
  const int dags = pick(2, 4);
  for (int d = 0; d < dags; ++d) {
    const int T = pick(4, 24), length = pick(1, 3);
    std::string nodes, edges;
    int made = 0;
    for (int v = 0; v < length; ++v) {
      const auto on = static_cast<std::size_t>(pick(0, 1));
      const int most = static_cast<int>(left.at(on) * T);
      const int C = pick(1, std::max(1, most));
      if (most < 1) continue;
      left.at(on) -= static_cast<double>(C) / T;
      if (made > 0) edges += fmt::format("{}n{} -> n{}", made > 1 ? ", " : "", made - 1, made);
      nodes += fmt::format("{}n{}: {{on: p{}, C: {} ns, sequential: {}{}}}", made > 0 ? ", " : "", made, on, C, pick(0, 3) > 0,
                           of.at(on) == "FP" ? fmt::format(", priority: {}", 10 * d + v) : "");
      ++made;
    }
    if (made > 0)
      text += fmt::format("  - {{name: d{}, T: {} ns, D: {} ns, nodes: {{{}}}, edges: [{}]}}\n", d, T, T * pick(1, 4), nodes, edges);
  }
  return text;
}

}  // namespace

TEST_CASE("Law 1 of sequential nodes on one processor, with bounds past their periods") {
  std::mt19937_64 random(11);
  int past = 0, reached = 0;
  for (int system = 0; system < 600; ++system) {
    const std::string text = arbitrary_set(random);
    CAPTURE(text);
    const auto set = std::make_shared<const TaskSet>(io::parse_task_set(text, "set.yaml").task_set);
    for (const Release release : {Release::completion, Release::offsets}) {
      analysis::Options options;
      options.release = release;
      const analysis::Proof proof = analysis::analyze(set, options).proof;
      const auto bounded = [](const analysis::DagProof& dag) { return dag.bound.has_value(); };
      if (!std::ranges::all_of(proof.dags, bounded)) continue;
      bool counts = false;
      for (DagId d = 0; d < set->dags().size(); ++d) {
        for (NodeId v = 0; v < set->dags()[d].nodes().size(); ++v)
          counts |= set->dags()[d].nodes()[v].sequential && proof.dags[d].nodes[v].bound->R > set->dags()[d].period();
      }
      if (!counts) continue;
      ++past;
      for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        simulate::Options played;
        played.duration = Time(2'000);
        played.seed = seed;
        played.releases.random_phases = seed > 1;
        if (seed % 2 == 0) played.ties = simulate::Ties::random;
        if (seed % 3 == 0) played.execution = simulate::uniform;
        const auto seen = simulate::simulate(*set, analysis::schedule_of(proof), played);
        for (DagId d = 0; d < set->dags().size(); ++d) {
          if (seen.dags[d].response.count() == 0) continue;
          CHECK(seen.dags[d].response.max() <= proof.dags[d].bound->R);
          reached += seen.dags[d].response.max() == proof.dags[d].bound->R ? 1 : 0;
        }
      }
    }
  }
  MESSAGE(past, " analyses with a bound past a period, ", reached, " times a bound was reached");
  CHECK(past > 50);
  CHECK(reached > 50);
}
