#include "analysis/path/system/ticks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "analysis/path/system/relations.hpp"
#include "rta/model/error.hpp"

namespace rta::analysis::path {
namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
// Sums stay below 2^61 ticks, so that no addition of two of them overflows.
constexpr long double largest_sum = 2305843009213693952.0L;
constexpr int finest_bits = 20;

// Bounds beyond, some 2.3 years, are none, so that sums of them stay in range whatever the periods.
constexpr std::int64_t longest_bound = std::int64_t{1} << 56;

// Periods and differences between points are added to ends: none may leave 64 bits.
void check_range(Time t, const char* what) {
  constexpr std::int64_t farthest = std::int64_t{1} << 60;
  if (t.count() > farthest || t.count() < -farthest) throw_overflow(what);
}

void check(const System& system) {
  for (const Pool& pool : system.pools) {
    require(pool.capacity > 0 && pool.unit > 0, "a pool has a capacity and a unit above 0");
    require((pool.order == Order::fixed_kernels) == (pool.sm != nullptr), "a GPU with stream priorities says what fits on an SM");
    if (!pool.slices) continue;
    require(pool.order == Order::fifo, "a pool with slices is a FIFO");
    require(pool.slices->slice > Time::zero() && pool.slices->gap >= Time::zero(), "a slice is above 0, a gap not below");
    check_range(pool.slices->slice, "time slice");
    check_range(pool.slices->gap, "gap between time slices");
  }
  for (const Dag& dag : system.dags) {
    require(dag.T > Time::zero() && !dag.nodes.empty(), "a DAG has a period above 0 and a node");
    check_range(dag.T, "period");
    check_range(dag.Y, "priority point");
    require(dag.J >= Time::zero(), "release jitter is not negative");
    check_range(dag.J, "release jitter");
    for (const Node& node : dag.nodes) {
      require(node.pool < system.pools.size(), "a node's pool exists");
      check_range(node.Y, "priority point");
      require(node.e >= Time::zero() && node.s >= 0 && node.vol >= node.s, "a node has e >= 0 and 0 <= s <= vol");
      const auto& sm = system.pools[node.pool].sm;
      require(sm == nullptr || node.demand < sm->demand().size(), "a block's class exists");
    }
    for (const Precedence& edge : dag.edges) {
      require(edge.from < dag.nodes.size() && edge.to < dag.nodes.size(), "an edge's nodes exist");
    }
  }
}

std::int64_t narrow(Wide value) {
  if (value > std::numeric_limits<std::int64_t>::max() || value < std::numeric_limits<std::int64_t>::min()) throw_overflow("path bound");
  return static_cast<std::int64_t>(value);
}

/// The most counted work of blocks on one SM of a GPU with stream priorities, units.
Wide most_on_an_sm(const System& system, std::size_t pool) {
  const fifo::Sm& sm = *system.pools[pool].sm;
  std::vector<Wide> block(sm.demand().size());
  for (const Dag& dag : system.dags) {
    for (const Node& node : dag.nodes) {
      if (node.pool == pool) block[node.demand] = std::max(block[node.demand], node.s);
    }
  }
  return sm.most(std::span<const Wide>(block));
}

Wide divisor(const Pool& pool) { return checked_mul<Wide>(pool.capacity, pool.unit); }

struct Shape {
  const Dag* dag;
  friend bool operator<(const Shape& a, const Shape& b) {
    const auto key = [](const Shape& s) { return std::make_tuple(s.dag->T, s.dag->J, s.dag->Y, s.dag->nodes.size(), s.dag->edges.size()); };
    if (key(a) != key(b)) return key(a) < key(b);
    for (std::size_t v = 0; v < a.dag->nodes.size(); ++v) {
      const Node& x = a.dag->nodes[v];
      const Node& y = b.dag->nodes[v];
      const auto node_key = [](const Node& n) { return std::tie(n.pool, n.e, n.s, n.vol, n.proven, n.Y, n.priority, n.demand); };
      if (node_key(x) != node_key(y)) return node_key(x) < node_key(y);
    }
    for (std::size_t i = 0; i < a.dag->edges.size(); ++i) {
      const auto edge_key = [](const Precedence& p) { return std::make_pair(p.from, p.to); };
      if (edge_key(a.dag->edges[i]) != edge_key(b.dag->edges[i])) return edge_key(a.dag->edges[i]) < edge_key(b.dag->edges[i]);
    }
    return false;
  }
};

void set_order(Class& c, const Dag& dag) {
  const std::size_t n = dag.nodes.size();
  std::vector<std::uint32_t> successors(dag.edges.size());
  std::vector<std::uint32_t> first(n + 1, 0);
  c.first_predecessor.assign(n + 1, 0);
  c.predecessor.resize(dag.edges.size());
  for (const Precedence& edge : dag.edges) {
    ++first[edge.from + 1];
    ++c.first_predecessor[edge.to + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::partial_sum(c.first_predecessor.begin(), c.first_predecessor.end(), c.first_predecessor.begin());
  auto next = first;
  auto next_predecessor = c.first_predecessor;
  for (const Precedence& edge : dag.edges) {
    successors[next[edge.from]++] = static_cast<std::uint32_t>(edge.to);
    c.predecessor[next_predecessor[edge.to]++] = static_cast<std::uint32_t>(edge.from);
  }
  std::vector<std::uint32_t> waiting_for(n);
  c.order.reserve(n);
  for (std::uint32_t v = 0; v < n; ++v) {
    waiting_for[v] = c.first_predecessor[v + 1] - c.first_predecessor[v];
    if (waiting_for[v] == 0) c.order.push_back(v);
    if (first[v] == first[v + 1]) c.sinks.push_back(v);
  }
  for (std::size_t i = 0; i < c.order.size(); ++i) {
    const std::uint32_t v = c.order[i];
    for (std::uint32_t j = first[v]; j < first[v + 1]; ++j) {
      if (--waiting_for[successors[j]] == 0) c.order.push_back(successors[j]);
    }
  }
  require(c.order.size() == n, "a DAG has no cycle");
}

/// Class::rest: all work on the pool less that of the node's strict descendants. In DAGs of more nodes than these are affordable for, all
/// work: that can only raise bounds.
void set_rest(Class& c) {
  const std::size_t n = c.size();
  const std::size_t P = c.pools.size();
  c.rest.resize(n * P);
  for (std::size_t v = 0; v < n; ++v) std::ranges::copy(c.total, c.rest.begin() + static_cast<std::ptrdiff_t>(v * P));
  if (n > most_nodes_with_descendants) return;
  std::vector<std::uint32_t> nodes(n);
  std::iota(nodes.begin(), nodes.end(), std::uint32_t{0});
  const Relations below = Relations::strict_descendants(c, nodes);
  for (std::size_t v = 0; v < n; ++v) {
    below.visit(v, 0, n, [&](std::size_t u) { c.rest[v * P + c.pool_of[u]] -= c.vol[u]; });
  }
}

/// The same as narrow(checked_mul(a, b)).
std::int64_t product(Wide a, Wide b) {
  const auto x = static_cast<std::int64_t>(a);
  const auto y = static_cast<std::int64_t>(b);
  std::int64_t xy = 0;
  if (x == a && y == b && !__builtin_mul_overflow(x, y, &xy)) return xy;
  return narrow(checked_mul<Wide>(a, b));
}

/// Units of one pool's work in ticks.
class ToTicks {
 public:
  ToTicks(Wide D, std::int64_t Q) : D_(D), Q_(Q), whole_(Q % D == 0 ? Q / D : 0) {}
  [[nodiscard]] Tick down(Wide work) const {
    return Tick(whole_ != 0 ? product(work, whole_) : narrow(floor_div(checked_mul<Wide>(work, Q_), D_)));
  }
  [[nodiscard]] Tick up(Wide work) const {
    return Tick(whole_ != 0 ? product(work, whole_) : narrow(ceil_div(checked_mul<Wide>(work, Q_), D_)));
  }

 private:
  Wide D_;
  std::int64_t Q_;
  Wide whole_;  // ticks a unit, where their number is whole; else 0
};

void set_work(Class& c, const Dag& dag, const System& system, std::int64_t Q) {
  for (const Node& node : dag.nodes) {
    const auto at = std::lower_bound(c.pools.begin(), c.pools.end(), node.pool);
    if (at == c.pools.end() || *at != node.pool) c.pools.insert(at, node.pool);
  }
  c.total.assign(c.pools.size(), Tick::zero());
  std::vector<ToTicks> ticks;
  ticks.reserve(c.pools.size());
  for (const std::size_t p : c.pools) ticks.emplace_back(divisor(system.pools[p]), Q);
  const std::size_t n = dag.nodes.size();
  for (auto* const row : {&c.e, &c.s, &c.s_up, &c.vol}) row->reserve(n);
  for (auto* const row : {&c.proven, &c.point}) row->reserve(n);
  c.pool_of.reserve(n);
  c.priority.reserve(n);
  for (const Node& node : dag.nodes) {
    const auto local = static_cast<std::size_t>(std::lower_bound(c.pools.begin(), c.pools.end(), node.pool) - c.pools.begin());
    c.pool_of.push_back(static_cast<std::uint32_t>(local));
    c.e.emplace_back(product(node.e.count(), Q));
    c.s.push_back(ticks[local].down(node.s));
    c.s_up.push_back(ticks[local].up(node.s));
    c.vol.push_back(ticks[local].up(node.vol));
    c.proven.push_back(node.proven ? node.proven->count() : no_bound);
    c.point.push_back(node.Y.count());
    c.priority.push_back(node.priority);
    c.total[local] += c.vol.back();
  }
  c.longest.assign(c.size(), 0);
  for (const std::uint32_t v : c.order) {
    std::int64_t before = 0;
    for (const std::uint32_t w : c.predecessors(v)) before = std::max(before, c.longest[w]);
    c.longest[v] = checked_add(before, dag.nodes[v].e.count());
  }
}

}  // namespace

// The least common multiple of the pools' divisors where sums of ticks then fit, so that nothing is rounded but the result; else the
// largest fitting power of two.
std::int64_t ticks_per_ns(const System& system, std::int64_t largest_limit) {
  long double sum = 0;  // ns, of every counted job
  std::size_t most_nodes = 0;
  long double longest_piece = 0;
  std::vector<bool> used(system.pools.size(), false);
  for (const Dag& dag : system.dags) {
    const long double length = 2.0L * static_cast<long double>(largest_limit) + static_cast<long double>(dag.J.count());
    const long double jobs = length / static_cast<long double>(dag.T.count()) + 8;
    for (const Node& node : dag.nodes) {
      used[node.pool] = true;
      sum += jobs * static_cast<long double>(node.vol) / static_cast<long double>(divisor(system.pools[node.pool]));
      sum += 2.0L * static_cast<long double>(node.e.count());
      longest_piece = std::max(longest_piece, static_cast<long double>(node.e.count()));
    }
    most_nodes = std::max(most_nodes, dag.nodes.size());
  }
  for (std::size_t p = 0; p < used.size(); ++p) {
    const Pool& pool = system.pools[p];
    if (!used[p] || !pool.sm) continue;
    longest_piece = std::max(longest_piece, static_cast<long double>(most_on_an_sm(system, p)) / static_cast<long double>(pool.unit));
  }
  sum += static_cast<long double>(most_nodes) * longest_piece;  // blocking
  sum += static_cast<long double>(largest_limit) + 1;
  const auto fits = [&](Wide q) { return sum * static_cast<long double>(q) < largest_sum; };
  Wide common = 1;
  for (std::size_t p = 0; p < used.size() && common != 0; ++p) {
    if (!used[p]) continue;
    const Wide D = divisor(system.pools[p]);
    if (__builtin_mul_overflow(common / gcd(common, D), D, &common) || !fits(common)) common = 0;
  }
  if (common != 0) return narrow(common);
  std::int64_t q = std::int64_t{1} << finest_bits;
  while (q > 0 && !fits(q)) q /= 2;
  if (q == 0) throw_overflow("path bound");
  return q;
}

namespace {

/// All of class_alone.
void set_alone(Class& c, const System& system, std::size_t dag, std::int64_t Q) {
  c.T = system.dags[dag].T.count();
  c.J = system.dags[dag].J.count();
  c.Y = system.dags[dag].Y.count();
  set_order(c, system.dags[dag]);
  set_work(c, system.dags[dag], system, Q);
  set_slots(c, system);
}

}  // namespace

Class class_alone(const System& system, std::size_t dag, std::int64_t Q) {
  Class c;
  set_alone(c, system, dag, Q);
  return c;
}

Ticks to_ticks(const System& system, const Limits& limits, bool descendants) {
  return to_ticks(system, limits.periods, Time(longest_bound), descendants);
}

Ticks to_ticks(const System& system, std::int64_t periods, Time longest, bool descendants) {
  check(system);
  Ticks ticks;
  ticks.system = &system;
  if (system.dags.empty()) return ticks;

  std::vector<std::size_t> sorted(system.dags.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::size_t a, std::size_t b) { return Shape{&system.dags[a]} < Shape{&system.dags[b]}; });
  ticks.class_of.resize(system.dags.size());
  for (const std::size_t d : sorted) {
    if (ticks.classes.empty() || Shape{&system.dags[ticks.classes.back().dags.front()]} < Shape{&system.dags[d]}) {
      ticks.classes.emplace_back();
    }
    ticks.classes.back().dags.push_back(d);
    ticks.class_of[d] = ticks.classes.size() - 1;
  }

  std::int64_t largest_limit = 0;
  for (Class& c : ticks.classes) {
    const Dag& dag = system.dags[c.dags.front()];
    c.copies = static_cast<std::int64_t>(c.dags.size());
    c.T = dag.T.count();
    c.limit = static_cast<std::int64_t>(std::min(checked_mul<Wide>(c.T, periods), Wide{longest.count()}));
    largest_limit = std::max(largest_limit, c.limit);
  }
  ticks.Q = ticks_per_ns(system, largest_limit);
  ticks.users.resize(system.pools.size());
  ticks.local_pool.assign(ticks.classes.size(), std::vector<std::size_t>(system.pools.size(), nowhere));
  for (std::size_t k = 0; k < ticks.classes.size(); ++k) {
    Class& c = ticks.classes[k];
    set_alone(c, system, c.dags.front(), ticks.Q);
    if (descendants) set_rest(c);
    for (std::size_t i = 0; i < c.pools.size(); ++i) {
      ticks.users[c.pools[i]].push_back(k);
      ticks.local_pool[k][c.pools[i]] = i;
    }
  }
  return ticks;
}

Pieces blocking_pieces(const Ticks& ticks, std::size_t pool) {
  Pieces all;
  all.processors = ticks.system->pools[pool].capacity;
  for (const std::size_t k : ticks.users[pool]) {
    const Class& c = ticks.classes[k];
    for (std::size_t u = 0; u < c.size(); ++u) {
      if (c.pools[c.pool_of[u]] == pool && c.vol[u] > Tick::zero()) all.pieces.push_back({c.vol[u], k, u});
    }
  }
  std::stable_sort(all.pieces.begin(), all.pieces.end(), [](const auto& a, const auto& b) { return a.length > b.length; });
  return all;
}

}  // namespace rta::analysis::path
