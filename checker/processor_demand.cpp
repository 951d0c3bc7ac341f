#include "processor_demand.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace checker {

Load load_of(std::span<const Task> tasks) {
  Load load;
  for (const Task& task : tasks) load.add(task.node->L * task.node->B, task.T);
  return load;
}

Int R_of(const Task& task) {
  need(task.claim != nullptr && task.claim->by != nullptr, "a task of the pool has no bound to count with");
  return task.claim->R;
}

Int releases_in(const Task& task, Int length) { return length <= 0 ? Int(0) : ceil_div(length + task.J, task.T); }

Int least_Y(std::span<const Task> tasks) {
  Int least = *tasks.front().claim->Y;
  for (const Task& task : tasks) least = std::min(least, *task.claim->Y);
  return least;
}

Int V(const Task& task, Int shift, Int grid) {
  const Int left = task.T + task.J - (*task.claim->Y - shift);
  return left <= 0 ? Int(0) : ceil_mul_div(task.node->C * left, grid, task.T);
}

namespace {

constexpr std::size_t most_points = 4'000'000;  // of a demand, and some for each task; whoever writes certificates looks at fewer
constexpr std::size_t most_points_of_a_task = 100;

/// A(x) = sum n_i(x) C_i, where it jumps, and what bounds it later: A(x) <= U x + sum V, and A(x + P) <= A(x) + U P for a common multiple P
/// of the periods, from the last first release of a task that may be late on. The second release may follow T - J after the first.
class Demand {
 public:
  Demand(std::span<const Task> tasks, Int shift, const Load& load) : U_(load.rounded_up()) {
    for (const Task& task : tasks) {
      sum_V_ += V(task, shift, fraction);
      if (task.node->C == Int(0)) continue;
      jumps_.push({*task.claim->Y - shift, task.T, task.node->C, task.J});
      if (task.J > 0) repeats_ = std::max(repeats_, *task.claim->Y - shift);
      const Int factor = floor_div(task.T, gcd(task.T, std::max<Int>(common_, 1)));
      common_ = common_ > 0 && factor < floor_div(Int(1) * (Int::Raw{1} << 100), common_) ? common_ * factor : Int(0);
    }
  }

  [[nodiscard]] bool over() const { return jumps_.empty(); }
  [[nodiscard]] Int next() const { return jumps_.top().x; }
  [[nodiscard]] Int A() const { return A_; }
  /// One task's jump.
  void jump() {
    need(++points_ < most_points + most_points_of_a_task * jumps_.size(),
         "the demand is claimed too low, or takes too many points to check");
    const Jump jump = jumps_.top();
    jumps_.pop();
    A_ += jump.C;
    jumps_.push({jump.x + jump.T - jump.sooner, jump.T, jump.C, 0});
  }
  /// The x from which on A(x) - c x is not above D, as sum V - (c - U) x is not.
  [[nodiscard]] std::optional<Int> low_from(Int c, Fraction D) const {
    const Int over = sum_V_ - floor_div(D.n * fraction, D.d);  // in 1/fraction
    if (over <= 0) return Int(0);
    const Int slack = c * U_.d - U_.n;  // (c - U) in 1/U.d
    if (slack <= 0) return std::nullopt;
    return ceil_mul_div(over, U_.d, slack * fraction);
  }
  /// P; 0: too large.
  [[nodiscard]] Int common() const { return common_; }
  /// From where on A(x + P) <= A(x) + U P.
  [[nodiscard]] Int repeats() const { return repeats_; }

 private:
  struct Jump {
    Int x, T, C, sooner;
  };
  struct Later {
    bool operator()(const Jump& a, const Jump& b) const { return a.x > b.x; }
  };
  Fraction U_;
  std::priority_queue<Jump, std::vector<Jump>, Later> jumps_;
  Int sum_V_ = 0;
  Int common_ = 1;
  Int repeats_ = 0;
  Int A_ = 0;
  std::size_t points_ = 0;
};

}  // namespace

/// T1e: D >= sup over x >= 0 of (A(x) - c x). It can only be passed where A jumps.
void check_demand(std::span<const Task> tasks, Int shift, Int c, Fraction D, const Load& load) {
  Demand demand(tasks, shift, load);
  const auto last = demand.low_from(c, D);
  need(last || demand.common() > 0, "the demand never falls below what is claimed");
  const auto ends = [&](Int x) { return (last && x >= *last) || (demand.common() > 0 && x >= demand.repeats() + demand.common()); };
  while (!demand.over() && !ends(demand.next())) {
    const Int x = demand.next();
    demand.jump();
    need((demand.A() - c * x) * D.d <= D.n, "the demand is above the one claimed");
  }
}

/// T1re: for the priority points Y' of the tasks, sup over x >= 0 of (A(x + Y') - c x). It is reached at x = 0 or where A jumps.
std::map<Int, Int> demands_from_release(std::span<const Task> tasks, Int shift, Int c, const Load& load) {
  std::map<Int, Int> largest;  // of A(z) - c z from one point to the next
  for (const Task& task : tasks) largest.emplace(*task.claim->Y - shift, 0);
  Demand demand(tasks, shift, load);
  auto passed = largest.begin();  // the first point that is not
  const auto pass = [&](Int z) {
    for (; passed != largest.end() && passed->first <= z; ++passed) passed->second = demand.A() - c * passed->first;
  };
  for (const Int last = largest.rbegin()->first; !demand.over();) {
    const Int z = demand.next();
    pass(z - 1);
    if (passed == largest.end()) {
      const auto low = demand.low_from(c, {largest.rbegin()->second, 1});
      need(low || demand.common() > 0, "the demand never falls");
      if ((low && z >= *low) || (demand.common() > 0 && z > last + demand.common())) break;
    }
    while (demand.next() == z) demand.jump();
    pass(z);
    if (passed == largest.begin()) continue;
    Int& found = std::prev(passed)->second;
    found = std::max(found, demand.A() - c * z);
  }
  pass(largest.rbegin()->first);  // all, where no task has any work
  for (auto point = largest.rbegin(); std::next(point) != largest.rend(); ++point)
    std::next(point)->second = std::max(std::next(point)->second, point->second);
  for (auto& [Y, demand_of] : largest) demand_of += c * Y;
  return largest;
}

/// T1r: for the priority points of the tasks, sum C_i max(0, 1 - (Y_i - Y - J_i)/T_i), in 1/fraction.
std::map<Int, Int> linear_demands(std::span<const Task> tasks) {
  std::map<std::pair<Int, Int>, Int> kinds;  // C by T and Y - J
  std::map<Int, Int> demands;
  for (const Task& task : tasks) {
    kinds.try_emplace({task.T, *task.claim->Y - task.J}, 0).first->second += task.node->C;
    demands.emplace(*task.claim->Y, 0);
  }
  const Int grid = grid_of(tasks, 1);
  for (auto& [Y, demand] : demands) {
    Int sum = 0;
    for (auto kind = kinds.begin(); kind != kinds.end();) {
      const Int T = kind->first.first;
      Int work = 0;  // over T
      for (; kind != kinds.end() && kind->first.first == T; ++kind) {
        const Int left = T - (kind->first.second - Y);
        if (left > 0) work += kind->second * left;
      }
      sum += ceil_mul_div(work, grid, T);
    }
    demand = ceil_div(sum, grid);
  }
  return demands;
}

/// A grid of 1/N ns on which shares of C/(m T) are whole where the periods allow it.
Int grid_of(std::span<const Task> tasks, Int m) {
  Int common = m;
  for (const Task& task : tasks) {
    common = common * floor_div(task.T * m, gcd(task.T * m, common));
    if (common > fraction) return fraction;
  }
  return common * Int(65'536);
}

}  // namespace checker
