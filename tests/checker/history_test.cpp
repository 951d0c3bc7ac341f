// T40, docs/theory/history.md: what certificates of sets with nodes that wait for earlier jobs say, by hand and over random systems.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "certified.hpp"
#include "rta/analysis/option_table.hpp"
#include "support/with_history.hpp"

namespace {

using namespace rta;
using namespace rta::test;

/// Stages of 4 and 6 ms on processors of their own; the first waits for the second of earlier jobs. Another DAG shares one of them.
std::string two_stages(const std::string& T, const std::string& jobs, const std::string& more = "") {
  return "platform:\n  a: {processors: 1, scheduler: FIFO}\n  b: {processors: 1, scheduler: FIFO}\ndags:\n  - name: p\n    T: " + T + "\n" +
         more + "    nodes:\n      x: {on: a, C: 4 ms" + (jobs.empty() ? "" : ", after: {node: y, jobs: " + jobs + "}") +
         "}\n      y: {on: b, C: 6 ms}\n    edges: [x -> y]\n" + "  - name: q\n    T: 100 ms\n    nodes:\n      z: {on: b, C: 0 ms}\n";
}

Certified history_proven(const std::string& text) {
  return certified(io::parse_task_set(text, "set.yaml").task_set, analysis::options_of({{"release", "completion"}}));
}

std::string changed_to(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, from << " in\n" << text);
  return text.replace(at, from.size(), to);
}

/// Why the statements of `made` are refused as those of another file.
std::string why_refused(const std::string& file, const std::string& certificate) {
  return first_refused(file, by_hand(file, certificate.substr(certificate.find("release "))));
}

}  // namespace

TEST_CASE("bounds beside an edge from the job before are verified up to F = k T - J") {
  const Certified made = history_proven(two_stages("10 ms", "1"));
  const std::string& text = made.certificate.text;
  CHECK(text.find("\nafter 0 1 0 1\n") != std::string::npos);
  CHECK(text.find("\nbound 0 1 0 10000000 ") != std::string::npos);
  CHECK(first_refused(made.file, text) == "");
  // A lower bound, and an edge that is not stated, or is another.
  CHECK(first_refused(made.file, changed_to(text, "\nbound 0 1 0 10000000 ", "\nbound 0 1 0 9999999 ")) != "");
  CHECK(first_refused(made.file, changed_to(text, "\nafter 0 1 0 1\n", "\n")) == "after 0 1 0 1: the certificate does not state this");
  CHECK(first_refused(made.file, changed_to(text, "\nafter 0 1 0 1\n", "\nafter 0 1 0 2\n")) ==
        "after 0 1 0 2: the file does not say so, or this was stated before");
  // The same bounds of other files.
  const std::string why = "a node of a DAG with a bound may wait for one of an earlier job: F is more than k T";
  CHECK(why_refused(two_stages("9999999 ns", ""), text).find(why) == std::string::npos);  // but jobs overlap
  CHECK(why_refused(two_stages("9999999 ns", "1"), text).find(why) != std::string::npos);
  CHECK(why_refused(two_stages("9999999 ns", "2"), text).find(why) == std::string::npos);
  CHECK(why_refused(two_stages("12 ms", "1", "    jitter: 2 ms\n"), text).find(why) == std::string::npos);
  CHECK(why_refused(two_stages("12 ms", "1", "    jitter: 2000001 ns\n"), text).find(why) != std::string::npos);
  CHECK(why_refused(two_stages("9999999 ns", "1", "    in_flight: 1\n"), text).find("may wait for its limit") != std::string::npos);
}

TEST_CASE("a DAG without bounds, whose nodes may wait, spares none that shares pools with it") {
  const std::string text = history_proven(two_stages("10 ms", "1")).certificate.text;
  std::string alone = "release completion\n" + text.substr(text.find("bound 1 0"));
  alone = alone.substr(0, alone.find('\n', alone.find("bound 1 0")) + 1) + "end 1 0\nverdict unbounded\n";
  CHECK(why_refused(two_stages("9999999 ns", "1"), alone) != "");
}

TEST_CASE("a stream is read by the checker as it is by the program") {
  const std::string file =
      "platform:\n  gpu: {sms: 2, threads: 1024}\n  copy: {engines: 1}\ndags:\n  - name: f\n    T: 10 ms\n    nodes:\n"
      "      k: {on: gpu, time: 4 ms, stream: s}\n      l: {on: gpu, time: 1 ms}\n      m: {on: copy, C: 4 ms, stream: s}\n"
      "      n: {on: gpu, time: 1 us, stream: s}\n    edges: [k -> l -> m]\n";
  const Certified made = history_proven(file);
  CHECK(made.certificate.text.find("\nafter 0 3 0 1\n") != std::string::npos);
  CHECK(made.proof.dags[0].bound.has_value());
  CHECK(first_refused(made.file, made.certificate.text) == "");
}

TEST_CASE("all that is proven of random sets with edges from earlier jobs is verified") {
  int verified = 0;
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const TaskSet plain = random_system(
        seed, Ingredients{.sequential = seed % 4 == 0, .priorities = seed % 5 == 0, .non_preemptive = true, .fixed = seed % 3 == 0});
    const TaskSet set = with_histories(plain, seed);
    if (!is_writable(set)) continue;
    const char* const release = seed % 3 == 0 ? "offsets" : seed % 3 == 1 ? "completion" : "segments";
    const Certified made = seed % 7 == 0 ? certified(set) : certified(set, analysis::options_of({{"release", release}}));
    CAPTURE(seed);
    CAPTURE(made.file);
    CAPTURE(made.certificate.text);
    CHECK(first_refused(made.file, made.certificate.text) == "");
    for (DagId d = 0; d < made.proof.dags.size(); ++d) verified += made.proof.dags[d].bound ? 1 : 0;
    // Bounds of the set without the edges, where some of them may delay.
    const bool all = std::ranges::all_of(made.proof.dags, [](const auto& dag) { return dag.bound.has_value(); });
    if (all || !first_with_history(set.dags())) continue;
    const Certified bare = certified(without_history(set), analysis::options_of({{"release", release}}));
    const bool bounded = std::ranges::all_of(bare.proof.dags, [](const auto& dag) { return dag.bound.has_value(); });
    if (!bounded) continue;
    ++refused;
    CHECK(why_refused(made.file, bare.certificate.text) != "");
  }
  MESSAGE(verified, " DAGs verified, ", refused, " sets without the edges refused");
  CHECK(verified > 150);
  CHECK(refused > 20);
}
