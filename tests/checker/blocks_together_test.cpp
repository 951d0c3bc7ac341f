// Kernels whose blocks start together, by clusters or cooperatively: docs/theory/serial.md, "Blocks that start together".
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "checker/sha256.hpp"
#include "law.hpp"
#include "rta/analysis/explain.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/io/canonical_json.hpp"

namespace {

using namespace rta;
using namespace rta::test;

constexpr const char* policies[] = {"offsets", "early", "completion", "segments"};

Certified together_under(const std::string& text, const std::string& release) {
  return certified(io::parse_task_set(text, "set.yaml").task_set, analysis::options_of({{"release", release}}));
}

/// On two SMs of 1024, each of which one block fills: x has 10 ms of one, c needs both, b one.
std::string one_between(const std::string& c) {
  return "platform: {gpu: {sms: 2, threads: 1024}}\ntasks:\n"
         "  - {name: x, T: 100 ms, on: gpu, B: 1, H: 1024, L: 10 ms}\n"
         "  - {name: c, T: 100 ms, on: gpu, B: 2, H: 1024, L: 1 ms" +
         c +
         "}\n"
         "  - {name: b, T: 100 ms, on: gpu, B: 1, H: 1024, L: 1 ms}\n";
}

const analysis::reason::StartTogether* why(const analysis::Proof& proof) {
  const auto& none = proof.pools[0].none;
  return none ? std::get_if<analysis::reason::StartTogether>(&none->reason) : nullptr;
}

TEST_CASE("a cooperative kernel waits beside a free SM, and what is behind it, too") {
  // x is on one SM until 10; c waits for both, until 11; b waits behind c, although an SM was free all the time, and ends at 12. By blocks,
  // w = 1: b would end by 1 - 1/2 + (10 + 2 + 1)/2 = 7. One after another 10 + 1 + 1 = 12, which occurs.
  for (const char* const release : policies) {
    CAPTURE(release);
    const Certified plain = together_under(one_between(""), release);
    CHECK(plain.proof.dags[2].bound->R <= Time(7'000'000));
    const Certified made = together_under(one_between(", cooperative: true"), release);
    for (DagId d = 0; d < 3; ++d) CHECK(made.proof.dags[d].bound->R == Time(12'000'000));
    CHECK(made.certificate.uncertified.empty());
    CHECK(first_refused(made.file, made.certificate.text) == "");
    CHECK(made.certificate.text.find("node 1 0 c 0 2 1024 1024000000 1000000 0 0 low cooperative\n") != std::string::npos);
  }
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE_MESSAGE(at != std::string::npos, from << " in\n" << text);
  return text.replace(at, from.size(), to);
}

std::string after(std::string text, const std::string& place, const std::string& more) {
  const auto at = text.find(place);
  REQUIRE_MESSAGE(at != std::string::npos, place << " in\n" << text);
  return text.insert(at + place.size(), more);
}

TEST_CASE("the checker verifies no bound by blocks of a pool on which some start together") {
  const std::vector<std::pair<std::string, std::string>> forms{
      {", cooperative: true", " cooperative"}, {", cluster: 2", " cluster 2"}, {", time: 1 ms, cluster: 2", " time 1000000 cluster 2"}};
  for (const auto& form : forms) {
    const std::string& key = form.first;
    const std::string& words = form.second;
    for (const char* const release : policies) {
      CAPTURE(key);
      CAPTURE(release);
      const Certified plain = together_under(one_between(""), release);
      const std::string file = after(plain.file, "name: c, T: 100 ms, on: gpu, B: 2, H: 1024, L: 1 ms", key);
      std::string forged = replaced(plain.certificate.text, checker::sha256(plain.file), checker::sha256(file));
      CHECK(first_refused(file, forged) != "");  // the kernel is not the file's
      forged = after(forged, "node 1 0 c 0 2 1024 1024000000 1000000 0 0 low", words);
      CHECK(first_refused(file, forged) != "");
      const bool at_offsets = std::string(release) == "offsets" || std::string(release) == "early";  // else T29 has other bounds of c
      if (at_offsets) CHECK(first_refused(file, forged).find("blocks of a kernel are not known, or start together") != std::string::npos);
    }
  }
}

TEST_CASE("clusters have no bound, nor has a kernel beside them, but by their time") {
  for (const char* const release : policies) {
    CAPTURE(release);
    const Certified none = together_under(one_between(", cluster: 2"), release);
    for (DagId d = 0; d < 3; ++d) CHECK(!none.proof.dags[d].bound);
    REQUIRE(why(none.proof) != nullptr);
    CHECK(why(none.proof)->task == 1);
    CHECK(!why(none.proof)->has_duration);
    CHECK(first_refused(none.file, none.certificate.text) == "");
    // Their time counts, and not one wave of L: 10 + 2 + 1.
    const Certified made = together_under(one_between(", time: 2 ms, cluster: 2"), release);
    for (DagId d = 0; d < 3; ++d) CHECK(made.proof.dags[d].bound->R == Time(13'000'000));
    CHECK(made.certificate.uncertified.empty());
    CHECK(first_refused(made.file, made.certificate.text) == "");
  }
}

TEST_CASE("where kernels are not served in turn, no theorem is left") {
  // Two stream priorities; time slices at offsets.
  const Certified two = together_under(one_between(", cooperative: true, priority: high"), "completion");
  REQUIRE(why(two.proof) != nullptr);
  CHECK(why(two.proof)->has_duration);
  CHECK(!two.proof.dags[2].bound);
  const std::string sliced =
      "platform: {gpu: {sms: 2, threads: 1024, sharing: {slice: 2 ms, switch: 100 us}}}\ntasks:\n"
      "  - {name: c, T: 100 ms, on: gpu, process: a, B: 2, H: 1024, L: 1 ms, cooperative: true}\n"
      "  - {name: b, T: 100 ms, on: gpu, process: b, B: 1, H: 1024, L: 1 ms}\n";
  const Certified apart = together_under(sliced, "offsets");
  REQUIRE(why(apart.proof) != nullptr);
  CHECK(!apart.proof.dags[0].bound);
  CHECK(apart.proof.dags[1].bound);                              // a context of its own
  const Certified turns = together_under(sliced, "completion");  // T33
  CHECK(turns.proof.dags[0].bound);
  CHECK(first_refused(turns.file, turns.certificate.text) == "");
}

TEST_CASE("an engine whose blocks start together is served in turn beside small kernels by their blocks") {
  // T29's example with the engine's blocks known: 30 kernels of 1 ms, 13.8125 ms, the engine 12.875 ms. A cooperative launch of four blocks
  // of 10 ms lasts 10 ms; of clusters `time` says so.
  for (const std::string engine : {"B: 4, H: 1024, L: 10 ms, cooperative: true", "B: 16, H: 512, L: 2 ms, time: 10 ms, cluster: 4"}) {
    CAPTURE(engine);
    std::string text =
        "platform: {gpu: {sms: 4, threads: 1024}}\ntasks:\n  - {name: engine, T: 100 ms, D: 100 ms, on: gpu, " + engine + "}\n";
    for (int i = 0; i < 30; ++i) text += "  - {name: k" + std::to_string(i) + ", T: 20 ms, D: 20 ms, on: gpu, B: 1, H: 256, L: 1 ms}\n";
    const Certified made = together_under(text, "completion");
    CHECK(made.proof.dags[0].bound->R == Time(12'875'000));
    CHECK(made.proof.dags[1].bound->R == Time(13'812'500));
    CHECK(made.certificate.uncertified.empty());
    CHECK(first_refused(made.file, made.certificate.text) == "");
    CHECK(first_refused(made.file, replaced(made.certificate.text, "13812500 - ", "13812499 - ")) != "");
    CHECK(!together_under(text, "offsets").proof.dags[1].bound);  // in turn they need 1.6 of the time
  }
}

TEST_CASE("what starts together is written as it was read, and played by nobody") {
  const std::string text = one_between(", time: 2 ms, cluster: 2, cooperative: true");
  const TaskSet set = io::parse_task_set(text, "set.yaml").task_set;
  const auto& kernel = std::get<GpuDemand>(set.dags()[1].nodes()[0].demand);
  CHECK(kernel.cluster == 2);
  CHECK(kernel.cooperative);
  CHECK(io::parse_task_set(io::format_task_set(set), "again.yaml").task_set == set);
  CHECK(io::parse_task_set(io::canonical_json(set), "canonical.json").task_set == set);
  const TaskSet plain = io::parse_task_set(one_between(", time: 2 ms"), "set.yaml").task_set;
  CHECK(!(plain == set));
  CHECK(io::canonical_json(plain) != io::canonical_json(set));
  CHECK(io::canonical_json(io::parse_task_set(one_between(", time: 2 ms, cluster: 1, cooperative: false"), "f").task_set) ==
        io::canonical_json(plain));
}

}  // namespace
