// docs/theory/path.md, T10c
#include "backlog.hpp"

#include <algorithm>

#include "processors.hpp"
#include "staircase.hpp"

namespace checker {
namespace {

bool is_whole(const Job& job, std::size_t queue) { return job.queues.size() == 1 && job.queues.front() == queue; }

}  // namespace

Backlog::Backlog(const System& system, std::size_t queue) : system_(system), queue_(queue) {
  for (const System::Alike& kind : system.kinds) {
    const Job& job = system.jobs[kind.job];
    User user{kind.copies, job.T, 0, 0, is_whole(job, queue), {}, Staircase(job.T), {}};
    for (std::size_t u = 0; u < job.items.size(); ++u) {
      const Item& item = job.items[u];
      if (item.queue != queue) continue;
      user.Y = item.key;  // of all of them
      user.C += item.vol;
      if (item.vol == Int(0)) continue;
      const Int end = user.whole ? Int(0) : job.F[u];
      user.counted.add(end, kind.copies * item.vol);
      if (!user.whole || user.ends.empty()) user.ends.push_back(end);
    }
    if (user.C == Int(0)) continue;
    user.counted.finish();
    user.aged = user.whole ? std::vector<Aged>{{job.T, 0}} : aged_of(job, queue);
    users_.push_back(std::move(user));
  }
  c_ = system.load[queue].ceil_times(1);
  carry_ = carry();
}

/// G_d falls between the ages modulo T at which due instants pass, and is looked at just below these: there of each node
/// ceil((F_u - z)/T) jobs are left.
std::vector<Backlog::Aged> Backlog::aged_of(const Job& job, std::size_t queue) {
  Staircase unfinished(job.T);
  std::vector<Aged> ages{{job.T, 0}};
  for (std::size_t u = 0; u < job.items.size(); ++u) {
    const Item& item = job.items[u];
    if (item.queue != queue || item.vol == Int(0) || job.F[u] <= 0) continue;
    unfinished.add(job.F[u], item.vol);
    ages.push_back({job.F[u] - job.T * floor_div(job.F[u] - Int(1), job.T), 0});
  }
  unfinished.finish();
  std::sort(ages.begin(), ages.end(), [](const Aged& a, const Aged& b) { return a.age < b.age; });
  ages.erase(std::unique(ages.begin(), ages.end(), [](const Aged& a, const Aged& b) { return a.age == b.age; }), ages.end());
  for (Aged& aged : ages) aged.left = unfinished(Int(1) - aged.age);
  return ages;
}

/// The c - 1 largest D_a, of a at most ceil(F_a/T_d) for each of a job.
Int Backlog::carry() const {
  std::vector<Piece> chains;
  for (const System::Alike& kind : system_.kinds) {
    const Job& job = system_.jobs[kind.job];
    if (!is_whole(job, queue_)) continue;
    for (std::size_t a = 0; a < job.items.size(); ++a) {
      if (job.items[a].vol == Int(0)) continue;
      Int D = job.items[a].vol;
      for (std::size_t u = 0; u < job.items.size(); ++u) {
        if (u != a && (job.below.empty() || job.is_below(u, a))) D += job.items[u].vol;
      }
      chains.push_back({D, jobs_in(job.F[a], job.T) * kind.copies});
    }
  }
  return longest(std::move(chains), c_ - Int(1));
}

/// Where x is to be looked at: up to a common multiple of all periods, as the same comes again after it and, with U <= c, is no more. Else
/// up to where there are some thousand, and what is beyond is bounded.
std::pair<Int, bool> Backlog::up_to() const {
  constexpr int enough = 2048;
  Int T = 1;
  for (const User& user : users_) T = std::max(T, user.T);
  Int in_T = 1;
  for (const User& user : users_) in_T += ceil_div(T, user.T) * Int(static_cast<std::int64_t>(user.ends.size()));
  const Int farthest = T * Int(2) + floor_div(T * Int(enough), in_T);
  Int H = 1;
  for (const User& user : users_) {
    H = floor_div(H, gcd(H, user.T)) * user.T;
    if (H > farthest) return {farthest, false};
  }
  return {H, true};
}

/// 0, and the x from which on some DAG counts one job more.
std::vector<Int> Backlog::rises(Int up_to, Int Y, Int b) const {
  std::vector<Int> all{0};
  for (const User& user : users_) {
    const Int lim = std::min(b, Y - user.Y);
    for (const Int end : user.ends) {
      // x + end + lim = n T.
      for (Int n = jobs_in(end + lim, user.T); n * user.T - end - lim <= up_to; n += Int(1)) all.push_back(n * user.T - end - lim);
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// No less than what is left after any busy time from x on: jobs in fractions, those of DAGs that visit other queues, too, by the age of
/// the latest from before. Rounded down, as what is left is most where a job more counts, and whole there; terms are rounded up.
Int Backlog::beyond(Int x, Int Y, Int b) const {
  constexpr Int finer = Int(1) * (std::int64_t{1} << 16);
  Int sum = finer * (carry_ - c_ * x);
  for (const User& user : users_) {
    const Int length = x + std::min(b, Y - user.Y);
    Int most = 0;
    for (const Aged& aged : user.aged) most = std::max(most, aged.left * user.T + user.C * std::max(Int(0), length + aged.age));
    sum += ceil_mul_div(user.copies * most, finer, user.T);
  }
  return floor_div(sum, finer);
}

/// The largest over x of the carry and what counts, less c x.
Int Backlog::left(Int Y, Int b) {
  if (const auto known = known_.find({Y, b}); known != known_.end()) return known->second;
  const auto [last, repeats] = up_to();
  Int most = 0;
  for (const Int x : rises(last, Y, b)) {
    Int left = carry_ - c_ * x;
    for (const User& user : users_) left += user.counted(x + std::min(b, Y - user.Y) + Int(1));
    most = std::max(most, left);
  }
  if (!repeats) most = std::max(most, beyond(last, Y, b));
  return known_.emplace(std::pair{Y, b}, system_.in_grid(most, queue_)).first->second;
}

}  // namespace checker
