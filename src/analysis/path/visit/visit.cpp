#include "analysis/path/visit/visit.hpp"

#include <algorithm>
#include <functional>

namespace rta::analysis::path {
namespace {

constexpr Wide most_capacity = Wide{1} << 43;  // then sums of work fit into 128 bits
constexpr std::size_t most_fronts = 1'000'000;

[[nodiscard]] Wide within(const VisitPool::Done& of, std::int64_t w) { return w > of.bend ? of.most : of.rate * w; }

[[nodiscard]] VisitPool::Done done(Wide most, Wide rate) {
  return {most, rate, rate > 0 ? static_cast<std::int64_t>(std::min<Wide>(most / rate, no_bound)) : 0};
}

[[nodiscard]] bool is_any(const VisitPool::Front& front) { return front.longest > 0 || !front.nodes.empty(); }

/// How much of its work is done in a ns at most.
[[nodiscard]] Wide rate_of(const Node& node) { return node.rate > 0 ? node.rate : ceil_div(node.vol, Wide{node.e.count()}); }

}  // namespace

bool VisitPool::applies(const Ticks& ticks, std::size_t pool) {
  const Pool& p = ticks.system->pools[pool];
  return p.order == Order::fifo && !p.slices && !p.switches && p.unit <= most_capacity / p.capacity;
}

VisitPool::VisitPool(const Ticks& ticks, std::size_t pool)
    : ticks_(ticks), use_of_(ticks.classes.size()), stale_(ticks.classes.size(), true) {
  const Pool& p = ticks.system->pools[pool];
  m_ = p.capacity;
  capacity_ = Wide{p.capacity} * p.unit;
  pieces_ = p.unit_weights;
  for (const std::size_t k : ticks.users[pool]) {
    for (const Node& node : ticks.system->dags[ticks.classes[k].dags.front()].nodes) {
      if (node.pool != pool) continue;
      pieces_ = pieces_ && node.vol == node.s && node.s == node.e.count();
      known_alone_ = known_alone_ && node.alone;
    }
  }
  for (const std::size_t k : ticks.users[pool]) {
    const Class& c = ticks.classes[k];
    use_of_[k] = uses_.size();
    Use& use = uses_.emplace_back();
    use.k = k;
    const Ancestors ancestors(c);
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t u = 0; u < c.size(); ++u) {
      if (c.pools[c.pool_of[u]] == pool && node(k, u).e > Time::zero() && node(k, u).vol > 0) nodes.push_back(u);
    }
    use.chains = chains_of(ancestors, nodes);
    if (!asks(c)) continue;
    use.parallel.resize(c.size());
    for (std::uint32_t v = 0; v < c.size(); ++v) {
      if (c.pools[c.pool_of[v]] != pool) continue;
      for (const auto& chain : use.chains) {
        Front beside;
        for (const std::uint32_t u : chain) {
          if (u != v && !ancestors.is_before(u, v) && !ancestors.is_before(v, u)) add(node(k, u), node(k, u).e.count(), beside);
        }
        if (is_any(beside)) use.parallel[v].push_back(std::move(beside));
      }
    }
  }
}

void VisitPool::add(const Node& node, std::int64_t fits, Front& front) const {
  if (pieces_) {
    front.longest = std::max(front.longest, fits);
    return;
  }
  if (node.alone) front.longest = std::max(front.longest, node.alone->count());
  const Wide rate = rate_of(node);
  const Done added = done(fits >= node.e.count() ? node.vol : within(done(node.vol, rate), fits), rate);
  const auto covers = [](const Done& a, const Done& b) { return a.most >= b.most && a.rate >= b.rate; };
  if (std::ranges::any_of(front.nodes, [&](const Done& other) { return covers(other, added); })) return;
  std::erase_if(front.nodes, [&](const Done& other) { return covers(added, other); });
  front.nodes.push_back(added);
}

void VisitPool::add_fronts(const Use& use, const std::vector<std::int64_t>& F, std::int64_t z, std::vector<Front>& fronts) const {
  for (const auto& chain : use.chains) {
    Front added;
    for (const std::uint32_t u : chain) {
      const Node& of = node(use.k, u);
      if (F[u] > z) add(of, std::min(of.e.count(), F[u] - z), added);
    }
    if (is_any(added)) fronts.push_back(std::move(added));
  }
}

void VisitPool::set_fronts(Use& use, const std::vector<std::int64_t>& F) const {
  const std::int64_t T = Ticks::least_distance(ticks_.classes[use.k]);
  use.fronts.clear();
  use.until.clear();
  use.too_many = false;
  use.sum = 0;
  for (std::int64_t z = 0;; z += T) {
    const std::size_t before = use.fronts.size();
    add_fronts(use, F, z, use.fronts);
    if (use.fronts.size() == before) return;
    use.too_many = std::ssize(use.until) >= most_jobs || use.fronts.size() > most_fronts;
    if (use.too_many) return;
    use.until.push_back(use.fronts.size());
    for (std::size_t i = before; i < use.fronts.size(); ++i) use.sum += use.fronts[i].longest;
  }
}

void VisitPool::prepare(const Ends& F) {
  too_many_ = false;
  bool changed = false;
  for (Use& use : uses_) {
    changed = changed || stale_[use.k];
    if (stale_[use.k]) set_fronts(use, F[use.k]);
    stale_[use.k] = false;
    too_many_ = too_many_ || use.too_many;
  }
  if (!pieces_ || !changed || too_many_) return;
  sorted_.clear();
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    for (const Front& front : uses_[i].fronts) sorted_.push_back({front.longest, i});
  }
  std::ranges::sort(sorted_, std::ranges::greater{}, &Piece::length);
}

std::vector<std::size_t> VisitPool::too_many() const {
  std::vector<std::size_t> classes;
  for (const Use& use : uses_) {
    if (use.too_many) classes.push_back(use.k);
  }
  return classes;
}

std::span<const VisitPool::Front> VisitPool::later(const Use& own, std::int64_t jobs) {
  const std::int64_t some = std::min(jobs, std::ssize(own.until));  // beyond the last age nothing is ready
  return std::span(own.fronts).first(some > 0 ? own.until[static_cast<std::size_t>(some - 1)] : 0);
}

std::span<const VisitPool::Front> VisitPool::before(const Use& own, std::int64_t jobs) {
  if (jobs >= std::ssize(own.until)) return {};
  return std::span(own.fronts).subspan(own.until[static_cast<std::size_t>(jobs)]);
}

std::optional<VisitPool::Parts> VisitPool::parts(std::size_t k, std::size_t v, const std::vector<std::int64_t>& F, std::int64_t A,
                                                 Age age) const {
  if (too_many_ || !asks(ticks_.classes[k])) return std::nullopt;
  const std::int64_t T = Ticks::least_distance(ticks_.classes[k]);
  const Use& own = uses_[use_of_[k]];
  Parts parts;
  parts.others.reserve(uses_.size());
  for (const Use& use : uses_) {
    const std::int64_t copies = ticks_.classes[use.k].copies - (use.k == k ? 1 : 0);
    if (copies > 0 && !use.fronts.empty()) parts.others.push_back({use.k, copies, use.fronts});
  }
  parts.beside = own.parallel[v];
  parts.later = later(own, A / T);
  if (age == Age::up_to) {
    parts.before = before(own, A / T);
    return parts;
  }
  std::int64_t last = 0;
  for (const auto& chain : own.chains) {
    for (const std::uint32_t u : chain) last = std::max(last, F[u]);
  }
  std::int64_t jobs = 0;
  for (std::int64_t z = A + T; z < last; z += T) {
    if (++jobs > most_jobs) return std::nullopt;
    add_fronts(own, F, z, parts.earlier);
  }
  return parts;
}

Wide VisitPool::work(std::span<const Front> fronts, std::int64_t w) const {
  Wide sum = 0;
  for (const Front& front : fronts) {
    Wide most = pieces_ ? std::min(front.longest, w) : 0;
    for (const Done& of : front.nodes) most = std::max(most, within(of, w));
    sum += most;
  }
  return sum;
}

Wide VisitPool::own_work(std::size_t k, std::size_t v, std::int64_t w) const {
  const Node& own = node(k, v);
  if (own.vol <= own.s || own.s == 0 || own.e == Time::zero()) return 0;
  const Wide rate = rate_of(own);
  return within(done(own.vol - own.s, rate - rate / ceil_div(own.vol, own.s)), w);
}

/// G(w).
Wide VisitPool::work(const Parts& parts, std::size_t k, std::size_t v, std::int64_t w) const {
  Wide sum = work(parts.beside, w) + work(parts.later, w) + work(parts.before, w) + work(parts.earlier, w) + own_work(k, v, w);
  for (const Parts::Others& others : parts.others) sum += others.copies * work(others.fronts, w);
  return sum;
}

std::vector<std::int64_t> VisitPool::lengths(const Parts& parts) {
  std::vector<std::int64_t> l;
  for (const std::span<const Front> own : {parts.beside, parts.later, parts.before, std::span<const Front>(parts.earlier)}) {
    for (const Front& front : own) l.push_back(front.longest);
  }
  for (const Parts::Others& others : parts.others) {
    for (const Front& front : others.fronts) l.insert(l.end(), static_cast<std::size_t>(others.copies), front.longest);
  }
  std::ranges::sort(l, std::greater{});
  return l;
}

/// The pieces of the node's own DAG, longest first. False where too many of its jobs are under way.
bool VisitPool::set_own_pieces(const Use& own, std::size_t v, const std::vector<std::int64_t>& F, std::int64_t A, Age age) const {
  const std::int64_t T = Ticks::least_distance(ticks_.classes[own.k]);
  own_.clear();
  for (const Front& front : own.parallel[v]) own_.push_back(front.longest);
  for (const Front& front : later(own, A / T)) own_.push_back(front.longest);
  if (age == Age::up_to) {
    for (const Front& front : before(own, A / T)) own_.push_back(front.longest);
  }
  std::int64_t jobs = 0;
  for (bool any = age == Age::known; any; A += T) {
    any = false;
    for (const auto& chain : own.chains) {
      std::int64_t most = 0;
      for (const std::uint32_t u : chain) most = std::max(most, std::min(node(own.k, u).e.count(), F[u] - A - T));
      if (most <= 0) continue;
      any = true;
      own_.push_back(most);
    }
    if (any && ++jobs > most_jobs) return false;
  }
  std::ranges::sort(own_, std::greater{});
  return true;
}

/// (a): m w <= i w + l_{i+1} + l_{i+2} + ... for every i < m; (b) for h <= 2, as with more it is hardly ever less.
VisitPool::Wait VisitPool::of_pieces(std::size_t k, std::size_t v, const std::vector<std::int64_t>& F, std::int64_t A, Age age) const {
  const std::size_t own_use = use_of_[k];
  if (too_many_ || !asks(ticks_.classes[k]) || !set_own_pieces(uses_[own_use], v, F, A, age)) return {};
  std::int64_t b = std::ssize(own_);
  Wide after = 0;
  for (const std::int64_t length : own_) after += length;
  const auto copies_of = [&](std::size_t use) { return ticks_.classes[uses_[use].k].copies - (use == own_use ? 1 : 0); };
  for (std::size_t use = 0; use < uses_.size(); ++use) {
    b += copies_of(use) * std::ssize(uses_[use].fronts);
    after += copies_of(use) * uses_[use].sum;
  }
  if (b < m_) return {0, By::pieces};
  longest_.clear();
  const std::size_t wanted = static_cast<std::size_t>(m_) + 1;
  std::size_t at = 0;
  for (const Piece& piece : sorted_) {
    while (at < own_.size() && own_[at] >= piece.length && longest_.size() < wanted) longest_.push_back(own_[at++]);
    for (std::int64_t i = copies_of(piece.use); i > 0 && longest_.size() < wanted; --i) longest_.push_back(piece.length);
    if (longest_.size() >= wanted) break;
  }
  while (at < own_.size() && longest_.size() < wanted) longest_.push_back(own_[at++]);
  Wait least;
  for (std::int64_t i = 0; i < m_; ++i) {
    const auto first = static_cast<std::size_t>(i);
    const Wide shared = ceil_div(after, Wide{m_ - i});
    if (shared < least.length) least = {static_cast<std::int64_t>(shared), By::work};
    const std::int64_t h = (b - i) / (m_ - i);
    const Wide one = h > 2 ? Wide{no_bound} : Wide{longest_[first]} + (h == 2 ? longest_[first + 1] : 0);
    if (one < least.length) least = {static_cast<std::int64_t>(one), By::pieces};
    after -= longest_[first];
  }
  return least;
}

/// Or longer: (a) from above, by w <- G(w)/cap.
VisitPool::Wait VisitPool::of_kernels_or_longer(const Parts& parts, std::size_t k, std::size_t v) const {
  constexpr int steps = 3;
  if (capacity_ > work(parts, k, v, 1)) return {1, By::work};
  std::int64_t w = no_bound;
  for (int step = 0; step < steps; ++step) {
    w = static_cast<std::int64_t>(std::min<Wide>(w, ceil_div(work(parts, k, v, w), capacity_)));
  }
  return {w, By::work};
}

/// (a): G(w)/w never rises, so the largest w is less than any w with cap w > G(w), and then no more than G(w)/cap.
VisitPool::Wait VisitPool::of_kernels(const Parts& parts, std::size_t k, std::size_t v, Asked asked) const {
  Wait least;
  if (known_alone_) {
    Wide waves = node(k, v).alone->count() - node(k, v).e.count();
    const auto sum = [](std::span<const Front> fronts) {
      Wide all = 0;
      for (const Front& front : fronts) all += front.longest;
      return all;
    };
    waves += sum(parts.beside) + sum(parts.later) + sum(parts.before) + sum(parts.earlier);
    for (const Parts::Others& others : parts.others) waves += others.copies * sum(others.fronts);
    if (waves < no_bound) least = {static_cast<std::int64_t>(waves), By::waves};
  }
  const auto passes = [&](std::int64_t w) { return capacity_ * w > work(parts, k, v, w); };
  if (least.length <= asked.enough) return least;
  std::int64_t to = std::min(least.length, asked.most);
  if (asked.enough >= 0 && asked.enough < to && passes(asked.enough + 1)) to = asked.enough + 1;
  if (to == no_bound) to = static_cast<std::int64_t>(std::min<Wide>(no_bound - 1, work(parts, k, v, no_bound) / capacity_ + 1));
  if (to <= 0 || !passes(to)) return least;
  const auto found = [&] { return static_cast<std::int64_t>(std::min<Wide>(no_bound, ceil_div(work(parts, k, v, to), capacity_))); };
  if (asked.enough >= 0 && found() <= asked.enough) return {found(), By::work};
  std::int64_t from = 0;
  while (to - from > 1) {
    const std::int64_t middle = from + (to - from) / 2;
    (passes(middle) ? to : from) = middle;
  }
  if (found() < least.length) least = {found(), By::work};
  return least;
}

VisitPool::Wait VisitPool::waiting(std::size_t k, std::size_t v, const std::vector<std::int64_t>& F, std::int64_t A, Asked asked,
                                   Age age) const {
  if (pieces_) return of_pieces(k, v, F, A, age);
  const auto all = parts(k, v, F, A, age);
  if (all && age == Age::up_to) return of_kernels_or_longer(*all, k, v);
  return all ? of_kernels(*all, k, v, asked) : Wait{};
}

}  // namespace rta::analysis::path
