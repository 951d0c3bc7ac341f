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
    User user{kind.copies, job.T, 0, 0, is_whole(job, queue), {}};
    for (const Item& item : job.items) {
      if (item.queue != queue) continue;
      user.Y = item.key;  // of all of them
      user.C += item.vol;
    }
    if (user.C == Int(0)) continue;
    user.aged = aged_of(job, queue);
    users_.push_back(std::move(user));
  }
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
  return longest(std::move(chains), system_.load[queue_].ceil_times(1) - Int(1));
}

/// The sum of G_d, or with the second form for all DAGs that are wholly on the queue.
Int Backlog::left(Int Y) {
  if (const auto known = known_.find(Y); known != known_.end()) return known->second;
  Int alone = 0;
  Int together = system_.in_grid(carry_, queue_);
  for (const User& user : users_) {
    const Int delta = Y - user.Y;
    const auto in_grid = [&](Int work_and_T) {
      return ceil_mul_div(user.copies * work_and_T, system_.grid, user.T * system_.queues[queue_].cap);
    };
    Int most = 0;
    for (const Aged& aged : user.aged) most = std::max(most, aged.left * user.T + user.C * std::max(Int(0), delta + aged.age));
    alone += in_grid(most);
    together += in_grid(user.whole ? user.C * std::max(Int(0), delta + user.T) : most);
  }
  return known_.emplace(Y, std::min(alone, together)).first->second;
}

}  // namespace checker
