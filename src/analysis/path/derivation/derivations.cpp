// Each inequality on its own; the solvers share their sums between nodes and DAGs.
#include "rta/analysis/path/derivations.hpp"

#include <algorithm>
#include <limits>

#include "analysis/path/derivation/carrier.hpp"
#include "analysis/path/derivation/counted_paths.hpp"
#include "analysis/path/derivation/fitting_derivation.hpp"
#include "analysis/path/derivation/parallel_derivation.hpp"
#include "analysis/path/derivation/urgent_derivation.hpp"
#include "analysis/path/derivation/visit_derivation.hpp"
#include "analysis/path/derivation/whole_derivation.hpp"
#include "analysis/path/late/late.hpp"
#include "analysis/path/late/since_nominal.hpp"
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

EndsOfClasses ends_of_classes(const Ticks& ticks, const NodeBounds& bounds) {
  EndsOfClasses F;
  for (const Class& c : ticks.classes) {
    auto& row = F.emplace_back();
    row.reserve(c.size());
    for (const Time f : bounds.F[c.dags.front()]) row.push_back(f.count());
  }
  return F;
}

/// T14j's; nothing where the slices are too short for the work.
std::optional<SporadicNode> sliced_derivation(const Ticks& ticks, const Class& c, std::size_t v, std::size_t pool, const EndsOfClasses& A,
                                              std::int64_t ready) {
  const SlicedPool sliced(ticks, pool);
  if (!sliced.applies()) return std::nullopt;
  const SlicedPool::Terms terms = sliced.terms(A);
  SporadicNode node;
  SporadicSum& result = node.sum;
  result.ready = Time(ready);
  const Wide per_ns = SlicedPool::parts * ticks.Q;
  const Wide own = (Wide{c.e[v].count()} - c.s[v].count()) * SlicedPool::parts;
  result.carry = fine_ceil(sliced.stretched(terms.carry), per_ns);
  result.work = fine_ceil(sliced.stretched(terms.work), per_ns);
  result.own = fine_ceil(sliced.stretched(own), per_ns);
  result.resident = terms.resident;
  result.gap = ticks.system->pools[pool].slices->gap;
  node.total = fine_ceil(sliced.stretched(terms.carry + terms.work + own), per_ns) + fine(result.ready + result.gap);
  return node;
}

/// T10j or T10g; nothing where the work is too much.
std::optional<SporadicNode> late_derivation(const Ticks& ticks, std::size_t own_class, std::size_t v, const EndsOfClasses& F,
                                            const EndsOfClasses& A, std::int64_t ready) {
  const Class& own = ticks.classes[own_class];
  const std::size_t pool = own.pools[own.pool_of[v]];
  SporadicNode node;
  Tick carry;
  Tick work;
  if (ticks.system->pools[pool].order == Order::fifo) {
    const JitterPool jitter(ticks, pool);
    node.sum.resident = jitter.is_resident(F);
    carry = to_tick(jitter.carry(F));
    work = jitter.backlog(F, A) - carry;
  } else {
    LatePool late(ticks, pool);
    late.set_ready_times(A);
    carry = late.carry(F);
    work = late.demand(own_class, v, ready);
    if (work == unbounded) return std::nullopt;
  }
  node.sum.ready = Time(ready);
  node.sum.carry = ticks.fine_ns(carry);
  node.sum.work = ticks.fine_ns(work);
  node.sum.own = ticks.fine_ns(own.e[v] - own.s[v]);
  node.total = ticks.fine_ns(ticks.of_ns(ready) + carry + work + own.e[v] - own.s[v]);
  return node;
}

/// Of node v, which executes for e on `pool`.
Inequality as_inequality(SporadicNode node, std::size_t v, std::size_t pool, Time e) {
  const SporadicSum& sum = node.sum;
  Inequality result{.path = {v}, .total = node.total};
  result.terms = {{.cause = Cause::execution, .length = fine(e)},
                  {.cause = Cause::carry, .pool = pool, .length = sum.carry},
                  {.cause = Cause::slices, .pool = pool, .length = fine(sum.gap)},
                  {.cause = Cause::waiting, .pool = pool, .length = sum.work - (fine(e) - sum.own)},
                  {.cause = Cause::waiting, .pool = pool, .length = fine(sum.ready), .ready = true}};
  result.detail = std::move(node.sum);
  return result;
}

bool some(const NodeBounds& bounds, Support support) {
  return std::ranges::any_of(bounds.support, [&](const auto& row) { return std::ranges::find(row, support) != row.end(); });
}

}  // namespace

struct Derivations::Content {
  const System* system = nullptr;
  Ticks ticks;
  const NodeBounds* nodes = nullptr;              // T10n
  std::vector<std::vector<std::int64_t>> A = {};  // T10n: bounds on ready times
  std::vector<Time> R = {};
  bool release_jitter = false;
  std::vector<std::optional<BacklogPool>> backlogs = {};  // pool -> T10c, where some node's bound is carried by it
  std::vector<std::optional<UrgentPool>> urgent = {};     // pool -> T11j, likewise
  std::vector<std::optional<VisitPool>> visits = {};      // pool -> T23, likewise
  std::vector<std::optional<RunningPool>> running = {};   // pool -> T24, likewise
  UpstreamPools upstream = {};                            // pool -> T39, likewise
  std::optional<FittingPaths> fitting = std::nullopt;     // T10w and T10m, likewise

  /// What T10n and its refinements count with.
  [[nodiscard]] Ends ends() const {
    require(nodes != nullptr, "T10 bounds whole DAGs; only T10n bounds nodes");
    return {[this](std::size_t d, std::size_t u) { return nodes->F[d][u].count(); },
            [this](std::size_t d, std::size_t u) { return A[d][u]; }};
  }
  [[nodiscard]] EndsOfClasses ends_of_all() const { return ends_of_classes(ticks, *nodes); }
  [[nodiscard]] EndsOfClasses ready_of_all() const {
    EndsOfClasses all;
    all.reserve(ticks.classes.size());
    for (const Class& c : ticks.classes) all.push_back(A[c.dags.front()]);
    return all;
  }

  void prepare_urgent() {
    const EndsOfClasses F = since_nominal(ticks, ends_of_all());
    const EndsOfClasses ready = since_nominal(ticks, ready_of_all());
    urgent.resize(system->pools.size());
    for (std::size_t p = 0; p < urgent.size(); ++p) {
      if (system->pools[p].order == Order::fixed && !ticks.users[p].empty()) urgent[p].emplace(ticks, p).prepare(F, ready);
    }
  }

  /// T10n's and T11's, or with `carried` T10c's.
  [[nodiscard]] std::optional<Inequality> counted(std::size_t k, std::size_t v, bool carried) const {
    if (carried && backlogs.empty()) return std::nullopt;
    const Class& c = ticks.classes[ticks.class_of[k]];
    const Ends ends_of_nodes = ends();
    CountedPaths paths(*system, ticks, ends_of_nodes, k, true);
    paths.list_nodes();
    if (carried) paths.carry(backlogs);
    return as_inequality(k, paths.solve({static_cast<std::uint32_t>(v)}, strict_descendants(c, v), ancestors_or_self(c, v)));
  }

  /// T10a's, or with `overlap` T10v's.
  [[nodiscard]] Inequality aligned(std::size_t k, std::size_t v, bool overlap) const {
    const Class& c = ticks.classes[ticks.class_of[k]];
    const Ends ends_of_nodes = ends();
    const CountedByNode by_node =
        CountedPaths(*system, ticks, ends_of_nodes, k, true).by_node(strict_descendants(c, v), ancestors_or_self(c, v));
    return aligned_derivation(ticks, nodes->F, k, v, by_node, overlap);
  }

  /// T10f's; nothing where it does not apply.
  [[nodiscard]] std::optional<Inequality> under_way(std::size_t k, std::size_t v) const {
    const Class& c = ticks.classes[ticks.class_of[k]];
    if (visits.empty() || c.rest.empty()) return std::nullopt;
    const Ends ends_of_nodes = ends();
    const CountedByNode by_node =
        CountedPaths(*system, ticks, ends_of_nodes, k, true).by_node(strict_descendants(c, v), ancestors_or_self(c, v));
    return under_way_derivation(ticks, visits, nodes->F, k, v, by_node);
  }

  /// T39's; nothing where it says less of no pool.
  [[nodiscard]] std::optional<Inequality> of_upstream(std::size_t k, std::size_t v) const {
    if (upstream.empty() || visits.empty()) return std::nullopt;
    const Class& c = ticks.classes[ticks.class_of[k]];
    const Ends ends_of_nodes = ends();
    const CountedByNode by_node =
        CountedPaths(*system, ticks, ends_of_nodes, k, true).by_node(strict_descendants(c, v), ancestors_or_self(c, v));
    return upstream_derivation(ticks, upstream, visits, nodes->F, k, v, by_node);
  }

  /// T10j's (FIFO pools, GPUs), T10g's (preemptive GEL pools), T14j's or T11j's (preemptive, fixed priorities); nothing on other pools, or
  /// where the work on it is too much.
  [[nodiscard]] std::optional<Inequality> late(std::size_t k, std::size_t v) const {
    const std::size_t own_class = ticks.class_of[k];
    const Class& own = ticks.classes[own_class];
    const std::size_t pool = own.pools[own.pool_of[v]];
    const Pool& p = system->pools[pool];
    if (is_non_preemptive(p.order)) return std::nullopt;
    std::optional<SporadicNode> node;
    if (p.order == Order::fixed) {
      if (urgent.empty()) return std::nullopt;
      node = urgent_derivation(ticks, k, v, *urgent[pool], A[k][v], nodes->F[k][v].count());
    } else {
      const EndsOfClasses F_since = since_nominal(ticks, ends_of_all());
      const EndsOfClasses A_since = since_nominal(ticks, ready_of_all());
      node = p.slices ? sliced_derivation(ticks, own, v, pool, A_since, A[k][v])
                      : late_derivation(ticks, own_class, v, F_since, A_since, A[k][v]);
    }
    if (!node) return std::nullopt;
    return as_inequality(*std::move(node), v, pool, system->dags[k].nodes[v].e);
  }

  /// T23's or T24's; nothing where neither applies.
  [[nodiscard]] std::optional<Inequality> visit(std::size_t k, std::size_t v) const {
    const Class& own = ticks.classes[ticks.class_of[k]];
    const std::size_t pool = own.pools[own.pool_of[v]];
    if (visits.empty()) return std::nullopt;
    if (running[pool]) return running_derivation(ticks, *running[pool], k, v, ends_of_all(), A[k][v]);
    if (!visits[pool]) return std::nullopt;
    return visit_derivation(ticks, *visits[pool], k, v, ends_of_all()[ticks.class_of[k]], A[k][v]);
  }

  /// Proven on the node's pool alone: how much of it is whose is not known here.
  [[nodiscard]] Inequality given(std::size_t k, std::size_t v) const {
    const Node& node = system->dags[k].nodes[v];
    const FineTime F = fine(nodes->F[k][v]);
    Inequality result{.path = {v}, .total = F};
    result.terms = {{.cause = Cause::execution, .length = fine(node.e)},
                    {.cause = Cause::waiting, .pool = node.pool, .length = F - fine(node.e)}};
    return result;
  }

  [[nodiscard]] std::optional<Inequality> by(Support support, std::size_t k, std::size_t v) const {
    const Class& c = ticks.classes[ticks.class_of[k]];
    const Ends ends_of_nodes = ends();
    const auto with_classes = [&](auto derive) {
      const EndsOfClasses F = ends_of_all();
      const EndsOfClasses ready = ready_of_all();
      return derive(FittingInput{ticks, ends_of_nodes, F, ready});
    };
    switch (support) {
      case Support::path:
      case Support::fixed:
      case Support::sliced: return counted(k, v, false);
      case Support::carried: return counted(k, v, true);
      case Support::late: return late(k, v);
      case Support::given: return given(k, v);
      case Support::aligned: return aligned(k, v, false);
      case Support::overlapped: return aligned(k, v, true);
      case Support::parallel: return parallel_derivation(*system, ticks, ends_of_nodes, k, v);
      case Support::visit: return visit(k, v);
      case Support::under_way: return under_way(k, v);
      case Support::upstream: return of_upstream(k, v);
      case Support::whole: return with_classes([&](const FittingInput& input) { return whole_derivation(input, k, v); });
      case Support::fitting:
        if (!fitting) return std::nullopt;
        return with_classes([&](const FittingInput& input) {
          return fitting_derivation(input, *fitting, k, v, strict_descendants(c, v), ancestors_or_self(c, v));
        });
      case Support::families:
        if (!fitting) return std::nullopt;
        return with_classes([&](const FittingInput& input) { return family_derivation(input, *fitting, k, v); });
      case Support::successor: return std::nullopt;  // whose inequality is that of the successor
    }
    return std::nullopt;
  }
};

Derivations::Derivations(const System& system, const Bounds& bounds) {
  const Time largest = bounds.R.empty() ? Time() : *std::max_element(bounds.R.begin(), bounds.R.end());
  content_ = std::make_shared<const Content>(Content{.system = &system, .ticks = ticks_up_to(system, largest, false), .R = bounds.R});
}

Derivations::Derivations(const System& system, const NodeBounds& bounds) {
  Time largest;
  for (const auto& row : bounds.F) largest = std::max(largest, *std::max_element(row.begin(), row.end()));
  const bool descendants = some(bounds, Support::carried) || some(bounds, Support::under_way) || some(bounds, Support::upstream);
  auto content = std::make_shared<Content>(
      Content{.system = &system, .ticks = ticks_up_to(system, largest, descendants), .nodes = &bounds, .R = bounds.R});
  content->release_jitter = has_release_jitter(system);
  for (std::size_t d = 0; d < system.dags.size(); ++d) {
    const Class& c = content->ticks.classes[content->ticks.class_of[d]];
    auto& A = content->A.emplace_back(c.size(), 0);
    for (std::size_t u = 0; u < A.size(); ++u) {
      for (const std::uint32_t w : c.predecessors(u)) A[u] = std::max(A[u], bounds.F[d][w].count());
    }
  }
  if (some(bounds, Support::carried) && affordable_alignment(content->ticks)) {
    content->backlogs.resize(system.pools.size());
    for (std::size_t p = 0; p < system.pools.size(); ++p) {
      if (system.pools[p].order != Order::gel || content->ticks.users[p].empty()) continue;
      content->backlogs[p].emplace(content->ticks, p).set(ends_of_classes(content->ticks, bounds));
    }
  }
  if (some(bounds, Support::late)) content->prepare_urgent();
  if (some(bounds, Support::upstream) && affordable_alignment(content->ticks)) {
    content->upstream.resize(system.pools.size());
    for (std::size_t p = 0; p < system.pools.size(); ++p) {
      if (UpstreamPool::applies(content->ticks, p))
        content->upstream[p].emplace(content->ticks, p).prepare(ends_of_classes(content->ticks, bounds));
    }
  }
  if (some(bounds, Support::visit) || some(bounds, Support::under_way) || some(bounds, Support::upstream)) {
    content->visits.resize(system.pools.size());
    content->running.resize(system.pools.size());
    for (std::size_t p = 0; p < system.pools.size(); ++p) {
      if (content->ticks.users[p].empty()) continue;
      if (RunningPool::applies(content->ticks, p)) content->running[p].emplace(content->ticks, p);
      if (VisitPool::applies(content->ticks, p))
        content->visits[p].emplace(content->ticks, p).prepare(ends_of_classes(content->ticks, bounds));
    }
  }
  const bool fits = some(bounds, Support::fitting) || some(bounds, Support::families);
  if (fits && FittingPaths::affordable(content->ticks)) content->fitting.emplace(content->ticks);
  content_ = std::move(content);
}

Inequality Derivations::of(std::size_t k) const {
  const Ticks& ticks = content_->ticks;
  const Class& c = ticks.classes[ticks.class_of[k]];
  if (content_->nodes != nullptr) {
    const auto& F = content_->nodes->F[k];
    return of(k, *std::max_element(c.sinks.begin(), c.sinks.end(), [&](auto a, auto b) { return F[a] < F[b]; }));
  }
  const auto R = [&](std::size_t d, std::size_t) { return content_->R[d].count(); };
  const Ends ends{R, R};
  Inequality result = as_inequality(k, CountedPaths(*content_->system, ticks, ends, k, false)
                                           .solve(c.sinks, std::vector<bool>(c.size(), false), std::vector<bool>(c.size(), true)));
  result.theorem = Theorem::T10;
  return result;
}

Inequality Derivations::of(std::size_t k, std::size_t v) const {
  require(content_->nodes != nullptr, "T10 bounds whole DAGs; only T10n bounds nodes");
  const std::size_t carried_by = carrier(*content_->system, *content_->nodes, k, v);
  auto result = by(content_->nodes->support[k][carried_by], k, carried_by);
  require(result.has_value(), "what carries a bound can be told");
  return *std::move(result);
}

std::optional<Inequality> Derivations::by(Support support, std::size_t k, std::size_t v) const {
  auto result = content_->by(support, k, v);
  if (result) result->theorem = theorem_of(*content_->system, support, k, v, content_->release_jitter);
  return result;
}

}  // namespace rta::analysis::path
