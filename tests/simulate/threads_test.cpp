// Threads that play the jobs of a DAG, by hand.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/error.hpp"
#include "rta/simulate/simulate.hpp"

using namespace rta;
using namespace rta::literals;

namespace {

simulate::Observation simulated_text(const std::string& text, Time duration) {
  const auto set = std::make_shared<const TaskSet>(io::parse_task_set(text, "set.yaml").task_set);
  const auto proof = analysis::analyze(set, {}).proof;
  simulate::Options options;
  options.duration = duration;
  return simulate::simulate(*set, schedule_of(proof), options);
}

std::string filter(const std::string& cpu, const std::string& name, const std::string& T, int threads) {
  return "platform: {cpu: {" + cpu + "}, gpu: {sms: 1, threads: 64}}\ndags:\n  - {name: " + name + ", T: " + T +
         ", threads: " + std::to_string(threads) +
         ", nodes: {a: {on: cpu, C: 1 ms}, k: {on: gpu, B: 1, H: 64, L: 6 ms}, b: {on: cpu, C: 1 ms}}, edges: [a -> k -> b]}\n";
}

}  // namespace

TEST_CASE("a thread takes the next job when it has ended the one before") {
  // Jobs of 8 ms at 0, 5, 10 ms. One thread: they end at 8, 16, 24, after 8, 11 and 14 ms. Two: the second launches at 6, its kernel
  // waits for the first's until 7, ends at 13, the job at 14, after 9; the third is taken at 10 (the first thread is idle since 8), its
  // kernel is ready at 11, runs from 13 to 19: 20, after 10.
  CHECK(simulated_text(filter("processors: 2, scheduler: FIFO", "f", "5 ms", 1), 15_ms).dags[0].response.max() == 14_ms);
  CHECK(simulated_text(filter("processors: 2, scheduler: FIFO", "f", "5 ms", 2), 15_ms).dags[0].response.max() == 10_ms);
}

TEST_CASE("a thread keeps its processor from node to node, and gives it away while it waits") {
  // f runs 1 + 2 ms on the processor, g 4 ms, both released at 0: f first, in one run: 3, then g: 7. Node by node g were in between.
  const std::string runs =
      "platform: {cpu: {processors: 1, scheduler: FIFO}}\ndags:\n"
      "  - {name: f, T: 100 ms, threads: 1, nodes: {a: {on: cpu, C: 1 ms}, b: {on: cpu, C: 2 ms}}, edges: [a -> b]}\n"
      "  - {name: g, T: 100 ms, threads: 1, nodes: {a: {on: cpu, C: 4 ms}}}\n";
  const auto seen = simulated_text(runs, 50_ms);
  CHECK(seen.dags[0].response.max() == 3_ms);
  CHECK(seen.dags[1].response.max() == 7_ms);
  // While f's kernel runs from 1 to 7, g has the processor: it ends at 5, and f at 8.
  const std::string beside =
      filter("processors: 1, scheduler: FIFO", "f", "100 ms", 1) + "  - {name: g, T: 100 ms, threads: 1, nodes: {a: {on: cpu, C: 4 ms}}}\n";
  const auto both = simulated_text(beside, 50_ms);
  CHECK(both.dags[0].response.max() == 8_ms);
  CHECK(both.dags[1].response.max() == 5_ms);
}

TEST_CASE("jobs that wait for threads count as a backlog") {
  // A job of 8 ms each ms: 7 more wait every 8 ms.
  const auto set = io::parse_task_set(filter("processors: 2", "f", "1 ms", 1), "set.yaml").task_set;
  Schedule schedule;
  schedule.nodes = {{NodeSchedule{}, NodeSchedule{}, NodeSchedule{}}};
  simulate::Options options;
  options.duration = 10_s;
  options.max_jobs_in_flight = 100;
  const auto seen = simulate::simulate(set, schedule, options);
  CHECK(seen.ending == simulate::Ending::backlog);
  CHECK(seen.simulated < 200_ms);
}

TEST_CASE("threads with offsets are refused") {
  const auto set = io::parse_task_set(filter("processors: 2", "f", "20 ms", 1), "set.yaml").task_set;
  Schedule schedule;
  schedule.nodes = {{NodeSchedule{}, NodeSchedule{}, NodeSchedule{}}};
  schedule.nodes[0][1].offset = 5_ms;
  CHECK_THROWS_AS(static_cast<void>(simulate::simulate(set, schedule, {})), UserError);
}

TEST_CASE("a thread that spins keeps its processor while it waits") {
  const auto spins = [](const std::string& cpu, const std::string& T, int threads) {
    std::string text = filter(cpu, "f", T, threads);
    return text.replace(text.find("nodes:"), 0, "wait: spin, ");
  };
  const std::string g = "  - {name: g, T: 100 ms, threads: 1, nodes: {a: {on: cpu, C: 4 ms}}}\n";
  // On one processor g waits for f, whose kernel runs from 1 to 7, until 8; a second one is g's at once.
  const auto one = simulated_text(spins("processors: 1, scheduler: FIFO", "100 ms", 1) + g, 50_ms);
  CHECK(one.dags[0].response.max() == 8_ms);
  CHECK(one.dags[1].response.max() == 12_ms);
  CHECK(simulated_text(spins("processors: 2, scheduler: FIFO", "100 ms", 1) + g, 50_ms).dags[1].response.max() == 4_ms);
  // Also while it waits for its last kernel.
  const std::string to_kernel =
      "platform: {cpu: {processors: 1, scheduler: FIFO}, gpu: {sms: 1, threads: 64}}\ndags:\n"
      "  - {name: f, T: 100 ms, threads: 1, wait: spin, nodes: {a: {on: cpu, C: 1 ms}, k: {on: gpu, B: 1, H: 64, L: 6 ms}}, edges: [a -> "
      "k]}\n";
  CHECK(simulated_text(to_kernel + g, 50_ms).dags[1].response.max() == 11_ms);
  // Two threads, jobs at 0, 5, 10. One processor: they end at 8, 16, 24. Two: as threads that block do there.
  CHECK(simulated_text(spins("processors: 1, scheduler: FIFO", "5 ms", 2), 15_ms).dags[0].response.max() == 14_ms);
  CHECK(simulated_text(spins("processors: 2, scheduler: FIFO", "5 ms", 2), 15_ms).dags[0].response.max() == 10_ms);
  // Without preemption by points: g's job waits until 8 for what f has begun.
  const auto by_points = simulated_text(spins("processors: 1, preemptive: false", "100 ms", 1) + g, 50_ms);
  CHECK(by_points.dags[0].response.max() == 8_ms);
  CHECK(by_points.dags[1].response.max() == 12_ms);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(simulated_text(spins("processors: 1", "100 ms", 1) + g, 50_ms)),
      "DAG 'f' spins (`wait: spin`) on pool 'cpu', where others may preempt it while its kernels go on; threads that spin are "
      "simulated under FIFO, without preemption, or where there is a processor for each thread",
      UserError);
}
