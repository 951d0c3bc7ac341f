// docs/theory/gpu.md, docs/theory/time-slices.md
#include "kernels.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "configurations.hpp"
#include "kernel_blocks.hpp"

namespace checker {
namespace {

constexpr Int grain = Int(1) * (std::int64_t{1} << 20);  // of counted work that does not divide

void need_blocks(std::span<const Task> tasks) {
  for (const Task& task : tasks) need(task.node->by_blocks(), "blocks of a kernel are not known, or start together");
}

/// T27: sum D_i/T_i <= 1, R = sum D_i (1 + J_i/T_i), D_i the longest duration of kernel i alone.
BoundOf T27(std::span<const Task> tasks, const Pool& gpu) {
  need(!gpu.pauses, "kernels are served in turn on a GPU without time slices");
  Load load;
  Int sum = 0;  // in 1/grain ns
  for (const Task& task : tasks) {
    need(task.node->priority == tasks.front().node->priority, "kernels of several stream priorities are not served in turn");
    const auto D = duration_alone(*task.node, gpu);
    need(D.has_value(), "it is not known how long a kernel takes alone");
    load.add(*D, task.T);
    sum += *D * grain + ceil_mul_div(*D * task.J, grain, task.T);
  }
  need(load.at_most(1), "the kernels, each alone, need more than all of the time");
  const Int R = ceil_div(sum, grain);
  return [R](const Task&) { return R; };
}

bool bounds(const Task& task, const Level& level) { return !level || task.node->priority == *level; }
bool above(const Task& task, const Level& level) { return level && task.node->priority > *level; }
bool lowest(std::span<const Task> tasks, const Level& level) {
  return std::all_of(tasks.begin(), tasks.end(), [&](const Task& task) { return counts(task, level); });
}

/// What the bounds of one level and one set of weights share. Work is counted in 1/unit of a block's weight x ns.
struct Counted {
  Classes classes;
  std::vector<std::size_t> class_of;  // of task i
  std::vector<Int> C;                 // counted work of a block of task i
  Int capacity = 0;                   // g unit
  Load U, U_above;
  Int released = 0;  // sum C_i B_i (1 + J_i/T_i), in 1/grain
  Int V = 0;         // the largest sum of weights of whole blocks that is below U
  Int L_max = 0;
};

Counted counted_work(std::span<const Task> tasks, const Pool& gpu, const Weights& weights) {
  Counted all;
  all.classes = classes_of(tasks, gpu);
  need(weights.density.size() == all.classes.demand.size(), "there are not as many weights as classes of blocks");
  all.capacity = gpu.size * weights.unit;
  for (const Task& task : tasks) {
    all.class_of.push_back(all.classes.of(block_demand(*task.node, gpu)));
    all.C.push_back(weights.density[all.class_of.back()] * task.node->C);
    all.L_max = std::max(all.L_max, task.node->L);
    if (!counts(task, weights.level)) continue;
    const Int once = all.C.back() * task.node->B;
    all.U.add(once, task.T);
    if (above(task, weights.level)) all.U_above.add(once, task.T);
    all.released += once * grain + ceil_mul_div(once * task.J, grain, task.T);
  }
  need(all.U.at_most(all.capacity), "U_w <= g does not hold");
  Int gamma = 0;
  for (std::size_t c = 0; c < weights.density.size(); ++c) gamma = gcd(gamma, weights.density[c] * all.classes.demand[c][threads]);
  need(gamma > 0, "all weights are 0");
  all.V = gamma * std::max<Int>(0, ceil_div(all.U.ceil_times(1), gamma) - 1);
  return all;
}

Int most_unfinished(const Task& task) {
  need(task.claim->by != nullptr, "a task of the pool has no bound to count with");
  return ceil_div(task.claim->R + task.J, task.T) * task.node->B;
}

/// T6, carry (a): (g-1) K + K'; T7, above the lowest priority (`all_full`): g K. `value`: of a block of each class.
Int resident(const Sm& sm, std::span<const Int> value, Int g, bool all_full) {
  const Int K = most(sm, value, false);
  return (g - 1) * K + (all_full ? K : std::min(K, most(sm, value, true)));
}

Int resident(const Counted& all, const Sm& sm, Int g, bool all_full) {
  std::vector<Int> value(sm.demand.size(), 0);
  for (std::size_t i = 0; i < all.C.size(); ++i) value[all.class_of[i]] = std::max(value[all.class_of[i]], all.C[i]);
  return resident(sm, value, g, all_full);
}

/// T6c (a), one resource r: lambda (g cap^r - max d^r) + sum N_i max(0, w_i L_i - lambda d_i^r), for any lambda >= 0.
Int counted_carry(const Counted& all, const Sm& sm, std::span<const Task> tasks, Int g, std::size_t r, Int lambda) {
  need(lambda >= 0, "lambda is below 0");
  need(std::find(sm.limited.begin(), sm.limited.end(), r) != sm.limited.end(), "the resource has no limit");
  Int carry = lambda * (g * sm.capacity[r] - sm.largest[r]);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    carry += most_unfinished(tasks[i]) * std::max<Int>(0, all.C[i] - lambda * sm.demand[all.class_of[i]][r]);
  }
  return carry;
}

/// T6c (b): lambda V + sum N_i w_i max(0, L_i - lambda), for any lambda >= 0 (ns).
Int counted_light_carry(const Counted& all, std::span<const Task> tasks, const Weights& weights, Int lambda) {
  need(lambda >= 0, "lambda is below 0");
  Int carry = lambda * all.V;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Int rest = tasks[i].node->C - lambda * all.classes.demand[all.class_of[i]][threads];
    if (rest > 0) carry += most_unfinished(tasks[i]) * weights.density[all.class_of[i]] * rest;
  }
  return carry;
}

/// The carry that words 5 and following of a base name.
Int carry_of(const Counted& all, const Sm& sm, std::span<const Task> tasks, const Pool& gpu, const Weights& weights,
             const Statement& base) {
  const std::string_view kind = base.word(5);
  const bool all_full = !lowest(tasks, weights.level);
  if (all_full != (kind == "all-resident")) base.fail("this carry is not for this priority");
  if (kind == "all-resident" || kind == "resident") return resident(all, sm, gpu.size, all_full);
  if (kind == "light") return all.L_max * all.V;
  if (kind == "counted") return counted_carry(all, sm, tasks, gpu.size, base.index(6, sm.capacity.size()), base.number(7));
  if (kind == "counted-light") return counted_light_carry(all, tasks, weights, base.number(6));
  base.fail("no such carry: resident, light, counted, counted-light, all-resident");
}

/// T6 (T6a, T6b, T6c): R_k = (carry + sum w_i L_i B_i - w_k L_k)/g + L_k. T7: R_k = (carry + W_> + W_= - w_k L_k)/(g - U_>) + L_k, whose
/// sums are over the tasks above k's priority and over those of it.
BoundOf T6(Counted all, Int carry, const Weights& weights, std::span<const Task> tasks) {
  const Level level = weights.level;
  const Fraction more = all.U_above.rounded_up();
  const Int rate = all.capacity * more.d - more.n;  // in 1/more.d
  need(rate > 0, "U_> < g does not hold");
  const Int backlog = carry * grain + all.released;
  return [=, all = std::move(all)](const Task& task) {
    need(bounds(task, level), "the weights are not for this priority");
    const Int own = all.C[static_cast<std::size_t>(&task - tasks.data())];
    return ceil_mul_div(backlog - own * grain, more.d, rate * grain) + task.node->L;
  };
}

/// T14j, alpha = S/(S + G): if U_w <= g alpha, R_k = ((carry + sum w_i L_i B_i (1 + J_i/T_i) - w_k L_k)/g + L_k)/alpha + G with
/// carry = (g-1) K + K' or L_max U_w/alpha + U_w G.
BoundOf T14j(const Counted& all, const Sm& sm, std::span<const Task> tasks, const Pool& gpu, std::string_view carry) {
  const Int S = gpu.slice;
  const Int G = gpu.gap;
  need(all.U.at_most(Fraction{all.capacity * S, S + G}), "U_w <= g S/(S + G) does not hold");
  Int backlog = all.released;
  if (carry == "resident") {
    backlog += resident(all, sm, gpu.size, false) * grain;
  } else {
    need(carry == "light", "no such carry for T14j: resident, light");
    const Fraction U = all.U.rounded_up();
    backlog += ceil_mul_div(U.n, (all.L_max * (S + G) + G * S) * grain, U.d * S);
  }
  return [=, first = tasks.data(), C = all.C, capacity = all.capacity](const Task& task) {
    const Int served = backlog + (capacity * task.node->L - C[static_cast<std::size_t>(&task - first)]) * grain;
    return ceil_mul_div(served, S + G, capacity * S * grain) + G;
  };
}

/// T6n: R_k = L_k + (sum ceil(R_i/T_i) w_i L_i B_i - w_k L_k)/g.
BoundOf T6n(Counted all, std::span<const Task> tasks) {
  Int backlog = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) backlog += most_unfinished(tasks[i]) * all.C[i];
  return [=, all = std::move(all)](const Task& task) {
    return ceil_div(backlog - all.C[static_cast<std::size_t>(&task - tasks.data())], all.capacity) + task.node->L;
  };
}

/// T5: if U <= g (m - H_max + h) and every blocking configuration occupies that many G-threads of its SM,
/// R_k = (L_max (g m - H_max) + sum B_i C_i - C_k)/(g (m - H_max + h)) + L_k.
BoundOf T5(std::span<const Task> tasks, const Pool& gpu) {
  const Classes classes = classes_of(tasks, gpu);
  const Int m = *gpu.sm[threads];
  Int H_max = 0;
  Int h = m;
  std::vector<Int> occupied;
  for (const Amounts& d : classes.demand) {
    H_max = std::max(H_max, d[threads]);
    h = gcd(h, d[threads]);
    occupied.push_back(d[threads]);
  }
  Weights weights;
  weights.unit = m - H_max + h;
  weights.density.assign(classes.demand.size(), 1);
  for (const Task& task : tasks) need(task.node->priority == tasks.front().node->priority, "T5 is for one FIFO");
  const Sm sm = sm_of(tasks, gpu, classes, std::nullopt);
  for (const std::size_t r : binding(sm)) {  // G-threads in use are multiples of h above m - H_max
    need(r == threads || least_cover(sm, occupied, r) >= weights.unit, "another resource binds before m - H_max + h G-threads are in use");
  }
  Counted all = counted_work(tasks, gpu, weights);
  const Int carry = all.L_max * (gpu.size * m - H_max);
  return T6(std::move(all), carry, weights, tasks);
}

}  // namespace

// docs/theory/gpu.md, T6: sum x_i w_i >= 1 for every blocking x.
void check_weights(const Weights& weights, std::span<const Task> tasks, const Pool& gpu) {
  need_blocks(tasks);
  need(!tasks.empty(), "the GPU has no kernels");
  const Classes classes = classes_of(tasks, gpu);
  const Sm sm = sm_of(tasks, gpu, classes, weights.level);
  need(weights.density.size() == classes.demand.size(), "there are not as many weights as classes of blocks");
  need(weights.unit > 0, "the unit of weights is above 0");
  std::vector<Int> value;
  for (std::size_t c = 0; c < classes.demand.size(); ++c) {
    need(weights.density[c] >= 0, "a weight is below 0");
    value.push_back(weights.density[c] * classes.demand[c][threads]);
  }
  for (const std::size_t r : binding(sm)) {
    if (sm.enough[r] == Int(0)) continue;
    need(least_cover(sm, value, r) >= weights.unit, "a blocking configuration weighs less than 1");
  }
}

Int most_resident(const Weights& weights, std::span<const Task> tasks, const Pool& gpu) {
  const Classes classes = classes_of(tasks, gpu);
  std::vector<Int> value(classes.demand.size(), 0);
  for (const Task& task : tasks) {
    const std::size_t c = classes.of(block_demand(*task.node, gpu));
    value[c] = std::max(value[c], weights.density[c] * task.node->C);
  }
  return resident(sm_of(tasks, gpu, classes, weights.level), value, gpu.size, false);
}

BoundOf kernels_base(std::span<const Task> tasks, const Pool& gpu, const Statement& base, const Certificate& certificate) {
  const std::string_view theorem = base.word(2);
  if (theorem == "T27") return T27(tasks, gpu);
  need_blocks(tasks);
  need(gpu.pauses == (theorem == "T14j"), "T14j, and no other theorem, is for GPUs that processes share by time slices");
  if (theorem == "T5") return T5(tasks, gpu);
  const auto found = certificate.weights.find(base.number(4));
  if (found == certificate.weights.end()) base.fail("no such weights are stated");
  const Weights& weights = found->second;
  need(Int(static_cast<Int::Raw>(weights.pool)) == base.number(3), "the weights are of another pool");
  const Int first = tasks.front().node->priority;
  const bool several = std::any_of(tasks.begin(), tasks.end(), [&](const Task& t) { return t.node->priority != first; });
  need(several == weights.level.has_value(), "the weights are not for these priorities");
  Counted all = counted_work(tasks, gpu, weights);
  if (theorem == "T6n") {
    need(!several, "T6n is for one FIFO");
    return T6n(std::move(all), tasks);
  }
  if (theorem == "T14j") {
    need(!several, "T14j is for one FIFO");
    return T14j(all, sm_of(tasks, gpu, all.classes, weights.level), tasks, gpu, base.word(5));
  }
  if (theorem != "T6a" && theorem != "T6b" && theorem != "T6c" && theorem != "T7") base.fail("no such theorem is known for kernels");
  const Sm sm = sm_of(tasks, gpu, all.classes, weights.level);
  const Int carry = carry_of(all, sm, tasks, gpu, weights, base);
  return T6(std::move(all), carry, weights, tasks);
}

// docs/theory/gpu.md, T6a: the fewest G-threads in use on an SM that blocks; no weights of G-threads guarantee more than such a
// configuration.
void check_overload(std::span<const Task> tasks, const Pool& gpu, const Statement& statement) {
  need_blocks(tasks);
  const Classes classes = classes_of(tasks, gpu);
  const Level level = read_level(statement, 2);
  const Sm sm = sm_of(tasks, gpu, classes, level);
  if (statement.words.size() != classes.demand.size() + 3) statement.fail("one number for each class of blocks is expected");
  Amounts used{};
  for (std::size_t c = 0; c < classes.demand.size(); ++c) {
    const Int x = statement.number(c + 3);
    need(x >= 0, "a number of blocks is below 0");
    for (std::size_t r = 0; r < used.size(); ++r) used[r] += x * classes.demand[c][r];
  }
  bool blocking = false;
  for (const std::size_t r : sm.limited) {
    need(used[r] <= sm.capacity[r], "the configuration does not fit on an SM");
    blocking = blocking || used[r] + sm.enough[r] > sm.capacity[r];
  }
  need(blocking, "the configuration blocks nothing");
  Load U;
  for (const Task& task : tasks) {
    if (counts(task, level)) U.add(task.node->C * task.node->B, task.T);
  }
  need(U.above(gpu.size * used[threads]), "U is not above what the SMs have in use");
}

}  // namespace checker
