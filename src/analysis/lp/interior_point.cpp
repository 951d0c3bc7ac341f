#include "analysis/lp/interior_point.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rta::analysis {
namespace {

constexpr int most_steps = 100;
constexpr double good_gap = 1e-12;
constexpr double sufficient_gap = 1e-7;

class InnerMethod {
 public:
  InnerMethod(const RowProgram& program, NewtonSystem& system) : program_(program), system_(system) {}

  bool start() {
    const std::size_t n = program_.columns();
    double size = 1, price = 0;
    for (const double h : program_.least) size = std::max(size, std::abs(h));
    for (const double c : program_.cost) price = std::max(price, std::abs(c));
    if (price == 0) price = 1;
    point_.x.resize(n);
    point_.to_low.assign(n, 0);
    point_.to_high.assign(n, 0);
    above_.resize(n);
    below_.resize(n);
    for (std::size_t j = 0; j < n; ++j) {
      const double low = program_.low[j], high = program_.high[j];
      if (!(low < high)) return false;
      const bool has_low = std::isfinite(low), has_high = std::isfinite(high);
      point_.x[j] = has_low && has_high ? (low + high) / 2 : has_low ? low + size : has_high ? high - size : 0;
      above_[j] = point_.x[j] - low;
      below_[j] = high - point_.x[j];
      if (has_low) point_.to_low[j] = price;
      if (has_high) point_.to_high[j] = price;
    }
    slack_.resize(program_.rows());
    point_.dual.resize(program_.rows());
    for (std::size_t i = 0; i < program_.rows(); ++i) {
      slack_[i] = program_.equal[i] ? 0 : std::max(size, std::abs(sum(i, point_.x) - program_.least[i]));
      point_.dual[i] = program_.equal[i] ? 0 : price;
    }
    return true;
  }

  /// The point with the least gap on the way.
  std::optional<InteriorPoint> run() {
    std::optional<InteriorPoint> best;
    int worse = 0;
    for (point_.steps = 0; point_.steps < most_steps; ++point_.steps) {
      residuals();
      if (!std::isfinite(point_.gap)) break;
      if (!best || point_.gap < best->gap) {
        best = point_;
        worse = 0;
      } else if (best->gap < sufficient_gap && ++worse == 5) {
        break;
      }
      if (best->gap <= good_gap) break;
      step();
    }
    if (best && best->gap > sufficient_gap) best.reset();
    return best;
  }

 private:
  struct Direction {
    std::vector<double> dx, dslack, ddual, dlow, dhigh;
  };
  struct Room {  // for a step
    double primal = 1;
    double dual = 1;
  };

  [[nodiscard]] double sum(std::size_t i, const std::vector<double>& x) const {
    double total = 0;
    for (const auto& term : program_.row(i)) total += term.coefficient * x[static_cast<std::size_t>(term.column)];
    return total;
  }

  /// Of all pairs of a distance and what presses there: visit(distance, press, its step, the press's step).
  template <class Visit>
  void pairs(const Direction& d, Visit&& visit) const {
    for (std::size_t j = 0; j < program_.columns(); ++j) {
      if (std::isfinite(program_.low[j])) visit(above_[j], point_.to_low[j], d.dx[j], d.dlow[j]);
      if (std::isfinite(program_.high[j])) visit(below_[j], point_.to_high[j], -d.dx[j], d.dhigh[j]);
    }
    for (std::size_t i = 0; i < program_.rows(); ++i) {
      if (!program_.equal[i]) visit(slack_[i], point_.dual[i], d.dslack[i], d.ddual[i]);
    }
  }

  void residuals() {
    const std::size_t n = program_.columns();
    lack_.resize(program_.rows());
    lack_price_ = program_.cost;
    double infeasible = 0, largest = 1, objective = 0, product = 0;
    for (std::size_t i = 0; i < program_.rows(); ++i) {
      lack_[i] = program_.least[i] + slack_[i] - sum(i, point_.x);
      infeasible = std::max(infeasible, std::abs(lack_[i]));
      largest = std::max(largest, std::abs(program_.least[i]));
      product += slack_[i] * point_.dual[i];
      for (const auto& term : program_.row(i)) lack_price_[static_cast<std::size_t>(term.column)] -= term.coefficient * point_.dual[i];
    }
    double mispriced = 0, price = 1;
    for (std::size_t j = 0; j < n; ++j) {
      lack_price_[j] += point_.to_high[j] - point_.to_low[j];
      mispriced = std::max(mispriced, std::abs(lack_price_[j]));
      price = std::max(price, std::abs(program_.cost[j]));
      objective += program_.cost[j] * point_.x[j];
      if (std::isfinite(program_.low[j])) product += above_[j] * point_.to_low[j];
      if (std::isfinite(program_.high[j])) product += below_[j] * point_.to_high[j];
    }
    const double relative = std::abs(product) / (1 + std::abs(objective));
    point_.gap = std::isfinite(relative) ? std::max({infeasible / largest, mispriced / price, relative}) : relative;
  }

  /// Towards products of `aim` less what the direction `before` would add to them.
  [[nodiscard]] Direction direction(double aim, const Direction* before) const {
    const std::size_t n = program_.columns(), rows = program_.rows();
    Direction d{{}, std::vector<double>(rows), std::vector<double>(rows), std::vector<double>(n), std::vector<double>(n)};
    std::vector<double> p(n), q, row(rows), low(n), high(n);
    for (std::size_t j = 0; j < n; ++j) {
      p[j] = -lack_price_[j];
      if (std::isfinite(program_.low[j])) {
        const double room = above_[j];
        low[j] = (aim - room * point_.to_low[j] - (before ? before->dx[j] * before->dlow[j] : 0)) / room;
        p[j] += low[j];
      }
      if (std::isfinite(program_.high[j])) {
        const double room = below_[j];
        high[j] = (aim - room * point_.to_high[j] + (before ? before->dx[j] * before->dhigh[j] : 0)) / room;
        p[j] -= high[j];
      }
    }
    for (std::size_t i = 0; i < rows; ++i) {
      if (program_.equal[i]) continue;
      row[i] = aim - slack_[i] * point_.dual[i] - (before ? before->dslack[i] * before->ddual[i] : 0);
      if (system_.is_dense(i)) continue;
      const double pull = (row[i] + point_.dual[i] * lack_[i]) / slack_[i];
      for (const auto& term : program_.row(i)) p[static_cast<std::size_t>(term.column)] += term.coefficient * pull;
    }
    for (const int k : system_.dense_rows()) {
      const auto i = static_cast<std::size_t>(k);
      q.push_back(lack_[i] + (program_.equal[i] ? 0 : row[i] / point_.dual[i]));
    }
    auto solution = system_.solve(p, q);
    d.dx = std::move(solution.dx);
    for (std::size_t k = 0; k < solution.dy.size(); ++k) d.ddual[static_cast<std::size_t>(system_.dense_rows()[k])] = solution.dy[k];
    for (std::size_t i = 0; i < rows; ++i) {
      if (program_.equal[i]) continue;
      d.dslack[i] = sum(i, d.dx) - lack_[i];
      if (!system_.is_dense(i)) d.ddual[i] = (row[i] - point_.dual[i] * d.dslack[i]) / slack_[i];
    }
    for (std::size_t j = 0; j < n; ++j) {
      if (std::isfinite(program_.low[j])) d.dlow[j] = low[j] - point_.to_low[j] * d.dx[j] / above_[j];
      if (std::isfinite(program_.high[j])) d.dhigh[j] = high[j] + point_.to_high[j] * d.dx[j] / below_[j];
    }
    return d;
  }

  [[nodiscard]] Room room(const Direction& d) const {
    Room room{1 / .9995, 1 / .9995};
    pairs(d, [&](double distance, double press, double step, double pressing) {
      if (step < 0) room.primal = std::min(room.primal, -distance / step);
      if (pressing < 0) room.dual = std::min(room.dual, -press / pressing);
    });
    return {.9995 * room.primal, .9995 * room.dual};
  }

  void step() {
    const std::size_t n = program_.columns(), rows = program_.rows();
    std::vector<double> diagonal(n), weight(rows);
    for (std::size_t j = 0; j < n; ++j) {
      if (std::isfinite(program_.low[j])) diagonal[j] += point_.to_low[j] / above_[j];
      if (std::isfinite(program_.high[j])) diagonal[j] += point_.to_high[j] / below_[j];
    }
    for (std::size_t i = 0; i < rows; ++i) {
      if (!program_.equal[i]) weight[i] = system_.is_dense(i) ? slack_[i] / point_.dual[i] : point_.dual[i] / slack_[i];
    }
    system_.prepare(diagonal, weight);
    const Direction ahead = direction(0, nullptr);
    const Room far = room(ahead);
    double now = 0, then = 0, count = 0;
    pairs(ahead, [&](double distance, double press, double step, double pressing) {
      now += distance * press;
      then += (distance + far.primal * step) * (press + far.dual * pressing);
      ++count;
    });
    const double left = then / now;
    const Direction d = direction(left * left * left * now / count, &ahead);
    const Room length = room(d);
    for (std::size_t j = 0; j < n; ++j) {
      const double step = length.primal * d.dx[j];
      point_.x[j] += step;
      above_[j] += step;
      below_[j] -= step;
      point_.to_low[j] += length.dual * d.dlow[j];
      point_.to_high[j] += length.dual * d.dhigh[j];
    }
    for (std::size_t i = 0; i < rows; ++i) {
      slack_[i] += length.primal * d.dslack[i];
      point_.dual[i] += length.dual * d.ddual[i];
    }
  }

  const RowProgram& program_;
  NewtonSystem& system_;
  InteriorPoint point_;
  std::vector<double> above_, below_;  // each column's low end, its high end: own numbers, for differences would round to 0
  std::vector<double> slack_;
  std::vector<double> lack_, lack_price_;  // of feasibility, by row and by column
};

}  // namespace

std::optional<InteriorPoint> interior_point(const RowProgram& program) {
  auto system = NewtonSystem::of(program);
  if (!system) return std::nullopt;
  InnerMethod method(program, *system);
  if (!method.start()) return std::nullopt;
  return method.run();
}

}  // namespace rta::analysis
