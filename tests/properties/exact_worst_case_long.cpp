// The distance between bounds and the exact worst case of 1,000 small systems of each kind, as docs/theory/tightness.md tells it.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "support/small_systems.hpp"

using namespace rta::test;

namespace {

constexpr std::size_t most_states = 4'000;

void measure(SmallKind kind, const std::string& name) {
  Distances distances(kind);
  for (std::uint64_t seed = 1; distances.systems() < 1'000; ++seed) distances.measure(seed, most_states);
  std::ifstream file(RTA_SOURCE_DIR "/docs/theory/tightness.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const std::string& row : distances.rows(name)) {
    MESSAGE(row);
    CHECK_MESSAGE(page.find(row) != std::string::npos, "docs/theory/tightness.md lacks this row: ", row);
  }
}

}  // namespace

TEST_CASE("1,000 small systems on FIFO pools are as far from their bounds as is told") { measure(SmallKind::fifo, "FIFO"); }
TEST_CASE("1,000 small systems on a GEL pool are as far from their bounds as is told") { measure(SmallKind::gel, "GEL"); }
TEST_CASE("1,000 small systems on a GEL and a FIFO pool are as far from their bounds as is told") {
  measure(SmallKind::gel_and_fifo, "GEL and FIFO");
}
TEST_CASE("1,000 small systems on a non-preemptive pool are as far from their bounds as is told") {
  measure(SmallKind::non_preemptive, "GEL, not preemptive");
}
TEST_CASE("1,000 small systems under fixed priorities are as far from their bounds as is told") {
  measure(SmallKind::fixed, "fixed priorities");
}
