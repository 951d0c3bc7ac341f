#include "analysis/path/points/upstream.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "analysis/path/aligned/turns.hpp"
#include "rta/model/utilization.hpp"

namespace rta::analysis::path {
namespace {

// So that sums of work over all times that are looked at stay in 128 bits.
constexpr std::int64_t longest_period_there = std::int64_t{1} << 48;
constexpr Wide most_work_there = Wide{1} << 55;

}  // namespace

bool UpstreamPool::applies(const Ticks& ticks, std::size_t pool) {
  const Pool& p = ticks.system->pools[pool];
  if ((p.order != Order::fifo && p.order != Order::gel) || p.slices || p.mixed || p.in_turn || !p.unit_weights || p.unit != 1 ||
      ticks.users[pool].empty())
    return false;
  Wide all = 0;
  for (const std::size_t k : ticks.users[pool]) {
    const Class& c = ticks.classes[k];
    if (c.size() > most_nodes_in_turn || c.T > longest_period_there || c.J > 0 || c.Y > longest_period_there || c.Y < -longest_period_there)
      return false;
    for (const path::Node& node : ticks.system->dags[c.dags.front()].nodes) {
      if (node.pool != pool) continue;
      if (node.vol != node.s || node.s != node.e.count()) return false;
      all += Wide{c.copies} * node.vol;
      if (all > most_work_there) return false;
    }
  }
  return true;
}

UpstreamPool::UpstreamPool(const Ticks& ticks, std::size_t pool)
    : ticks_(ticks), pool_(pool), m_(ticks.system->pools[pool].capacity), user_of_(ticks.classes.size(), SIZE_MAX) {
  fifo_ = ticks.system->pools[pool].order == Order::fifo;
  Utilization U;
  std::int64_t H = 1;
  for (const std::size_t k : ticks.users[pool]) {
    const Class& c = ticks.classes[k];
    user_of_[k] = users_.size();
    User& user = users_.emplace_back();
    user.k = k;
    set_static(user);
    for (const Node& node : user.nodes) U.add(node.C * c.copies, c.T);
    if (H > 0) H = H / std::gcd(H, c.T) <= longest_period_there / c.T ? H / std::gcd(H, c.T) * c.T : 0;
  }
  repeats_ = H;
  c_.push_back(std::max<Wide>(1, U.ceil()));
  if (c_.front() < m_) c_.push_back(m_);
  carry_.resize(c_.size());
  known_.resize(users_.size());
}

void UpstreamPool::set_static(User& user) {
  const Class& c = ticks_.classes[user.k];
  const path::Dag& dag = ticks_.system->dags[c.dags.front()];
  const std::size_t local = ticks_.local_pool[user.k][pool_];
  const auto is_here = [&](std::size_t u) { return c.pool_of[u] == local; };
  const Ancestors ancestors(c);
  std::vector<std::uint32_t> here;
  user.after.assign(c.size(), 0);
  for (std::uint32_t u = 0; u < c.size(); ++u) {
    if (!is_here(u)) continue;
    here.push_back(u);
    const Wide C = dag.nodes[u].vol;
    user.C += C;
    for (std::uint32_t v = 0; v < c.size(); ++v) user.after[v] += ancestors.is_before(v, u) ? C : 0;
    if (C > 0) user.nodes.push_back({u, C, C, -1, 0});
  }
  for (Node& node : user.nodes) {
    std::vector<bool> away(c.size(), false);  // after the node, and after one elsewhere that is after it, or there
    for (const std::uint32_t w : c.order) {
      if (!ancestors.is_before(node.u, w)) continue;
      away[w] = !is_here(w);
      for (const std::uint32_t before : c.predecessors(w)) away[w] = away[w] || away[before];
      if (!away[w]) node.D += dag.nodes[w].vol;
    }
  }
  const auto chain = turn_chains(ancestors, here);
  std::vector<std::vector<Wide>> of_chain;
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (chain[i] >= of_chain.size()) of_chain.resize(chain[i] + 1);
    of_chain[chain[i]].push_back(dag.nodes[here[i]].vol);
  }
  user.in_turns.push_back(0);
  for (auto& C : of_chain) std::ranges::sort(C, std::ranges::greater());
  for (std::size_t n = 0; user.in_turns.back() < user.C; ++n) {
    Wide sum = user.in_turns.back();
    for (const auto& C : of_chain) sum += n < C.size() ? C[n] : 0;
    user.in_turns.push_back(sum);
  }
}

void UpstreamPool::prepare(const Ends& F) {
  bool some = false;
  for (User& user : users_) {
    if (!user.stale) continue;
    user.stale = false;
    some = set_ends(user, F[user.k]) || some;
    if (fifo_) set_turns(user, F[user.k]);
    known_[user_of_[user.k]].clear();
  }
  if (!some) return;
  ++version_;
  set_carry();
}

/// Whether what others count is another.
bool UpstreamPool::set_ends(User& user, const std::vector<std::int64_t>& F) {
  const Class& c = ticks_.classes[user.k];
  const std::size_t local = ticks_.local_pool[user.k][pool_];
  std::vector<std::int64_t> elsewhere(c.size(), -1);  // the largest F of ancestors there
  for (const std::uint32_t v : c.order) {
    for (const std::uint32_t w : c.predecessors(v)) {
      elsewhere[v] = std::max(elsewhere[v], elsewhere[w]);
      if (c.pool_of[w] != local) elsewhere[v] = std::max(elsewhere[v], F[w]);
    }
  }
  bool other = user.phases.empty();
  std::vector<std::int64_t> z{c.T};
  for (Node& node : user.nodes) {
    const std::int64_t phi = elsewhere[node.u];
    const std::int64_t jobs = jobs_in(F[node.u], c.T);
    other = other || phi != node.phi || jobs != node.jobs;
    node.phi = phi;
    node.jobs = jobs;
    if (phi > 0) z.push_back((phi - 1) % c.T + 1);
  }
  if (!other) return false;
  std::ranges::sort(z);
  z.erase(std::unique(z.begin(), z.end()), z.end());
  user.phases.clear();
  for (auto at = z.rbegin(); at != z.rend(); ++at) {
    Wide work = 0;
    for (const Node& node : user.nodes) work += node.phi >= *at ? node.C * ((node.phi - *at) / c.T + 1) : 0;
    if (user.phases.empty() || work > user.phases.back().work) user.phases.push_back({*at, work});
  }
  std::ranges::reverse(user.phases);
  return true;
}

/// FIFO: how often paths visit the pool so late.
void UpstreamPool::set_turns(User& user, const std::vector<std::int64_t>& F) {
  const Class& c = ticks_.classes[user.k];
  const std::size_t local = ticks_.local_pool[user.k][pool_];
  std::vector<std::int64_t> A(c.size(), 0);
  user.ready.clear();
  for (const std::uint32_t v : c.order) {
    for (const std::uint32_t w : c.predecessors(v)) A[v] = std::max(A[v], F[w]);
    if (c.pool_of[v] == local && A[v] > 0) user.ready.push_back(A[v]);
  }
  std::ranges::sort(user.ready);
  user.ready.erase(std::unique(user.ready.begin(), user.ready.end()), user.ready.end());
  user.visits.assign(user.ready.size(), std::vector<std::uint32_t>(c.size(), 0));
  for (std::size_t i = 0; i < user.ready.size(); ++i) {
    for (const std::uint32_t v : c.order) {
      for (const std::uint32_t w : c.predecessors(v)) user.visits[i][v] = std::max(user.visits[i][v], user.visits[i][w]);
      if (c.pool_of[v] == local && A[v] >= user.ready[i]) ++user.visits[i][v];
    }
  }
}

/// Of each c the c - 1 largest D.
void UpstreamPool::set_carry() {
  struct Piece {
    Wide D = 0;
    Wide times = 0;
  };
  std::vector<Piece> pieces;
  for (const User& user : users_) {
    for (const Node& node : user.nodes) pieces.push_back({node.D, Wide{node.jobs} * ticks_.classes[user.k].copies});
  }
  std::ranges::sort(pieces, std::ranges::greater(), &Piece::D);
  for (std::size_t i = 0; i < c_.size(); ++i) {
    Wide free = c_[i] - 1;
    carry_[i] = 0;
    for (const Piece& piece : pieces) {
      const Wide times = std::min(free, piece.times);
      carry_[i] += times * piece.D;
      free -= times;
    }
  }
}

std::vector<std::uint32_t> UpstreamPool::turns_of(const User& user, std::size_t v) const {
  std::vector<std::uint32_t> turns;
  turns.reserve(user.visits.size());
  for (const auto& visits : user.visits) turns.push_back(visits[v]);
  return turns;
}

/// Of f of one DAG.
std::vector<UpstreamPool::Rise> UpstreamPool::rises(const User& own, const User& other, std::int64_t reach,
                                                    const std::vector<std::uint32_t>& turns) const {
  if (!fifo_) {
    const std::int64_t lim = std::min(reach, ticks_.classes[own.k].Y - ticks_.classes[other.k].Y);
    return {{-lim, other.C}};
  }
  std::vector<Rise> rises;
  Wide later = 0;
  for (std::size_t i = own.ready.size(); i-- > 0;) {
    const Wide work = other.in_turns[std::min<std::size_t>(turns[i], other.in_turns.size() - 1)];
    if (work > later) rises.push_back({-own.ready[i], work - later});
    later = std::max(later, work);
  }
  if (other.C > later) rises.push_back({0, other.C - later});
  return rises;
}

/// W of one job, by growing x.
class UpstreamPool::Sum {
 public:
  Sum(const UpstreamPool& pool, std::size_t own, std::int64_t reach, const std::vector<std::uint32_t>& turns) : pool_(pool) {
    for (std::size_t i = 0; i < pool.users_.size(); ++i) {
      const User& user = pool.users_[i];
      const Class& c = pool.ticks_.classes[user.k];
      const std::int64_t copies = c.copies - (i == own ? 1 : 0);
      std::vector<Rise> rises = pool.rises(pool.users_[own], user, reach, turns);
      if (i == own) add({&user, 1, c.T, 0, true, rises, {}, 0, 0, false});
      std::int64_t opens = 0;
      for (const Rise& rise : rises) opens = std::max(opens, rise.at);
      if (copies > 0) add({&user, copies, c.T, opens, false, std::move(rises), {}, 0, 0, false});
    }
  }

  void look(Wide most) {
    const std::int64_t last = pool_.repeats_ > 0 ? pool_.repeats_ + from_ : INT64_MAX;
    most_.assign(pool_.c_.size(), {});
    take(0);
    if (total(best()) >= most) return;
    for (std::size_t count = 1; !events_.empty() && events_.front().at < last; ++count) {
      const std::int64_t x = events_.front().at;
      while (!events_.empty() && events_.front().at == x) step();
      take(x);
      if (count % between_looks == 0 && total(best()) >= most) return;
      if (count % between_looks != 0) continue;
      if (x < from_) {
        gives_up_ = count >= most_looks;
        if (gives_up_) return;
        continue;
      }
      const Wide beyond = line(x);
      if (count >= most_looks) {
        for (std::size_t i = 0; i < most_.size(); ++i) {
          const Wide left = beyond - pool_.c_[i] * x;
          if (left > most_[i].left) most_[i] = {left, x, true};
        }
        return;
      }
      if (none_beyond(beyond, x)) return;
    }
  }

  [[nodiscard]] std::size_t best() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < most_.size(); ++i) best = total(i) < total(best) ? i : best;
    return best;
  }
  [[nodiscard]] Wide total(std::size_t i) const { return gives_up_ ? unknown : most_[i].left + pool_.carry_[i]; }

  [[nodiscard]] Work work() const {
    const std::size_t i = best();
    const Most& most = most_[i];
    Work work{.of_class = std::vector<Left>(pool_.users_.size()), .own = {}, .carry = pool_.carry_[i], .busy = most.x};
    work.longer = most.longer;
    work.processors = pool_.c_[i];
    work.total = total(i);
    for (const Of& of : all_) {
      const Left left = most.longer ? line(of, most.x) : at(of, most.x);
      (of.own ? work.own : work.of_class[static_cast<std::size_t>(of.user - pool_.users_.data())]) = left;
    }
    return work;
  }

 private:
  static constexpr std::size_t between_looks = 16;
  static constexpr std::size_t most_looks = 2048;

  /// The jobs of DAGs that are alike, or the own DAG's.
  struct Of {
    const User* user = nullptr;
    std::int64_t copies = 1;
    std::int64_t T = 1;
    std::int64_t opens = 0;  // from this x on some are released since the pool was busy
    bool own = false;
    std::vector<Rise> rises;
    std::vector<Wide> by_phase;  // phase -> work
    Wide H = 0;
    Wide early = 0;  // before `opens`
    bool open = false;
  };
  struct Event {
    std::int64_t at = 0;
    std::int64_t T = 0;  // and again every T; 0: it opens
    std::size_t of = 0;
    std::size_t phase = 0;
    Wide work = 0;
  };
  struct Most {
    Wide left = 0;
    std::int64_t x = -1;
    bool longer = false;
  };
  static constexpr auto later = [](const Event& a, const Event& b) { return a.at > b.at; };

  static Wide count(std::int64_t length, std::int64_t T) { return length / T; }

  /// What jobs at least z old at the beginning do, T apart.
  [[nodiscard]] static Wide left_from(const Of& of, std::int64_t z) {
    Wide sum = 0;
    for (const Node& node : of.user->nodes) sum += node.phi >= z ? node.C * ((node.phi - z) / of.T + 1) : 0;
    return sum;
  }
  [[nodiscard]] static Wide since(const Of& of, std::int64_t x, std::int64_t z) {
    Wide sum = 0;
    for (const Rise& rise : of.rises) sum += rise.work * count(x + z - rise.at, of.T);
    return sum;
  }
  [[nodiscard]] static Left own_at(const Of& of, std::int64_t x) {
    Left left;
    for (const Rise& rise : of.rises) left.since += rise.work * count(-rise.at, of.T);  // of later ones
    left.since += of.user->C * (count(x, of.T) + 1);
    for (const Node& node : of.user->nodes) left.before += node.phi > 0 ? node.C * (count(x + node.phi, of.T) - count(x, of.T)) : 0;
    return left;
  }
  [[nodiscard]] static Left at(const Of& of, std::int64_t x) {
    if (of.own) return own_at(of, x);
    if (x < of.opens) return {left_from(of, of.opens - x), 0};
    Left most;
    for (const Phase& phase : of.user->phases) {
      const Left left{phase.work, since(of, x, phase.z)};
      if (left.sum() > most.sum()) most = left;
    }
    return most;
  }

  /// No less than that from x on, where it rises by C every T; and so the sum of all less c x falls.
  [[nodiscard]] static Left line(const Of& of, std::int64_t x) {
    if (of.own) {
      Left left = own_at(of, 0);
      left.before = 0;
      Wide in_phi = 0;
      for (const Node& node : of.user->nodes) in_phi += node.phi > 0 ? node.C * node.phi : 0;
      left.since += ceil_div(of.user->C * x + in_phi, Wide{of.T});
      return left;
    }
    Left most;
    for (const Phase& phase : of.user->phases) {
      Wide sum = 0;
      for (const Rise& rise : of.rises) sum += rise.work * (x + phase.z - rise.at);
      const Left left{phase.work, ceil_div(sum, Wide{of.T})};
      if (left.sum() > most.sum()) most = left;
    }
    return most;
  }
  [[nodiscard]] Wide line(std::int64_t x) const {
    Wide sum = 0;
    for (const Of& of : all_) sum += of.copies * line(of, x).sum();
    return sum;
  }
  [[nodiscard]] bool none_beyond(Wide line, std::int64_t x) const {
    for (std::size_t i = 0; i < most_.size(); ++i) {
      if (line - pool_.c_[i] * x > most_[i].left) return false;
    }
    return true;
  }

  void push(const Event& event) {
    events_.push_back(event);
    std::ranges::push_heap(events_, later);
  }
  void add(Of of) {
    const std::size_t i = all_.size();
    from_ = std::max(from_, of.opens);
    of.H = at(of, 0).sum();
    if (of.opens > 0) {
      of.early = of.H;
      push({of.opens, 0, i, 0, 0});
      for (const Node& node : of.user->nodes) {
        if (node.phi <= 0) continue;
        std::int64_t first = of.opens - node.phi;
        if (first <= 0) first += (-first / of.T + 1) * of.T;
        if (first < of.opens) push({first, of.T, i, SIZE_MAX, node.C});
      }
    }
    sum_ += of.copies * of.H;
    all_.push_back(std::move(of));
    if (all_[i].opens == 0) open(i, 0);
  }
  /// Events after x.
  void open(std::size_t i, std::int64_t x) {
    Of& of = all_[i];
    of.open = true;
    if (of.own) {
      of.by_phase.assign(1, of.H);
      Wide elsewhere = 0;
      for (const Node& node : of.user->nodes) {
        if (node.phi <= 0) continue;
        elsewhere += node.C;
        push({of.T - node.phi % of.T, of.T, i, 0, node.C});
      }
      push({of.T, of.T, i, 0, of.user->C - elsewhere});
      return;
    }
    of.by_phase.resize(of.user->phases.size());
    for (std::size_t j = 0; j < of.by_phase.size(); ++j) {
      const Phase& phase = of.user->phases[j];
      of.by_phase[j] = phase.work + since(of, x, phase.z);
      for (const Rise& rise : of.rises) {
        const std::int64_t jobs = (x + phase.z - rise.at) / of.T;
        push({rise.at - phase.z + (jobs + 1) * of.T, of.T, i, j, rise.work});
      }
    }
  }
  void step() {
    std::ranges::pop_heap(events_, later);
    const Event event = events_.back();
    events_.pop_back();
    Of& of = all_[event.of];
    const Wide before = of.H;
    const bool early = event.phase == SIZE_MAX;
    if (event.T == 0) {
      open(event.of, event.at);
    } else if (early) {
      of.early += event.work;
    } else {
      of.by_phase[event.phase] += event.work;
    }
    if (event.T > 0 && !(early && (of.open || event.at + event.T >= of.opens)))
      push({event.at + event.T, event.T, event.of, event.phase, event.work});
    of.H = of.open ? *std::ranges::max_element(of.by_phase) : of.early;
    sum_ += of.copies * (of.H - before);
  }
  void take(std::int64_t x) {
    for (std::size_t i = 0; i < most_.size(); ++i) {
      const Wide left = sum_ - pool_.c_[i] * x;
      if (most_[i].x < 0 || left > most_[i].left) most_[i] = {left, x, false};
    }
  }

  const UpstreamPool& pool_;
  std::vector<Of> all_;
  std::vector<Event> events_;
  Wide sum_ = 0;
  std::int64_t from_ = 0;   // x from where lines hold
  std::vector<Most> most_;  // of each c
  bool gives_up_ = false;
};

Wide UpstreamPool::left(std::size_t k, std::size_t v, std::int64_t reach, Wide most) const {
  constexpr std::size_t most_known = 16;
  const std::size_t user = user_of_[k];
  auto turns = turns_of(users_[user], v);
  auto& known = known_[user];
  for (const Known& of : known) {
    if (of.version == version_ && of.reach == reach && of.turns == turns) return of.total;
  }
  Sum sum(*this, user, reach, turns);
  sum.look(most);
  const Wide total = sum.total(sum.best());
  if (total >= most) return total;
  if (known.size() >= most_known) known.clear();
  known.push_back({reach, std::move(turns), version_, total});
  return total;
}

UpstreamPool::Work UpstreamPool::work(std::size_t k, std::size_t v, std::int64_t reach) const {
  const std::size_t user = user_of_[k];
  Sum sum(*this, user, reach, turns_of(users_[user], v));
  sum.look(unknown);
  return sum.work();
}

}  // namespace rta::analysis::path
