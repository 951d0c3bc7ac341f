// The search for T6b's weights, in floating point: it only steers.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "analysis/gpu/fifo_level.hpp"

namespace rta::analysis::fifo {
namespace {

constexpr double inside = 1 - 1e-9;  // of the capacity: room for rounding
constexpr int most_programs = 2000;

// Sums over the tasks of each class, per unit of weight.
struct ClassLoads {
  std::vector<double> load;        // sum L B / T of the counted tasks
  std::vector<double> above;       // the same, tasks of higher priority
  std::vector<double> released;    // sum L B (1 + J/T) of the counted tasks, ns
  std::vector<double> longest;     // L of any task, ns
  std::vector<double> shortest_k;  // L of the tasks to be bounded, ns
  std::vector<double> longest_k;   // the same; < 0: there is none
  std::vector<double> sum_k;       // their sum
  double L_max = 0;
  double bounded = 0;  // how many tasks are to be bounded
};

ClassLoads class_loads(const Kernels& kernels, const Level& level) {
  const std::size_t n = kernels.classes.demand.size();
  ClassLoads s;
  s.load.assign(n, 0.0);
  s.above = s.released = s.longest = s.sum_k = s.load;
  s.shortest_k.assign(n, std::numeric_limits<double>::infinity());
  s.longest_k.assign(n, -1.0);
  for (std::size_t i = 0; i < kernels.tasks.size(); ++i) {
    const Task& t = kernels.tasks[i];
    const std::size_t c = kernels.classes.of[i];
    const double L = static_cast<double>(t.C.count()) / t.H;
    const double load = L * static_cast<double>(t.B) / static_cast<double>(t.T.count());
    s.longest[c] = std::max(s.longest[c], L);
    s.L_max = std::max(s.L_max, L);
    if (level.counts(i)) {
      s.load[c] += load;
      s.released[c] += L * static_cast<double>(t.B) + load * static_cast<double>(t.J.count());
    }
    if (level.above(i)) s.above[c] += load;
    if (level.bounds(i)) {
      s.shortest_k[c] = std::min(s.shortest_k[c], L);
      s.longest_k[c] = std::max(s.longest_k[c], L);
      s.sum_k[c] += L;
      s.bounded += 1;
    }
  }
  return s;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}

class LevelSearch {
 public:
  using Point = std::vector<double>;

  LevelSearch(WeightProgram& program, const ClassLoads& loads) : program_(program), loads_(loads) {}

  // Whatever carries the load at the least load.
  void add(const Point& w) {
    const auto same = [&](const Point& p) {
      return std::equal(p.begin(), p.end(), w.begin(), [](double x, double y) { return std::abs(x - y) < 1e-9; });
    };
    if (std::none_of(points_.begin(), points_.end(), same)) points_.push_back(w);
  }

  std::optional<Point> solve(const Point& cost, double per_K, double per_K_room) {
    spent_ = programs_ == most_programs;
    if (spent_) return std::nullopt;
    ++programs_;
    auto w = program_.minimise(cost, per_K, per_K_room);
    if (w) add(*w);
    return w;
  }

  // The best weights for every task of class c: the bound's numerator is base w - L_k w_c, linear in L_k, and its minimum over w is
  // concave in L_k; so weights that are best for two values of L_k are best between them.
  void per_task(std::size_t c, const Point& base, double per_K, double per_K_room) {
    const auto at = [&](double L) {
      Point cost = base;
      cost[c] -= L;
      return solve(cost, per_K, per_K_room);
    };
    const double low = loads_.shortest_k[c], high = loads_.longest_k[c];
    const auto first = at(low);
    if (!first || high <= low) return;
    const auto last = at(high);
    if (!last || per_K > 0) return;
    const std::function<void(const Point&, const Point&, int)> between = [&](const Point& a, const Point& b, int depth) {
      const double fall = b[c] - a[c];
      if (depth == 0 || fall < 1e-7) return;
      const double L = (dot(base, b) - dot(base, a)) / fall;  // where a and b are equally good
      if (!(L > low && L < high)) return;
      const auto middle = at(L);
      if (!middle) return;
      const double value = dot(base, *middle) - L * (*middle)[c], known = dot(base, a) - L * a[c];
      if (value > known - 1e-7 * std::abs(known)) return;
      between(a, *middle, depth - 1);
      between(*middle, b, depth - 1);
    };
    between(*first, *last, 4);
  }

  [[nodiscard]] const std::vector<Point>& points() const { return points_; }
  /// Whether there was a program more to solve than may be.
  [[nodiscard]] bool spent() const { return spent_; }

 private:
  WeightProgram& program_;
  const ClassLoads& loads_;
  std::vector<Point> points_;
  int programs_ = 0;
  bool spent_ = false;
};

}  // namespace

std::vector<Weights> Level::best_weights(bool per_task, double& least, std::vector<LeftOut>& left_out) const {
  least = std::numeric_limits<double>::quiet_NaN();
  const ClassLoads loads = class_loads(kernels_, *this);
  const std::size_t n = loads.load.size();
  std::vector<double> longest(n);
  for (std::size_t c = 0; c < n; ++c) longest[c] = loads.L_max > 0 ? loads.longest[c] / loads.L_max : 0;
  const double g = kernels_.g;
  WeightProgram program(sm_, loads.load, g * inside, longest);
  LevelSearch search(program, loads);
  if (const auto w = program.least_load()) {
    search.add(*w);
    least = dot(loads.load, *w) / g;
  }
  if (least < inside && loads.L_max > 0) {
    // Numerator of the bound: with carry (b), with carry (a), or above the lowest priority with g K; below the highest the rate g - U_>
    // depends on w too, so add rho U_>, rho being the ratio found so far (Dinkelbach's method).
    std::vector<double> light(n), resident(n);
    double rho = 0;
    const auto most_counted = [&](std::vector<double> w) {  // K
      for (std::size_t c = 0; c < n; ++c) w[c] *= loads.longest[c];
      return sm_.most<double>(w);
    };
    for (int round = 0; round < (next_above() ? 3 : 1); ++round) {
      for (std::size_t c = 0; c < n; ++c) {
        resident[c] = loads.released[c] + rho * loads.above[c];
        light[c] = resident[c] + loads.L_max * loads.load[c];
      }
      const auto for_all = [&](std::vector<double> cost) {
        for (std::size_t c = 0; c < n; ++c) cost[c] -= loads.sum_k[c] / loads.bounded;
        return cost;
      };
      std::optional<std::vector<double>> w;
      w = lowest() ? search.solve(for_all(light), 0, 0) : search.solve(for_all(resident), g * loads.L_max, 0);
      if (next_above() && w) {
        const double carry = lowest() ? loads.L_max * dot(loads.load, *w) : g * most_counted(*w);
        rho = (dot(loads.released, *w) + carry) / std::max(g - dot(loads.above, *w), 1e-9);
      }
      // Carry (a) is the smaller one only for weights with U_w > g - 1 (K >= L_max, as an SM full of the longest blocks is blocking).
      const bool near_full = least > 0.9 * (g - 1) / g;
      if (lowest() && near_full) {
        search.solve(for_all(resident), (g - 1) * loads.L_max, loads.L_max);
      }
      if (!per_task) continue;
      for (std::size_t c = 0; c < n; ++c) {
        if (loads.longest_k[c] < 0) continue;
        if (!lowest()) {
          search.per_task(c, resident, g * loads.L_max, 0);
        } else {
          search.per_task(c, light, 0, 0);
          if (near_full) search.per_task(c, resident, (g - 1) * loads.L_max, loads.L_max);
        }
      }
    }
  }
  const auto leave_out = [&](LeftOut::Limit limit, int most) {
    add_left_out(left_out, LeftOut{.what = LeftOut::What::coarser,
                                   .theorems = {only() ? Theorem::T6b : Theorem::T7},
                                   .limit = limit,
                                   .most = static_cast<std::size_t>(most),
                                   .where = {}});
  };
  if (search.spent()) leave_out(LeftOut::Limit::programs, most_programs);
  if (const auto limit = program.ended_by())
    leave_out(*limit, *limit == LeftOut::Limit::rounds ? WeightProgram::most_solutions : WeightProgram::most_iterations);
  std::vector<Weights> result;
  for (const auto& w : search.points()) {
    if (auto weights = exact_weights(sm_, w)) result.push_back(std::move(*weights));
  }
  return result;
}

}  // namespace rta::analysis::fifo
