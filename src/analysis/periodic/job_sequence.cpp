#include "analysis/periodic/job_sequence.hpp"

#include <algorithm>
#include <tuple>

#include "rta/analysis/periodic/reachable_ends.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::periodic {
namespace {

/// Places of a node's jobs, by number.
class Places {
 public:
  explicit Places(std::int64_t N) : N_(N) {}

  void add(std::int64_t number, std::int64_t place) { places_.emplace_back(number, place); }
  void sort() { std::ranges::sort(places_); }
  [[nodiscard]] std::int64_t of(std::int64_t number) const {
    const auto jobs = static_cast<std::int64_t>(places_.size());
    const auto rounds = static_cast<std::int64_t>(floor_div(number - places_.front().first, jobs));
    const auto [same, place] = places_[static_cast<std::size_t>(number - rounds * jobs - places_.front().first)];
    require(same == number - rounds * jobs, "the jobs of a node have consecutive numbers");
    return place + rounds * N_;
  }

 private:
  std::int64_t N_;
  std::vector<std::pair<std::int64_t, std::int64_t>> places_;
};

}  // namespace

JobSequence::JobSequence(const System& system, std::int64_t H, const Windows* proven) : H_(halves(Time(H))) {
  std::vector<std::size_t> queue_of(system.pools.size(), nowhere);
  for (std::size_t p = 0; p < system.pools.size(); ++p) {
    const bool used = std::ranges::any_of(
        system.dags, [&](const Dag& dag) { return std::ranges::any_of(dag.nodes, [&](const Node& node) { return node.pool == p; }); });
    if (!used || !is_followed(system, p)) continue;
    queue_of[p] = queues_.size();
    const Pool& pool = system.pools[p];
    queues_.push_back({pool.order, pool.equals_by_ready, pool.sees_first, pool.servers, servers_, pool.in_turn});
    servers_ += pool.servers;
  }
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    const Dag& dag = system.dags[d];
    const std::int64_t T = halves(dag.T);
    std::vector<std::int64_t> from(dag.nodes.size()), depth(dag.nodes.size());
    for (const std::size_t v : dag.order) {
      const Node& node = dag.nodes[v];
      for (const std::size_t u : node.before) {
        from[v] = std::max(from[v], from[u] + halves(dag.nodes[u].least));
        depth[v] = std::max(depth[v], depth[u] + 1);
      }
      const std::int64_t first = halves(dag.phase) + from[v];  // the earliest start of job 0
      const auto skipped = static_cast<std::int64_t>(floor_div(first, T));
      for (std::int64_t i = 0; i < H_ / T; ++i) {
        Job job;
        job.number = i - skipped;
        job.numbers = H_ / T;
        job.earliest = first + job.number * T;
        job.nominal = job.earliest - from[v];
        job.latest_release = job.nominal + halves(dag.J);
        job.C = halves(node.C);
        job.least = halves(node.least);
        job.pieces = node.pieces;
        job.first_point = job.nominal + halves(Time(node.key));
        job.last_point = job.latest_release + halves(Time(node.key));
        job.priority = node.key;
        job.pool = queue_of[node.pool];
        job.source = node.before.empty();
        job.depth = depth[v];
        job.dag = d;
        job.node = v;
        if (proven != nullptr) {
          const auto n = static_cast<std::size_t>(job.number - floor_div(job.number, job.numbers) * job.numbers);
          job.proven = job.nominal + halves(proven->ends[d][v][n]);
        } else if (node.known) {
          job.proven = job.latest_release + halves(*node.known);
        }
        require(job.pool != nowhere || job.proven < never, "nodes whose dispatches are not followed have bounds");
        jobs_.push_back(std::move(job));
      }
    }
  }
  // Jobs stand after those that make them ready, also where these take no time.
  std::ranges::sort(jobs_, {}, [](const Job& job) { return std::tuple(job.earliest, job.dag, job.depth, job.node); });
  const auto N = static_cast<std::int64_t>(jobs_.size());
  std::vector<std::vector<Places>> places;
  for (const Dag& dag : system.dags) places.emplace_back(dag.nodes.size(), Places(N));
  for (std::int64_t x = 0; x < N; ++x) places[at(x).dag][at(x).node].add(at(x).number, x);
  for (auto& of_dag : places) std::ranges::for_each(of_dag, &Places::sort);
  for (std::int64_t x = 0; x < N; ++x) {
    Job& job = jobs_[static_cast<std::size_t>(x)];
    const Node& node = system.dags[job.dag].nodes[job.node];
    for (const std::size_t u : node.before) job.before.push_back(places[job.dag][u].of(job.number) - x);
    if (node.sequential) job.before.push_back(places[job.dag][job.node].of(job.number - 1) - x);
    for (const std::int64_t away : job.before) {
      require(away < 0, "a job stands after those that make it ready");
      const auto y = static_cast<std::size_t>(x + away - static_cast<std::int64_t>(floor_div(x + away, N)) * N);
      jobs_[y].after.push_back(-away);
    }
  }
  for (Job& job : jobs_) std::ranges::sort(job.after);
  for (std::size_t q = 0; q < queues_.size(); ++q) {
    queues_[q].next.assign(static_cast<std::size_t>(N), 0);
    std::int64_t next = never;
    for (std::int64_t x = 2 * N - 1; x >= 0; --x) {
      if (at(x % N).pool == q) next = x;
      if (x < N) queues_[q].next[static_cast<std::size_t>(x)] = next - x;
    }
  }
}

}  // namespace rta::analysis::periodic
