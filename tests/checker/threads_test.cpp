// T21h, T41 and T21b, docs/theory/threads.md: what its certificates say, by hand and over random systems.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>

#include "certified.hpp"
#include "rta/analysis/option_table.hpp"
#include "support/durations.hpp"
#include "support/on_threads.hpp"

namespace {

using namespace rta;
using namespace rta::test;

/// Two threads, one a DAG; a run of 1 ms, a kernel of 2 ms that fills the GPU.
std::string two_threads(const std::string& cpu, const std::string& T, const std::string& k) {
  std::string text = "platform:\n  cpu: {" + cpu + "}\n  gpu: {sms: 1, threads: 64}\ndags:\n";
  for (const char* const name : {"f", "g"}) {
    text += fmt::format(
        "  - name: {}\n    T: {}\n    threads: {}\n    nodes:\n      a: {{on: cpu, C: 1 ms}}\n"
        "      k: {{on: gpu, B: 1, H: 64, L: 2 ms}}\n    edges: [a -> k]\n",
        name, T, k);
  }
  return text;
}

Certified proven_of(const std::string& text) { return certified(io::parse_task_set(text, "set.yaml").task_set); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, from << " in\n" << text);
  return text.replace(at, from.size(), to);
}

/// The statements of `made` as those of another file.
std::string moved_to(const std::string& file, const std::string& certificate) {
  return by_hand(file, certificate.substr(certificate.find("release ")));
}

}  // namespace

TEST_CASE("a certificate of threads is verified, and no claim below the theorem is") {
  // One processor: a ends by 1 + 1, k by 2 + 2 + 2 = 6.
  const Certified made = proven_of(two_threads("processors: 1, scheduler: FIFO", "6 ms", "1"));
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(made.file, made.certificate.text) == "");
  CHECK(first_refused(made.file, replaced(made.certificate.text, "bound 0 0 0 2000000", "bound 0 0 0 1999999")) ==
        "bound 0 0 0 1999999 - T21h: the theorem gives no less than 2000000");
  CHECK(first_refused(made.file, replaced(made.certificate.text, "bound 1 1 0 6000000", "bound 1 1 0 5999999")) ==
        "bound 1 1 0 5999999 - T21h: the theorem gives no less than 6000000");
}

TEST_CASE("what T21h needs of a file is asked of it") {
  const std::string file = two_threads("processors: 1, scheduler: FIFO", "6 ms", "1");
  const std::string statements = proven_of(file).certificate.text;
  const auto refused = [&](const std::string& other) {
    const std::string text = first_refused(other, moved_to(other, statements));
    const auto why = text.find(": ");
    return why == std::string::npos ? text : text.substr(why + 2);
  };
  CHECK(refused(file) == "");
  CHECK(refused(two_threads("processors: 1, scheduler: FIFO", "5999999 ns", "1")) == "a job may hold its thread for more than k T");
  // Two threads each: a behind three others, 4 ms; k 3 + 3 x (1 + 2) = 12 ms = k T.
  CHECK(refused(two_threads("processors: 1, scheduler: FIFO", "6 ms", "2")) == "the theorem gives no less than 4000000");
  CHECK(refused(two_threads("processors: 1", "6 ms", "1")) == "a node has no priority point");
  CHECK(refused(replaced(file, "    threads: 1\n", "")) == "a DAG that shares pools with it has no threads");
  CHECK(refused(replaced(replaced(file, "    threads: 1\n", ""), "    threads: 1\n", "")) == "T21h is for DAGs on threads");
}

TEST_CASE("of DAGs on threads rules on completion and T21h alone are verified") {
  const Certified made = proven_of(two_threads("processors: 2", "6 ms", "1"));
  CHECK(first_refused(made.file, made.certificate.text) == "");
  for (const char* const rule : {"T35", "T17", "T16 busy"}) {
    CHECK_THROWS_AS(static_cast<void>(first_refused(made.file, replaced(made.certificate.text, "T21h", rule))), checker::BadInput);
  }
  const std::string at_offsets = replaced(made.certificate.text, "release completion", "release offsets");
  CHECK(first_refused(made.file, at_offsets).find("DAGs on threads have bounds on completion alone") != std::string::npos);
}

TEST_CASE("beside others a certificate says that jobs are no more than threads") {
  // g has no thread: a ends by 1 + 1, k by 2 + 2 + 2 = 6.
  const std::string file = replaced(two_threads("processors: 1, scheduler: FIFO", "6 ms", "1"), "name: g\n    T: 6 ms\n    threads: 1\n",
                                    "name: g\n    T: 6 ms\n");
  const Certified made = proven_of(file);
  CHECK(made.certificate.uncertified.empty());
  CHECK(made.proof.dags[0].bound->R == Time(6'000'000));
  CHECK(first_refused(made.file, made.certificate.text) == "");
  const std::string statements = made.certificate.text;
  const auto refused = [&](const std::string& other) { return first_refused(other, moved_to(other, statements)); };
  CHECK(refused(replaced(file, "T: 6 ms", "T: 5999999 ns")).find("a job may have to wait for a thread: F is more than k T") !=
        std::string::npos);
  CHECK(refused(replaced(file, "threads: 1", "threads: 2")) == "");
}

TEST_CASE("a thread that goes on with its processor has T10n and T11 alone behind a FIFO") {
  const std::string file =
      "platform:\n  cpu: {processors: 1, scheduler: FIFO}\ndags:\n"
      "  - name: f\n    T: 20 ms\n    threads: 1\n    nodes:\n      a: {on: cpu, C: 1 ms}\n      b: {on: cpu, C: 1 ms}\n    edges: [a -> "
      "b]\n"
      "  - name: g\n    T: 20 ms\n    nodes:\n      a: {on: cpu, C: 1 ms}\n";
  const Certified made = proven_of(file);
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(made.file, made.certificate.text) == "");
  CHECK(made.certificate.text.find(" T10n") != std::string::npos);
  std::string other = made.certificate.text;
  for (auto at = other.find(" T10n"); at != std::string::npos; at = other.find(" T10n")) other.replace(at, 5, " T10f");
  CHECK(first_refused(made.file, other).find("the rule is not for threads that go on from node to node") != std::string::npos);
  const std::string to_end = replaced(file, "scheduler: FIFO", "scheduler: G-EDF, preemptive: false");
  CHECK(verdict_of(proven_of(to_end).proof) == analysis::Verdict::unbounded);
}

TEST_CASE("all that is proven of threads beside others is verified") {
  int verified = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const bool fixed = seed % 2 == 0;
    const TaskSet plain = random_system(seed, Ingredients{.sequential = true, .priorities = false, .non_preemptive = true, .fixed = fixed});
    if (!all_fit(plain)) continue;
    const TaskSet set = with_some_threads(seed % 3 == 0 ? with_durations(plain, seed) : plain, seed);
    if (!is_writable(set)) continue;
    const Certified made = certified(set);
    CAPTURE(made.file);
    CAPTURE(made.certificate.text);
    REQUIRE(first_refused(made.file, made.certificate.text) == "");
    if (verdict_of(made.proof) == analysis::Verdict::unbounded) continue;
    ++verified;
  }
  CHECK(verified > 100);
}

TEST_CASE("all that is proven of random DAGs on threads is verified, and less is not") {
  int verified = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const TaskSet plain = random_system(seed, Ingredients{.sequential = false, .priorities = false});
    if (!all_fit(plain)) continue;
    const TaskSet set = with_threads(seed % 3 == 0 ? with_durations(plain, seed) : plain, seed);
    if (!is_writable(set)) continue;
    const Certified made = certified(set);
    CAPTURE(made.file);
    CAPTURE(made.certificate.text);
    REQUIRE(first_refused(made.file, made.certificate.text) == "");
    if (verdict_of(made.proof) == analysis::Verdict::unbounded) continue;
    ++verified;
    const Time R = made.proof.dags[0].nodes[0].bound->R;
    if (R == Time::zero() || made.proof.dags[0].nodes[0].bound->basis.theorem != analysis::Theorem::T21h) continue;
    const std::string claim = fmt::format("\nbound 0 0 0 {} ", R.count());
    const std::string less = replaced(made.certificate.text, claim, fmt::format("\nbound 0 0 0 {} ", R.count() - 1));
    CHECK(first_refused(made.file, less).find("the theorem gives no less than") != std::string::npos);
  }
  CHECK(verified > 100);
}

TEST_CASE("a certificate of threads that spin is verified, and no claim below the theorem is") {
  // One processor: S = 3, a ends by 3 + 1, k by 3 + 3 = 6.
  const std::string blocks = two_threads("processors: 1, scheduler: FIFO", "6 ms", "1");
  std::string file = blocks;
  for (std::size_t at = 0; (at = file.find("    nodes:", at)) != std::string::npos; at += 30) file.insert(at, "    wait: spin\n");
  const Certified made = proven_of(file);
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(made.file, made.certificate.text) == "");
  CHECK(first_refused(made.file, replaced(made.certificate.text, "bound 0 0 0 4000000", "bound 0 0 0 3999999")) ==
        "bound 0 0 0 3999999 - T41: the theorem gives no less than 4000000");
  const std::string statements = made.certificate.text;
  const auto refused = [&](const std::string& other, const std::string& text) { return first_refused(other, moved_to(other, text)); };
  CHECK(refused(replaced(replaced(file, "T: 6 ms", "T: 5999999 ns"), "T: 6 ms", "T: 5999999 ns"), statements)
            .find("a job may hold its thread for more than k T") != std::string::npos);
  CHECK(refused(blocks, statements) == "");  // who blocks ends no later here
  std::string by_T21h = statements;
  for (auto at = by_T21h.find("T41"); at != std::string::npos; at = by_T21h.find("T41")) by_T21h.replace(at, 3, "T21h");
  CHECK(refused(file, by_T21h).find("T21h is not for threads that spin, nor for those beside them") != std::string::npos);
  for (auto at = by_T21h.find("T21h"); at != std::string::npos; at = by_T21h.find("T21h")) by_T21h.replace(at, 4, "T10n");
  CHECK(refused(file, by_T21h).find("a thread that spins keeps its processor") != std::string::npos);
}

TEST_CASE("all that is proven of threads that spin is verified, and less is not") {
  int verified = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const TaskSet plain = random_system(seed, Ingredients{.sequential = false, .priorities = false});
    if (!all_fit(plain)) continue;
    const TaskSet set = with_spinning(seed % 3 == 0 ? with_durations(plain, seed) : plain, seed);
    if (!is_writable(set)) continue;
    const Certified made = certified(set);
    CAPTURE(made.file);
    CAPTURE(made.certificate.text);
    REQUIRE(first_refused(made.file, made.certificate.text) == "");
    if (verdict_of(made.proof) == analysis::Verdict::unbounded) continue;
    const analysis::Bound& bound = *made.proof.dags[0].nodes[0].bound;
    if (bound.R == Time::zero() || bound.basis.theorem != analysis::Theorem::T41) continue;
    ++verified;
    const std::string claim = fmt::format("\nbound 0 0 0 {} ", bound.R.count());
    const std::string less = replaced(made.certificate.text, claim, fmt::format("\nbound 0 0 0 {} ", bound.R.count() - 1));
    CHECK(first_refused(made.file, less).find("the theorem gives no less than") != std::string::npos);
  }
  CHECK(verified > 50);
}
