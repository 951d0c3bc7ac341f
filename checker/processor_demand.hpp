// What the theorems of docs/theory/cpu.md sum up over the tasks of a CPU pool.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "certificate.hpp"

namespace checker {

constexpr Int fraction = Int(1) * (std::int64_t{1} << 40);  // terms that do not divide are rounded up to 1/fraction ns

[[nodiscard]] Load load_of(std::span<const Task> tasks);
[[nodiscard]] Int R_of(const Task& task);
/// Releases of the task that a half-open interval of this length holds at most, each up to J after a nominal one.
[[nodiscard]] Int releases_in(const Task& task, Int length);
/// "What all proofs share": Y' = Y - min Y.
[[nodiscard]] Int least_Y(std::span<const Task> tasks);
/// V_i = C_i max(0, 1 - (Y'_i - J_i)/T_i), in 1/grid ns.
[[nodiscard]] Int V(const Task& task, Int shift, Int grid);

/// T1e: refused unless D >= sup over x >= 0 of (A(x) - c x).
void check_demand(std::span<const Task> tasks, Int shift, Int c, Fraction D, const Load& load);
/// T1re: for the priority points Y' of the tasks, sup over x >= 0 of (A(x + Y') - c x).
[[nodiscard]] std::map<Int, Int> demands_from_release(std::span<const Task> tasks, Int shift, Int c, const Load& load);
/// T1r: for the priority points of the tasks, sum C_i max(0, 1 - (Y_i - Y - J_i)/T_i), rounded up.
[[nodiscard]] std::map<Int, Int> linear_demands(std::span<const Task> tasks);

/// A grid of 1/N ns on which shares of C/(m T) are whole where the periods allow it.
[[nodiscard]] Int grid_of(std::span<const Task> tasks, Int m);

}  // namespace checker
