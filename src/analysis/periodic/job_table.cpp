#include "analysis/periodic/job_table.hpp"

#include <algorithm>

#include "rta/model/error.hpp"

namespace rta::analysis::periodic {
namespace {

constexpr std::int64_t farthest = std::int64_t{1} << 60;

std::int64_t in_range(Wide instant) {
  if (instant > farthest || instant < -farthest) throw_overflow("instants of periodic releases");
  return static_cast<std::int64_t>(instant);
}

}  // namespace

std::optional<Size> size_of(const System& system) {
  Wide H = 1;
  for (const Dag& dag : system.dags) {
    const Wide T = dag.T.count();
    H = H / std::max(gcd(H, T), Wide{1}) * T;
    if (H > farthest / 4) return std::nullopt;
  }
  Wide jobs = 0;
  for (const Dag& dag : system.dags) jobs += H / dag.T.count() * static_cast<Wide>(dag.nodes.size());
  return Size{static_cast<std::int64_t>(H), static_cast<std::size_t>(jobs)};
}

JobTable::JobTable(const System& system, const Size& size, std::int64_t periods)
    : system_(system), H_(size.hyperperiod), entries_(system.pools.size()), longest_(system.pools.size(), 1) {
  node_of_.reserve(size.jobs);
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    const Dag& dag = system.dags[d];
    const std::int64_t T = dag.T.count();
    first_.push_back(nodes_.size());
    releases_.push_back(static_cast<std::size_t>(H_ / T));
    std::vector<Wide> from(dag.nodes.size());  // the earliest start after the nominal release
    for (const std::size_t v : dag.order) {
      for (const std::size_t u : dag.nodes[v].before) from[v] = std::max(from[v], from[u] + dag.nodes[u].least.count());
    }
    for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
      const Node& node = dag.nodes[v];
      nodes_.push_back({&node, d, node_of_.size()});
      const Wide limit = node.known ? Wide{dag.J.count()} + node.known->count() : Wide{T} * periods;
      for (std::size_t n = 0; n < releases_.back(); ++n) {
        node_of_.push_back(nodes_.size() - 1);
        const Wide release = Wide{dag.phase.count() % H_} + static_cast<Wide>(n) * T;
        release_.push_back(in_range(release));
        earliest_.push_back(in_range(release + from[v]));
        limit_.push_back(in_range(release + limit));
      }
    }
    for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
      for (const std::size_t u : dag.nodes[v].before) nodes_[first_[d] + u].successors.push_back(v);
    }
    relate(d);
  }
  end_ = earliest_;
  order_.resize(node_of_.size());
  for (std::size_t j = 0; j < order_.size(); ++j) order_[j] = j;
  std::ranges::stable_sort(order_, {}, [&](std::size_t j) { return earliest_[j]; });
  for (std::size_t j = 0; j < node_of_.size(); ++j) {
    const std::int64_t at = earliest_[j] % H_;
    entries_[node(j).pool].push_back({at, at - earliest_[j], j});
  }
  for (auto& entries : entries_) std::ranges::stable_sort(entries, {}, &Entry::at);
}

void JobTable::relate(std::size_t d) {
  const Dag& dag = system_.dags[d];
  const std::size_t n = dag.nodes.size();
  auto& related = related_.emplace_back();
  if (n > most_related) return;
  related.assign(n, std::vector<bool>(n));
  for (const std::size_t v : dag.order) {  // all before v
    for (const std::size_t u : dag.nodes[v].before) {
      related[v][u] = true;
      for (std::size_t w = 0; w < n; ++w) related[v][w] = related[v][w] || related[u][w];
    }
  }
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t u = 0; u < v; ++u) {
      const bool either = related[v][u] || related[u][v];
      related[v][u] = either;
      related[u][v] = either;
    }
  }
}

std::int64_t JobTable::ready(std::size_t j, std::optional<std::size_t>* by, bool* previous) const {
  const NodeJobs& of = nodes_[node_of_[j]];
  const std::size_t n = number(j);
  std::int64_t rho = release_[j] + system_.dags[of.dag].J.count();
  bool first = true;
  for (const std::size_t u : of.node->before) {
    const std::int64_t end = end_[nodes_[first_[of.dag] + u].first + n];
    if (!first && end <= rho) continue;
    rho = end;
    first = false;
    if (by != nullptr) *by = u;
  }
  if (!of.node->sequential) return rho;
  const std::int64_t before = n > 0 ? end_[j - 1] : end_[of.first + releases_[of.dag] - 1] - H_;
  if (before <= rho) return rho;
  if (previous != nullptr) *previous = true;
  return before;
}

bool JobTable::excluded(std::size_t j, std::size_t k, std::int64_t shift) const {
  if (j == k && shift == 0) return true;
  if (node_of_[j] == node_of_[k]) return node(j).sequential;
  const std::size_t d = dag_of(j);
  if (dag_of(k) != d || release_[k] + shift != release_[j] || related_[d].empty()) return false;
  return related_[d][node_in_dag(j)][node_in_dag(k)];
}

JobTable::Relation JobTable::relation(std::size_t j, std::size_t k, std::int64_t shift) const {
  const Node& own = node(j);
  const Node& other = node(k);
  const Pool& on = system_.pools[own.pool];
  switch (on.order) {
    case Order::ready: return Relation::equal;
    case Order::fixed:
      if (other.key == own.key) return on.equals_by_ready ? Relation::equal : Relation::urgent;
      return other.key > own.key ? Relation::urgent : Relation::later;
    case Order::points: {
      const Wide latest = Wide{release_[j]} + dag(j).J.count() + own.key;
      return Wide{release_[k]} + shift + other.key > latest ? Relation::later : Relation::urgent;
    }
    case Order::unknown: break;
  }
  return Relation::none;
}

void JobTable::Lengths::add(std::int64_t length, std::uint64_t count) {
  total_ = checked_add(total_, checked_mul(Wide{length}, static_cast<Wide>(count)));
  if (kept_ >= servers_ && length <= longest_.back().length) return;
  const auto at = std::ranges::upper_bound(longest_, length, std::ranges::greater{}, &Group::length);
  longest_.insert(at, {length, count});
  kept_ += count;
  while (kept_ - longest_.back().count >= servers_) {
    kept_ -= longest_.back().count;
    longest_.pop_back();
  }
}

// Between two lengths the quotient rises or falls with i, so that one of its ends is the least.
void JobTable::Lengths::put_into(Waited& result, bool up) const {
  const auto quotient = [&](Wide work, std::uint64_t servers) {
    return up ? ceil_div(work, static_cast<Wide>(servers)) : work / static_cast<Wide>(servers);
  };
  Wide work = total_;
  std::uint64_t servers = servers_;
  Wide least = quotient(work, servers);
  result.aside = 0;
  result.work = work;
  for (const Group& group : longest_) {
    const std::uint64_t aside = std::min(group.count, servers - 1);
    if (aside == 0) break;
    work -= Wide{group.length} * static_cast<Wide>(aside);
    servers -= aside;
    const Wide now = quotient(work, servers);
    if (now >= least) continue;
    least = now;
    result.aside = servers_ - servers;
    result.work = work;
  }
  if (least > never / 4) throw_overflow("what keeps a job waiting");
  result.waiting = static_cast<std::int64_t>(least);
}

}  // namespace rta::analysis::periodic
