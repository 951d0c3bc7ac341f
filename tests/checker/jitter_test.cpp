// Certificates of task sets whose releases are late: T - J is the period, and T12 says that it is uncertified.
#include <doctest/doctest.h>

#include "certified.hpp"

namespace {

using namespace rta;

// (2, T = 10, J = 6) and a DAG of 3 before 1 on one processor, as in docs/theory/jitter.md.
TaskSet fifo(const std::string& jitter) {
  const std::string text =
      "platform: {cpu: {processors: 1, scheduler: FIFO}}\ntime_unit: ns\ndags:\n"
      "  - {name: late, T: 10" +
      jitter +
      ", nodes: {a: {on: cpu, C: 2}}}\n"
      "  - {name: chain, T: 30, nodes: {a: {on: cpu, C: 3}, b: {on: cpu, C: 1}}, edges: [a -> b]}\n";
  return io::parse_task_set(text, "set.yaml").task_set;
}

test::Certified released(Release release, const std::string& jitter) {
  analysis::Options options;
  options.release = release;
  return test::certified(fifo(jitter), options);
}

}  // namespace

TEST_CASE("At offsets bounds with jitter are certified, and those of the set without it are refused where they do not hold") {
  const auto late = released(Release::offsets, ", jitter: 6");
  CHECK(late.certificate.uncertified.empty());
  CHECK(test::first_refused(late.file, late.certificate.text) == "");
  const auto plain = released(Release::offsets, "");
  CHECK(test::first_refused(plain.file, plain.certificate.text) == "");
  // With J = 9 two releases may be 1 apart: 2 + 4/30 > 1, and no bound holds. What was proven without the jitter is refused.
  const auto overloaded = released(Release::offsets, ", jitter: 9");
  CHECK_FALSE(overloaded.proof.dags[0].bound);
  CHECK(test::first_refused(overloaded.file, overloaded.certificate.text) == "");
  const std::string statements = plain.certificate.text.substr(plain.certificate.text.find("release "));
  CHECK(test::first_refused(overloaded.file, test::by_hand(overloaded.file, statements)) != "");
}

TEST_CASE("T12 is uncertified, and no statement of it is verified") {
  const auto late = released(Release::completion, ", jitter: 6");
  REQUIRE(late.proof.dags[1].bound);
  CHECK(late.proof.dags[0].bound->R == Time(8));
  CHECK(late.proof.dags[1].bound->R == Time(10));
  CHECK(late.proof.dags[1].bound->basis.theorem == analysis::Theorem::T12);
  CHECK_FALSE(late.certificate.uncertified.empty());
  CHECK(test::first_refused(late.file, late.certificate.text).find("uncertified") != std::string::npos);
  bool all = true;
  for (const checker::Verdict& verdict : checker::check(late.file, late.certificate.text).verdicts) all = all && verdict.verified;
  CHECK_FALSE(all);
}
