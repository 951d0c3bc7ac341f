// T38, docs/theory/in-flight.md: what certificates of sets with limits of jobs under way say, by hand and over random systems.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "certified.hpp"
#include "rta/analysis/option_table.hpp"
#include "support/admitted.hpp"
#include "support/durations.hpp"

namespace {

using namespace rta;
using namespace rta::test;

/// A camera of two nodes of 2 ms and a control task of 1 ms on one processor.
std::string beside_control(const std::string& cpu, const std::string& T, const std::string& limit) {
  return "platform:\n  cpu: {" + cpu + "}\ndags:\n  - name: camera\n    T: " + T + "\n" + limit +
         "    nodes:\n      a: {on: cpu, C: 2 ms}\n      b: {on: cpu, C: 2 ms}\n    edges: [a -> b]\n"
         "  - name: control\n    T: 20 ms\n    nodes:\n      c: {on: cpu, C: 1 ms}\n";
}
const std::string fifo = "processors: 1, scheduler: FIFO";

Certified proven_on_completion(const std::string& text) {
  return certified(io::parse_task_set(text, "set.yaml").task_set, analysis::options_of({{"release", "completion"}}));
}

std::string replaced_in(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, from << " in\n" << text);
  return text.replace(at, from.size(), to);
}

/// Why the statements of `made` are refused as those of another file.
std::string refused_of(const std::string& file, const std::string& certificate) {
  return first_refused(file, by_hand(file, certificate.substr(certificate.find("release "))));
}

}  // namespace

TEST_CASE("T38 beside a DAG whose jobs wait is verified, and less is not") {
  const Certified made = proven_on_completion(beside_control(fifo, "3 ms", "    in_flight: 2\n"));
  CHECK(made.certificate.uncertified.empty());
  CHECK(made.certificate.text.find(" in_flight 2") != std::string::npos);
  CHECK(made.certificate.text.find("bound 1 0 0 5000000 - T38") != std::string::npos);
  CHECK(first_refused(made.file, made.certificate.text) == "");
  CHECK(first_refused(made.file, replaced_in(made.certificate.text, "bound 1 0 0 5000000", "bound 1 0 0 4999999")) ==
        "bound 1 0 0 4999999 - T38: the theorem gives no less than 5000000");
  const std::string& text = made.certificate.text;
  CHECK(refused_of(beside_control(fifo, "3 ms", "    in_flight: 2\n"), text) == "");
  CHECK(refused_of(beside_control(fifo, "3 ms", "    in_flight: 1\n"), text) == "");
  CHECK(refused_of(beside_control(fifo, "3 ms", "    in_flight: 3\n"), text).find("the theorem gives no less than 7000000") !=
        std::string::npos);
  CHECK(refused_of(beside_control(fifo, "3 ms", ""), text).find("a DAG without a limit of jobs under way has a node without a bound") !=
        std::string::npos);
  CHECK(refused_of(beside_control(fifo, "3 ms", "    threads: 2\n"), text).find("T38 is not for DAGs on threads") != std::string::npos);
  CHECK(refused_of(beside_control("processors: 1, scheduler: FP", "3 ms", "    in_flight: 2\n"), text)
            .find("nodes may wait on processors, and not in a FIFO") != std::string::npos);
}

TEST_CASE("a DAG that keeps up has bounds by T38 as long as H + J <= N T") {
  // H = 10 ms with two at once: T = 5 ms keeps up.
  const std::string file = beside_control(fifo, "5 ms", "    in_flight: 2\n");
  std::string statements =
      "release completion\nbound 0 0 0 5000000 - T38\nbound 0 1 0 10000000 - T38\nbound 1 0 0 5000000 - T38\n"
      "end 0 10000000\nend 1 5000000\nverdict schedulable\n";
  CHECK(first_refused(file, by_hand(file, statements)) == "");
  CHECK(first_refused(file, by_hand(file, replaced_in(statements, "0 1 0 10000000", "0 1 0 9999999"))).find("no less than 10000000") !=
        std::string::npos);
  CHECK(first_refused(file, by_hand(file, replaced_in(statements, "bound 1 0 0 5000000", "bound 1 0 0 4999999")))
            .find("no less than 5000000") != std::string::npos);
  const std::string faster = beside_control(fifo, "4999999 ns", "    in_flight: 2\n");
  CHECK(first_refused(faster, by_hand(faster, statements)).find("jobs may wait to be admitted: H is more than N T") != std::string::npos);
  // All that share pools by T38, or none.
  CHECK(first_refused(file, by_hand(file, replaced_in(statements, "5000000 - T38\nend", "5000000 - T10n\nend"))) != "");
}

TEST_CASE("other rules are for sets in which no job waits") {
  const std::string fast = "processors: 3, scheduler: FIFO";
  const Certified made = proven_on_completion(beside_control(fast, "3 ms", "    in_flight: 2\n"));
  CHECK(made.proof.dags[0].bound->R == Time(4'000'000));
  CHECK(first_refused(made.file, made.certificate.text) == "");
  const std::string& text = made.certificate.text;
  CHECK(refused_of(beside_control(fast, "3 ms", "    in_flight: 1\n"), text)
            .find("jobs of a DAG with a bound may wait for its limit of jobs under way: F is more than N T") != std::string::npos);
  CHECK(refused_of(beside_control(fast, "4 ms", "    in_flight: 1\n"), text) == "");
  CHECK(refused_of(beside_control(fast, "3999999 ns", "    in_flight: 1\n"), text) != "");
  CHECK(refused_of(beside_control(fast, "5 ms\n    jitter: 1 ms", "    in_flight: 1\n"), text).find("may wait for its limit") ==
        std::string::npos);
  CHECK(refused_of(beside_control(fast, "4999999 ns\n    jitter: 1 ms", "    in_flight: 1\n"), text).find("may wait for its limit") !=
        std::string::npos);
}

TEST_CASE("all that is proven of random sets with limits is verified, and less by T38 is not") {
  int verified = 0;
  int by_T38 = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const TaskSet plain = random_system(
        seed, Ingredients{.sequential = seed % 4 == 0, .priorities = seed % 5 == 0, .non_preemptive = true, .fixed = seed % 3 == 0});
    if (!all_fit(plain)) continue;
    const TaskSet set = with_limits(seed % 4 == 1 ? with_durations(plain, seed) : plain, seed);
    if (!is_writable(set)) continue;
    const Certified made = seed % 2 == 0 ? certified(set) : certified(set, analysis::options_of({{"release", "completion"}}));
    CAPTURE(seed);
    CAPTURE(made.file);
    CAPTURE(made.certificate.text);
    REQUIRE(first_refused(made.file, made.certificate.text) == "");
    for (DagId d = 0; d < made.proof.dags.size(); ++d) {
      const auto& bound = made.proof.dags[d].nodes[0].bound;
      if (!bound) continue;
      ++verified;
      if (bound->basis.theorem != analysis::Theorem::T38 || bound->R == Time::zero()) continue;
      ++by_T38;
      const std::string claim = fmt::format("\nbound {} 0 0 {} ", d, bound->R.count());
      const std::string less = replaced_in(made.certificate.text, claim, fmt::format("\nbound {} 0 0 {} ", d, bound->R.count() - 1));
      CHECK(first_refused(made.file, less) != "");
    }
  }
  CHECK(verified > 100);
  CHECK(by_T38 > 30);
}
