// Damaged certificates: what is false is refused, and nothing crashes the checker.
#include <doctest/doctest.h>

#include <algorithm>

#include "order_player.hpp"

namespace {

using namespace rta::test;

TEST_CASE("certificates damaged in one number or line: what is false is refused, and none crashes the checker") {
  Damage damage;
  for (std::uint64_t seed = 0; damage.damaged < 1'500; ++seed) damage_certificates(seed, damage);
  MESSAGE(damage.text());
  CHECK(damage.broken == "");
  CHECK(damage.refused > damage.damaged / 2);
}

TEST_CASE("certificates of static orders damaged in one number or line: what is false is refused, and none crashes the checker") {
  Damage damage;
  for (std::uint64_t seed = 0; damage.damaged < 1'500; ++seed) damage_orders(seed, rta::test::damage, damage);
  MESSAGE(damage.text());
  CHECK(damage.broken == "");
  CHECK(damage.refused > damage.damaged / 2);
  CHECK(damage.judged > 0);
}

TEST_CASE("certificates with 0, 1, half or another number in place of one that is claimed: what is false is refused") {
  Damage damage;
  for (std::uint64_t seed = 0; damage.damaged < 5'000; ++seed) understate_certificates(seed, damage);
  MESSAGE(damage.text());
  CHECK(damage.broken == "");
  CHECK(damage.judged > 0);
  Damage orders;
  for (std::uint64_t seed = 0; orders.damaged < 500; ++seed) damage_orders(seed, understate, orders);
  MESSAGE(orders.text());
  CHECK(orders.broken == "");
}

TEST_CASE("whoever plays an order finds an END that is too early, and a job that is missing") {
  const Certified made = certified(ordered_set(3), order_options(3));
  Dice dice(1);
  rta::PerNode<rta::Time> worst;
  for (const rta::Dag& dag : made.proof.task_set->dags()) worst.emplace_back(dag.nodes().size());
  std::vector<std::string> lines = lines_of_text(made.certificate.text);
  CHECK(OrderPlayer(*made.proof.task_set, lines).fault(dice, worst) == "");
  const auto last = std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("job "); });
  REQUIRE(last != lines.end());
  const std::string job = *last;
  auto words = words_of_line(job);
  words[5] = "-1";  // a job ends when it is released, or later
  *last = fmt::format("{}", fmt::join(words, " "));
  CHECK(OrderPlayer(*made.proof.task_set, lines).fault(dice, worst).find("was seen to end at") != std::string::npos);
  lines.erase(last);
  CHECK(OrderPlayer(*made.proof.task_set, lines).fault(dice, worst) != "");
}

}  // namespace
