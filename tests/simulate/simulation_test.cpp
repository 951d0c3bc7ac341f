// Statistics, determinism, limits and bad arguments.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "rta/model/error.hpp"
#include "simulate/heap.hpp"
#include "simulate/scene.hpp"

using namespace rta;
using namespace scene;

namespace {

// Two DAGs over CPU, GPU, copies and workers, at about 70 % load.
TaskSet mixed() {
  const auto dag = [](const std::string& name, std::int64_t T) {
    GpuDemand big = kernel(40, 256, 9 * us);
    big.priority = high_priority;
    return Dag(name, Time(T), std::nullopt,
               {node("src", 0, CpuDemand{Time(20 * us)}), node("in", 2, CopyDemand{Time(11 * us), Direction::h2d}),
                node("small", 1, kernel(17, 96, 13 * us)), node("big", 1, big), node("items", 3, WorkerDemand{9, Time(7 * us)}),
                node("sink", 0, CpuDemand{Time(15 * us)})},
               {{0, 1}, {1, 2}, {1, 3}, {2, 5}, {3, 4}, {4, 5}});
  };
  return {"mixed",
          {cpu(2), gpu(2), Pool{"copy", EnginePool{1}}, Pool{"workers", WorkerPool{4, Time(100)}}},
          {dag("a", 60 * us), dag("b", 77 * us)}};
}

std::vector<std::pair<Time, std::uint64_t>> summary(const simulate::Observation& seen) {
  std::vector<std::pair<Time, std::uint64_t>> out;
  for (const auto& d : seen.dags) {
    out.emplace_back(d.response.max(), d.response.count());
    for (const auto& n : d.nodes) out.emplace_back(n.p99(), n.worst_job());
  }
  out.emplace_back(seen.simulated, seen.jobs);
  return out;
}

}  // namespace

TEST_CASE("Statistics: maximum, mean and count are exact, quantiles are at most 1/128 too high") {
  std::mt19937_64 random(7);
  std::vector<std::int64_t> values;
  simulate::Statistics s;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    values.push_back(static_cast<std::int64_t>(random() >> (random() % 61 + 2)));
    s.add(values.back(), i);
  }
  double sum = 0;
  for (const auto v : values) sum += static_cast<double>(v);
  std::vector<std::int64_t> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  CHECK(s.count() == values.size());
  CHECK(s.max().count() == sorted.back());
  CHECK(values[s.worst_job()] == sorted.back());
  CHECK(s.mean() == doctest::Approx(sum / 10'000));
  for (const std::uint32_t ppm : {1U, 500'000U, 990'000U, 999'900U, 1'000'000U}) {
    const std::int64_t exact = sorted[std::max<std::size_t>(1, (sorted.size() * ppm + 999'999) / 1'000'000) - 1];
    CHECK(s.quantile(ppm).count() >= exact);
    CHECK(s.quantile(ppm).count() <= exact + exact / 128);
  }
}

TEST_CASE("Heaps and winner trees give the first") {
  std::mt19937_64 random(11);
  simulate::Heap<simulate::Entry> heap;
  simulate::WinnerTree<simulate::Later> latest(200);
  std::vector<simulate::Entry> all;
  for (std::uint32_t i = 0; i < 200; ++i) {
    all.emplace_back(static_cast<std::int64_t>(random() % 50) - 25, i, i);
    heap.push(all.back());
    latest.set(i, all.back());
  }
  for (std::uint32_t i = 0; i < 200; i += 3) latest.clear(i);
  for (std::uint32_t i = 1; i < 200; i += 3) latest.set(i, simulate::Entry(-100, i, i));
  std::sort(all.begin(), all.end());
  for (const auto& e : all) {
    CHECK(heap.top().tag == e.tag);
    heap.pop();
  }
  CHECK(heap.empty());
  std::vector<std::int64_t> keys;
  while (!latest.empty()) {
    keys.push_back(latest.top_key().key);
    latest.clear(latest.top());
  }
  CHECK(keys.size() == 133);
  CHECK(std::is_sorted(keys.rbegin(), keys.rend()));
}

TEST_CASE("Of equal keys a winner tree gives the slot with the least number") {
  std::mt19937_64 random(12);
  for (const std::uint32_t n : {1U, 2U, 5U, 64U, 100U}) {
    simulate::WinnerTree<simulate::Sooner> tree(n);
    std::vector<std::int64_t> keys(n, simulate::never);
    CHECK(tree.empty());
    for (int step = 0; step < 2000; ++step) {
      const auto slot = static_cast<std::uint32_t>(random() % n);
      keys[slot] = random() % 4 == 0 ? simulate::never : static_cast<std::int64_t>(random() % 6);
      tree.set(slot, keys[slot]);
      const auto first = std::ranges::min_element(keys);
      REQUIRE(tree.top_key() == *first);
      REQUIRE(tree.empty() == (*first == simulate::never));
      if (!tree.empty()) REQUIRE(tree.top() == first - keys.begin());
    }
  }
}

TEST_CASE("The same arguments give the same observation, observed or not") {
  const TaskSet set = mixed();
  const std::vector<Time> Y{Time(60 * us), Time(77 * us)};
  const auto schedule = test::on_completion(set, Y);
  for (const auto placement : {simulate::Placement::most_free, simulate::Placement::least_free, simulate::Placement::first_fit,
                               simulate::Placement::round_robin, simulate::Placement::random}) {
    for (const auto ties : {simulate::Ties::in_order, simulate::Ties::random}) {
      for (const auto& execution : {simulate::worst_case, simulate::uniform, simulate::Execution{700'000, 700'000}}) {
        auto options = for_time(20'000 * us);
        options.placement = placement;
        options.ties = ties;
        options.execution = execution;
        options.releases.random_phases = true;
        options.releases.jitter = 200'000;
        Recorder recorder;
        const auto once = summary(simulate::simulate(set, schedule, options));
        CHECK(summary(simulate::simulate(set, schedule, options)) == once);
        CHECK(summary(simulate::simulate(set, schedule, options, &recorder)) == once);
        options.seed = 2;
        CHECK(summary(simulate::simulate(set, schedule, options)) != once);
      }
    }
  }
}

TEST_CASE("No SM, processor, engine or worker ever holds more than it can") {
  const TaskSet set = mixed();
  const std::vector<Time> Y{Time(60 * us), Time(77 * us)};
  for (const auto placement : {simulate::Placement::most_free, simulate::Placement::random}) {
    for (const auto& execution : {simulate::worst_case, simulate::uniform}) {
      auto options = for_time(5'000 * us);
      options.placement = placement;
      options.execution = execution;
      Recorder seen;
      const auto observed = simulate::simulate(set, test::on_completion(set, Y), options, &seen);
      CHECK(observed.blocks == seen.blocks.size() + seen.copies.size());
      // (instant, change) per SM: ends before starts.
      for (std::uint32_t sm = 0; sm < 2; ++sm) {
        std::vector<std::pair<std::int64_t, std::int64_t>> threads, slots;
        for (const auto& b : seen.blocks) {
          if ((b.node != 2 && b.node != 3) || b.sm != sm) continue;
          const std::int64_t H = b.node == 2 ? 96 : 256;
          threads.insert(threads.end(), {{b.start, H}, {b.end, -H}});
          slots.insert(slots.end(), {{b.start, 1}, {b.end, -1}});
        }
        for (auto& [changes, limit] : {std::pair{&threads, 2048}, std::pair{&slots, 32}}) {
          std::sort(changes->begin(), changes->end());
          std::int64_t level = 0, highest = 0;
          for (const auto& c : *changes) highest = std::max(highest, level += c.second);
          CHECK(highest <= limit);
          CHECK(level == 0);
        }
      }
      for (auto* runs : {&seen.runs, &seen.copies}) {
        auto sorted = *runs;
        std::sort(sorted.begin(), sorted.end(),
                  [](const auto& a, const auto& b) { return std::tie(a.cpu, a.start) < std::tie(b.cpu, b.start); });
        for (std::size_t i = 1; i < sorted.size(); ++i) {
          if (sorted[i].cpu == sorted[i - 1].cpu) CHECK(sorted[i].start >= sorted[i - 1].end);
        }
      }
      // Every job runs for its execution time: worst cases add up.
      if (execution == simulate::worst_case) {
        std::int64_t busy = 0;
        for (const auto& r : seen.runs) busy += r.end - r.start;
        CHECK(busy == static_cast<std::int64_t>(observed.dag_jobs) * 35 * us);
      }
    }
  }
}

TEST_CASE("Sporadic releases are at least T and at most T (1 + jitter) apart") {
  const TaskSet set{"sporadic", {cpu(1)}, {task("tau", 0, CpuDemand{Time(1)}, 1000)}};
  auto options = for_time(1'000'000);
  options.releases.jitter = 500'000;
  options.releases.random_phases = true;
  Recorder seen;
  (void)simulate::simulate(set, edf(set), options, &seen);
  std::int64_t least = 1 << 20, most = 0;
  CHECK(seen.jobs[0].release < 1000);
  for (std::size_t j = 1; j < seen.jobs.size(); ++j) {
    least = std::min(least, seen.jobs[j].release - seen.jobs[j - 1].release);
    most = std::max(most, seen.jobs[j].release - seen.jobs[j - 1].release);
  }
  CHECK(least >= 1000);
  CHECK(least < 1010);
  CHECK(most <= 1500);
  CHECK(most > 1490);
}

TEST_CASE("Execution times are drawn as the task set declares") {
  const auto with = [](std::optional<Variation> variation) {
    Dag one = scene::task("t", 0, CpuDemand{Time(1000)}, 10'000);
    Node n = one.nodes()[0];
    n.variation = variation;
    return TaskSet("one", {scene::cpu(1)}, {Dag("t", Time(10'000), std::nullopt, {n}, {})});
  };
  const auto lengths = [&](const TaskSet& set, bool vary) {
    auto options = for_time(200'000'000);  // 20,000 jobs
    options.vary = vary;
    Recorder seen;
    static_cast<void>(simulate::simulate(set, scene::edf(set), options, &seen));
    std::vector<std::int64_t> out;
    for (const auto& job : seen.jobs) out.push_back(job.end - job.release);
    std::ranges::sort(out);
    return out;
  };
  const auto uniform = lengths(with(Variation{Time(400), std::nullopt}), true);
  REQUIRE(uniform.size() == 20'000);
  CHECK(uniform.front() == 400);
  CHECK(uniform.back() == 1000);
  CHECK(uniform[10'000] == doctest::Approx(700).epsilon(0.02));

  // Density 2(x - 400)/(600 x 150) up to 550, then falling to 1000: a quarter lies below 550, half of the rest below
  // 1000 - 450/sqrt(2) = 681.8.
  const auto triangular = lengths(with(Variation{Time(400), Time(550)}), true);
  CHECK(triangular.front() >= 400);
  CHECK(triangular.back() <= 1000);
  CHECK(triangular[5'000] == doctest::Approx(550).epsilon(0.02));
  CHECK(triangular[12'500] == doctest::Approx(681.8).epsilon(0.02));

  CHECK(lengths(with(Variation{Time(400), std::nullopt}), false).front() == 1000);
  CHECK(lengths(with(std::nullopt), true).front() == 1000);
}

TEST_CASE("Execution times of 0 end at once") {
  const TaskSet set = mixed();
  const std::vector<Time> Y{Time(0), Time(0)};
  auto options = for_time(1'000 * us);
  options.execution = {0, 0};
  const auto seen = simulate::simulate(set, test::on_completion(set, Y), options);
  // Only the overhead of nine items on four workers is left: three rounds of 100 ns.
  CHECK(seen.dags[0].response.max() <= Time(600));
  CHECK(seen.dags[0].response.max() >= Time(300));
  CHECK(seen.dags[0].response.count() == 17);
}

TEST_CASE("Overload ends with the statistics so far") {
  const TaskSet set{"overload", {cpu(1)}, {task("tau", 0, CpuDemand{Time(20)}, 10)}};
  auto options = for_time(1'000'000'000);
  options.max_jobs_in_flight = 1000;
  const auto seen = simulate::simulate(set, edf(set), options);
  CHECK(seen.ending == simulate::Ending::backlog);
  CHECK(seen.max_in_flight == 1001);
  CHECK(seen.dags[0].response.count() > 900);
}

TEST_CASE("A request and the end of the time end the run with the statistics so far") {
  const TaskSet set{"long", {cpu(1)}, {task("tau", 0, CpuDemand{Time(1)}, 10)}};
  auto options = for_time(1'000'000'000'000'000);
  std::stop_source source;
  source.request_stop();
  options.limit = Limit(source.get_token());
  CHECK(simulate::simulate(set, edf(set), options).ending == simulate::Ending::stopped);
  options.limit = Limit().within(std::chrono::milliseconds(20));
  const auto seen = simulate::simulate(set, edf(set), options);
  CHECK(seen.ending == simulate::Ending::timed_out);
  CHECK(seen.dags[0].response.count() > 0);
}

TEST_CASE("Arguments that do not fit are refused") {
  const TaskSet set = mixed();
  const std::vector<Time> Y{Time(0), Time(0)};
  const auto schedule = test::on_completion(set, Y);
  CHECK_THROWS_AS((void)simulate::simulate(set, {}, for_time(1)), Defect);
  auto options = for_time(1);
  options.execution = {2, 1};
  CHECK_THROWS_AS((void)simulate::simulate(set, schedule, options), Defect);
  options = for_time(-1);
  CHECK_THROWS_AS((void)simulate::simulate(set, schedule, options), Defect);
  options = for_time(1);
  options.releases.phases = {Time(0)};
  CHECK_THROWS_AS((void)simulate::simulate(set, schedule, options), Defect);
  options = for_time(std::numeric_limits<std::int64_t>::max());
  CHECK_THROWS_AS((void)simulate::simulate(set, schedule, options), Overflow);
}

TEST_CASE("Times that leave 64 bits are an error, not a wrap") {
  const TaskSet set{"huge", {cpu(1)}, {task("tau", 0, CpuDemand{Time(std::int64_t{1} << 60)}, 10)}};
  CHECK_THROWS_AS((void)simulate::simulate(set, edf(set), for_time(100)), Overflow);
}
