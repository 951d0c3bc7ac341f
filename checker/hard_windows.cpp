// T16's window from where all processors became busy, and T18: conditions at every instant, checked where what grows evenly begins and
// ends.
#include <algorithm>
#include <functional>

#include "hard.hpp"

namespace checker {
namespace {

constexpr Linear nothing(Int steps) { return {0, 0, steps}; }

/// N(L), N(L + 1) ...
Linear work(Int C, Int T, Int L) {
  const Int jobs = floor_div(L, T);
  const Int since = L - jobs * T;
  if (since < C) return {jobs * C + since, 1, C - since + 1};
  return {(jobs + 1) * C, 0, T - since + 1};
}

}  // namespace

/// By how much a job of i may be released after one of k and still go before it; of k itself those of T_k before and earlier do.
Int Hard::ahead(std::size_t i, std::size_t k) const { return i == k ? -tasks_[k].T : tasks_[k].Y - tasks_[i].Y; }

/// "From A = (K - m B)/(m - U) on there is too little work", K the sum of max(0, C_i + u_i (Y_k - Y_i)) and of the m - 1 longest C.
Int Hard::horizon(std::size_t k, Int wait) const {
  Load U;
  Int K = 0;
  std::vector<Int> pieces;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const Task& task = tasks_[i];
    U.add(task.C, task.T);
    K += std::max<Int>(0, task.C + ceil_div(task.C * ahead(i, k), task.T));
    pieces.push_back(task.C);
  }
  std::sort(pieces.begin(), pieces.end(), std::greater<>());
  for (std::size_t i = 0; i < carriers(); ++i) K += pieces[i];
  const Fraction load = U.rounded_up();
  const Int spare = m_ * load.d - load.n;
  need(spare > 0, "U < m does not hold");
  return K <= m_ * wait ? Int(0) : ceil_mul_div(K - m_ * wait, load.d, spare);
}

/// n_i(y) = (floor(y/T) + 1) C, 0 for y < 0, from y on.
Linear Hard::released(std::size_t i, Int y) const {
  const auto& [claim, C, T, F, Y, priority] = tasks_[i];
  if (y < 0) return nothing(-y);
  const Int jobs = floor_div(y, T);
  return {(jobs + 1) * C, 0, (jobs + 1) * T - y};
}

/// N_i(L), from L on.
Linear Hard::done(std::size_t i, Int L) const { return work(tasks_[i].C, tasks_[i].T, L); }

/// E_i(y), from y on.
Linear Hard::released_with_carry(std::size_t i, Int y) const {
  const Int z = y + tasks_[i].F;
  return z <= 0 ? nothing(Int(1) - z) : done(i, z);
}

/// T16, busy, GEL: for every A >= 0, min(n_i(A + Y_k - Y_i), N_i(A + x)) for i != k and min(n_k(A - T_k), N_k(A)) for k itself, and for any
/// m - 1 tasks min(E_i(A + Y_k - Y_i), W_i(A + x)), or min(E_k(A - T_k), W_k(A)), exclude more than A + x - C_k. For A in [a, a + 1), a
/// whole, n_i is that of a, and the others are at most those of a + 1. While all terms grow evenly the sum is convex in a.
void Hard::T16_busy(std::size_t k) {
  const Int x = tasks_[k].F;
  const Int wait = x - std::max<Int>(1, tasks_[k].C);
  need(wait >= 0, "a bound is below C");
  const Int last = horizon(k, wait);
  std::vector<std::pair<Linear, Linear>> terms(tasks_.size());  // fresh, carried
  std::vector<Work> work(tasks_.size());
  for (Int a = 0; a < last;) {
    spend(tasks_.size());
    Int steps = last - a;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const Int L = i == k ? a + 1 : a + 1 + x;
      const Linear fresh = lesser(released(i, a + ahead(i, k)), done(i, L));
      const Linear carried = lesser(released_with_carry(i, a + 1 + ahead(i, k)), done(i, L + tasks_[i].F - tasks_[i].C));
      terms[i] = {fresh, carried};
      for (const Linear& term : {fresh, carried}) {
        for (const Int more : {Int(0), Int(1)}) steps = std::min(steps, lesser(term, {a + wait + more, 1, steps}).steps);
      }
    }
    for (const Int j : {Int(0), steps - 1}) {
      for (std::size_t i = 0; i < tasks_.size(); ++i) work[i] = {terms[i].first.at(j), terms[i].second.at(j)};
      need_excluded(work, carriers(), a + j + wait);
    }
    a += steps;
  }
}

/// f_i(t) <= u_i t + C_i - min(u_i, sigma) Y_i: from here on all is well. In 1/sigma.d.
Int Hard::load_horizon(Fraction sigma, Int rate) const {
  Load U;
  Int rest = 0;
  for (const Task& task : tasks_) {
    U.add(task.C, task.T);
    const Int slow = std::min(floor_div(task.C * sigma.d * task.Y, task.T), sigma.n * task.Y);
    rest += task.C * sigma.d - slow;
  }
  const Fraction load = U.rounded_up();
  const Int spare = rate * load.d - load.n * sigma.d;
  need(spare > 0, "U < m - (m-1) sigma does not hold");
  return ceil_mul_div(rest, load.d, spare);
}

/// f_i just before t, t + 1 ..., in 1/sigma.d: n C_i + max(0, C_i - sigma phi) if phi < Y_i, else n C_i.
Linear Hard::f(std::size_t i, Int t, Fraction sigma) const {
  const auto& [claim, C, T, F, Y, priority] = tasks_[i];
  const Int n = t <= Y ? Int(0) : ceil_div(t - Y, T);
  const Int phi = n * T + Y - t;
  const Int jobs = n * C * sigma.d;
  if (phi >= Y) return {jobs, 0, phi - Y + 1};
  const Int carried = C * sigma.d - sigma.n * phi;
  if (carried <= 0) return {jobs, 0, std::min(phi, floor_div(-carried, sigma.n)) + 1};
  return {jobs + carried, sigma.n, phi + 1};
}

/// T18: for some sigma >= C_k/Y_k, sum min(f_i(t), t) <= (m - (m-1) sigma) t for all t >= Y_k, where all F_i <= Y_i. For t in [a, a + 1), a
/// whole, f_i is at most that just before a + 1, and sum min(w, t)/t falls with t.
void Hard::T18(std::size_t k, Fraction sigma) {
  need_points();
  for (const Task& task : tasks_) need(task.F <= task.Y, "a bound is above its priority point");
  need(sigma.n > 0 && sigma.n * tasks_[k].Y >= tasks_[k].C * sigma.d, "sigma is below C/Y");
  const Int rate = m_ * sigma.d - (m_ - 1) * sigma.n;  // in 1/sigma.d
  const Int last = load_horizon(sigma, rate);
  for (Int a = tasks_[k].Y; a < last;) {
    spend(tasks_.size());
    Int steps = last - a;
    Int now = 0;    // the sum
    Int slope = 0;  // and by how much it grows
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const Linear term = lesser(f(i, a + 1, sigma), {a * sigma.d, sigma.d, steps});
      now += term.value;
      slope += term.slope;
      steps = std::min(steps, term.steps);
    }
    const Int end = steps - 1;
    need(now <= rate * a && now + slope * end <= rate * (a + end), "the others may do more than fits before the priority point");
    a += steps;
  }
}

}  // namespace checker
