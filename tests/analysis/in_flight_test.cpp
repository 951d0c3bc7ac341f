// How many jobs are under way at one instant, and how many buffers they need: by hand, and against schedules.
#include "rta/analysis/in_flight.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/schedule_of.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/simulate/simulate.hpp"

using namespace rta;

namespace {

std::shared_ptr<const TaskSet> task_set(const std::string& text) {
  return std::make_shared<const TaskSet>(io::parse_task_set(text, "set.yaml").task_set);
}

analysis::Proof proof_of(const std::shared_ptr<const TaskSet>& set, Release release) {
  analysis::Options options;
  options.release = release;
  return analysis::analyze(set, options).proof;
}

/// Three stages of 4, 4 and 3 ms with a processor each.
std::shared_ptr<const TaskSet> stages(const std::string& T, const std::string& more = "") {
  return task_set(
      "platform: {p: {processors: 1, scheduler: G-EDF}, q: {processors: 1, scheduler: G-EDF}, s: {processors: 1, scheduler: G-EDF}}\n"
      "dags:\n"
      "  - name: d\n"
      "    T: " +
      T + "\n" + more +
      "    nodes: {a: {on: p, C: 4 ms}, b: {on: q, C: 4 ms}, c: {on: s, C: 3 ms}}\n"
      "    edges: [a -> b, b -> c]\n");
}

/// Of each DAG, the most of its jobs that are released and unfinished at one instant.
class Counting : public simulate::Observer {
 public:
  explicit Counting(std::size_t dags) : Observer(simulate::Detail::dag), jobs_(dags) {}
  void dag(DagId dag, std::uint64_t, Time release, Time end) override { jobs_[dag].emplace_back(release, end); }
  void job(simulate::JobId, Time, Time, Time) override {}
  void block(simulate::JobId, std::uint64_t, std::uint32_t, Time, Time) override {}
  void copy(simulate::JobId, std::uint32_t, Time, Time) override {}
  void run(simulate::JobId, std::uint32_t, Time, Time) override {}

  [[nodiscard]] std::int64_t most(DagId dag) const {
    std::int64_t most = 0;
    for (const auto& [at, until] : jobs_[dag]) {
      most = std::max<std::int64_t>(
          most, std::ranges::count_if(jobs_[dag], [at = at](const auto& job) { return job.first <= at && at < job.second; }));
    }
    return most;
  }

 private:
  std::vector<std::vector<std::pair<Time, Time>>> jobs_;
};

}  // namespace

TEST_CASE("Jobs in flight are those released within less than the bound") {
  // On completion the ends are 4, 8, 11 ms.
  for (const auto& [T, jobs] : {std::pair{"4 ms", 3}, {"5 ms", 3}, {"5500 us", 2}, {"10 ms", 2}, {"11 ms", 1}, {"20 ms", 1}}) {
    const auto set = stages(T);
    const analysis::Proof proof = proof_of(set, Release::completion);
    REQUIRE(proof.dags[0].bound->R == Time(11'000'000));
    CHECK(analysis::jobs_in_flight(proof, 0) == jobs);
  }
  // Two releases are 8 - 4 ms apart, three 16 - 4 > 11. And 20 - 9 ms apart the first has ended.
  CHECK(analysis::jobs_in_flight(proof_of(stages("8 ms", "    jitter: 4 ms\n"), Release::completion), 0) == 2);
  CHECK(analysis::jobs_in_flight(proof_of(stages("20 ms", "    jitter: 9 ms\n"), Release::completion), 0) == 1);
  CHECK(analysis::jobs_in_flight(proof_of(stages("20 ms", "    jitter: 10 ms\n"), Release::completion), 0) == 2);
}

TEST_CASE("A buffer is held from the start of its writer to the end of its reader") {
  const auto set = stages("4 ms");
  const analysis::Proof completion = proof_of(set, Release::completion);
  CHECK(analysis::buffers(completion, 0, {0, 1}) == 2);  // b ends by 8: 8 / 4
  CHECK(analysis::buffers(completion, 0, {1, 2}) == 3);  // c by 11, and b may take no time
  const analysis::Proof offsets = proof_of(set, Release::offsets);
  CHECK(analysis::buffers(offsets, 0, {0, 1}) == 2);
  CHECK(analysis::buffers(offsets, 0, {1, 2}) == 2);  // b starts no sooner than its offset of 4: (11 - 4) / 4
}

TEST_CASE("Without a bound nothing is said") {
  const auto set = task_set("platform: {p: {processors: 1}}\ntasks: [{name: t, on: p, C: 3 ms, T: 2 ms}]\n");
  CHECK_FALSE(analysis::jobs_in_flight(proof_of(set, Release::completion), 0));
}

TEST_CASE("No schedule has more jobs at once") {
  for (const char* T : {"4 ms", "5 ms", "7 ms", "10 ms", "11 ms"}) {
    const auto set = stages(T);
    const analysis::Proof proof = proof_of(set, Release::completion);
    Counting counting(1);
    simulate::Options options;
    options.duration = Time(400'000'000);
    (void)simulate::simulate(*set, analysis::schedule_of(proof), options, &counting);
    CHECK(counting.most(0) == analysis::jobs_in_flight(proof, 0));  // all take their C, so it is attained
  }
}
