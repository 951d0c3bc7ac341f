// T1b: what may keep the processors of a GEL pool without preemption busy for a job beside the work that its tasks release.
#pragma once

#include <span>
#include <vector>

#include "analysis/cpu/gel_pieces.hpp"
#include "rta/analysis/cpu/gel.hpp"

namespace rta::analysis::gel {

/// For how long after its release a job of each task can be unfinished and have a point later than r + Y, of jobs released by r: min(R_i,
/// Y_i - Y), 0 where there is none. Without `R` nothing is proven yet.
[[nodiscard]] std::vector<Time> blocking_lengths(std::span<const Task> tasks, Time Y, std::span<const Time> R);

/// The carry of T1b, min(Q_c + N_(m-c), Q_(c-1) + N_(m-c+1)): Q_n is the sum of the n longest pieces of `all`, N_n of `later`.
[[nodiscard]] Wide blocked_carry(const Pieces& all, const Pieces& later, Wide m, Wide c);

/// What blocks task k by T1b with this c: `all` pieces of any jobs and `later` of those with later points, which sum to `carry` and `work`.
/// T1bn (c = 0): m pieces of the latter.
struct Blocking {
  Wide all = 0, later = 0;
  Wide carry = 0, work = 0;
};
[[nodiscard]] Blocking blocking(std::span<const Task> tasks, std::uint32_t processors, std::span<const Time> R, std::size_t k, Wide c);

/// T1bn: how many jobs of task i count for task k, ceil((R_i + min(R_k - C_k, Y_k - Y_i) + J_i)/T_i), 0 where that interval is empty.
[[nodiscard]] Wide jobs_before_start(std::span<const Task> tasks, std::span<const Time> R, std::size_t k, std::size_t i);

}  // namespace rta::analysis::gel
