#include <algorithm>

#include "rta/simulate/scenario.hpp"
#include "scenario.hpp"

namespace rta::simulate {
namespace {

class Change {
 public:
  Change(const Ground& ground, DagId target, Options& scenario, Dice& dice) : ground_(ground), target_(target), o_(scenario), dice_(dice) {}

  void make() {
    const std::size_t d = dice_.one_in(5) ? target_ : dice_.below(o_.jobs.size());
    const std::int64_t kind = dice_.between(0, 99);
    if (kind < 4 && ground_.slices && dice_.one_in(2)) {
      o_.slices = other(o_.slices);
    } else if (kind < 4 && ground_.waves && dice_.one_in(2)) {
      o_.block_times = other(o_.block_times);
    } else if (kind < 4) {
      o_.placement = dice_.pick(all_placements);
      o_.seed = static_cast<std::uint64_t>(dice_.between(0, 1'000'000'000));
    } else if (kind < 10 || o_.jobs[d].empty()) {
      jobs(d);
    } else if (kind < 25) {
      release(d);
    } else if (kind < 60) {
      execution(d);
    } else {
      rank(d);
    }
  }

 private:
  [[nodiscard]] ScenarioJob& job_of(DagId d) { return o_.jobs[d][dice_.below(o_.jobs[d].size())]; }
  [[nodiscard]] Time period(DagId d) const { return ground_.task_set.dags()[d].nominal_period(); }

  // Some node of some job.
  [[nodiscard]] ScenarioNode& peer() {
    const std::size_t d = dice_.below(o_.jobs.size());
    ScenarioJob& job = job_of(o_.jobs[d].empty() ? target_ : d);
    return job.nodes[dice_.below(job.nodes.size())];
  }

  void jobs(DagId d) {
    auto& jobs = o_.jobs[d];
    const std::vector<ScenarioJob> unchanged = jobs;
    const std::size_t most = std::max<std::size_t>(2, 4096 / ground_.task_set.dags()[d].nodes().size());
    if (jobs.empty()) {
      jobs.push_back({o_.jobs[target_].back().release, std::vector<ScenarioNode>(ground_.task_set.dags()[d].nodes().size())});
    } else if (dice_.one_in(2) && jobs.size() < most) {
      const bool front = dice_.one_in(2);
      ScenarioJob job = front ? jobs.front() : jobs.back();
      job.release += front ? Time::zero() - period(d) : period(d);
      jobs.insert(front ? jobs.begin() : jobs.end(), std::move(job));
    } else if (jobs.size() > (d == target_ ? 1 : 0)) {
      jobs.erase(dice_.one_in(2) ? jobs.begin() : jobs.end() - 1);
    }
    if (first_impossible_release(ground_.task_set.dags()[d], jobs) || !from_zero()) jobs = unchanged;
  }

  void release(DagId d) {
    auto& jobs = o_.jobs[d];
    const std::size_t j = dice_.below(jobs.size());
    const std::int64_t T = period(d).count();
    Time to = jobs[j].release;
    switch (dice_.between(0, ground_.company ? 5 : 3)) {
      case 0: to += Time(dice_.between(-T / 32 - 1, T / 32 + 1)); break;
      case 1: to += Time(dice_.between(-T, T)); break;
      case 2: to = o_.jobs[target_].back().release; break;
      case 3: to = o_.jobs[target_].back().release + ground_.point[target_] - ground_.point[d]; break;
      default:  // some node of it beside one of the target's
        to = o_.jobs[target_].back().release + Time(dice_.pick(ground_.start[target_]) - dice_.pick(ground_.start[d]));
        break;
    }
    std::vector<ScenarioJob> unchanged = jobs;
    if (to.count() > longest_time.count() / 2 || to.count() < -longest_time.count() / 2) return;
    jobs[j].release = to;
    keep_apart(d, j);
    if (first_impossible_release(ground_.task_set.dags()[d], jobs) || !from_zero()) jobs = std::move(unchanged);
  }

  // Moves the others of d as little as their distances to the j-th ask for.
  void keep_apart(DagId d, std::size_t j) {
    auto& jobs = o_.jobs[d];
    const Time least = ground_.task_set.dags()[d].period();
    const auto& most = ground_.task_set.dags()[d].attributes().T_max;
    for (std::size_t i = j; i > 0; --i) {
      Time& at = jobs[i - 1].release;
      at = std::min(at, jobs[i].release - least);
      if (most) at = std::max(at, jobs[i].release - *most);
    }
    for (std::size_t i = j + 1; i < jobs.size(); ++i) {
      Time& at = jobs[i].release;
      at = std::max(at, jobs[i - 1].release + least);
      if (most) at = std::min(at, jobs[i - 1].release + *most);
    }
  }

  // Lets the first job be released at 0; false when the last one is too late then.
  bool from_zero() {
    std::int64_t first = longest_time.count(), last = -first;
    for (const auto& jobs : o_.jobs) {
      if (jobs.empty()) continue;
      first = std::min(first, jobs.front().release.count());
      last = std::max(last, jobs.back().release.count());
    }
    if (last - first > longest_time.count() / 2) return false;
    for (auto& jobs : o_.jobs) {
      for (ScenarioJob& job : jobs) job.release -= Time(first);
    }
    return true;
  }

  void execution(DagId d) {
    ScenarioJob& job = job_of(d);
    const std::size_t v = dice_.below(job.nodes.size());
    PartsPerMillion share = whole;
    if (dice_.one_in(2)) share = dice_.one_in(2) ? 0 : static_cast<PartsPerMillion>(dice_.between(0, whole));
    switch (dice_.between(0, 7)) {
      case 0:  // a stage
        for (NodeId u = 0; u < job.nodes.size(); ++u) {
          if (ground_.level[d][u] == ground_.level[d][v]) job.nodes[u].execution = share;
        }
        break;
      case 1:  // the same node of DAGs of the same shape
        for (DagId other = 0; other < o_.jobs.size(); ++other) {
          if (other == target_ || ground_.level[other].size() != job.nodes.size()) continue;
          for (ScenarioJob& its : o_.jobs[other]) its.nodes[v].execution = share;
        }
        break;
      case 2:
        for (ScenarioNode& node : job.nodes) node.execution = whole;
        break;
      default: job.nodes[v].execution = share; break;
    }
  }

  [[nodiscard]] std::uint32_t beside(std::uint32_t rank) {
    const std::int64_t moved = std::int64_t{rank} + dice_.between(-1, 1);
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(moved, 0, most_rank));
  }

  void rank(DagId d) {
    ScenarioJob& job = job_of(d);
    const std::size_t v = dice_.below(job.nodes.size());
    switch (dice_.between(0, 7)) {
      case 0: {  // a stage
        const std::uint32_t to = beside(peer().rank);
        for (NodeId u = 0; u < job.nodes.size(); ++u) {
          if (ground_.level[d][u] == ground_.level[d][v]) job.nodes[u].rank = to;
        }
        break;
      }
      case 1: {  // the whole job
        const std::int64_t by = std::int64_t{peer().rank} - job.nodes[v].rank;
        for (ScenarioNode& node : job.nodes) {
          node.rank = static_cast<std::uint32_t>(std::clamp<std::int64_t>(node.rank + by, 0, most_rank));
        }
        break;
      }
      case 2:
      case 3: std::swap(job.nodes[v].rank, peer().rank); break;
      default: job.nodes[v].rank = beside(peer().rank); break;
    }
  }

  const Ground& ground_;
  DagId target_;
  Options& o_;
  Dice& dice_;
};

}  // namespace

void change_scenario(const Ground& ground, DagId target, Options& scenario, Dice& dice) { Change(ground, target, scenario, dice).make(); }

}  // namespace rta::simulate
