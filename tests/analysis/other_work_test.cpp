// Copies and CPU nodes as company of kernels, docs/theory/contention.md: who runs beside whom, what is added, and what is said of it.
#include "rta/model/other_work.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "analysis/company/exposure.hpp"
#include "analysis/company/other_work.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/analysis/assumptions.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/io/canonical_json.hpp"
#include "rta/io/task_set_file.hpp"

using namespace rta;
using namespace rta::literals;

namespace {

/// A block of L2 takes 1.4 times its time alone beside copies and 1.5 times beside CPU nodes, one of DRAM 2 and 3 times.
std::string columns_platform(const std::string& more = ", beside: {copies: [0.4, 1], cpu: [0.5, 2]}", const std::string& cpu = "") {
  return "platform: {cpu: {processors: 1, scheduler: " + (cpu.empty() ? "FIFO" : cpu) +
         "}, copy: {engines: 2}, gpu: {sms: 2, threads: 64, interference: {classes: [L2, DRAM], other-sm: {L2: [0, 0.25], DRAM: [0, 0]}" +
         more + "}}}\n";
}

const std::string k_node = "k: {on: gpu, B: 1, H: 64, L: {alone: 10 us}, class: L2}";
const std::string up_node = "up: {on: copy, C: 10 us, direction: h2d}";
const std::string c_node = "c: {on: cpu, C: 10 us}";

analysis::Proof proof_of(const std::string& text, const std::string& release = "completion") {
  const auto set = std::make_shared<const TaskSet>(io::parse_task_set(text, "set.yaml").task_set);
  return analysis::analyze(set, analysis::options_of({{"release", release}})).proof;
}

std::string other_dag(const std::string& name, const std::string& node, const std::string& more = "") {
  return "  - {name: " + name + ", T: 1 ms" + more + ", nodes: {" + node + "}}\n";
}

Time length_of(const analysis::Proof& proof, DagId d, NodeId v) { return longest_piece(proof.task_set->dags()[d].nodes()[v]); }

/// L of a kernel in one DAG whose nodes are these, with T as long as nothing lasts, and with one that everything exceeds.
std::vector<Time> lengths_in(const std::string& dag, const std::string& platform = columns_platform()) {
  const TaskSet set = io::parse_task_set(platform + "dags:\n  - {name: d, T: 1 ms, " + dag + "}\n", "set.yaml").task_set;
  analysis::Lasting lasting = analysis::all_last(set);
  std::vector<Time> lengths;
  for (const bool last : {false, true}) {
    lasting[0].assign(lasting[0].size(), last);
    const auto with = analysis::with_company(set, lasting);
    for (const Node& node : with->dags()[0].nodes()) {
      if (std::holds_alternative<GpuDemand>(node.demand)) lengths.push_back(longest_piece(node));
    }
  }
  return lengths;
}

}  // namespace

TEST_CASE("copies and CPU nodes of other DAGs are company, each column once") {
  const std::string dags = "dags:\n" + other_dag("a", k_node);
  const auto alone = proof_of(columns_platform() + dags);
  CHECK(length_of(alone, 0, 0) == 10_us);
  CHECK(analysis::explain(alone, "a").lines.end()[-2] == "C1: L of a/k = 10000 ns alone; nothing that counts can meet it");
  const auto copies = proof_of(columns_platform() + dags + other_dag("b", up_node) + other_dag("e", up_node));
  CHECK(length_of(copies, 0, 0) == 14_us);
  CHECK(copies.dags[0].bound->R == 14_us);
  CHECK(length_of(copies, 1, 0) == 10_us);  // a copy is no victim
  CHECK(analysis::explain(copies, "a").lines.end()[-2] ==
        "C1: L of a/k = 10000 ns alone + 4000 ns beside copies: b/up (of 2 DAGs alike) can meet it");
  const auto both = proof_of(columns_platform() + dags + other_dag("b", up_node) + other_dag("e", c_node));
  CHECK(length_of(both, 0, 0) == 19_us);  // 1 + .4 + .5
  CHECK(analysis::explain(both, "a").lines.end()[-2] ==
        "C1: L of a/k = 10000 ns alone + 9000 ns beside copies: b/up; CPU nodes: e/c can meet it");
  // `max` is of classes: what is no kernel is added all the same.
  const auto max = proof_of(columns_platform(", combine: max, beside: {copies: [0.4, 1], cpu: [0.5, 2]}") + dags + other_dag("b", up_node) +
                            other_dag("e", c_node));
  CHECK(length_of(max, 0, 0) == 19_us);
  // Without a class: the worst victim.
  const std::string unknown = "k: {on: gpu, B: 1, H: 64, L: {alone: 10 us}}";
  CHECK(length_of(proof_of(columns_platform() + "dags:\n" + other_dag("a", unknown) + other_dag("b", up_node)), 0, 0) == 20_us);
}

TEST_CASE("beside copies and CPU nodes company counts as there all the time, also kernels that are there for a short time") {
  const std::string dags =
      "dags:\n" + other_dag("a", k_node) + other_dag("b", "s: {on: gpu, B: 1, H: 64, L: 1 us, class: DRAM}") + other_dag("e", up_node);
  // Without columns k is beside s once, for 1 us: 10 + .25/1.25.
  CHECK(length_of(proof_of(columns_platform("") + dags), 0, 0) == 10'200_ns);
  CHECK(length_of(proof_of(columns_platform(", beside: {copies: [0, 0], cpu: [0, 0]}") + dags), 0, 0) == 12'500_ns);
  const auto counted = proof_of(columns_platform() + dags);
  CHECK(length_of(counted, 0, 0) == 16'500_ns);  // 1 + .25 + .4
  CHECK(analysis::explain(counted, "a").lines.end()[-2] ==
        "C1: L of a/k = 10000 ns alone + 6500 ns beside DRAM: b/s; copies: e/up can meet it");
}

TEST_CASE("kernels that threads play count as there all the time, whether these block or spin") {
  const auto set = [](const std::string& threads) {
    return columns_platform("") + "dags:\n  - {name: a, T: 1 ms" + threads + ", nodes: {" + c_node + ", " + k_node +
           "}, edges: [c -> k]}\n  - {name: b, T: 1 ms" + threads + ", nodes: {" + c_node +
           ", s: {on: gpu, B: 1, H: 64, L: 1 us, class: DRAM}}, edges: [c -> s]}\n";
  };
  CHECK(length_of(proof_of(set("")), 0, 1) == 10'200_ns);
  for (const char* const wait : {", threads: 1", ", threads: 1, wait: spin"}) {
    CAPTURE(wait);
    const auto proof = proof_of(set(wait));
    CHECK(length_of(proof, 0, 1) == 12'500_ns);
    CHECK(proof.dags[0].bound.has_value());
    const analysis::Windows stays = analysis::stays_of(proof);
    CHECK_FALSE(stays[1][1].has_value());
  }
}

TEST_CASE("without columns they are no company, and the assumptions say so") {
  const std::string dags = "dags:\n" + other_dag("a", k_node) + other_dag("b", up_node) + other_dag("e", c_node);
  const auto without = proof_of(columns_platform("") + dags);
  CHECK(length_of(without, 0, 0) == 10_us);
  const auto said = [](const analysis::Proof& proof, const std::string& what) {
    const auto all = assumptions(proof, {});
    return std::ranges::any_of(all, [&](const auto& one) { return one.text.find(what) != std::string::npos; });
  };
  CHECK(said(without, "copies, CPUs and whatever else uses the memory are taken to be no company"));
  const auto with = proof_of(columns_platform() + dags);
  CHECK(said(with, "but for what `interference` says of the kernels, copies and CPU nodes beside them"));
  CHECK(said(with, "; CPUs outside this task set and whatever else uses the memory are taken to be no company"));
  // Nothing is a bound's that would not be without: zeros add nothing.
  CHECK(length_of(proof_of(columns_platform(", beside: {copies: [0, 0], cpu: [0, 0]}") + dags), 0, 0) == 10_us);
}

TEST_CASE("what one job does in order never runs at once, unless it lasts beyond the next release") {
  const std::string all = "nodes: {" + up_node + ", " + k_node + ", " + c_node + "}";
  using Times = std::vector<Time>;
  CHECK(lengths_in(all + ", edges: [up -> k, k -> c]") == Times{10_us, 19_us});
  CHECK(lengths_in(all + ", edges: [up -> k, up -> c]") == Times{15_us, 19_us});  // c is beside k
  CHECK(lengths_in(all + ", edges: [up -> k, k -> c], threads: 1") == Times{10_us, 10_us});
}

TEST_CASE("the windows of the bounds decide, of copies and CPU nodes, too") {
  const auto set = [](const std::string& T) {
    return columns_platform() + "dags:\n  - {name: d, T: " + T + ", nodes: {" + up_node + ", " + k_node + ", " + c_node +
           "}, edges: [up -> k, k -> c]}\n";
  };
  // F = 10, 20, 30 <= 30; with T = 29 c lasts until 30, and the next k may run beside it: 15, and so on.
  const auto apart = proof_of(set("30 us"));
  CHECK(length_of(apart, 0, 1) == 10_us);
  CHECK(apart.dags[0].bound->R == 30_us);
  CHECK(apart.company->rounds == 1);
  const auto lines = analysis::explain(apart, "d/k").lines;
  const auto never = std::ranges::find_if(lines, [](const std::string& line) { return line.starts_with("never beside it: up (F ="); });
  REQUIRE(never != lines.end());
  CHECK(never->find("c (F = 30000 ns)") != std::string::npos);
  const auto beside = proof_of(set("29 us"));
  CHECK(length_of(beside, 0, 1) >= 15_us);
  REQUIRE(beside.company->first);
  CHECK(beside.company->first->node == 2);
}

TEST_CASE("a callback of an executor may still run when what follows it does") {
  const std::string dag = "nodes: {" + c_node + ", " + k_node + "}, edges: [c -> k]";
  const std::string back = "nodes: {" + k_node + ", " + c_node + "}, edges: [k -> c]";
  using Times = std::vector<Time>;
  for (const char* const cpu : {"wait-set", "multi-threaded", "FIFO, callbacks: true"}) {
    CAPTURE(cpu);
    CHECK(lengths_in(dag, columns_platform(", beside: {copies: [0.4, 1], cpu: [0.5, 2]}", cpu)) == Times{15_us, 15_us});
  }
  CHECK(lengths_in(dag) == Times{10_us, 15_us});
  CHECK(lengths_in(back) == Times{10_us, 15_us});
}

TEST_CASE("a clock keeps copies and CPU nodes apart from kernels") {
  const auto set = [](const std::string& phase) {
    return columns_platform() + "dags:\n" + other_dag("a", k_node, ", periodic: true, phase: 0 us") +
           other_dag("b", up_node, ", periodic: true, phase: " + phase);
  };
  CHECK(length_of(proof_of(set("500 us")), 0, 0) == 10_us);
  CHECK(length_of(proof_of(set("5 us")), 0, 0) == 14_us);
  for (const char* const release : {"offsets", "segments", "early"}) CHECK(length_of(proof_of(set("500 us"), release), 0, 0) == 10_us);
}

TEST_CASE("columns are written, and read back equal") {
  const TaskSet set = io::parse_task_set(columns_platform(", same-sm: {L2: [0, 1], DRAM: [2, 3]}, combine: max, beside: {cpu: [0, 1000], "
                                                          "copies: [0.0000000001, 0.5]}") +
                                             "dags:\n" + other_dag("a", k_node) + other_dag("b", up_node),
                                         "set.yaml")
                          .task_set;
  CHECK(io::parse_task_set(io::format_task_set(set), "set.yaml").task_set == set);
  CHECK(io::parse_task_set(io::canonical_json(set), "set.json").task_set == set);
  const auto columns = other_work_columns(*std::get<GpuPool>(set.pools()[2].resource).interference);
  REQUIRE(columns);
  CHECK(columns->copies == std::vector<Lengthening>{1, whole_time / 2});
  CHECK(columns->cpus == std::vector<Lengthening>{0, most_lengthening});
}
