#include "hard.hpp"

#include <algorithm>
#include <functional>

namespace checker {
namespace {

constexpr std::size_t most_terms = 400'000'000;  // of sums over tasks, for all bounds of a pool

/// N_i(L) = floor(L/T) C + min(C, L mod T): jobs that are released in the window.
Int N(Int C, Int T, Int L) {
  const Int jobs = floor_div(L, T);
  return jobs * C + std::min(C, L - jobs * T);
}
/// W_i(L) = N_i(L + F - C), in any case.
Int W(Int C, Int T, Int F, Int L) { return N(C, T, L + F - C); }
/// E_i(y) = N_i(y + F), 0 for y + F <= 0: of those that are released up to y after the window's start.
Int E(Int C, Int T, Int F, Int y) { return y + F <= 0 ? Int(0) : N(C, T, y + F); }

}  // namespace

Hard::Hard(const TaskSet& set, const Certificate& certificate, std::size_t pool) : terms_(most_terms) {
  const Pool& cpu = set.pools[pool];
  need(cpu.kind == Kind::cpu && (cpu.preemptive || cpu.scheduler == "FIFO"), "the theorem is for preemptive processors");
  need(!certificate.grouped && (certificate.release == "completion" || certificate.release == "offsets"),
       "the theorem is for nodes at offsets or on completion");
  m_ = cpu.size;
  by_priority_ = cpu.scheduler == "FP";
  need(!by_priority_ || certificate.release == "completion", "fixed priorities have bounds on completion only");
  for (std::size_t d = 0; d < set.dags.size(); ++d) {
    const Dag& dag = set.dags[d];
    for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
      const Node& node = dag.nodes[v];
      if (node.pool != pool) continue;
      const Claim& claim = certificate.claims[d][v];
      need(dag.nodes.size() == 1 && dag.J == Int(0), "the theorem is for DAGs of one node without release jitter");
      need(claim.by != nullptr, "a task of the pool has no bound");
      need(by_priority_ || cpu.scheduler == "FIFO" || claim.Y, "a task of the pool has no priority point");
      need(claim.R >= node.C && claim.R <= dag.T, "a bound is below C or above T");
      tasks_.push_back({&claim, node.C, dag.T, claim.R, claim.Y.value_or(0), node.fixed_priority});
      need(cpu.scheduler != "FIFO" || tasks_.back().Y == tasks_.front().Y, "under FIFO all priority points are equal");
    }
  }
}

void Hard::check(const Claim& claim) {
  const auto is_it = [&](const Task& task) { return task.claim == &claim; };
  const auto k = static_cast<std::size_t>(std::find_if(tasks_.begin(), tasks_.end(), is_it) - tasks_.begin());
  constexpr std::size_t hint = 7;  // word
  if (claim.rule == "T17") {
    T17();
  } else if (claim.rule == "T18") {
    try {
      T18(k, to_fraction(claim.by->word(hint)));
    } catch (const std::invalid_argument&) {
      claim.by->fail("sigma is a fraction");
    }
  } else if (claim.by->word(hint) == "release") {
    T16_release(k);
  } else if (claim.by->word(hint) == "busy") {
    by_priority_ ? T16_busy_by_priority(k) : T16_busy(k);
  } else {
    claim.by->fail("release or busy is expected");
  }
  if (claim.rule == "T16") return;
  if (claim.R < tasks_[k].Y) throw Refused("the theorem gives no less than " + to_string(tasks_[k].Y));
}

void Hard::spend(std::size_t terms) {
  need(terms <= terms_, "the inequality takes too many terms to check");
  terms_ -= terms;
}

std::size_t Hard::carriers() const { return static_cast<std::size_t>(std::min<Int>(m_ - 1, static_cast<Int::Raw>(tasks_.size())).raw()); }

Int Hard::interference(const std::vector<Work>& work, std::size_t carriers, Int B) {
  Int sum = 0;
  std::vector<Int> more;
  for (const auto& [fresh, carried] : work) {
    const Int least = std::min(fresh, B);
    sum += least;
    if (std::min(carried, B) > least) more.push_back(std::min(carried, B) - least);
  }
  const std::size_t counted = std::min(carriers, more.size());
  if (counted < more.size())
    std::nth_element(more.begin(), more.begin() + static_cast<std::ptrdiff_t>(counted), more.end(), std::greater<>());
  for (std::size_t i = 0; i < counted; ++i) sum += more[i];
  return sum;
}

/// "Excludes a waiting of more than B": sum min(w_i, B) <= m B and sum min(w_i, B + 1) < m (B + 1).
void Hard::need_excluded(const std::vector<Work>& work, std::size_t carriers, Int B) const {
  need(B >= 0 && interference(work, carriers, B) <= m_ * B && interference(work, carriers, B + 1) < m_ * (B + 1),
       "the others may keep all processors busy for longer");
}

/// T16, release: w_i = min(W_i(x), E_i(Y_k - Y_i)) for i != k excludes more than x - C_k.
void Hard::T16_release(std::size_t k) const {
  need(!by_priority_, "the window from a job's release is for priority points");
  const Int x = tasks_[k].F;
  std::vector<Work> work;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const auto& [claim, C, T, F, Y, priority] = tasks_[i];
    if (i != k) work.push_back({0, std::min(W(C, T, F, x), E(C, T, F, tasks_[k].Y - Y))});
  }
  need_excluded(work, work.size(), x - std::max<Int>(1, tasks_[k].C));
}

/// T16, busy, FP: over the i != k with pi_i >= pi_k, N_i(x), and W_i(x) for any m - 1 of them, exclude more than x - C_k.
void Hard::T16_busy_by_priority(std::size_t k) const {
  const Int x = tasks_[k].F;
  std::vector<Work> work;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const auto& [claim, C, T, F, Y, priority] = tasks_[i];
    if (i != k && priority >= tasks_[k].priority) work.push_back({N(C, T, x), W(C, T, F, x)});
  }
  need_excluded(work, carriers(), x - std::max<Int>(1, tasks_[k].C));
}

/// Of T17 and T18: GEL with 0 < Y_i <= T_i and C_i <= Y_i.
void Hard::need_points() const {
  need(!by_priority_, "the theorem is for priority points");
  for (const Task& task : tasks_)
    need(task.Y > 0 && task.Y <= task.T && task.C <= task.Y, "0 < Y <= T and C <= Y do not hold for all tasks");
}

/// T17: if sum of C_i/Y_i <= m - (m-1) max of C_i/Y_i, every job ends within Y_i.
void Hard::T17() const {
  need_points();
  Load density;
  Fraction largest;
  for (const Task& task : tasks_) {
    density.add(task.C, task.Y);
    if (task.C * largest.d > largest.n * task.Y) largest = {task.C, task.Y};
  }
  need(density.at_most(Fraction{m_ * largest.d - (m_ - 1) * largest.n, largest.d}), "the sum of C/Y is above m - (m-1) max C/Y");
}

}  // namespace checker
