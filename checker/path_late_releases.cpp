// docs/theory/jitter.md, T12
#include <algorithm>

#include "content.hpp"
#include "late_releases.hpp"

namespace checker {

Int late_jobs(Int length, Int T, Int J) { return length <= 0 ? Int(0) : jobs_in(length + J, T); }

/// The most over 0 <= z <= J of max(0, ceil((min(z + lim, -T) - z + F + J)/T)) + max(0, floor((z + lim)/T)): z = 0 and the z with z + lim a
/// multiple of T suffice.
Int other_late_jobs(Int lim, Int F, Int T, Int J) {
  const auto at = [&](Int z) {
    const Int later = z + lim > 0 ? floor_div(z + lim, T) : Int(0);
    return jobs_in(std::min(z + lim, -T) - z + F + J, T) + later;
  };
  Int most = at(0);
  const Int first = ceil_div(lim, T) * T - lim;
  for (Int z = first; z <= J; z += T) most = std::max(most, at(z));
  return most;
}

/// T12: the sum of n_u vol_u over a slot. d != k: n_u = ceil((F_u + lim_u + J_d)/T_d) for F_u + lim_u > 0; d = k: n_u = [lim_u >= 0 and u
/// is no strict descendant of v] + the other jobs; without the job itself, the former is 0.
Int Paths::Content::late_releases(std::size_t k, std::size_t v, std::size_t slot, bool with_itself) const {
  const Job& job = system.jobs[k];
  const Waiting wait = waiting_at(k, v, slot);
  Int sum = 0;
  for (std::size_t kind = 0; kind < system.kinds.size(); ++kind) {
    const Job& other = system.jobs[system.kinds[kind].job];
    const Int copies = system.kinds[kind].copies - Int(kind == job.kind ? 1 : 0);
    for (std::size_t u = 0; u < other.items.size(); ++u) {
      const Item& item = other.items[u];
      const auto until = wait.until(item);
      if (!until) continue;
      sum += copies * late_jobs(other.F[u] + *until, other.T + other.J, other.J) * item.vol;
      if (kind != job.kind) continue;
      const Int itself = with_itself && *until >= 0 && !job.is_below(u, v) ? 1 : 0;
      sum += (itself + other_late_jobs(*until, job.F[u], job.T + job.J, job.J)) * item.vol;
    }
  }
  return sum;
}

/// T12: (2) with these counts; what blocks is counted by releases T - J apart.
Int Paths::Content::T12(std::size_t k, std::size_t v) const {
  const Job& job = system.jobs[k];
  const auto wait = [&](std::size_t slot) { return system.in_grid(late_releases(k, v, slot, true), job.queues[job.slots[slot].local]); };
  return ceil_div(longest(k, v, wait), system.grid);
}

}  // namespace checker
