#include "analysis/path/visit/under_way.hpp"

#include <algorithm>
#include <boost/dynamic_bitset.hpp>

#include "analysis/path/aligned/turns.hpp"

namespace rta::analysis::path {
namespace {

constexpr Wide most_work = Wide{1} << 100;  // beyond, nothing is said

[[nodiscard]] Wide sum_of(Wide a, Wide b) { return std::min(most_work, std::min(a, most_work) + std::min(b, most_work)); }

}  // namespace

UnderWay::UnderWay(const Ticks& ticks, const Pools& visits) : ticks_(ticks), visits_(visits), classes_(ticks.classes.size()) {
  for (std::size_t k = 0; k < classes_.size(); ++k) {
    const Class& c = ticks.classes[k];
    const auto& pools = ticks.system->pools;
    if (!VisitPool::asks(c) || std::ranges::none_of(c.pools, [&](std::size_t p) { return visits[p].has_value(); })) continue;
    const auto suits = [&](std::size_t p) { return pools[p].order == Order::fifo && !pools[p].slices && !pools[p].mixed; };
    classes_[k].applies = std::ranges::all_of(c.pools, suits);
  }
}

const Class& UnderWay::in_full(std::size_t k) const {
  OfClass& of = classes_[k];
  if (of.in_full) return *of.in_full;
  const Class& c = ticks_.classes[k];
  of.in_full = c;
  set_pool_sets(*of.in_full, lengths(k));
  of.beside.resize(c.pools.size());
  const Ancestors ancestors(c);
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    if (visits_[c.pools[i]]) set_beside(k, i, ancestors);
  }
  return *of.in_full;
}

std::vector<Tick> UnderWay::lengths(std::size_t k) const {
  const Class& c = ticks_.classes[k];
  std::vector<Tick> length = static_lengths(c);
  for (std::size_t v = 0; v < c.size(); ++v) {
    if (visits_[c.pools[c.pool_of[v]]]) length[v] = c.e[v];
  }
  return length;
}

void UnderWay::set_beside(std::size_t k, std::size_t local, const Ancestors& ancestors) const {
  const Class& c = ticks_.classes[k];
  auto& beside = classes_[k].beside[local];
  beside.assign(c.size(), Tick::zero());
  std::vector<boost::dynamic_bitset<>> meanwhile(c.size(), boost::dynamic_bitset<>(c.size()));  // parallel to it or to what is before it
  for (const std::uint32_t v : c.order) {
    for (const std::uint32_t w : c.predecessors(v)) meanwhile[v] |= meanwhile[w];
    for (std::uint32_t u = 0; u < c.size() && c.pool_of[v] == local; ++u) {
      if (u != v && c.pool_of[u] == local && !ancestors.is_before(u, v) && !ancestors.is_before(v, u)) meanwhile[v].set(u);
    }
    for (std::size_t u = meanwhile[v].find_first(); u != boost::dynamic_bitset<>::npos; u = meanwhile[v].find_next(u)) {
      if (!ancestors.is_before(v, u) && u != v) beside[v] += c.vol[u];
    }
  }
}

template <class Visit>
void UnderWay::visit_jobs(std::size_t k, const Ends& F, Visit visit) const {
  if (!applies(k)) return;
  for (const std::size_t p : ticks_.classes[k].pools) {
    if (!visits_[p]) continue;
    for (const std::size_t d : ticks_.users[p]) {
      const Class& c = ticks_.classes[d];
      std::int64_t last = 0;
      for (std::size_t u = 0; u < c.size(); ++u) last = c.pools[c.pool_of[u]] == p ? std::max(last, F[d][u]) : last;
      visit(d, jobs_in(last, Ticks::least_distance(c)));
    }
  }
}

bool UnderWay::is_of_use(std::size_t k, const Ends& F) const {
  std::int64_t most = 0;
  visit_jobs(k, F, [&](std::size_t, std::int64_t jobs) { most = std::max(most, jobs); });
  return most > 1 && most <= most_jobs;
}

std::vector<std::pair<std::size_t, std::int64_t>> UnderWay::too_many(std::size_t k, const Ends& F) const {
  std::vector<std::pair<std::size_t, std::int64_t>> all;
  visit_jobs(k, F, [&](std::size_t d, std::int64_t jobs) {
    if (jobs > most_jobs) all.emplace_back(d, jobs);
  });
  return all;
}

/// Adds what node v waits for. False where too many jobs are under way.
bool UnderWay::add_visit(std::size_t k, std::size_t v, std::size_t p, const Ends& F, std::span<Wide> row) const {
  const Class& c = ticks_.classes[k];
  const VisitPool& pool = *visits_[p];
  std::int64_t A = 0;
  for (const std::uint32_t w : c.predecessors(v)) A = std::max(A, F[k][w]);
  const std::int64_t wait = pool.waiting(k, v, F[k], A, {}, VisitPool::Age::up_to).length;
  if (wait == 0) return true;
  const auto parts = pool.parts(k, v, F[k], A, VisitPool::Age::up_to);
  if (!parts) return false;
  const auto& users = ticks_.users[p];
  const auto add = [&](std::size_t column, Wide work) { row[column] = sum_of(row[column], work); };
  for (const VisitPool::Parts::Others& others : parts->others) {
    add(static_cast<std::size_t>(std::ranges::find(users, others.k) - users.begin()), pool.work(others.fronts, wait));
  }
  add(users.size() + own, pool.work(parts->later, wait) + pool.work(parts->before, wait));
  add(users.size() + parallel, pool.work(parts->beside, wait));
  add(users.size() + rest, pool.own_work(k, v, wait));
  return true;
}

void UnderWay::set(std::size_t k, const Ends& F) const {
  const Class& c = ticks_.classes[k];
  OfClass& of = classes_[k];
  of.known = true;
  of.too_many = false;
  of.most.resize(c.pools.size());
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    const std::size_t p = c.pools[i];
    if (!visits_[p]) continue;
    const std::size_t width = ticks_.users[p].size() + columns;
    of.most[i].assign(c.size() * width, 0);
    for (const std::uint32_t v : c.order) {
      const std::span<Wide> row = std::span(of.most[i]).subspan(v * width, width);
      for (const std::uint32_t w : c.predecessors(v)) {
        for (std::size_t column = 0; column < width; ++column) row[column] = std::max(row[column], of.most[i][w * width + column]);
      }
      if (c.pool_of[v] != i || add_visit(k, v, p, F, row)) continue;
      of.too_many = true;
      return;
    }
  }
}

/// As long as the pool takes for it, rounded up.
Tick UnderWay::as_time(Wide work, const VisitPool& pool) const {
  const Wide whole = work / pool.capacity();  // ns
  if (work >= most_work || whole >= Tick::max().count() / ticks_.Q) return unbounded;
  return Tick::narrow(whole * ticks_.Q + ceil_div(work % pool.capacity() * ticks_.Q, pool.capacity()));
}

std::optional<UnderWayAt> UnderWay::at(std::size_t k, std::size_t v, const Ends& F) const {
  const Class& c = ticks_.classes[k];
  OfClass& of = classes_[k];
  if (!of.known) set(k, F);
  if (of.too_many) return std::nullopt;
  static_cast<void>(in_full(k));
  UnderWayAt at;
  at.pools = c.pools.size();
  at.others.assign(ticks_.classes.size() * at.pools, unbounded);
  at.own.assign(at.pools, unbounded);
  at.itself.assign(at.pools, unbounded);
  for (std::size_t i = 0; i < c.pools.size(); ++i) {
    const std::size_t p = c.pools[i];
    if (!visits_[p]) continue;
    const auto& users = ticks_.users[p];
    const std::size_t width = users.size() + columns;
    const std::span<const Wide> row = std::span(of.most[i]).subspan(v * width, width);
    for (std::size_t user = 0; user < users.size(); ++user) at.others[users[user] * at.pools + i] = as_time(row[user], *visits_[p]);
    at.own[i] = as_time(row[users.size() + own], *visits_[p]);
    const Tick beside = std::min(of.beside[i][v], as_time(row[users.size() + parallel], *visits_[p]));
    const Tick own_pieces = as_time(row[users.size() + rest], *visits_[p]);
    if (own_pieces == unbounded) at.knows_itself = false;
    if (own_pieces != unbounded) at.itself[i] = beside + own_pieces;
  }
  return at;
}

}  // namespace rta::analysis::path
