// docs/theory/path.md, T10j and T10g, docs/theory/time-slices.md, T14j: nodes whose latest ready times are known are sporadic tasks with
// jitter.
#include <algorithm>

#include "processors.hpp"
#include "system.hpp"

namespace checker {
namespace {

constexpr Int finer = Int(1) * (std::int64_t{1} << 16);  // T14j multiplies what has been rounded

}  // namespace

/// T10j's and T10g's carry on processors, engines, workers: the ceil(U) - 1 longest pieces, of u at most ceil(F_u/T_u) for each of a job.
Int System::carry_of_pieces(std::size_t q) const {
  std::vector<Piece> pieces;
  for (const Job& job : jobs) {
    for (std::size_t u = 0; u < job.items.size(); ++u) {
      const Item& item = job.items[u];
      if (item.queue == q && item.vol > 0) pieces.push_back({item.s, jobs_in(job.F[u], job.T) * item.B});
    }
  }
  return in_grid(checker::longest(std::move(pieces), load[q].ceil_times(1) - 1), q);
}

/// T10j's carry on a GPU, of jobs that are unfinished while the weights of what is resident are below U_w: the least over lambda in {0,
/// L_1, L_2, ...} of lambda V + sum ceil(F_u/T_u) B_u w_u max(0, L_u - lambda), V the largest sum of weights of whole blocks below U_w. w_u
/// is a block's weight or, where all of these are whole numbers, s_u/L_u, which is no more as L_u is rounded up.
Int System::carry_of_kernels(std::size_t q) const {
  std::vector<Use> uses;
  bool whole = true;
  for (const Job& job : jobs) {
    for (std::size_t u = 0; u < job.items.size(); ++u) {
      const Item& item = job.items[u];
      if (item.queue != q || item.vol <= 0) continue;
      uses.push_back({item.e, jobs_in(job.F[u], job.T) * item.B, item.s, item.weight});
      whole = whole && item.e > 0 && floor_div(item.s, item.e) * item.e == item.s;
    }
  }
  const Int by_weight = carry_of_kernels(q, uses);
  for (Use& use : uses) use.weight = whole ? floor_div(use.s, use.e) : use.weight;
  return std::min(by_weight, carry_of_kernels(q, uses));
}

Int System::carry_of_kernels(std::size_t q, std::vector<Use> uses) const {
  // From the longest length down: kernels no longer than lambda count nothing.
  std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) { return a.e > b.e; });
  Int gamma = 0;
  for (const Use& use : uses) gamma = gcd(gamma, use.weight);
  const Int V = uses.empty() ? Int(0) : gamma * (ceil_div(load[q].ceil_times(1), gamma) - 1);
  Int work = 0;    // sum of N w L over the longer ones
  Int weight = 0;  // sum of N w
  std::optional<Int> least;
  for (std::size_t i = 0; i < uses.size();) {
    const Int lambda = uses[i].e;
    const Int value = in_grid(lambda * V, q) + in_grid(work - lambda * weight, q);
    least = std::min(least.value_or(value), value);
    for (; i < uses.size() && uses[i].e == lambda; ++i) {
      work += uses[i].blocks * uses[i].s;
      weight += uses[i].blocks * uses[i].weight;
    }
  }
  const Int all_left = in_grid(work, q);  // lambda = 0
  return std::min(least.value_or(all_left), all_left);
}

void System::set_late(std::size_t q) {
  Int sum = queues[q].kernels ? carry_of_kernels(q) : carry_of_pieces(q);
  if (queues[q].resident) sum = std::min(sum, in_grid(*queues[q].resident, q));
  if (queues[q].order == Order::gel) {
    set_falling(q);
  } else {
    Load late_work;  // of vol A/T, rounded once
    for (const Job& job : jobs) {
      for (std::size_t u = 0; u < job.items.size(); ++u) {
        const Item& item = job.items[u];
        if (item.queue != q) continue;
        sum += in_grid(item.vol, q);
        late_work.add(item.vol * job.A[u], job.T);
      }
    }
    const Fraction late_sum = late_work.rounded_up();
    sum += ceil_mul_div(late_sum.n, grid, late_sum.d * queues[q].cap);
  }
  late[q] = sum;
}

/// T14j: the lesser of (g-1) K + K' and L_max U_w/alpha + U_w G, alpha = S/(S + G), and the sum of vol (1 + A/T).
void System::set_sliced(std::size_t q) {
  const Queue& queue = queues[q];
  if (!load[q].at_most(Fraction{queue.cap * queue.slice, queue.slice + queue.gap})) return;
  const Int parts = grid * finer;
  Int longest_block = 0;
  Int sum = 0;
  for (const Job& job : jobs) {
    for (std::size_t u = 0; u < job.items.size(); ++u) {
      const Item& item = job.items[u];
      if (item.queue != q) continue;
      longest_block = std::max(longest_block, item.e);
      sum += ceil_mul_div(item.vol, parts, queue.cap) + ceil_mul_div(item.vol * job.A[u], parts, queue.cap * job.T);
    }
  }
  const Fraction U = load[q].rounded_up();
  const Int per_U = longest_block * (queue.slice + queue.gap) + queue.gap * queue.slice;
  const Int light = ceil_mul_div(ceil_mul_div(U.n, per_U * finer, U.d), grid, queue.slice * queue.cap);
  sliced[q] = sum + (queue.resident ? std::min(light, ceil_mul_div(*queue.resident, parts, queue.cap)) : light);
}

void System::set_falling(std::size_t q) {
  for (const Job& job : jobs) {
    for (std::size_t u = 0; u < job.items.size(); ++u) {
      const Item& item = job.items[u];
      const Int end = job.T - item.key + job.A[u];
      if (item.queue == q && item.vol > 0) falling[q][job.T].push_back({end, item.vol, item.vol * end});
    }
  }
  for (auto& [T, nodes] : falling[q]) {
    std::sort(nodes.begin(), nodes.end(), [](const Falling& a, const Falling& b) { return a.end < b.end; });
    for (std::size_t i = nodes.size() - 1; i-- > 0;) {
      nodes[i].vol += nodes[i + 1].vol;
      nodes[i].product += nodes[i + 1].product;
    }
  }
}

/// T10j, and T12j with A_u + J_u for A_u in the sum and F_u + J_u for F_u: if U <= cap, F_v >= A_v + (carry + sum vol_u (1 + A_u/T_u) -
/// s_v)/cap + e_v.
Int T10j(const System& system, std::size_t k, std::size_t v) {
  const Job& job = system.jobs[k];
  const Item& item = job.items[v];
  const Queue& queue = system.queues[item.queue];
  const auto& late = system.late[item.queue];
  need(queue.order == Order::fifo && queue.gap == Int(0) && late, "T10j needs a FIFO pool with U <= its capacity");
  return job.A[v] - system.lateness(job) + item.e + ceil_div(*late + ceil_mul_div(-item.s, system.grid, queue.cap), system.grid);
}

/// T14j: if U_w <= g alpha, alpha = S/(S + G), F_v >= A_v + ((carry + sum vol_u (1 + A_u/T_u) - s_v)/g + e_v)/alpha + G.
Int T14j(const System& system, std::size_t k, std::size_t v) {
  const Item& item = system.jobs[k].items[v];
  const Queue& queue = system.queues[item.queue];
  const auto& sliced = system.sliced[item.queue];
  need(sliced.has_value(), "T14j needs a GPU with time slices and U_w <= g S/(S + G)");
  const Int parts = system.grid * finer;
  const Int served = *sliced + ceil_mul_div(-item.s, parts, queue.cap) + item.e * parts;
  return system.jobs[k].A[v] + ceil_mul_div(served, queue.slice + queue.gap, parts * queue.slice) + queue.gap;
}

/// T10g, and T12j, likewise: if U <= m, F_v >= A_v + (carry + sum C_u max(0, 1 - (Y_u - Y_v + A_v - A_u)/T_u))/m + (m-1)/m C_v.
Int T10g(const System& system, std::size_t k, std::size_t v) {
  const Job& job = system.jobs[k];
  const Item& item = job.items[v];
  const Queue& queue = system.queues[item.queue];
  const auto& late = system.late[item.queue];
  need(queue.order == Order::gel && late, "T10g needs a preemptive GEL pool with U <= m");
  const Int A = job.A[v] - system.lateness(job);
  const Int from = A - item.key;
  Load demand;  // rounded once
  for (const auto& [T, nodes] : system.falling[item.queue]) {
    const auto first = std::upper_bound(nodes.begin(), nodes.end(), from, [](Int x, const System::Falling& node) { return x < node.end; });
    if (first != nodes.end()) demand.add(first->product - from * first->vol, T);
  }
  const Fraction exact = demand.rounded_up();
  const Int sum = *late + system.in_grid((queue.cap - 1) * item.e, item.queue) + ceil_mul_div(exact.n, system.grid, exact.d * queue.cap);
  return A + ceil_div(sum, system.grid);
}

}  // namespace checker
