// T37, docs/theory/fixed-priority.md: certificates of DAGs beside less urgent ones without a bound.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sstream>
#include <string>

#include "certified.hpp"
#include "rta/analysis/option_table.hpp"

namespace {

using namespace rta;
using namespace rta::test;

std::string one_processor(const std::string& cpu, int last_priority) {
  return fmt::format(
      "platform: {{cpu: {{processors: 1, {}}}}}\ntasks:\n"
      "  - {{name: a, on: cpu, C: 2 ms, T: 10 ms, priority: 3}}\n"
      "  - {{name: b, on: cpu, C: 3 ms, T: 15 ms, priority: 2}}\n"
      "  - {{name: c, on: cpu, C: 9 ms, T: 10 ms, priority: {}}}\n",
      cpu, last_priority);
}

Certified proven_of(const std::string& text) {
  return certified(io::parse_task_set(text, "set.yaml").task_set, analysis::options_of({{"release", "completion"}}));
}

/// Without the statements about one DAG's bounds.
std::string without(const std::string& certificate, int d) {
  std::string kept;
  std::istringstream lines(certificate);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(fmt::format("bound {} ", d)) && !line.starts_with(fmt::format("end {} ", d))) kept += line + "\n";
  }
  return kept;
}

std::string moved_to(const std::string& file, const std::string& certificate) {
  return by_hand(file, certificate.substr(certificate.find("release ")));
}

}  // namespace

TEST_CASE("bounds beside an overload are verified, and none that is lower") {
  const Certified made = proven_of(one_processor("scheduler: FP", 1));
  CHECK(made.certificate.uncertified.empty());
  CHECK(made.certificate.text.find("bound 2 ") == std::string::npos);
  CHECK(made.certificate.text.find("verdict unbounded") != std::string::npos);
  CHECK(first_refused(made.file, made.certificate.text) == "");
  std::string lower = made.certificate.text;
  const auto at = lower.find("bound 1 0 0 5000000");
  REQUIRE(at != std::string::npos);
  lower.replace(at, 19, "bound 1 0 0 4999999");
  CHECK(first_refused(made.file, lower).find("the theorem gives no less than 5000000") != std::string::npos);
}

TEST_CASE("a DAG that is needed has to have a bound") {
  const Certified made = proven_of(one_processor("scheduler: FP", 1));
  // The most urgent needs nobody.
  CHECK(first_refused(made.file, without(made.certificate.text, 1)) == "");
  CHECK(first_refused(made.file, without(made.certificate.text, 0)).find("'a' has no bound, and may go first on 'cpu'") !=
        std::string::npos);
  // The same claims of files in which c is as urgent as b, or is not preempted.
  const std::string equals = one_processor("scheduler: FP", 2);
  CHECK(first_refused(equals, moved_to(equals, made.certificate.text)).find("'c' has no bound, and may go first on 'cpu'") !=
        std::string::npos);
  const std::string blocking = one_processor("scheduler: FP, preemptive: false", 1);
  CHECK(first_refused(blocking, moved_to(blocking, made.certificate.text)).find("'c' has no bound, and may go first on 'cpu'") !=
        std::string::npos);
}

TEST_CASE("priorities by deadlines are numbered over all DAGs, also where some are left out") {
  // Two DAGs of several nodes, so that T10w is asked, above an overload with the longest period.
  const std::string file =
      "platform: {cpu: {processors: 2, scheduler: FP}}\ntime_unit: ms\n"
      "dags:\n"
      "  - {name: over, T: 30, nodes: {x: {on: cpu, C: 61}}}\n"
      "  - {name: a, T: 10, nodes: {x: {on: cpu, C: 1}, y: {on: cpu, C: 2}, z: {on: cpu, C: 2}}, edges: [x -> y, x -> z]}\n"
      "  - {name: b, T: 20, nodes: {x: {on: cpu, C: 2}, y: {on: cpu, C: 3}, z: {on: cpu, C: 3}}, edges: [x -> y, x -> z]}\n";
  const Certified made =
      certified(io::parse_task_set(file, "set.yaml").task_set, analysis::options_of({{"release", "completion"}, {"fitting", "true"}}));
  CHECK(made.certificate.text.find("T10w") != std::string::npos);
  CHECK(first_refused(made.file, made.certificate.text) == "");
}
