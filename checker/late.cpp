// docs/theory/path.md, T10j and T10g: nodes whose latest ready times are known are sporadic tasks with jitter.
#include <algorithm>

#include "processors.hpp"
#include "system.hpp"

namespace checker {

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

/// T10j's carry on a GPU: the least over lambda in {0, L_1, L_2, ...} of lambda U_w + sum ceil(F_u/T_u) B_u w_u max(0, L_u - lambda).
Int System::carry_of_kernels(std::size_t q) const {
  struct Use {
    Int e, blocks, s, weight;
  };
  std::vector<Use> uses;
  for (const Job& job : jobs) {
    for (std::size_t u = 0; u < job.items.size(); ++u) {
      const Item& item = job.items[u];
      if (item.queue == q && item.vol > 0) uses.push_back({item.e, jobs_in(job.F[u], job.T) * item.B, item.s, item.weight});
    }
  }
  // From the longest length down: kernels no longer than lambda count nothing.
  std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) { return a.e > b.e; });
  const Fraction U = load[q].rounded_up();
  Int work = 0;    // sum of N w L over the longer ones
  Int weight = 0;  // sum of N w
  std::optional<Int> least;
  for (std::size_t i = 0; i < uses.size();) {
    const Int lambda = uses[i].e;
    const Int value = ceil_mul_div(lambda * U.n, grid, U.d * queues[q].cap) + in_grid(work - lambda * weight, q);
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

/// T10j: if U <= cap, F_v >= A_v + (carry + sum vol_u (1 + A_u/T_u) - s_v)/cap + e_v.
Int T10j(const System& system, std::size_t k, std::size_t v) {
  const Item& item = system.jobs[k].items[v];
  const Queue& queue = system.queues[item.queue];
  const auto& late = system.late[item.queue];
  need(queue.order == Order::fifo && late, "T10j needs a FIFO pool with U <= its capacity");
  return system.jobs[k].A[v] + item.e + ceil_div(*late + ceil_mul_div(-item.s, system.grid, queue.cap), system.grid);
}

/// T10g: if U <= m, F_v >= A_v + (carry + sum C_u max(0, 1 - (Y_u - Y_v + A_v - A_u)/T_u))/m + (m-1)/m C_v.
Int T10g(const System& system, std::size_t k, std::size_t v) {
  const Item& item = system.jobs[k].items[v];
  const Queue& queue = system.queues[item.queue];
  const auto& late = system.late[item.queue];
  need(queue.order == Order::gel && late, "T10g needs a preemptive GEL pool with U <= m");
  const Int from = system.jobs[k].A[v] - item.key;
  Load demand;  // rounded once
  for (const auto& [T, nodes] : system.falling[item.queue]) {
    const auto first = std::upper_bound(nodes.begin(), nodes.end(), from, [](Int x, const System::Falling& node) { return x < node.end; });
    if (first != nodes.end()) demand.add(first->product - from * first->vol, T);
  }
  const Fraction exact = demand.rounded_up();
  const Int sum = *late + system.in_grid((queue.cap - 1) * item.e, item.queue) + ceil_mul_div(exact.n, system.grid, exact.d * queue.cap);
  return system.jobs[k].A[v] + ceil_div(sum, system.grid);
}

}  // namespace checker
