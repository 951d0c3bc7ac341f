// The inequalities behind bounds at hand, each on its own (the solvers share their sums between nodes and DAGs).
#include <algorithm>
#include <limits>

#include "analysis/path/derivation/fitting_derivation.hpp"
#include "analysis/path/derivation/inequality.hpp"
#include "analysis/path/derivation/parallel_derivation.hpp"
#include "analysis/path/derivation/urgent_derivation.hpp"
#include "analysis/path/derivation/whole_derivation.hpp"
#include "analysis/path/late/late.hpp"
#include "analysis/path/late/late_sums.hpp"
#include "analysis/path/sliced/slices.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::path {
namespace {

/// Which nodes reach v (v itself included), or are reached from it (v itself excluded).
std::vector<bool> ancestors_or_self(const Class& c, std::size_t v) {
  std::vector<bool> is(c.size(), false);
  is[v] = true;
  for (auto it = c.order.rbegin(); it != c.order.rend(); ++it) {
    if (!is[*it]) continue;
    for (const std::uint32_t w : c.predecessors(*it)) is[w] = true;
  }
  return is;
}

std::vector<bool> strict_descendants(const Class& c, std::size_t v) {
  std::vector<bool> is(c.size(), false);
  for (const std::uint32_t u : c.order) {
    for (const std::uint32_t w : c.predecessors(u)) is[u] = is[u] || is[w] || w == v;
  }
  return is;
}

Ticks ticks_up_to(const System& system, Time longest, bool descendants) {
  return to_ticks(system, std::numeric_limits<std::int64_t>::max(), longest, descendants);
}

std::vector<std::vector<std::int64_t>> ends_of_classes(const Ticks& ticks, const NodeBounds& bounds) {
  std::vector<std::vector<std::int64_t>> F;
  for (const Class& c : ticks.classes) {
    auto& row = F.emplace_back();
    row.reserve(c.size());
    for (const Time f : bounds.F[c.dags.front()]) row.push_back(f.count());
  }
  return F;
}

/// T14j's; nothing where the slices are too short for the work.
std::optional<LateDerivation> sliced_derivation(const Ticks& ticks, const Class& c, std::size_t v, std::size_t pool,
                                                const std::vector<std::vector<std::int64_t>>& A, std::int64_t ready) {
  const SlicedPool sliced(ticks, pool);
  if (!sliced.applies()) return std::nullopt;
  const SlicedPool::Terms terms = sliced.terms(A);
  LateDerivation result;
  result.ready = Time(ready);
  const Wide per_ns = SlicedPool::parts * ticks.Q;
  const Wide own = (Wide{c.e[v].count()} - c.s[v].count()) * SlicedPool::parts;
  result.carry = fine_ceil(sliced.stretched(terms.carry), per_ns);
  result.work = fine_ceil(sliced.stretched(terms.work), per_ns);
  result.own = fine_ceil(sliced.stretched(own), per_ns);
  result.resident = terms.resident;
  result.gap = ticks.system->pools[pool].slices->gap;
  result.total = fine_ceil(sliced.stretched(terms.carry + terms.work + own), per_ns) + fine(result.ready + result.gap);
  return result;
}

std::vector<std::vector<std::int64_t>> ready_of_classes(const Ticks& ticks, const std::vector<std::vector<std::int64_t>>& of_dags) {
  std::vector<std::vector<std::int64_t>> A;
  A.reserve(ticks.classes.size());
  for (const Class& c : ticks.classes) A.push_back(of_dags[c.dags.front()]);
  return A;
}

bool some(const NodeBounds& bounds, Support support) {
  return std::ranges::any_of(bounds.support, [&](const auto& row) { return std::ranges::find(row, support) != row.end(); });
}

bool some_carried(const NodeBounds& bounds) { return some(bounds, Support::carried); }

}  // namespace

struct Derivations::Content {
  const System* system;
  Ticks ticks;
  const NodeBounds* nodes = nullptr;         // T10n
  std::vector<std::vector<std::int64_t>> A;  // T10n: bounds on ready times
  std::vector<Time> R;
  std::vector<std::optional<BacklogPool>> backlogs;  // pool -> T10c, where some node's bound is carried by it
  std::optional<FittingPaths> fitting;               // T10w and T10m, likewise

  /// What T10n and its refinements count with, for node v of DAG k.
  [[nodiscard]] Ends ends_for(std::size_t k, std::size_t v) const {
    require(nodes != nullptr && v < ticks.classes[ticks.class_of[k]].size(), "T10 bounds whole DAGs; only T10n bounds nodes");
    return {[this](std::size_t d, std::size_t u) { return nodes->F[d][u].count(); },
            [this](std::size_t d, std::size_t u) { return A[d][u]; }};
  }
  [[nodiscard]] std::vector<std::vector<std::int64_t>> ends_of_all() const { return ends_of_classes(ticks, *nodes); }
  [[nodiscard]] std::vector<std::vector<std::int64_t>> ready_of_all() const { return ready_of_classes(ticks, A); }
};

Derivations::Derivations(const System& system, const Bounds& bounds) {
  const Time largest = bounds.R.empty() ? Time() : *std::max_element(bounds.R.begin(), bounds.R.end());
  content_ = std::make_shared<const Content>(Content{&system, ticks_up_to(system, largest, false), nullptr, {}, bounds.R, {}, {}});
}

Derivations::Derivations(const System& system, const NodeBounds& bounds) {
  Time largest;
  for (const auto& row : bounds.F) largest = std::max(largest, *std::max_element(row.begin(), row.end()));
  Content content{&system, ticks_up_to(system, largest, some_carried(bounds)), &bounds, {}, bounds.R, {}, {}};
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    const Class& c = content.ticks.classes[content.ticks.class_of[d]];
    auto& A = content.A.emplace_back(c.size(), 0);
    for (std::size_t u = 0; u < A.size(); ++u) {
      for (const std::uint32_t w : c.predecessors(u)) A[u] = std::max(A[u], bounds.F[d][w].count());
    }
  }
  auto shared = std::make_shared<Content>(std::move(content));
  if (some_carried(bounds) && affordable_alignment(shared->ticks)) {
    shared->backlogs.resize(system.pools.size());
    for (std::size_t p = 0; p < system.pools.size(); ++p) {
      if (system.pools[p].order != Order::gel || shared->ticks.users[p].empty()) continue;
      shared->backlogs[p].emplace(shared->ticks, p).set(ends_of_classes(shared->ticks, bounds));
    }
  }
  const bool fits = some(bounds, Support::fitting) || some(bounds, Support::families);
  if (fits && FittingPaths::affordable(shared->ticks)) shared->fitting.emplace(shared->ticks);
  content_ = std::move(shared);
}

Derivation Derivations::of(std::size_t k) const {
  const Ticks& ticks = content_->ticks;
  const Class& c = ticks.classes[ticks.class_of[k]];
  if (content_->nodes != nullptr) {
    const auto& F = content_->nodes->F[k];
    return of(k, *std::max_element(c.sinks.begin(), c.sinks.end(), [&](auto a, auto b) { return F[a] < F[b]; }));
  }
  const auto R = [&](std::size_t d, std::size_t) { return content_->R[d].count(); };
  const Ends ends{R, R};
  return Inequality(*content_->system, ticks, ends, k, false)
      .solve(c.sinks, std::vector<bool>(c.size(), false), std::vector<bool>(c.size(), true));
}

Derivation Derivations::of(std::size_t k, std::size_t v) const {
  const Ticks& ticks = content_->ticks;
  const Class& c = ticks.classes[ticks.class_of[k]];
  const Ends ends = content_->ends_for(k, v);
  return Inequality(*content_->system, ticks, ends, k, true)
      .solve({static_cast<std::uint32_t>(v)}, strict_descendants(c, v), ancestors_or_self(c, v));
}

std::optional<Derivation> Derivations::carried(std::size_t k, std::size_t v) const {
  const Ticks& ticks = content_->ticks;
  const Class& c = ticks.classes[ticks.class_of[k]];
  const Ends ends = content_->ends_for(k, v);
  if (content_->backlogs.empty()) return std::nullopt;
  Inequality inequality(*content_->system, ticks, ends, k, true);
  inequality.carry(content_->backlogs);
  return inequality.solve({static_cast<std::uint32_t>(v)}, strict_descendants(c, v), ancestors_or_self(c, v));
}

std::optional<Derivation> Derivations::parallel(std::size_t k, std::size_t v) const {
  const Ticks& ticks = content_->ticks;
  const Ends ends = content_->ends_for(k, v);
  return parallel_derivation(*content_->system, ticks, ends, k, v);
}

std::optional<Derivation> Derivations::whole(std::size_t k, std::size_t v) const {
  const Ticks& ticks = content_->ticks;
  const Ends ends = content_->ends_for(k, v);
  const auto F = content_->ends_of_all();
  const auto A = content_->ready_of_all();
  return whole_derivation({ticks, ends, F, A}, k, v);
}

std::optional<FittingDerivation> Derivations::fitting(std::size_t k, std::size_t v) const {
  if (!content_->fitting) return std::nullopt;
  const Ticks& ticks = content_->ticks;
  const Class& c = ticks.classes[ticks.class_of[k]];
  const Ends ends = content_->ends_for(k, v);
  const auto F = content_->ends_of_all();
  const auto A = content_->ready_of_all();
  return fitting_derivation({ticks, ends, F, A}, *content_->fitting, k, v, strict_descendants(c, v), ancestors_or_self(c, v));
}

std::optional<FamilyDerivation> Derivations::family(std::size_t k, std::size_t v) const {
  if (!content_->fitting) return std::nullopt;
  const Ticks& ticks = content_->ticks;
  const Ends ends = content_->ends_for(k, v);
  const auto F = content_->ends_of_all();
  const auto A = content_->ready_of_all();
  return family_derivation({ticks, ends, F, A}, *content_->fitting, k, v);
}

AlignedDerivation Derivations::aligned(std::size_t k, std::size_t v, bool overlap) const {
  const Ticks& ticks = content_->ticks;
  const Class& c = ticks.classes[ticks.class_of[k]];
  const Ends ends = content_->ends_for(k, v);
  const auto& F = content_->nodes->F;
  const CountedByNode counted =
      Inequality(*content_->system, ticks, ends, k, true).by_node(strict_descendants(c, v), ancestors_or_self(c, v));
  return aligned_derivation(ticks, F, k, v, counted, overlap);
}

std::optional<LateDerivation> Derivations::late(std::size_t k, std::size_t v) const {
  require(content_->nodes != nullptr, "T10 bounds whole DAGs; only T10n bounds nodes");
  const Ticks& ticks = content_->ticks;
  const std::size_t own_class = ticks.class_of[k];
  const Class& own = ticks.classes[own_class];
  const std::size_t pool = own.pools[own.pool_of[v]];
  const Order order = content_->system->pools[pool].order;
  if (is_non_preemptive(order)) return std::nullopt;
  const auto F = since_nominal(ticks, content_->ends_of_all());
  const auto A = since_nominal(ticks, content_->ready_of_all());
  const std::int64_t ready = content_->A[k][v];
  if (order == Order::fixed) return urgent_derivation(ticks, k, v, F, A, ready);
  if (content_->system->pools[pool].slices) return sliced_derivation(ticks, own, v, pool, A, ready);
  LateDerivation result;
  Tick carry;
  Tick work;
  if (order == Order::fifo) {
    const JitterPool jitter(ticks, pool);
    result.resident = jitter.is_resident(F);
    carry = to_tick(jitter.carry(F));
    work = jitter.backlog(F, A) - carry;
  } else {
    LatePool late(ticks, pool);
    late.set_ready_times(A);
    carry = late.carry(F);
    work = late.demand(own_class, v, ready);
    if (work == unbounded) return std::nullopt;
  }
  result.ready = Time(ready);
  result.carry = ticks.fine_ns(carry);
  result.work = ticks.fine_ns(work);
  result.own = ticks.fine_ns(own.e[v] - own.s[v]);
  result.total = ticks.fine_ns(ticks.of_ns(ready) + carry + work + own.e[v] - own.s[v]);
  return result;
}

}  // namespace rta::analysis::path
