// docs/theory/path.md, T23: one visit to a FIFO pool or GPU, where what goes before a node is ready when it is ready itself. T10f: the
// same, where the node may be ready any time up to A.
#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "system.hpp"

namespace checker {
namespace {

constexpr std::size_t most_fronts = 2'000'000;  // an end that is claimed may be any number of periods long

/// What of a node may be done in a time of w: no more than `most`, nor than `rate` w.
struct Done {
  Int most, rate;
};

/// What may be ready of one chain of one job.
struct Front {
  std::vector<Done> nodes;
  Int fits = 0;   // min(e_u, F_u - z), of pieces
  Int alone = 0;  // of the node that takes longest on an empty queue
  std::size_t job = 0;
  bool beside = false;  // of the node's own job
};

class Visit {
 public:
  Visit(const System& system, std::size_t k, std::size_t v, bool any_age)
      : queue_(system.queues[system.jobs[k].items[v].queue]), item_(system.jobs[k].items[v]) {
    need(queue_.order == Order::fifo && queue_.gap == Int(0), "T23 needs a FIFO pool without time slices");
    need(has_no_switches(system, item_.queue), "T23 needs a GPU without kernel switches");
    for (const Job& job : system.jobs) {
      for (const Item& u : job.items) {
        if (u.queue != item_.queue) continue;
        pieces_ = pieces_ && !queue_.kernels && u.B == Int(1) && u.vol == u.e;
      }
    }
    for (std::size_t d = 0; d < system.jobs.size(); ++d) {
      const Job& job = system.jobs[d];
      if (std::find(job.queues.begin(), job.queues.end(), item_.queue) == job.queues.end()) continue;
      const auto chains = job.chains(item_.queue, true);
      if (d != k) {
        for (Int z = 0; add(d, job, chains, z, std::nullopt); z += job.T) continue;
        continue;
      }
      const Int A = job.A[v];
      const Int n = floor_div(A, job.T);
      for (Int j = 0; j < n && add(d, job, chains, j * job.T, std::nullopt); j += 1) continue;
      for (Int z = any_age ? (n + 1) * job.T : A + job.T; add(d, job, chains, z, std::nullopt); z += job.T) continue;
      add(d, job, chains, 0, v);
    }
  }

  /// w_v: no less than the least of (a), (b) and (c).
  [[nodiscard]] Int waiting() const {
    if (pieces_) return of_pieces();
    Int waves = item_.alone - item_.e;
    for (const Front& front : fronts_) waves += front.alone;
    if (waves <= 0 || !passes(waves)) return waves;
    Int from = 0;
    Int to = waves;  // the largest w with cap w <= G(w) is less, as G(w)/w never rises
    while (to - from > 1) {
      const Int middle = floor_div(from + to, 2);
      (passes(middle) ? to : from) = middle;
    }
    return std::min(waves, ceil_div(work(to), queue_.cap));
  }

  /// T10f: what is executed within w, of each job but the node's own of all its jobs.
  [[nodiscard]] AtOnce within(Int w, std::size_t jobs) const {
    AtOnce at{std::vector<Int>(jobs, 0), 0, own(w)};
    for (const Front& front : fronts_) (front.beside ? at.beside : at.jobs[front.job]) += most(front, w);
    return at;
  }

 private:
  /// Of a job of age z; of the node's own what is neither before nor after it, whole. Whether there is anything.
  bool add(std::size_t d, const Job& job, const std::vector<std::size_t>& chains, Int z, std::optional<std::size_t> beside) {
    need(fronts_.size() < most_fronts, "T23 would look at more jobs than it does");
    std::vector<Front> of_chain(job.items.size());
    std::vector<bool> some(job.items.size(), false);
    for (std::size_t u = 0; u < job.items.size(); ++u) {
      const Item& item = job.items[u];
      if (item.queue != item_.queue || item.e <= 0 || item.vol <= 0) continue;
      if (beside ? u == *beside || job.is_below(u, *beside) || job.is_below(*beside, u) : job.F[u] <= z) continue;
      const Int fits = beside ? item.e : std::min(item.e, job.F[u] - z);
      const Int rate = item.weight * item.B;
      Front& front = of_chain[chains[u]];
      front.nodes.push_back({fits == item.e ? item.vol : std::min(item.vol, rate * fits), rate});
      front.fits = std::max(front.fits, fits);
      front.alone = std::max(front.alone, item.alone);
      some[chains[u]] = true;
    }
    bool any = false;
    for (std::size_t c = 0; c < some.size(); ++c) {
      if (!some[c]) continue;
      any = true;
      of_chain[c].job = d;
      of_chain[c].beside = beside.has_value();
      fronts_.push_back(std::move(of_chain[c]));
    }
    return any;
  }

  /// G(w).
  [[nodiscard]] Int work(Int w) const {
    Int sum = own(w);
    for (const Front& front : fronts_) sum += most(front, w);
    return sum;
  }
  [[nodiscard]] static Int most(const Front& front, Int w) {
    Int most = 0;
    for (const Done& of : front.nodes) most = std::max(most, std::min(of.most, of.rate * w));
    return most;
  }
  /// Of the node itself but for its last piece.
  [[nodiscard]] Int own(Int w) const { return std::min(item_.vol - item_.s, item_.weight * (item_.B - 1) * w); }
  [[nodiscard]] bool passes(Int w) const { return queue_.cap * w > work(w); }

  /// (a), where m w <= i w + l_{i+1} + ... for every i < m, and (b).
  [[nodiscard]] Int of_pieces() const {
    std::vector<Int> l;
    Int after = 0;
    for (const Front& front : fronts_) {
      l.push_back(front.fits);
      after += front.fits;
    }
    std::sort(l.begin(), l.end(), std::greater<>{});
    const Int b = static_cast<std::int64_t>(l.size());
    if (b < queue_.processors) return 0;
    Int least = after;
    for (std::size_t i = 0; Int(static_cast<std::int64_t>(i)) < queue_.processors; ++i) {
      const Int others = queue_.processors - static_cast<std::int64_t>(i);
      least = std::min(least, ceil_div(after, others));
      const Int h = floor_div(b - static_cast<std::int64_t>(i), others);
      Int one = 0;
      for (std::size_t j = i; Int(static_cast<std::int64_t>(j - i)) < h && one < least; ++j) one += l[j];
      least = std::min(least, one);
      after -= l[i];
    }
    return least;
  }

  const Queue& queue_;
  const Item& item_;
  bool pieces_ = true;
  std::vector<Front> fronts_;
};

}  // namespace

bool has_no_switches(const System& system, std::size_t queue) {
  return std::all_of(system.jobs.begin(), system.jobs.end(), [&](const Job& job) {
    return std::all_of(job.items.begin(), job.items.end(), [&](const Item& u) { return u.queue != queue || u.part == u.e; });
  });
}

/// F_v >= A_v + w_v + e_v, e_v at least the least unit of time.
Int T23(const System& system, std::size_t k, std::size_t v) {
  const Job& job = system.jobs[k];
  return job.A[v] + Visit(system, k, v, false).waiting() + std::max<Int>(1, job.items[v].e);
}

AtOnce at_once(const System& system, std::size_t k, std::size_t v) {
  const Visit visit(system, k, v, true);
  return visit.within(visit.waiting(), system.jobs.size());
}

}  // namespace checker
