// What other tasks may do in a window, T16's terms.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rta/analysis/hard/hard.hpp"

namespace rta::analysis::hard {

/// floor(L/T) C + min(C, L mod T): work in a window of length L of a task whose jobs are all released in it.
[[nodiscard]] std::int64_t work_without_carry(const Task& task, std::int64_t L);
/// (floor(y/T) + 1) C: of the jobs that are released up to y after the window begins; 0 for y < 0.
[[nodiscard]] std::int64_t released_work(const Task& task, std::int64_t y);
/// W: work in a window of length L of a task whose jobs end within F, C <= F <= T.
[[nodiscard]] std::int64_t work_with_carry(const Task& task, std::int64_t F, std::int64_t L);
/// E: of the jobs released up to y after the window begins, one of which may be left over from before; y may be negative.
[[nodiscard]] std::int64_t released_work_with_carry(const Task& task, std::int64_t F, std::int64_t y);

/// Work of one task in a window.
struct Work {
  std::int64_t fresh = 0;    // when all its jobs are released in the window
  std::int64_t carried = 0;  // when one may be left over; at least `fresh`
};

/// max over the choices of at most `carriers` tasks that carry work in, of sum min(work, B).
[[nodiscard]] Wide interference(std::span<const Work> work, std::size_t carriers, std::int64_t B, std::vector<std::int64_t>& scratch);

/// Whether a waiting of more than B is impossible: the interference is at most m B at B and less than m (B + 1) at B + 1.
[[nodiscard]] bool excludes(std::span<const Work> work, std::size_t carriers, std::uint32_t processors, std::int64_t B,
                            std::vector<std::int64_t>& scratch);

}  // namespace rta::analysis::hard
