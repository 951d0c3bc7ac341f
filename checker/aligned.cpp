// docs/theory/path.md, T10a and T10v
#include "aligned.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace checker {
namespace {

constexpr std::size_t most_chosen = 3;
constexpr Int most_releases = 1024;  // that may decide; beyond, nodes are counted one by one, which is no less

/// max over j of Q_j + (Q - Q_j) (G - n + j)/m - s_j, at j = min(n, all) with Q_j = Q; Q_j = q_1 + ... + q_j,
/// s_j = (max(0, E - GC) + (j - 1) max(0, E - GC - [x < F] C))/m.
Int left_of_strands(Int x, const Early& early) {
  std::vector<Int> parts;
  Int all = 0;
  for (const Ends& part : early.strands->parts) {
    parts.push_back(part.after(x));
    all += parts.back();
  }
  std::sort(parts.begin(), parts.end(), [](Int a, Int b) { return a > b; });
  const Int further = !early.strands->root_F || x >= *early.strands->root_F ? early.less : early.further;
  Int most = 0;
  Int sum = 0;
  Int loss = 0;
  Int j = 0;
  for (const Int& part : parts) {
    if (j == early.n) break;
    most = std::max(most, sum + ceil_mul_div(all - sum, early.given - early.n + j, early.m) - loss);
    sum += part;
    loss += j == 0 ? early.less : further;
    j += 1;
  }
  return std::min(all, std::max(most, all - loss));
}

Int f(std::span<const Window> windows, Int x, const Early& early) {
  Int sum = 0;
  for (const Window& window : windows) {
    if (x < window.first) continue;
    const bool loses = window.queue && early.strands != nullptr && x >= early.from && x < early.to;
    sum += loses ? left_of_strands(x, early) : window.ends->after(x, window.turns);
  }
  return sum;
}

Int sum_of_largest(std::vector<Int> parts, std::size_t most) {
  std::sort(parts.begin(), parts.end(), [](Int a, Int b) { return a > b; });
  Int sum = 0;
  for (std::size_t i = 0; i < most && i < parts.size(); ++i) sum += parts[i];
  return sum;
}

}  // namespace

void Ends::finish() {
  std::sort(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) { return a.F < b.F; });
  Int sum = 0;
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
    node->after = sum += node->share;
    longest_ = std::max(longest_, node->e);
  }
  std::map<std::size_t, std::size_t> chains;
  for (const Node& node : nodes_) longest_chain_ = std::max(longest_chain_, ++chains[node.chain]);
}

Int Ends::part(const Node& node, Int x) {
  if (x >= node.F) return 0;
  const Int left = node.F - x;
  return left >= node.e ? node.share : ceil_mul_div(node.share, left, node.e);
}

Int Ends::after(Int x, std::size_t turns) const {
  if (turns >= longest_chain_) return after(x);
  std::map<std::size_t, std::vector<Int>> chains;
  for (const Node& node : nodes_) chains[node.chain].push_back(part(node, x));
  Int sum = 0;
  for (auto& [chain, parts] : chains) sum += sum_of_largest(std::move(parts), turns);
  return sum;
}

Int Ends::after_all(Int first, Int T, std::size_t turns) const {
  std::map<std::size_t, std::vector<Node>> chains;
  for (const Node& node : nodes_) chains[node.chain].push_back(node);
  Int sum = 0;
  for (const auto& [chain, nodes] : chains) {
    const Int end = nodes.back().F;
    const bool each = end > T;  // its jobs may overlap
    if (each && jobs_in(end - first, T) > most_releases) {
      for (const Node& node : nodes) sum += jobs_in(node.F - first, T) * node.share;
      continue;
    }
    std::vector<Int> parts;
    Int x = first;
    for (std::size_t job = 0; x < end && (each || job < turns); ++job, x += T) {
      for (const Node& node : nodes) parts.push_back(part(node, x));
      if (each) sum += sum_of_largest(std::exchange(parts, {}), turns);
    }
    sum += sum_of_largest(std::move(parts), turns);
  }
  return sum;
}

Int Ends::after(Int x) const {
  auto node = std::upper_bound(nodes_.begin(), nodes_.end(), x, [](Int at, const Node& n) { return at < n.F; });
  Int sum = 0;
  for (; node != nodes_.end() && node->F - x < longest_; ++node) {
    const Int left = node->F - x;
    sum += left >= node->e ? node->share : ceil_mul_div(node->share, left, node->e);
  }
  return node == nodes_.end() ? sum : sum + node->after;
}

Int Ends::one_by_one(Int first, Int T) const {
  Int sum = 0;
  for (const Node& node : nodes_) sum += jobs_in(node.F - first, T) * node.share;
  return sum;
}

/// "Computing it": as x falls f only gains, but at the left ends of the windows. So the releases of a best sequence may be moved down, the
/// latest first, each to a left end or to T after the one before it: only left ends plus multiples of T matter.
Int most_aligned(std::span<const Window> windows, Int T, const Early& early) {
  Int end = windows.front().first;
  std::vector<Int> left_ends;
  for (const Window& window : windows) {
    end = std::max(end, window.ends->last());
    left_ends.push_back(window.first);
  }
  if (early.strands != nullptr) left_ends.push_back(early.to);
  Int count = 0;
  for (const Int first : left_ends) count += jobs_in(end - first, T);
  if (count > most_releases) {
    Int sum = 0;
    for (const Window& window : windows) sum += window.ends->one_by_one(window.first, T);
    return sum;
  }
  std::vector<Int> x;
  for (const Int first : left_ends) {
    for (Int at = first; at < end; at += T) x.push_back(at);
  }
  std::sort(x.begin(), x.end());
  std::vector<Int> best;  // of the sequences whose last release is at most x_i
  std::size_t far = 0;    // releases before it are at least T away
  for (std::size_t i = 0; i < x.size(); ++i) {
    while (x[far] <= x[i] - T) ++far;
    const Int here = f(windows, x[i], early) + (far == 0 ? Int(0) : best[far - 1]);
    best.push_back(i == 0 ? here : std::max(here, best[i - 1]));
  }
  return best.empty() ? Int(0) : best.back();
}

Int least_aligned(std::span<const Window> windows, Int T) {
  std::vector<std::size_t> queues;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    if (windows[i].turns != SIZE_MAX) queues.push_back(i);
  }
  std::vector<Int> of_all;
  for (const std::size_t i : queues) {
    const Window& window = windows[i];
    const Int in_turns = window.ends->after_all(window.first, T, window.turns);
    of_all.push_back(std::min(in_turns, window.most.value_or(in_turns)));
  }
  const auto sum_of = [&](const std::vector<bool>& chosen) {
    Int sum = 0;
    std::vector<Window> rest(windows.begin(), windows.end());
    for (std::size_t i = queues.size(); i-- > 0;) {
      if (!chosen[i]) continue;
      sum += of_all[i];
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(queues[i]));
    }
    return rest.empty() ? sum : sum + most_aligned(rest, T, {});
  };
  std::vector<bool> chosen(queues.size(), false);
  Int least = sum_of(chosen);
  if (queues.size() > most_chosen) {
    for (std::size_t i = 0; i < queues.size(); ++i) chosen[i] = of_all[i] < most_aligned(windows.subspan(queues[i], 1), T, {});
    return std::min(least, sum_of(chosen));
  }
  for (std::size_t choice = 1; choice < std::size_t{1} << queues.size(); ++choice) {
    for (std::size_t i = 0; i < queues.size(); ++i) chosen[i] = (choice >> i & 1) != 0;
    least = std::min(least, sum_of(chosen));
  }
  return least;
}

Strands strands_of(const System& system, const Job& job, std::size_t queue) {
  const std::size_t n = job.items.size();
  std::vector<std::size_t> on_queue;
  for (std::size_t v = 0; v < n; ++v) {
    if (job.items[v].queue == queue) on_queue.push_back(v);
  }
  const auto comes_before = [&](std::size_t v) { return [&job, v](std::size_t u) { return job.is_below(u, v); }; };
  std::vector<bool> root(n), needed(n);
  for (std::size_t v = 0; v < n; ++v) {
    root[v] = std::all_of(on_queue.begin(), on_queue.end(), comes_before(v));
    needed[v] = job.items[v].queue == queue || std::any_of(on_queue.begin(), on_queue.end(), comes_before(v));
  }
  Strands strands;
  std::vector<std::size_t> part(n);
  std::iota(part.begin(), part.end(), std::size_t{0});
  const auto find = [&](std::size_t v) {
    while (part[v] != v) v = part[v] = part[part[v]];
    return v;
  };
  std::vector<Int> GC(n), C(n);
  for (std::size_t v = 0; v < n; ++v) {
    const Item& item = job.items[v];
    for (const std::size_t u : item.before) {
      GC[v] = std::max(GC[v], GC[u]);
      if (root[v]) C[v] = std::max(C[v], C[u]);
      if (needed[v] && !root[v] && !root[u]) part[find(v)] = find(u);
    }
    if (item.queue == queue) GC[v] += item.e;
    strands.GC = std::max(strands.GC, GC[v]);
    if (!root[v]) continue;
    C[v] += item.e;
    strands.C = std::max(strands.C, C[v]);
    strands.root_F = std::max(strands.root_F.value_or(job.F[v]), job.F[v]);
  }
  std::map<std::size_t, Ends> parts;
  const std::vector<std::size_t> chain = job.chains(queue);
  for (const std::size_t v : on_queue) {
    parts[find(v)].add(job.F[v], job.items[v].part, system.in_grid(job.items[v].vol, queue), chain[v]);
  }
  for (auto& [first, ends] : parts) {
    ends.finish();
    strands.parts.push_back(std::move(ends));
  }
  return strands;
}

}  // namespace checker
