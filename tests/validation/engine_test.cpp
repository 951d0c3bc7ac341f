// The runtime's host side in isolation: releases, precedence, guards, sequence, by an executor that ends jobs at once or on demand.
#include "workload/engine.hpp"

#include <doctest/doctest.h>

#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "workload/job_queue.hpp"
#include "workload/options.hpp"
#include "workload/priority_order.hpp"

using namespace workload;

namespace {

constexpr std::int64_t ms = 1'000'000;

/// Ends every job `length` after it entered, on a thread of its own.
class Instant final : public Executor {
 public:
  Instant(Engine& engine, Ring& ring) : engine_(engine), ring_(ring) {}
  ~Instant() override {
    for (auto& thread : threads_) thread.join();
  }
  void submit(const Job& job) override {
    std::lock_guard<std::mutex> guard(lock_);
    entered.push_back(job);
    threads_.emplace_back([this, job] {
      const std::int64_t start = now();
      sleep_until(start + engine_.node(job).length);
      const std::int64_t end = now();
      std::lock_guard<std::mutex> held(ring_lock_);
      engine_.finished(job, start, end, ring_);
    });
  }
  std::vector<Job> entered;

 private:
  Engine& engine_;
  Ring& ring_;
  std::mutex lock_;
  std::mutex ring_lock_;
  std::vector<std::thread> threads_;
};

struct Outcome_ {
  std::int64_t start = 0;
  std::vector<Job> entered;
  std::vector<Record> records;
};

Outcome_ execute(const std::vector<Node>& nodes, const std::vector<Edge>& edges, std::int64_t period, std::int64_t length,
                 std::int64_t phase = 0, unsigned in_flight = 0) {
  const Pool pool{"p", PoolKind::cpu, 1, Order::fifo, 0, "p"};
  const Dag dag{
      "d", period,  phase, -1,       nodes.data(), static_cast<unsigned>(nodes.size()), edges.data(), static_cast<unsigned>(edges.size()),
      0,   nullptr, 0,     in_flight};
  const TaskSet set{"s", "", "", "offsets", nullptr, 0, &pool, 1, &dag, 1};
  RunStatistics statistics;
  Engine engine(set, {true}, length, TraceLevel::job, statistics);
  Ring ring(10'000);
  Outcome_ outcome;
  {
    Instant executor(engine, ring);
    engine.set_executor(0, &executor);
    outcome.start = now() + 20 * ms;
    engine.release_all(outcome.start, outcome.start);
    outcome.entered = executor.entered;
  }
  ring.drain([&](const Record& record) { outcome.records.push_back(record); });
  return outcome;
}

// name, pool, length, longest, blocks, threads, shared, registers, blocks per SM, stream priority, d2h, sequential, timed, offset,
// reference, guarded, priority, level, bound, slots
Node node(std::int64_t length, bool timed, std::int64_t offset = 0, bool guarded = false, bool sequential = false) {
  return {"n", 0, length, length, 1, 1, 0, 0, 0, 0, false, sequential, timed, offset, offset, guarded, 0, 0, -1, 2};
}

}  // namespace

TEST_CASE("a queue of jobs hands out the least key first, equal keys in order, also after it has grown round its end") {
  JobQueue queue;
  Job job;
  const auto put = [&](std::int64_t number, std::int64_t key) {
    job.number = number;
    queue.put(job, key);
  };
  const auto take = [&] {
    REQUIRE(queue.take(job));
    return job.number;
  };
  put(1, 5);
  put(2, 3);
  put(3, 5);
  put(4, 1);
  CHECK(take() == 4);
  CHECK(take() == 2);
  for (std::int64_t i = 0; i < 40; ++i) put(100 + i, 4 + i % 2);  // keys 4 (even numbers) and 5 (odd numbers) in turn
  for (std::int64_t i = 0; i < 40; i += 2) CHECK(take() == 100 + i);
  CHECK(take() == 1);
  CHECK(take() == 3);
  for (std::int64_t i = 1; i < 40; i += 2) CHECK(take() == 100 + i);
  queue.close();
  CHECK_FALSE(queue.take(job));
}

TEST_CASE("every job enters once, at its offset or later, after its predecessors") {
  const auto outcome = execute({node(1 * ms, true), node(1 * ms, true, 5 * ms)}, {{0, 1}}, 10 * ms, 100 * ms);
  REQUIRE(outcome.entered.size() == 20);
  std::map<std::pair<unsigned, std::int64_t>, Job> jobs;
  for (const Job& job : outcome.entered) CHECK(jobs.emplace(std::pair(job.node, job.number), job).second);
  for (const auto& [key, job] : jobs) CHECK(job.ready >= outcome.start + job.number * 10 * ms + (job.node == 1 ? 5 * ms : 0));
  std::map<std::int64_t, std::int64_t> end_of_first;
  for (const Record& record : outcome.records) {
    if (record.kind == RecordKind::job && record.node == 0) end_of_first[record.number] = record.end;
  }
  for (const Record& record : outcome.records) {
    if (record.kind == RecordKind::job && record.node == 1) CHECK(record.start >= end_of_first.at(record.number));
  }
}

TEST_CASE("jobs are released from the DAG's phase on, as many as the run has room for") {
  // The last job has 50 ms to end, on a busy machine too.
  const auto outcome = execute({node(1 * ms, true)}, {}, 100 * ms, 400 * ms, 150 * ms);
  std::vector<std::int64_t> releases;
  for (const Record& r : outcome.records) {
    if (r.kind == RecordKind::dag) releases.push_back(r.release - outcome.start);
  }
  CHECK(releases == std::vector<std::int64_t>{150 * ms, 250 * ms, 350 * ms});
  CHECK(execute({node(1 * ms, true)}, {}, 100 * ms, 400 * ms, 400 * ms).records.empty());
}

TEST_CASE("a node without offset enters when its last predecessor ends; the DAG's job ends with its last node") {
  const auto outcome = execute({node(1 * ms, true), node(4 * ms, true), node(1 * ms, false)}, {{0, 2}, {1, 2}}, 20 * ms, 100 * ms);
  std::map<std::int64_t, std::int64_t> last_end;
  std::map<std::int64_t, std::int64_t> sink_end;
  int dags = 0;
  for (const Record& r : outcome.records) {
    if (r.kind == RecordKind::job && r.node < 2) last_end[r.number] = std::max(last_end[r.number], r.end);
    if (r.kind == RecordKind::job && r.node == 2) sink_end[r.number] = r.end;
  }
  for (const Record& r : outcome.records) {
    if (r.kind == RecordKind::job && r.node == 2) CHECK(r.start >= last_end.at(r.number));
    if (r.kind != RecordKind::dag) continue;
    ++dags;
    CHECK(r.end == sink_end.at(r.number));
    CHECK(r.release == outcome.start + r.number * 20 * ms);
  }
  CHECK(dags == 5);
}

TEST_CASE("guarded jobs enter in order, never less than a period apart") {
  // The first node takes 12 ms of the 10 ms period now and then would bunch its successors; here all take 3 ms and the guard must still
  // hold.
  const auto outcome = execute({node(3 * ms, true), node(1 * ms, false, 0, true)}, {{0, 1}}, 10 * ms, 200 * ms);
  std::vector<Job> guarded;
  for (const Job& job : outcome.entered) {
    if (job.node == 1) guarded.push_back(job);
  }
  REQUIRE(guarded.size() == 20);
  for (std::size_t i = 1; i < guarded.size(); ++i) {
    CHECK(guarded[i].number == guarded[i - 1].number + 1);
    CHECK(guarded[i].ready - guarded[i - 1].ready >= 10 * ms);
  }
}

TEST_CASE("a sequential node's jobs follow one another, others overlap") {
  const auto overlap = [](const Outcome_& outcome) {
    std::map<std::int64_t, Record> jobs;
    for (const Record& r : outcome.records) {
      if (r.kind == RecordKind::job) jobs[r.number] = r;
    }
    bool any = false;
    for (const auto& [number, r] : jobs) any = any || (number > 0 && r.start < jobs.at(number - 1).end);
    return any;
  };
  CHECK(overlap(execute({node(15 * ms, true)}, {}, 10 * ms, 50 * ms)));
  CHECK_FALSE(overlap(execute({node(15 * ms, true, 0, false, true)}, {}, 10 * ms, 50 * ms)));
}

TEST_CASE("no more jobs of a DAG are under way than its limit, and each is admitted when one ends") {
  // Jobs of two nodes of 8 ms every 10 ms: two at once, or with a limit of one each when the one before has ended.
  for (const unsigned limit : {0U, 2U, 1U}) {
    const auto outcome = execute({node(8 * ms, true), node(8 * ms, false)}, {{0, 1}}, 10 * ms, 100 * ms, 0, limit);
    std::map<std::int64_t, std::int64_t> begin, end;
    for (const Record& r : outcome.records) {
      if (r.kind == RecordKind::job && r.node == 0) begin[r.number] = r.start;
      if (r.kind == RecordKind::dag) end[r.number] = r.end;
    }
    REQUIRE(end.size() == 10);
    std::size_t most = 0;
    for (const auto& [number, at] : begin) {
      std::size_t others = 0;
      for (const auto& [other, from] : begin) others += other != number && from <= at && at < end.at(other) ? 1 : 0;
      most = std::max(most, others + 1);
      CHECK(at >= outcome.start + number * 10 * ms);
      if (limit == 1 && number > 0) CHECK(at >= end.at(number - 1));
    }
    if (limit > 0) CHECK(most <= limit);
    if (limit == 0) CHECK(most > 1);
  }
}

TEST_CASE("a ring counts what it cannot keep") {
  Ring ring(4);
  for (int i = 0; i < 7; ++i) ring.push({i, 0, 0, 0, 0, 0, 0, 0, 0, RecordKind::job});
  CHECK(ring.lost() == 3);
  std::vector<std::int64_t> kept;
  ring.drain([&](const Record& r) { kept.push_back(r.number); });
  CHECK(kept == std::vector<std::int64_t>{0, 1, 2, 3});
  ring.push({9, 0, 0, 0, 0, 0, 0, 0, 0, RecordKind::job});
  ring.drain([&](const Record& r) { kept.push_back(r.number); });
  CHECK(kept.back() == 9);
}

TEST_CASE("times and processor lists of the command line") {
  CHECK(parse_time("60s") == 60'000'000'000);
  CHECK(parse_time("1.5ms") == 1'500'000);
  CHECK(parse_time("250us") == 250'000);
  CHECK(parse_time("5m") == 300'000'000'000);
  CHECK(parse_time("1h") == 3'600'000'000'000);
  for (const char* wrong : {"", "60", "s", "-1s", "1 s", "1d", "1e30s", "nan", "0x10s "}) CHECK(parse_time(wrong) == -1);
  std::vector<int> list;
  CHECK(parse_list("0-2,5", list));
  CHECK(list == std::vector<int>{0, 1, 2, 5});
  for (const char* wrong : {"", "a", "2-1", "1,", "-1", "99999"}) {
    std::vector<int> none;
    CHECK_FALSE(parse_list(wrong, none));
  }
}

TEST_CASE("the consumed CPU time is C, but for clock readings") {
  const CpuSpeed speed = measure_cpu_speed();
  const std::int64_t before = own_cpu_time();
  const std::int64_t at = consume_until(before + 5 * ms, speed) - before;
  CHECK(at <= 5 * ms + 5 * ms / 20);
  CHECK(at >= 5 * ms - 5 * ms / 20);
}

TEST_CASE("active jobs are ordered by priority point, whatever the order in which they come and go") {
  // Levels need a privilege; where it is there, the kernel's levels are checked, too.
  std::vector<std::thread> threads;
  std::vector<std::atomic<int>> numbers(40);
  std::atomic<bool> done{false};
  threads.reserve(numbers.size());
  for (auto& number : numbers) {
    threads.emplace_back([&] {
      number.store(thread_number());
      while (!done.load()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      // Ends without a real-time level: the sanitizer's allocator spins for a lock that threads without one may hold.
      const sched_param none{};
      sched_setscheduler(0, SCHED_OTHER, &none);
    });
  }
  for (auto& number : numbers) {
    while (number.load() == 0) std::this_thread::yield();
  }
  const bool privileged = set_fifo(numbers[0].load(), 2).empty();
  auto order = std::make_unique<PriorityOrder>();
  std::map<std::int64_t, int> active;  // priority point -> thread
  const auto level = [](int thread) {
    sched_param parameter{};
    sched_getparam(thread, &parameter);
    return parameter.sched_priority;
  };
  std::uint64_t random = 12345;
  for (int step = 0; step < 400; ++step) {
    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
    const int thread = numbers[(random >> 33U) % numbers.size()].load();
    const auto at = std::find_if(active.begin(), active.end(), [&](const auto& job) { return job.second == thread; });
    if (at != active.end()) {
      order->leave(thread);
      active.erase(at);
    } else {
      const std::int64_t point = static_cast<std::int64_t>(random >> 40U) * 1000 + step;
      CHECK(order->enter(thread, point) == privileged);
      active.emplace(point, thread);
    }
    if (!privileged) continue;
    int above = 100;
    for (const auto& [point, number] : active) {
      CHECK(level(number) < above);
      above = level(number);
    }
  }
  CHECK(order->crowded() == 0);
  done.store(true);
  for (auto& thread : threads) thread.join();
}
