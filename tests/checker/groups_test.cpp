// Grouped proofs that are no fixed point.
#include <doctest/doctest.h>

#include <string>

#include "certified.hpp"
#include "rta/analysis/option_table.hpp"

namespace {

using namespace rta::test;

// The low kernel has no bound, so the group has none, and the jitter of the high kernel is not known: its bound of round 0, with no jitter,
// is none.
TEST_CASE("where a group has no bound what it awaits has none either") {
  const std::string file =
      "platform: {gpu: {sms: 1, threads: 12}, cpu: {processors: 2}}\ntime_unit: ns\ndags:\n"
      "  - {name: d, T: 40, nodes: {a: {on: cpu, C: 4}, high: {on: gpu, B: 1, H: 1, L: 4, priority: high}, "
      "low: {on: gpu, B: 30, H: 12, L: 10}}, edges: [a -> high -> low]}\n";
  const auto set = rta::io::parse_task_set(file, "set.yaml").task_set;
  const Certified made = certified(set, rta::analysis::options_of({{"granularity", "monolithic"}}));
  CHECK(made.certificate.text.find("\nawaited ") == std::string::npos);
  CHECK(first_refused(made.file, made.certificate.text) == "");
}

}  // namespace
