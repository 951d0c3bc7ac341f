// Parts of a chain's latencies: by hand, and that they sum to what T13 says.
#include "rta/analysis/chain_parts.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <random>

namespace {

using namespace rta;
using namespace rta::analysis;
using What = ChainPart::What;

ChainProof chain_of(std::vector<StageTimes> stages) {
  ChainProof chain;
  chain.bound = chain_latencies(stages);
  for (const StageTimes& times : stages) chain.stages.push_back({.dag = chain.stages.size(), .entry = {}, .exit = {}, .times = times});
  return chain;
}

Time sum(const std::vector<ChainPart>& parts) {
  return std::accumulate(parts.begin(), parts.end(), Time::zero(), [](Time all, const ChainPart& part) { return all + part.length; });
}

void check(const std::vector<ChainPart>& parts, const std::vector<ChainPart>& expected) {
  REQUIRE(parts.size() == expected.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    CAPTURE(i);
    CHECK((parts[i].what == expected[i].what && parts[i].stage == expected[i].stage));
    CHECK(parts[i].length == expected[i].length);
  }
}

}  // namespace

// (T, F) = (10, 4), (20, 6): 10 until s is released again, 4 until it has written, 20 until b is released that reads it, 6 until b ends.
TEST_CASE("chain parts: 10 + 4 + 20 + 6; backwards 4 + 10 + 6 + 20") {
  const ChainProof chain = chain_of({{.T_max = Time(10), .E = {}, .F = Time(4)}, {.T_max = Time(20), .E = {}, .F = Time(6)}});
  check(reaction_parts(chain),
        {{What::missed, 0, Time(10)}, {What::writes, 0, Time(4)}, {What::reads, 1, Time(20)}, {What::writes, 1, Time(6)}});
  check(age_parts(chain), {{What::writes, 0, Time(4)}, {What::stays, 0, Time(10)}, {What::writes, 1, Time(6)}, {What::stays, 1, Time(20)}});
}

// (33, 40, 2, 12), (10, 10, 0, 5), (50, 50, 3, 30): 38 + 12 + 10 + 5 + 47 + 30 = 142.
TEST_CASE("chain parts: what reads late waits less before it is released") {
  const ChainProof chain = chain_of({{.T_max = Time(40), .E = Time(2), .F = Time(12)},
                                     {.T_max = Time(10), .E = {}, .F = Time(5)},
                                     {.T_max = Time(50), .E = Time(3), .F = Time(30)}});
  check(reaction_parts(chain), {{What::missed, 0, Time(38)},
                                {What::writes, 0, Time(12)},
                                {What::reads, 1, Time(10)},
                                {What::writes, 1, Time(5)},
                                {What::reads, 2, Time(47)},
                                {What::writes, 2, Time(30)}});
  CHECK(sum(reaction_parts(chain)) == Time(142));
}

// (10, 2) above (20, 8) on one processor: the next job of b that is released reads it, 20 after s at most; MRT = 38.
TEST_CASE("chain parts: a more urgent stage hands over") {
  const ChainProof chain =
      chain_of({{.T_max = Time(10), .E = {}, .F = Time(2), .outranks_next = true}, {.T_max = Time(20), .E = {}, .F = Time(8)}});
  check(reaction_parts(chain),
        {{What::missed, 0, Time(10)}, {What::writes, 0, Time(2)}, {What::reads, 1, Time(18)}, {What::writes, 1, Time(8)}});
  CHECK(sum(age_parts(chain)) == Time(40));
}

TEST_CASE("chain parts: they sum to the latencies, with phases and urgent stages, too") {
  std::mt19937 dice(7);
  const auto draw = [&](int least, int most) { return Time(std::uniform_int_distribution(least, most)(dice)); };
  for (int run = 0; run < 2'000; ++run) {
    std::vector<StageTimes> stages(static_cast<std::size_t>(draw(1, 5).count()));
    for (StageTimes& stage : stages) {
      stage.T_max = draw(1, 60);
      stage.E = draw(0, 20);
      stage.F = stage.E + draw(0, 50);
      stage.outranks_next = draw(0, 2) == Time::zero();
      if (draw(0, 1) == Time::zero()) stage.to_next = draw(1, 90);
    }
    const ChainProof chain = chain_of(stages);
    CHECK(sum(reaction_parts(chain)) == chain.bound->MRT);
    CHECK(sum(age_parts(chain)) == chain.bound->MDA);
  }
}
