// T19, T19j, T20 and T22, docs/theory/executors.md: what their certificates say, by hand and over random systems.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <random>
#include <string>

#include "certified.hpp"

namespace {

using namespace rta;
using namespace rta::test;

std::string blass() {
  return "platform: {cores: {processors: 2, partitioned: true}}\nexecutors: {x: {on: cores0, kind: wait-set}}\ntasks:\n"
         "  - {name: a, T: 100 ns, executor: x, entity: timer, C: 10 ns}\n"
         "  - {name: b, T: 10000 ns, executor: x, C: 230 ns}\n"
         "  - {name: c, T: 1000 ns, executor: x, C: 190 ns}\n";
}

Certified proven_of(const std::string& text) { return certified(io::parse_task_set(text, "set.yaml").task_set); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, from << " in\n" << text);
  return text.replace(at, from.size(), to);
}

std::string moved_to(const std::string& file, const std::string& certificate) {
  return by_hand(file, certificate.substr(certificate.find("release ")));
}

/// `others`: executors are of all kinds, else wait sets.
std::string random_file(std::mt19937_64& random, bool others) {
  const auto pick = [&](int from, int to) { return std::uniform_int_distribution(from, to)(random); };
  std::string text = "platform:\n  cores: {processors: 3, partitioned: true}\n  cpu: {processors: " + std::to_string(pick(1, 3)) +
                     ", scheduler: " + (pick(0, 1) == 0 ? "FIFO" : "FP") + (pick(0, 2) == 0 ? ", preemptive: false" : "") +
                     "}\n  several: {processors: " + std::to_string(pick(1, 4)) +
                     "}\n  gpu: {sms: 2, threads: 1024, blocks: 8}\nexecutors:\n";
  constexpr std::array kinds{"wait-set", "events", "priority", "step", "multi-threaded"};
  std::array<std::string, 3> callback;
  bool in_groups = false;
  for (int x = 0; x < 3; ++x) {
    const char* const kind = kinds[static_cast<std::size_t>(!others ? 0 : x == 0 ? pick(0, 4) : pick(0, 3))];
    const bool several = kind == kinds[4];
    const int period = pick(2, 20);
    const bool reserved = others && !several && pick(0, 2) == 0;
    text +=
        fmt::format("  {}: {{on: {}, kind: {}{}}}\n", "xyz"[x], several ? "several" : fmt::format("cores{}", x), kind,
                    reserved ? fmt::format(", reservation: {{runtime: {} us, period: {} us}}", pick(period / 2 + 1, period), period) : "");
    callback[static_cast<std::size_t>(x)] = fmt::format("executor: {}", "xyz"[x]);
    if (kind == kinds[3]) callback[static_cast<std::size_t>(x)] += ", entity: timer";
    in_groups = in_groups || several;
  }
  text += "dags:\n";
  const int dags = pick(1, 4);
  for (int d = 0; d < dags; ++d) {
    const int T = pick(20, 200);
    text += fmt::format("  - name: d{}\n    T: {} us\n    priority: {}\n    nodes:\n", d, T, pick(1, 3));
    const int nodes = pick(1, 5);
    std::string edges;
    for (int v = 0; v < nodes; ++v) {
      switch (pick(0, 5)) {
        case 0: text += fmt::format("      n{}: {{on: cpu, C: {} us}}\n", v, pick(0, T / 8)); break;
        case 1: text += fmt::format("      n{}: {{on: gpu, B: {}, H: 256, L: {} us}}\n", v, pick(1, 12), pick(1, T / 16 + 1)); break;
        case 2: text += fmt::format("      n{}: {{{}, C: {} us}}\n", v, callback[1], pick(0, T / 8)); break;
        case 3: text += fmt::format("      n{}: {{{}, C: {} us}}\n", v, callback[2], pick(0, T / 8)); break;
        default: {
          constexpr std::array groups{"", ", group: a", ", group: b", ", group: reentrant"};
          text += fmt::format("      n{}: {{{}, C: {} us{}}}\n", v, callback[0], pick(0, T / 8),
                              in_groups ? groups[static_cast<std::size_t>(pick(0, 3))] : "");
          break;
        }
      }
      if (v > 0) edges += fmt::format("{}n{} -> n{}", edges.empty() ? "" : ", ", pick(0, 2) > 0 ? v - 1 : pick(0, v - 1), v);
    }
    text += "    edges: [" + edges + "]\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a certificate of an executor is verified, and no claim below the theorems is") {
  const Certified made = proven_of(blass());
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(made.file, made.certificate.text) == "");
  CHECK(first_refused(blass(), moved_to(blass(), made.certificate.text)) == "");
  CHECK(first_refused(made.file, replaced(made.certificate.text, "bound 0 0 0 430", "bound 0 0 0 429")) ==
        "bound 0 0 0 429 - T19j: the theorem gives no less than 430");
  CHECK(first_refused(made.file, replaced(made.certificate.text, "bound 1 0 0 440", "bound 1 0 0 439")) ==
        "bound 1 0 0 439 - T19: the theorem gives no less than 440");
  CHECK(first_refused(made.file, replaced(made.certificate.text, "bound 1 0 0 440 - T19", "bound 1 0 0 440 - T19j")) ==
        "bound 1 0 0 440 - T19j: the theorem gives no less than 449");
}

TEST_CASE("beside executors no other rule is verified, and elsewhere not theirs") {
  const Certified made = proven_of(blass());
  for (const char* const rule : {"T10n", "T10", "T11", "T17", "T35"}) {
    CHECK(first_refused(made.file, replaced(made.certificate.text, "440 - T19", std::string("440 - ") + rule)) != "");
  }
  CHECK(first_refused(made.file, replaced(made.certificate.text, "release completion", "release offsets")).find("on completion alone") !=
        std::string::npos);
  std::string plain = replaced(replaced(blass(), "executors: {x: {on: cores0, kind: wait-set}}\n", ""), "partitioned: true",
                               "partitioned: true, scheduler: FIFO");
  plain = replaced(plain, "executor: x, entity: timer", "on: cores0");
  for (std::size_t at = plain.find("executor: x"); at != std::string::npos; at = plain.find("executor: x"))
    plain.replace(at, 11, "on: cores0");
  CHECK(first_refused(plain, moved_to(plain, made.certificate.text)).find("DAGs that share pools with executors") != std::string::npos);
  const std::string two = "platform: {cores0: {processors: 2, scheduler: FIFO}}\ntasks:\n  - {name: a, T: 100 ns, on: cores0, C: 10 ns}\n";
  const std::string one = replaced(two, "processors: 2, scheduler: FIFO", "processors: 1, scheduler: wait-set");
  const Certified simple = proven_of(one);
  CHECK(first_refused(simple.file, simple.certificate.text) == "");
  CHECK(first_refused(two, by_hand(two, "assume 0 scheduler wait-set\n" +
                                            simple.certificate.text.substr(simple.certificate.text.find("release ")))) != "");
}

TEST_CASE("all that is proven of random executors is verified") {
  int verified = 0, files = 0;
  for (std::uint64_t seed = 1; seed <= 800; ++seed) {
    std::mt19937_64 random(seed);
    const std::string text = random_file(random, seed > 200);
    const auto set = io::parse_task_set(text, "set.yaml").task_set;
    if (!first_executor(set.pools(), set.dags())) continue;
    ++files;
    const Certified made = certified(set);
    CAPTURE(text);
    CAPTURE(made.certificate.text);
    REQUIRE(first_refused(made.file, made.certificate.text) == "");
    REQUIRE(first_refused(text, moved_to(text, made.certificate.text)) == "");
    REQUIRE(made.certificate.uncertified.empty());
    if (verdict_of(made.proof) == analysis::Verdict::unbounded) continue;
    ++verified;
  }
  CHECK(files > 200);
  CHECK(verified > 100);
}

TEST_CASE("what counts chains is not verified beside callbacks that publish before they end") {
  const std::string text =
      "platform: {cpu: {processors: 1}}\nexecutors: {x: {on: cpu, kind: events}}\ndags:\n  - name: A\n    T: 20 ns\n    nodes:\n"
      "      a: {executor: x, C: 3 ns}\n      b: {executor: x, C: 2 ns}\n    edges: [a -> b]\ntasks:\n"
      "  - {name: B, T: 20 ns, executor: x, C: 2 ns}\n";
  const Certified made = proven_of(text);
  CHECK(made.proof.dags[1].bound->R == Time(7));
  CHECK(first_refused(text, moved_to(text, made.certificate.text)) == "");
  CHECK(first_refused(text, moved_to(text, replaced(made.certificate.text, "bound 1 0 0 7", "bound 1 0 0 6"))) ==
        "bound 1 0 0 6 - T19: the theorem gives no less than 7");
  // Without callbacks it is a chain, and 5 is right.
  const std::string plain = replaced(
      replaced(replaced(text, "executors: {x: {on: cpu, kind: events}}\n", ""), "processors: 1}", "processors: 1, scheduler: FIFO}"),
      "executor: x, C: 3", "on: cpu, C: 3");
  const std::string chain = replaced(replaced(plain, "executor: x", "on: cpu"), "executor: x", "on: cpu");
  analysis::Options on_completion;
  on_completion.release = Release::completion;
  const Certified of_chain = certified(io::parse_task_set(chain, "set.yaml").task_set, on_completion);
  CHECK(of_chain.proof.dags[1].bound->R == Time(5));
  CHECK(first_refused(text, moved_to(text, of_chain.certificate.text)) != "");
}

TEST_CASE("an executor of several threads: no claim below T20, groups are read from the file, and a wrong one is refused") {
  const std::string text =
      "platform: {cpu: {processors: 4}}\nexecutors: {x: {on: cpu, kind: multi-threaded, threads: 2}}\ntasks:\n"
      "  - {name: a, T: 10 ns, executor: x, group: g, C: 2 ns}\n"
      "  - {name: b, T: 10 ns, executor: x, group: g, C: 3 ns}\n"
      "  - {name: c, T: 20 ns, executor: x, group: h, C: 4 ns}\n";
  const Certified made = proven_of(text);
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(text, moved_to(text, made.certificate.text)) == "");
  CHECK(first_refused(text, moved_to(text, replaced(made.certificate.text, "bound 0 0 0 10", "bound 0 0 0 9"))) ==
        "bound 0 0 0 9 - T20: the theorem gives no less than 10");
  CHECK(first_refused(text, moved_to(text, replaced(made.certificate.text, "bound 1 0 0 9 - T20", "bound 1 0 0 9 - T19j"))) != "");
  // c in g, too: 4 counts in full.
  const std::string one_group = replaced(text, "group: h", "group: g");
  CHECK(first_refused(one_group, moved_to(one_group, made.certificate.text)) != "");
  // Three threads are fewer than the pool has, but more than the certificate's; of more threads than processors it is no task set.
  const std::string none = replaced(text, "threads: 2", "threads: 5");
  CHECK_THROWS(first_refused(none, moved_to(none, made.certificate.text)));
}

TEST_CASE("an executor in a reservation: no claim below T22, and none without it") {
  const std::string text =
      "platform: {cpu: {processors: 1}}\nexecutors: {x: {on: cpu, kind: KIND, reservation: {runtime: 3 ns, period: 5 ns}}}\ntasks:\n"
      "  - {name: a, T: 10 ns, executor: x, C: 1 ns}\n  - {name: b, T: 20 ns, executor: x, C: 3 ns}\n"
      "  - {name: c, T: 10 ns, executor: x, C: 1 ns}\n";
  // Of the busy period of the wait set the worst x is 0: 1 + 1 and 3 before c, and 1: 6 takes 12.
  const std::string polled = replaced(text, "KIND", "wait-set");
  const Certified made = proven_of(polled);
  CHECK(made.certificate.uncertified.empty());
  CHECK(first_refused(polled, moved_to(polled, made.certificate.text)) == "");
  CHECK(first_refused(polled, moved_to(polled, replaced(made.certificate.text, "bound 2 0 0 12", "bound 2 0 0 11"))) ==
        "bound 2 0 0 11 - T19j: the theorem gives no less than 12");
  // By events, at F = 12: 1 + 3 + 1, no other jobs.
  const std::string events = replaced(text, "KIND", "events");
  const Certified in_order = proven_of(events);
  CHECK(in_order.proof.dags[2].bound->basis.theorem == analysis::Theorem::T22);
  CHECK(first_refused(events, moved_to(events, in_order.certificate.text)) == "");
  const std::int64_t R = in_order.proof.dags[2].bound->R.count();
  CHECK(first_refused(events, moved_to(events, replaced(in_order.certificate.text, fmt::format("bound 2 0 0 {}", R),
                                                        fmt::format("bound 2 0 0 {}", R - 1)))) != "");
  // What holds with the whole processor does not hold with a part of it.
  const std::string whole = replaced(polled, ", reservation: {runtime: 3 ns, period: 5 ns}", "");
  const Certified alone = proven_of(whole);
  CHECK(first_refused(polled, moved_to(polled, alone.certificate.text)) != "");
  const std::string fifo = replaced(events, ", reservation: {runtime: 3 ns, period: 5 ns}", "");
  CHECK(first_refused(events, moved_to(events, proven_of(fifo).certificate.text)) != "");
}
