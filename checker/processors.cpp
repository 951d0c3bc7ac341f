// docs/theory/cpu.md, and T8 of docs/theory/gpu.md.
#include "processors.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "blocking.hpp"
#include "processor_demand.hpp"
#include "staircase.hpp"

namespace checker {
namespace {

struct Gel {
  bool exact = false, counted = false;
};

/// T1: if U <= c <= m, R_k = Y'_k + (carry + demand)/m + (m-1)/m C_k with carry = (c-1) C_max, demand = sum V_i.
/// T1e: demand = sup of (sum n_i(x) C_i - c x). T1c: carry = the c - 1 longest of ceil((R_i + J_i)/T_i) pieces of C_i.
BoundOf T1(std::span<const Task> tasks, const Pool& pool, const Statement& base, Gel kind) {
  const Int m = pool.size;
  const Int c = base.number(4);
  const Load load = load_of(tasks);
  need(c >= 1 && c <= m && load.at_most(c), "U <= c <= m does not hold");
  const Int shift = least_Y(tasks);
  std::vector<Piece> pieces;
  Int C_max = 0;
  Load V_of_all;
  for (const Task& task : tasks) {
    C_max = std::max(C_max, task.node->C);
    if (kind.counted) pieces.push_back({task.node->C, releases_in(task, R_of(task))});
    if (!kind.exact) V_of_all.add(V(task, shift, task.T), task.T);
  }
  // All else is whole, so that this may be rounded up before it is divided by m.
  Int demand = V_of_all.ceil_times(1);
  if (kind.exact) {
    const Fraction claimed = to_fraction(base.word(5));
    need(claimed.n >= 0, "a demand is not below 0");
    check_demand(tasks, shift, c, claimed, load);
    demand = ceil_div(claimed.n, claimed.d);
  }
  const Int carry = kind.counted ? longest(std::move(pieces), c - 1) : (c - 1) * C_max;
  return [=](const Task& task) { return *task.claim->Y - shift + ceil_div(carry + (m - 1) * task.node->C + demand, m); };
}

/// T1r, T1re: if U <= c <= m, R_k = C_k + (carry + D_k - C_k)/m with T1c's carry; no early releases.
BoundOf T1r(std::span<const Task> tasks, const Pool& pool, const Statement& base, bool exact) {
  const Int m = pool.size;
  const Int c = base.number(4);
  const Load load = load_of(tasks);
  need(c >= 1 && c <= m && load.at_most(c), "U <= c <= m does not hold");
  std::vector<Piece> pieces;
  for (const Task& task : tasks) pieces.push_back({task.node->C, releases_in(task, R_of(task))});
  const Int carry = longest(std::move(pieces), c - 1);
  const Int shift = exact ? least_Y(tasks) : Int(0);
  const auto demands =
      std::make_shared<const std::map<Int, Int>>(exact ? demands_from_release(tasks, shift, c, load) : linear_demands(tasks));
  return [=](const Task& task) {
    const Int demand = demands->at(*task.claim->Y - shift);
    return task.node->C + ceil_div(carry - task.node->C + demand, m);
  };
}

/// T3: if U <= m, every u_i <= 1 and s >= G(s) + S, then R_i = Y'_i + x_i(s) + C_i with x_i(s) = max(0, (s - C_i)/m);
/// S = sum S_i, S_i = V_i, G(s) the sum of the ceil(U) - 1 largest of x_i(s) u_i + C_i - S_i.
BoundOf T3(std::span<const Task> tasks, const Pool& pool, const Statement& base) {
  need_sequential(tasks);
  const Int m = pool.size;
  const Int carriers = base.number(4);
  const Fraction s = to_fraction(base.word(5));
  need(carriers >= 0 && carriers < m && load_of(tasks).at_most(carriers + 1), "U <= carriers + 1 <= m does not hold");
  const Int shift = least_Y(tasks);
  const Int grid = grid_of(tasks, m);
  const Int s_grid = floor_div(s.n * grid, s.d);
  std::vector<Int> terms;
  Int sum = 0;
  for (const Task& task : tasks) {
    const Int S_i = V(task, shift, grid);  // rounded up in S and here: whoever is chosen, the sum is rounded up
    const Int C = task.node->C;
    const Int late = std::max<Int>(0, s_grid - C * grid);
    terms.push_back(ceil_mul_div(late, C, m * task.T) + C * grid - S_i);
    sum += S_i;
  }
  std::sort(terms.begin(), terms.end(), [](Int a, Int b) { return a > b; });
  for (Int i = 0; i < carriers && i < Int(static_cast<std::int64_t>(terms.size())); i += 1) {
    sum += std::max<Int>(0, terms[static_cast<std::size_t>(i.raw())]);
  }
  need(s_grid >= sum, "s >= G(s) + S does not hold");
  return [=](const Task& task) {
    const Int C = task.node->C;
    return *task.claim->Y - shift + C + std::max<Int>(0, ceil_div(s.n - C * s.d, m * s.d));
  };
}

/// T4: G-EDF, Y = T; R_i = T_i + x + C_i with x = max(0, (E - C_min)/(m - M)), E the ceil(U) - 1 largest C_i, M the ceil(U) - 2 largest
/// u_i.
BoundOf T4(std::span<const Task> tasks, const Pool& pool, const Statement& base) {
  need_sequential(tasks);
  const Int m = pool.size;
  const Int carriers = base.number(4);
  need(carriers >= 0 && carriers < m && load_of(tasks).at_most(carriers + 1), "U <= carriers + 1 <= m does not hold");
  std::vector<Int> C, u;
  const Int grid = grid_of(tasks, m);
  for (const Task& task : tasks) {
    need(*task.claim->Y == task.T, "T4 is for Y = T");
    C.push_back(task.node->C);
    u.push_back(ceil_mul_div(task.node->C, grid, task.T));
  }
  const auto sum_of_largest = [](std::vector<Int>& values, Int count) {
    std::sort(values.begin(), values.end(), [](Int a, Int b) { return a > b; });
    Int sum = 0;
    for (std::size_t i = 0; i < values.size() && Int(static_cast<std::int64_t>(i)) < count; ++i) sum += values[i];
    return sum;
  };
  const Int E = sum_of_largest(C, carriers);
  const Int over = E - C.back();
  const Int rate = m * grid - sum_of_largest(u, carriers - 1);
  const Int x = over <= 0 ? Int(0) : ceil_mul_div(over, grid, rate);
  return [=](const Task& task) { return task.T + x + task.node->C; };
}

}  // namespace

void need_sequential(std::span<const Task> tasks) {
  for (const Task& task : tasks) {
    need(task.node->sequential, "the theorem is for pools whose tasks are all sequential");
    need(task.node->C <= task.T, "a sequential task has u_i > 1");
  }
}

Int longest(std::vector<Piece> pieces, Int count) {
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.length > b.length; });
  Int sum = 0;
  for (const Piece& piece : pieces) {
    const Int taken = std::min(count, piece.times);
    if (taken <= 0) continue;
    sum += taken * piece.length;
    count -= taken;
  }
  return sum;
}

BoundOf processors_base(std::span<const Task> tasks, const Pool& pool, const Statement& base) {
  for (const Task& task : tasks) need(task.claim->by != nullptr && task.claim->Y, "a task of the pool has no bound or no priority point");
  const std::string_view theorem = base.word(2);
  if (theorem == "T1") return T1(tasks, pool, base, {});
  if (theorem == "T1e") return T1(tasks, pool, base, {.exact = true});
  if (theorem == "T1c") return T1(tasks, pool, base, {.counted = true});
  if (theorem == "T1e+T1c") return T1(tasks, pool, base, {.exact = true, .counted = true});
  if (theorem == "T1r" || theorem == "T1re") return T1r(tasks, pool, base, theorem == "T1re");
  if (theorem == "T1b" || theorem == "T1be") return T1b(tasks, pool, base, theorem == "T1be");
  if (theorem == "T3b") return T3b(tasks, pool, base);
  if (theorem == "T3") return T3(tasks, pool, base);
  if (theorem == "T4") return T4(tasks, pool, base);
  base.fail("no such theorem is known for processors");
}

namespace {

/// With late releases, one task at a time: nominal ones are in an interval that is J_i longer, if there is any.
BoundOf late_T1n(std::span<const Task> tasks, Int m) {
  for (const Task& task : tasks) need(task.claim->by != nullptr && task.claim->Y, "a task of the pool has no bound or no priority point");
  return [=](const Task& task) {
    Int work = -task.node->C;
    for (const Task& other : tasks) {
      work += releases_in(other, R_of(other) + std::min(task.claim->R, *task.claim->Y - *other.claim->Y)) * other.node->C;
    }
    return task.node->C + ceil_div(work, m);
  };
}

}  // namespace

/// T1n: R >= C_k + (sum n_i C_i - C_k)/m with n_i = max(0, ceil((R_i + min(R, Y_k - Y_i))/T_i)), where no release is late.
BoundOf T1n(std::span<const Task> tasks, const Pool& pool) {
  if (std::any_of(tasks.begin(), tasks.end(), [](const Task& task) { return task.J > 0; })) return late_T1n(tasks, pool.size);
  auto stairs = std::make_shared<std::map<std::pair<Int, Int>, Staircase>>();  // by T and Y
  for (const Task& task : tasks) {
    need(task.claim->by != nullptr && task.claim->Y, "a task of the pool has no bound or no priority point");
    stairs->try_emplace({task.T, *task.claim->Y}, task.T).first->second.add(R_of(task), task.node->C);
  }
  for (auto& [key, staircase] : *stairs) staircase.finish();
  const Int m = pool.size;
  return [stairs, m](const Task& task) {
    Int work = -task.node->C;
    for (const auto& [key, staircase] : *stairs) work += staircase(std::min(task.claim->R, *task.claim->Y - key.second));
    return task.node->C + ceil_div(work, m);
  };
}

/// T8: if U <= c <= N, R_k = (carry + sum L_i B_i (1 + J_i/T_i) - L_k)/N + L_k with carry = (c-1) L_max or, by T6c, the c - 1 longest of
/// ceil((R_i + J_i)/T_i) B_i items of task i.
BoundOf items_base(std::span<const Task> tasks, const Pool& pool, const Statement& base) {
  if (base.word(2) != "T8") base.fail("no such theorem is known for items and copies");
  const Int N = pool.kind == Kind::engines ? Int(1) : pool.size;
  const Int c = base.number(5);
  const bool counted = base.word(6) == "counted";
  if (!counted && base.word(6) != "all") base.fail("all or counted is expected");
  need(c >= 1 && c <= N && load_of(tasks).at_most(c), "U <= c <= N does not hold");
  std::vector<Piece> pieces;
  Int L_max = 0;
  Int released = 0;  // in 1/fraction ns
  for (const Task& task : tasks) {
    const Int once = task.node->L * task.node->B;
    L_max = std::max(L_max, task.node->L);
    released += once * fraction + ceil_mul_div(once * task.J, fraction, task.T);
    if (counted) pieces.push_back({task.node->L, ceil_div(R_of(task) + task.J, task.T) * task.node->B});
  }
  const Int carry = counted ? longest(std::move(pieces), c - 1) : (c - 1) * L_max;
  return [=](const Task& task) { return ceil_div((carry - task.node->L) * fraction + released, N * fraction) + task.node->L; };
}

}  // namespace checker
