// C1, docs/theory/contention.md: the worked examples, the rules of who meets whom, and what uses durations that were measured alone.
#include "rta/analysis/company.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/assumptions.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/io/canonical_json.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/error.hpp"
#include "rta/static_order/periodic_proof.hpp"

using namespace rta;
using namespace rta::literals;

namespace {

using Lines = std::vector<std::string>;

/// The H200's matrix.
const std::string slowdowns =
    "interference: {classes: [registers, L2, DRAM], other-sm: {registers: [0, 0, 0], L2: [0, 0.46, 2.32], DRAM: [0.01, 0.71, 1.74]}";

std::shared_ptr<const TaskSet> company_set(const std::string& text) {
  return std::make_shared<const TaskSet>(io::parse_task_set(text, "set.yaml").task_set);
}

analysis::Analysis with_options(const std::string& text, const analysis::GivenOptions& options = {}) {
  return analysis::analyze(company_set(text), analysis::options_of(options));
}

std::string on_gpu(const std::string& more = "}") {
  return "platform: {cpu: {processors: 1, scheduler: FIFO}, gpu: {sms: 2, threads: 64, " + slowdowns + more + "}}\n";
}

std::string slow_kernel(const std::string& name, const std::string& of_class, const std::string& more = "") {
  return fmt::format("{}: {{on: gpu, B: 1, H: 64, L: {{alone: 10 us}}, class: {}{}}}", name, of_class, more);
}

/// k1 (L2), then k2 (DRAM), 10 us each.
std::string one_dag(const std::string& T, const std::string& more = "") {
  return on_gpu() + "dags:\n  - {name: d, T: " + T + more + ", nodes: {" + slow_kernel("k1", "L2") + ", " + slow_kernel("k2", "DRAM") +
         "}, edges: [k1 -> k2]}\n";
}

std::string two_dags(const std::string& gpu = on_gpu()) {
  return gpu + "dags:\n  - {name: a, T: 100 us, nodes: {" + slow_kernel("k1", "L2") + "}}\n  - {name: b, T: 100 us, nodes: {" +
         slow_kernel("k2", "DRAM") + "}}\n";
}

Time duration_of(const analysis::Proof& proof, DagId d, NodeId v) { return longest_piece(proof.task_set->dags()[d].nodes()[v]); }
Time end_of_node(const analysis::Proof& proof, DagId d, NodeId v) { return proof.dags[d].nodes[v].bound->R; }

const analysis::GivenOptions on_completion{{"release", "completion"}};

}  // namespace

TEST_CASE("kernels of one job that is over before the next one have no company") {
  // F = 10, 20 <= 100.
  const auto alone = with_options(one_dag("100 us"), on_completion);
  CHECK(end_of_node(alone.proof, 0, 0) == 10_us);
  CHECK(end_of_node(alone.proof, 0, 1) == 20_us);
  CHECK(alone.proof.company->rounds == 1);
  const auto closest = with_options(one_dag("20 us"), on_completion);
  CHECK(closest.proof.dags[0].bound->R == 20_us);
}

TEST_CASE("a period a little shorter than the bound brings company, and the output says whose") {
  // T = 18: k2, bounded by 20, may run beside the next job's k1: 33.2, and beside itself, 34.5: a load of 67.7/18 on 2 SMs.
  const auto none = with_options(one_dag("18 us"), on_completion);
  CHECK(none.verdict == analysis::Verdict::unbounded);
  REQUIRE(none.proof.company->first);
  CHECK(none.proof.company->first->node == 1);
  CHECK(none.proof.company->first->F == 20'001_ns);  // at the next ns the job after the next is counted
  const auto told = std::ranges::find_if(none.warnings, [](const std::string& text) { return text.starts_with("company: "); });
  REQUIRE(told != none.warnings.end());
  CHECK(*told ==
        "company: 'd/k2' may be unfinished, as it is bounded by 20001 ns, when the next job of its DAG is released, T = 18000 ns later, so "
        "kernels of two jobs count as company of one another; without that there may be bounds");
  // 2 us of jitter bring two releases as close.
  CHECK(with_options(one_dag("20 us", ", jitter: 2 us"), on_completion).verdict == analysis::Verdict::unbounded);
}

TEST_CASE("what lasts beyond its period without changing any company is not told as its cause") {
  const auto told = [](const std::string& text) {
    const auto none = with_options(text, on_completion);
    CHECK(none.verdict == analysis::Verdict::unbounded);
    return std::ranges::any_of(none.warnings, [](const std::string& one) { return one.starts_with("company: "); });
  };
  const std::string platform = "platform: {cpu: {processors: 1, scheduler: FIFO}, gpu: {sms: 2, threads: 1024, " + slowdowns + "}}}\n";
  // An overloaded processor; one thread whose kernel takes longer than the period, which is beside no other of its own.
  CHECK_FALSE(
      told(platform +
           "tasks:\n  - {name: logger, T: 10 ms, on: cpu, C: 11 ms}\n  - {name: k, T: 10 ms, on: gpu, B: 2, H: 256, L: {alone: 1 ms}, "
           "class: L2}\n"));
  CHECK_FALSE(
      told(platform + "dags:\n  - {name: d, T: 10 ms, threads: 1, nodes: {k: {on: gpu, B: 4, H: 1024, L: {alone: 6 ms}, class: L2}}}\n"));
}

TEST_CASE("kernels of two DAGs are company of each other") {
  // L2 beside DRAM all the time: 10 x 3.32; DRAM beside L2: 10 x 1.71; F_1 = 33.2 + 17.1/2, F_2 = 17.1 + 33.2/2.
  const auto set = company_set(two_dags());
  const auto all_the_time = analysis::with_company(*set, {{false}, {false}});
  const auto first = analysis::analyze(all_the_time, analysis::options_of({{"release", "completion"}, {"path-bound", "T10n"}}));
  CHECK(duration_of(first.proof, 0, 0) == 33'200_ns);
  CHECK(duration_of(first.proof, 1, 0) == 17'100_ns);
  CHECK(end_of_node(first.proof, 0, 0) == 41'750_ns);
  CHECK(end_of_node(first.proof, 1, 0) == 33'700_ns);
  // k2 is there for 17.1: 10 + 2.32/3.32 x 17.1; F_1 = 21.95 + 17.1/2, F_2 = 17.1 + 21.95/2.
  const auto two = with_options(two_dags(), {{"release", "completion"}, {"path-bound", "T10n"}});
  CHECK(duration_of(two.proof, 0, 0) == 21'950_ns);
  CHECK(duration_of(two.proof, 1, 0) == 17'100_ns);
  CHECK(end_of_node(two.proof, 0, 0) == 30'500_ns);
  CHECK(end_of_node(two.proof, 1, 0) == 28'075_ns);
  CHECK_FALSE(measured_alone(*two.proof.task_set));
  CHECK(as_given(two.proof) == two.proof.company->alone);
  const auto lines = analysis::explain(two.proof, "a").lines;
  CHECK(lines.end()[-3] ==
        "C2: L of a/k1 = 10000 ns alone + 11950 ns beside DRAM, there for 17100 ns; if all were there all the time 33200 ns (C1)");
  CHECK(lines.end()[-2] == "DRAM beside one block, jobs and how long each at most: b/k2 1 x 17100 ns");
  CHECK(analysis::explain(two.proof, "b").lines.end()[-2] == "C1: L of b/k2 = 10000 ns alone + 7100 ns beside L2: a/k1 can meet it");
}

TEST_CASE("a DAG's own kernels side by side meet; in order, sequential or on one thread they do not") {
  const auto durations = [](const std::string& dag) {
    const auto set = company_set(on_gpu() + "dags:\n  - {name: d, T: 100 us, " + dag + "}\n");
    std::vector<Time> all;
    for (const bool last : {false, true}) {
      analysis::Lasting lasting = analysis::all_last(*set);
      for (std::size_t v = 0; v < lasting[0].size(); ++v) lasting[0][v] = last;
      const auto with = analysis::with_company(*set, lasting);
      for (const Node& node : with->dags()[0].nodes()) all.push_back(longest_piece(node));
    }
    return all;
  };
  const std::string k1 = slow_kernel("k1", "L2"), k2 = slow_kernel("k2", "DRAM");
  using Times = std::vector<Time>;
  CHECK(durations("nodes: {" + k1 + ", " + k2 + "}") == Times{33'200_ns, 17'100_ns, 37'800_ns, 34'500_ns});
  CHECK(durations("nodes: {" + k1 + ", " + k2 + "}, edges: [k1 -> k2]") == Times{10_us, 10_us, 37'800_ns, 34'500_ns});
  CHECK(durations("nodes: {" + k1 + ", " + k2 + "}, edges: [k1 -> k2], threads: 1") == Times{10_us, 10_us, 10_us, 10_us});
  CHECK(durations("nodes: {" + slow_kernel("k1", "L2", ", sequential: true") + "}") == Times{10_us, 10_us});
  CHECK(durations("nodes: {" + k1 + "}") == Times{10_us, 14'600_ns});
}

TEST_CASE("one thread keeps kernels apart, whatever the period") {
  const auto held = with_options(one_dag("20 us", ", threads: 1"));
  CHECK(held.proof.dags[0].bound->R == 20_us);
  CHECK(analysis::explain(held.proof, "d/k1").lines.back() ==
        "no other kernel of d meets it: one thread plays them all, one after another");
}

TEST_CASE("classes count once, the worst of a row where there is none, and all of them for several without") {
  const Interference of{{"r", "l", "d"}, {{0, 1, 2}, {3, 4, 5}, {6, 7, 30}}, {}, Combine::sum};
  const auto more = [&](std::optional<std::uint32_t> victim, std::vector<bool> classes, std::size_t without,
                        Combine combine = Combine::sum) {
    return lengthening(of.other_sm, combine, victim, {std::move(classes), without});
  };
  CHECK(more(1, {false, false, false}, 0) == 0);
  CHECK(more(1, {true, false, true}, 0) == 8);
  CHECK(more(1, {true, false, true}, 0, Combine::max) == 5);
  CHECK(more(1, {true, false, false}, 1) == 8);   // 3, and the largest of what may be beside it
  CHECK(more(1, {false, false, false}, 2) == 9);  // 5 and 4
  CHECK(more(1, {false, false, false}, 9) == 12);
  CHECK(more(1, {false, false, true}, 1, Combine::max) == 5);
  CHECK(more(std::nullopt, {false, true, false}, 0) == 7);
  CHECK(lengthening({}, Combine::sum, 1, {{true, true, true}, 0}) == 0);
}

TEST_CASE("durations in company are rounded up, and overflow is an error") {
  GpuDemand kernel{3, 32, Workload(320), Time(10)};
  kernel.alone = true;
  kernel.time = Time(25);
  const GpuDemand same = in_company(kernel, 0);
  CHECK(same.L == Time(10));
  CHECK_FALSE(same.alone);
  const GpuDemand longer = in_company(kernel, 1);  // a billionth
  CHECK(longer.L == Time(11));
  CHECK(longer.C == Workload(352));
  CHECK(longer.time == Time(26));
  kernel.C = Workload(311);  // of 9.72 ns: 1.5 times as much is 466.5, of 14.6 ns
  const GpuDemand half = in_company(kernel, whole_time / 2);
  CHECK(half.C == Workload(467));
  CHECK(half.L == Time(15));
  kernel.L = Time(std::numeric_limits<std::int64_t>::max());
  kernel.C = Workload(Wide{kernel.L.count()} * 32);
  CHECK_THROWS_AS(static_cast<void>(in_company(kernel, 1)), Overflow);
}

TEST_CASE("partitions keep company on other SMs, and lose that on their own") {
  const auto durations = [](const std::string& gpu, const std::string& one, const std::string& other) {
    const auto set = company_set(
        "platform: {gpu: {sms: 2, threads: 64, " + slowdowns + ", same-sm: {registers: [0, 0, 0], L2: [0, 0, 0.5], DRAM: [0, 0, 0]}}" +
        gpu + "}}\ntasks:\n  - {name: k1, T: 1 ms, on: " + one +
        ", B: 1, H: 32, L: {alone: 10 us}, class: L2}\n  - {name: k2, T: 1 ms, on: " + other + ", B: 1, H: 32, L: 10 us, class: DRAM}\n");
    return longest_piece(analysis::with_company(*set, analysis::all_last(*set))->dags()[0].nodes()[0]);
  };
  CHECK(durations("", "gpu", "gpu") == 42'800_ns);  // 10 (1 + .46 + 2.32 + .5): itself, k2 elsewhere, k2 on its SM
  CHECK(durations(", partitions: {p: {sms: 1, kind: green}, q: {sms: 1, kind: green}}", "gpu/p", "gpu/q") == 37'800_ns);
}

TEST_CASE("at offsets, on segments and in a static order bounds come from all pairs") {
  for (const char* const release : {"offsets", "segments", "early"}) {
    CAPTURE(release);
    const auto alone = with_options(one_dag("1 ms"), {{"release", release}});
    // Once the bounds show that a job is over before the next, nothing has company.
    CHECK(duration_of(alone.proof, 0, 0) == 10_us);
    CHECK(duration_of(alone.proof, 0, 1) == 10_us);
    CHECK_FALSE(alone.proof.company->from_below);
    CHECK(alone.proof.company->rounds == 2);
  }
  const auto order = static_order::prove_periodic(company_set(one_dag("1 ms")), {});
  CHECK(order.analysis.proof.dags[0].bound->R == 72'300_ns);  // 37.8 + 34.5
  CHECK(order.analysis.proof.company != nullptr);
}

TEST_CASE("what cannot be counted is refused, and what rests on it says so") {
  CHECK_THROWS_WITH_AS(
      with_options(two_dags(), {{"granularity", "coarse"}}),
      "kernels were measured alone (`alone`), and what company adds to them is counted for fine nodes only; leave --granularity out, or "
      "give durations beside company",
      UserError);
  const auto two = with_options(two_dags(), on_completion);
  const auto assumed = assumptions(two.proof, two.chains);
  REQUIRE(assumed.size() == 1);
  CHECK(assumed[0].by == Lines{"C1", "C2"});
  CHECK(
      assumed[0].text ==
      "kernels of pool 'gpu' take no longer than alone but for what `interference` says of the kernels beside them; of several classes the "
      "sum counts, fewer kernels beside one never lengthen it, and durations alone were measured on full SMs, where blocks of others may "
      "share one; copies, CPUs and whatever else uses the memory are taken to be no company, which holds if they were at work when "
      "durations "
      "were measured alone, as far as they ever are; a block is as fast as alone as soon as its company is gone");
}

TEST_CASE("slack and what helps prove each change with its own company") {
  // T of 'd' may fall to 20, below which k2 lasts: as it was given, not as it is in company.
  const auto analysis = with_options(one_dag("100 us", ", D: 25 us"), on_completion);
  const auto slack = analysis::slack(analysis.proof, analysis::options_of(on_completion));
  CHECK(slack.dags[0].period.value >= 20_us);
  CHECK(slack.dags[0].period.value <= 20_us + Time(100));
  CHECK(slack.nodes[0].piece.value >= 14'500_ns);  // D: L + 10 <= 25
  CHECK(slack.nodes[0].piece.value <= 15_us);
  const auto two = with_options(two_dags(), on_completion);
  const auto of_two = analysis::slack(two.proof, analysis::options_of(on_completion));
  CHECK(of_two.scale);
}

TEST_CASE("files say it and read back equal") {
  const std::string text = on_gpu(", combine: max, same-sm: {registers: [0, 0, 0], L2: [0, 0.000000001, 1000], DRAM: [0, 0, 0]}}") +
                           "tasks:\n  - {name: a, T: 1 ms, on: gpu, B: 1, H: 64, L: {alone: 10 us, min: 5 us, mode: 6 us}, class: L2}\n"
                           "  - {name: b, T: 1 ms, on: gpu, B: 8, H: 64, L: {alone: 10 us}, time: {alone: 40 us}, class: DRAM}\n"
                           "  - {name: c, T: 1 ms, on: gpu, time: {alone: 40 us}}\n"
                           "  - {name: e, T: 1 ms, on: gpu, B: 1, H: 64, C: {alone: 100 ns}, per: block, class: registers}\n"
                           "  - {name: f, T: 1 ms, on: gpu, B: 1, H: 64, time: {alone: 10 us}, class: registers}\n";
  const auto set = company_set(text);
  CHECK(*company_set(io::format_task_set(*set)) == *set);
  CHECK(*company_set(io::canonical_json(*set)) == *set);
  CHECK(measured_alone(*set));
  const auto& gpu = std::get<GpuPool>(set->pools()[1].resource);
  CHECK(gpu.interference->same_sm[1] == std::vector<Lengthening>{0, 1, most_lengthening});
  CHECK(gpu.interference->combine == Combine::max);
  const auto read = io::parse_task_set(text, "set.yaml");
  REQUIRE(read.warnings.size() == 1);
  CHECK(read.warnings[0].text().find(
            "class: not given, so the kernel counts as the worst of GPU 'gpu' on either side (registers, L2, DRAM)") != std::string::npos);
}

TEST_CASE("a kernel with its plain L keeps it, and is company for others") {
  std::string text = two_dags();
  text.replace(text.rfind("{alone: 10 us}"), 14, "10 us");
  const auto two = with_options(text, on_completion);
  CHECK(duration_of(two.proof, 0, 0) == 16'988_ns);  // 10 + 2.32/3.32 x 10
  CHECK(duration_of(two.proof, 1, 0) == 10_us);
}
