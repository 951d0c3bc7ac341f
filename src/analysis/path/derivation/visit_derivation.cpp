#include "analysis/path/derivation/visit_derivation.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace rta::analysis::path {
namespace {

using Fronts = std::vector<std::span<const VisitPool::Front>>;

/// A processor is free, or the m - i others that have the least to do before the node.
void set_pieces(const std::vector<std::int64_t>& l, std::int64_t m, VisitSum& sum) {
  sum.pieces.reserve(l.size());
  for (const std::int64_t length : l) sum.pieces.emplace_back(length);
  const auto b = std::ssize(l);
  for (std::int64_t i = 0; i < m && b >= m; ++i) {
    const std::int64_t h = (b - i) / (m - i);
    Wide one = 0;
    for (std::int64_t j = i; j < i + h; ++j) one += l[static_cast<std::size_t>(j)];
    if (one != sum.waiting.count()) continue;
    sum.longest = static_cast<std::size_t>(i);
    sum.most = static_cast<std::size_t>(h);
    return;
  }
}

[[nodiscard]] Inequality of_one_visit(VisitSum sum, std::size_t v, const Node& node) {
  Inequality result{.path = {v}, .total = fine(sum.ready + sum.waiting + sum.own)};
  result.terms = {{.cause = Cause::execution, .length = fine(node.e)},
                  {.cause = Cause::waiting, .pool = node.pool, .length = fine(sum.waiting)},
                  {.cause = Cause::waiting, .pool = node.pool, .length = fine(sum.ready), .ready = true},
                  {.cause = Cause::rounding, .length = fine(sum.own - node.e)}};
  result.detail = std::move(sum);
  return result;
}

}  // namespace

std::optional<Inequality> visit_derivation(const Ticks& ticks, const VisitPool& pool, std::size_t k, std::size_t v,
                                           const std::vector<std::int64_t>& F, std::int64_t ready) {
  const std::size_t own_class = ticks.class_of[k];
  const Node& node = ticks.system->dags[k].nodes[v];
  const VisitPool::Wait wait = pool.waiting(own_class, v, F, ready, {});
  const auto parts = pool.parts(own_class, v, F, ready);
  if (wait.length == no_bound || !parts) return std::nullopt;
  VisitSum sum;
  sum.ready = Time(ready);
  sum.waiting = Time(wait.length);
  sum.own = std::max(node.e, Time(1));
  sum.by = wait.by == VisitPool::By::work     ? VisitSum::By::work
           : wait.by == VisitPool::By::pieces ? VisitSum::By::pieces
                                              : VisitSum::By::waves;
  const auto add = [&](std::size_t dag, const Fronts& all) {
    VisitSum::Jobs jobs{.dag = dag, .fronts = 0, .work = {}};
    Wide work = 0;
    for (const auto fronts : all) {
      jobs.fronts += std::ssize(fronts);
      if (sum.by == VisitSum::By::work) work += pool.work(fronts, wait.length);
      if (sum.by == VisitSum::By::work) continue;
      for (const VisitPool::Front& front : fronts) work += front.longest;
    }
    jobs.work = fine_ceil(work, sum.by == VisitSum::By::work ? pool.capacity() : 1);
    if (jobs.fronts > 0) sum.jobs.push_back(jobs);
  };
  add(k, {parts->beside, parts->later, parts->earlier});
  for (const auto& others : parts->others) {
    for (const std::size_t d : ticks.classes[others.k].dags) {
      if (d != k) add(d, {others.fronts});
    }
  }
  if (sum.by == VisitSum::By::work) sum.rest = fine_ceil(pool.own_work(own_class, v, wait.length), pool.capacity());
  if (sum.by == VisitSum::By::waves) sum.rest = fine(*node.alone - node.e);
  if (sum.by == VisitSum::By::pieces) set_pieces(VisitPool::lengths(*parts), pool.processors(), sum);
  return of_one_visit(std::move(sum), v, node);
}

std::optional<Inequality> running_derivation(const Ticks& ticks, const RunningPool& pool, std::size_t k, std::size_t v,
                                             const RunningPool::Ends& F, std::int64_t ready) {
  const std::size_t own_class = ticks.class_of[k];
  const Node& node = ticks.system->dags[k].nodes[v];
  const std::int64_t waiting = pool.waiting(own_class, v, F, ready);
  if (waiting == no_bound) return std::nullopt;
  VisitSum sum;
  sum.ready = Time(ready);
  sum.waiting = Time(waiting);
  sum.own = std::max(node.e, Time(1));
  sum.by = VisitSum::By::running;
  const RunningPool::Parts parts = pool.parts(own_class, v, F, ready);
  VisitSum::Jobs own{.dag = k, .fronts = std::ssize(parts.beside), .work = {}};
  Wide work = 0;
  for (const std::int64_t C : parts.beside) work += std::min(C, waiting);
  own.work = fine_ceil(work, pool.processors());
  if (own.fronts > 0) sum.jobs.push_back(own);
  for (const RunningPool::Jobs& jobs : parts.jobs) {
    const FineTime of_each = fine_ceil(parts.work(jobs, waiting).sum, pool.processors());
    for (const std::size_t d : ticks.classes[jobs.k].dags) {
      if (jobs.of_itself == (d == k)) sum.jobs.push_back({.dag = d, .fronts = jobs.at_once, .work = of_each});
    }
  }
  return of_one_visit(std::move(sum), v, node);
}

}  // namespace rta::analysis::path
