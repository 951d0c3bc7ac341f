#include "blocking.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "processor_demand.hpp"

namespace checker {
namespace {

std::vector<Piece> all_pieces(std::span<const Task> tasks) {
  std::vector<Piece> pieces;
  for (const Task& task : tasks) pieces.push_back({task.node->C, releases_in(task, R_of(task))});
  return pieces;
}

/// Of jobs released by r with points later than r + Y, not ended at one instant: ceil((min(R_i, Y_i - Y) + J_i)/T_i) of task i.
std::vector<Piece> started_pieces(std::span<const Task> tasks, Int Y) {
  std::vector<Piece> pieces;
  for (const Task& task : tasks) {
    const Int ahead = std::min(R_of(task), *task.claim->Y - Y);
    pieces.push_back({task.node->C, releases_in(task, ahead)});
  }
  return pieces;
}

}  // namespace

bool is_without_preemption(std::string_view theorem) { return theorem.starts_with("T1b") || theorem == "T3b"; }

/// If U <= c <= m, R_k = C_k + (carry + D_k - C_k)/m with T1r's or T1re's demand and carry = min(Q_c + N_(m-c), Q_(c-1) + N_(m-c+1)).
BoundOf T1b(std::span<const Task> tasks, const Pool& pool, const Statement& base, bool exact) {
  const Int m = pool.size;
  const Int c = base.number(4);
  const Load load = load_of(tasks);
  need(c >= 1 && c <= m && load.at_most(c), "U <= c <= m does not hold");
  const Int shift = exact ? least_Y(tasks) : Int(0);
  const auto demands =
      std::make_shared<const std::map<Int, Int>>(exact ? demands_from_release(tasks, shift, c, load) : linear_demands(tasks));
  const Int of_c = longest(all_pieces(tasks), c);
  const Int of_less = longest(all_pieces(tasks), c - 1);
  return [=](const Task& task) {
    const std::vector<Piece> started = started_pieces(tasks, *task.claim->Y);
    const Int carry = std::min(of_c + longest(started, m - c), of_less + longest(started, m - c + 1));
    const Int demand = demands->at(*task.claim->Y - shift);
    return task.node->C + ceil_div(carry - task.node->C + demand, m);
  };
}

/// R >= C_k + (sum n_i C_i - C_k + N_m)/m with n_i = max(0, ceil((R_i + min(R - C_k, Y_k - Y_i))/T_i)).
BoundOf T1bn(std::span<const Task> tasks, const Pool& pool) {
  for (const Task& task : tasks) need(task.claim->by != nullptr && task.claim->Y, "a task of the pool has no bound or no priority point");
  const Int m = pool.size;
  return [=](const Task& task) {
    Int work = longest(started_pieces(tasks, *task.claim->Y), m) - task.node->C;
    for (const Task& other : tasks) {
      const Int length = R_of(other) + std::min(task.claim->R - task.node->C, *task.claim->Y - *other.claim->Y);
      work += releases_in(other, length) * other.node->C;
    }
    return task.node->C + ceil_div(work, m);
  };
}

/// If U <= c <= m, every u_i <= 1 and s >= G(s) + S, then R_i = Y'_i + x_i(s) + C_i; G(s) = min(J + N_(m-c), g_(c-1) + N_(m-c+1)), g_n the
/// sum of the n largest g_i = x_i u_i + C_i - S_i, N_n that of the n largest C_i with Y'_i > 0, J the largest of c - 1 g_i and, of one
/// other task with Y'_j > 0, C_j - S_j.
BoundOf T3b(std::span<const Task> tasks, const Pool& pool, const Statement& base) {
  need_sequential(tasks);
  const Int m = pool.size;
  const Int others = base.number(4);  // c - 1
  const Fraction s = to_fraction(base.word(5));
  need(others >= 0 && others < m && load_of(tasks).at_most(others + 1), "U <= c <= m does not hold");
  const Int shift = least_Y(tasks);
  const Int grid = grid_of(tasks, m);
  const Int s_grid = floor_div(s.n * grid, s.d);
  struct Term {
    Int g, later;  // x_i u_i + C_i - S_i; the same without x_i u_i
    bool blocks;
  };
  std::vector<Term> terms;
  std::vector<Piece> started;
  Int S = 0;
  for (const Task& task : tasks) {
    const Int S_i = V(task, shift, grid);  // rounded up in S and here: whoever is chosen, the sum is rounded up
    const Int C = task.node->C;
    const Int late = ceil_mul_div(std::max<Int>(0, s_grid - C * grid), C, m * task.T);
    terms.push_back({late + C * grid - S_i, C * grid - S_i, *task.claim->Y > shift});
    if (terms.back().blocks) started.push_back({C * grid, 1});
    S += S_i;
  }
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.g > b.g; });
  const auto size = Int(static_cast<std::int64_t>(terms.size()));
  const auto place = [](Int i) { return static_cast<std::size_t>(i.raw()); };
  Int sum = 0;  // of the c - 1 largest
  for (Int i = 0; i < std::min(others, size); i += 1) sum += terms[place(i)].g;
  Int J = sum;
  for (Int j = 0; j < size; j += 1) {
    const Term& one = terms[place(j)];
    if (!one.blocks) continue;
    const bool among = j < others;
    const Int next = others < size ? terms[place(others)].g : Int(0);
    J = std::max(J, (among ? sum - one.g + next : sum) + one.later);
  }
  const Int c = others + 1;
  const Int G = std::min(J + longest(started, m - c), sum + longest(started, m - c + 1));
  need(s_grid >= G + S, "s >= G(s) + S does not hold");
  return [=](const Task& task) {
    const Int C = task.node->C;
    return *task.claim->Y - shift + C + std::max<Int>(0, ceil_div(s.n - C * s.d, m * s.d));
  };
}

}  // namespace checker
