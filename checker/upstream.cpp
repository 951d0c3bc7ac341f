// docs/theory/upstream.md, T39
#include "upstream.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace checker {
namespace {

constexpr int most_looks = 16'384;

}  // namespace

Upstream::Upstream(const System& system, std::size_t queue) : system_(system), queue_(queue) {
  const Queue& of = system.queues[queue];
  need((of.order == Order::fifo || (of.order == Order::gel && of.by_dag)) && of.gap == Int(0) && !of.kernels && !of.mixed && !of.in_turn &&
           of.cap == of.processors,
       "T39 is for processors and copy engines under FIFO, or preemptive with a point per DAG");
  need(system.load[queue].at_most(of.cap), "T39 needs U <= m");
  for (const System::Alike& kind : system.kinds) {
    const Job& job = system.jobs[kind.job];
    if (std::find(job.queues.begin(), job.queues.end(), queue) == job.queues.end()) continue;
    need(!job.below.empty(), "a DAG is too large for T39");
    User user{kind.job, kind.copies, job.T, 0, {}, {}, {}};
    const std::vector<std::size_t> chain = job.chains(queue);
    std::vector<Int> phi(job.items.size(), -1);
    for (std::size_t u = 0; u < job.items.size(); ++u) {
      const Item& item = job.items[u];
      for (std::size_t g = 0; g < u; ++g) {
        if (job.items[g].queue != queue && job.is_below(u, g)) phi[u] = std::max(phi[u], job.F[g]);
      }
      if (item.queue != queue) continue;
      need(item.s == item.e && item.vol == item.e && item.B == Int(1), "T39 is for nodes of one piece");
      if (item.e == Int(0)) continue;
      user.C += item.e;
      if (phi[u] > 0) user.ends.emplace_back(phi[u], item.e);
      if (chain[u] >= user.of_chain.size()) user.of_chain.resize(chain[u] + 1);
      user.of_chain[chain[u]].push_back(item.e);
      Int D = item.e;
      for (std::size_t w = u + 1; w < job.items.size(); ++w) {
        if (job.items[w].queue != queue || !job.is_below(w, u)) continue;
        bool away = false;  // a node on another queue is between
        for (std::size_t g = u + 1; g < w; ++g) away = away || (job.items[g].queue != queue && job.is_below(g, u) && job.is_below(w, g));
        if (!away) D += job.items[w].e;
      }
      pieces_.push_back({D, jobs_in(job.F[u], job.T) * kind.copies});
    }
    for (auto& of_one : user.of_chain) std::sort(of_one.begin(), of_one.end(), std::greater<>{});
    std::vector<Int> z{job.T};
    for (const auto& [end, C] : user.ends) z.push_back(end - job.T * floor_div(end - Int(1), job.T));
    std::sort(z.begin(), z.end(), std::greater<>{});
    for (const Int at : z) {
      const Int work = left_from(user, at);
      if (user.phases.empty() || work > user.phases.back().work) user.phases.push_back({at, work});
    }
    users_.push_back(std::move(user));
  }
  ceil_U_ = std::max(Int(1), system.load[queue].ceil_times(1));
}

/// Of jobs z, z + T ... old when the queue became busy: each node whose phi is no less.
Int Upstream::left_from(const User& user, Int z) {
  Int sum = 0;
  for (const auto& [phi, C] : user.ends) sum += phi >= z ? C * (floor_div(phi - z, user.T) + 1) : Int(0);
  return sum;
}

/// f of one DAG. FIFO: at an age y < 0 the N(y) largest of each chain.
std::vector<Upstream::Rise> Upstream::rises(const Job& job, std::size_t v, const Limits& limits, const User& other) const {
  const Order order = system_.queues[queue_].order;
  if (order != Order::fifo) {
    const auto& items = system_.jobs[other.job].items;
    const Int key = std::find_if(items.begin(), items.end(), [&](const Item& u) { return u.queue == queue_; })->key;
    return {{-*lim(order, limits, key), other.C}};
  }
  std::vector<Int> ready;
  for (std::size_t q = 0; q < job.items.size(); ++q) {
    if (job.items[q].queue == queue_ && (q == v || job.is_below(v, q)) && job.A[q] > 0) ready.push_back(job.A[q]);
  }
  std::sort(ready.begin(), ready.end(), std::greater<>{});
  ready.erase(std::unique(ready.begin(), ready.end()), ready.end());
  std::vector<Rise> rises;
  Int later = 0;
  for (const Int A : ready) {
    std::vector<std::size_t> visits(v + 1, 0);
    for (std::size_t q = 0; q <= v; ++q) {
      for (const std::size_t u : job.items[q].before) visits[q] = std::max(visits[q], visits[u]);
      if (job.items[q].queue == queue_ && job.A[q] >= A) ++visits[q];
    }
    Int work = 0;
    for (const auto& chain : other.of_chain) {
      for (std::size_t i = 0; i < std::min(visits[v], chain.size()); ++i) work += chain[i];
    }
    if (work <= later) continue;
    rises.push_back({-A, work - later});
    later = work;
  }
  if (other.C > later) rises.push_back({0, other.C - later});
  return rises;
}

/// H_d(x).
Int Upstream::most(const Counted& of, Int x) {
  const Int T = of.user->T;
  if (of.own) {  // ages 0, T, 2 T ..., and of later ones -T, -2 T ...
    Int sum = of.user->C * (floor_div(x, T) + 1);
    for (const Rise& rise : of.rises) sum += rise.work * floor_div(-rise.at, T);
    for (const auto& [phi, C] : of.user->ends) sum += C * (floor_div(x + phi, T) - floor_div(x, T));
    return sum;
  }
  if (x < of.opens) return left_from(*of.user, of.opens - x);
  Int most = 0;
  for (const Phase& phase : of.user->phases) {
    Int sum = phase.work;
    for (const Rise& rise : of.rises) sum += rise.work * floor_div(x + phase.z - rise.at, T);
    most = std::max(most, sum);
  }
  return most;
}

/// No less than the sum of H_d less c times the busy time, from x on: jobs in fractions, rounded down in all.
Int Upstream::beyond(const std::vector<Counted>& all, Int x, Int c) const {
  constexpr Int finer = Int(1) * (std::int64_t{1} << 16);
  Int sum = -finer * (c * x);
  for (const Counted& of : all) {
    const Int T = of.user->T;
    Int most = 0;
    if (of.own) {
      Int whole = of.user->C;
      for (const Rise& rise : of.rises) whole += rise.work * floor_div(-rise.at, T);
      Int in_T = of.user->C * x;
      for (const auto& [phi, C] : of.user->ends) in_T += C * phi;
      most = whole * finer + ceil_mul_div(in_T, finer, T);
    } else {
      for (const Phase& phase : of.user->phases) {
        Int in_T = 0;
        for (const Rise& rise : of.rises) in_T += rise.work * (x + phase.z - rise.at);
        most = std::max(most, phase.work * finer + ceil_mul_div(in_T, finer, T));
      }
    }
    sum += of.copies * most;
  }
  return floor_div(sum, finer);
}

/// The largest over x of the sum of H_d less c x: where some H_d may rise, up to a common multiple of the periods past the last age at
/// which a DAG begins, or to where no more can follow.
Int Upstream::largest(const std::vector<Counted>& all, Int c) const {
  Int from = 0;
  Int H = 1;
  constexpr Int far = Int(1) * (std::int64_t{1} << 60);
  using Rising = std::pair<Int, Int>;  // x, and again every T
  std::priority_queue<Rising, std::vector<Rising>, std::greater<>> next;
  const auto add = [&](Int at, Int T) { next.emplace(at > 0 ? at : at - T * floor_div(at, T), T); };
  for (const Counted& of : all) {
    const Int T = of.user->T;
    from = std::max(from, of.opens);
    if (H > 0) H = floor_div(H, gcd(H, T)) <= floor_div(far, T) ? floor_div(H, gcd(H, T)) * T : Int(0);
    if (of.own) add(0, T);
    for (const Rise& rise : of.rises) {
      for (const Phase& phase : of.user->phases) add(rise.at - phase.z, T);
    }
    for (const auto& [phi, C] : of.user->ends) {
      if (of.own || of.opens > 0) add(of.opens - phi, T);
    }
    if (of.opens > 0) add(of.opens, T);
  }
  Int largest = 0;
  Int last = -1;
  for (int looks = 0;; ++looks) {
    Int x = 0;
    if (looks > 0) {
      while (next.top().first == last) {
        const Rising rising = next.top();
        next.pop();
        next.emplace(rising.first + rising.second, rising.second);
      }
      x = next.top().first;
    }
    if (H > 0 && x >= H + from) return largest;
    Int sum = -(c * x);
    for (const Counted& of : all) sum += of.copies * most(of, x);
    largest = std::max(largest, sum);
    last = x;
    if (looks % 16 != 15) continue;
    if (x < from) {
      need(looks < most_looks, "T39 would look at more times than it does");
      continue;
    }
    const Int after = beyond(all, x, c);
    if (after <= largest || looks >= most_looks) return std::max(largest, after);
  }
}

Int Upstream::left(std::size_t k, std::size_t v, const Limits& limits) {
  const Job& job = system_.jobs[k];
  Int after = 0;
  for (std::size_t u = 0; u < job.items.size(); ++u) after += job.items[u].queue == queue_ && job.is_below(u, v) ? job.items[u].e : Int(0);
  std::vector<Counted> all;
  std::vector<std::vector<Rise>> key;
  for (const User& user : users_) {
    const bool own = system_.jobs[user.job].kind == job.kind;
    Counted of{&user, user.copies - Int(own ? 1 : 0), false, rises(job, v, limits, user), 0};
    key.push_back(of.rises);
    if (own) all.push_back({&user, 1, true, of.rises, 0});
    for (const Rise& rise : of.rises) of.opens = std::max(of.opens, rise.at);
    if (of.copies > 0) all.push_back(std::move(of));
  }
  const auto [at, fresh] = known_[key].try_emplace(job.kind, 0);
  if (fresh) {
    const Int m = system_.queues[queue_].processors;
    Int W = longest(pieces_, m - Int(1)) + largest(all, m);
    if (ceil_U_ < m) W = std::min(W, longest(pieces_, ceil_U_ - Int(1)) + largest(all, ceil_U_));
    at->second = W;
  }
  return at->second - after;
}

}  // namespace checker
