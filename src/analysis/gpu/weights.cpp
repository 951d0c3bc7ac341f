#include "rta/analysis/gpu/weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "analysis/lp/linear_program.hpp"

namespace rta::analysis::fifo {
namespace {

constexpr double tolerance = 1e-8;                  // of the linear program; what it lets through is made up for in integers
constexpr double rounded_scale = 4294967296.0;      // densities of rounded weights: 2^-32 of an SM's weight per G-thread
constexpr std::int64_t most_denominator = 1 << 12;  // of a weight taken for a fraction
constexpr Wide most_scale = Wide{1} << 45;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<Wide> values(const Sm& sm, std::span<const Wide> density) {
  std::vector<Wide> value(density.size());
  for (std::size_t c = 0; c < density.size(); ++c) {
    value[c] = checked_mul(density[c], static_cast<Wide>(sm.demand()[c][Resource::threads]));
  }
  return value;
}

struct Fraction {
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
};

// The first convergent of x's continued fraction within the tolerance.
std::optional<Fraction> small_fraction(double x) {
  if (!(x < 1e6)) return std::nullopt;
  std::int64_t n0 = 1, d0 = 0;
  auto whole = static_cast<std::int64_t>(std::floor(x));
  std::int64_t n1 = whole, d1 = 1;
  double rest = x - static_cast<double>(whole);
  while (std::abs(static_cast<double>(n1) / static_cast<double>(d1) - x) > tolerance) {
    if (rest < 1e-12) return std::nullopt;
    const double inverse = 1 / rest;
    if (inverse > static_cast<double>(most_denominator)) return std::nullopt;
    whole = static_cast<std::int64_t>(inverse);
    rest = inverse - static_cast<double>(whole);
    n0 = std::exchange(n1, whole * n1 + n0);
    d0 = std::exchange(d1, whole * d1 + d0);
    if (d1 > most_denominator) return std::nullopt;
  }
  return Fraction{n1, d1};
}

// Densities that make every weight the small fraction it seems to be.
std::optional<std::vector<Wide>> fractional_densities(const Sm& sm, std::span<const double> w) {
  std::vector<Fraction> fraction(w.size());
  Wide scale = 1;  // common multiple of the denominators of w_c / H_c
  for (std::size_t c = 0; c < w.size(); ++c) {
    const auto f = small_fraction(std::max(w[c], 0.0));
    if (!f) return std::nullopt;
    fraction[c] = *f;
    const Wide H = static_cast<Wide>(sm.demand()[c][Resource::threads]);
    const Wide denominator = H / gcd(H, std::max<Wide>(f->numerator, 1)) * f->denominator;
    scale = scale / gcd(scale, denominator) * denominator;
    if (scale > most_scale) return std::nullopt;
  }
  std::vector<Wide> density(w.size());
  for (std::size_t c = 0; c < w.size(); ++c) {
    density[c] = scale * fraction[c].numerator / (static_cast<Wide>(sm.demand()[c][Resource::threads]) * fraction[c].denominator);
  }
  return density;
}

}  // namespace

std::optional<Weights> weigh(const Sm& sm, std::vector<Wide> density) {
  const Wide divisor = std::accumulate(density.begin(), density.end(), Wide{0}, [](Wide a, Wide b) { return gcd(a, b); });
  if (divisor == 0) return std::nullopt;
  for (Wide& d : density) d /= divisor;
  auto worst = sm.least_blocking<Wide>(values(sm, density));
  if (!worst || worst->value <= 0) return std::nullopt;
  Weights weights;
  weights.density = std::move(density);
  weights.guaranteed = worst->value;
  weights.worst = std::move(*worst);
  return weights;
}

std::optional<Weights> occupancy_weights(const Sm& sm) { return weigh(sm, std::vector<Wide>(sm.demand().size(), 1)); }

std::optional<Weights> exact_weights(const Sm& sm, std::span<const double> w) {
  if (auto density = fractional_densities(sm, w)) return weigh(sm, std::move(*density));
  std::vector<Wide> density(w.size());
  for (std::size_t c = 0; c < w.size(); ++c) {
    const double scaled = std::max(w[c], 0.0) / static_cast<double>(sm.demand()[c][Resource::threads]) * rounded_scale;
    if (!(scaled < 1e18)) return std::nullopt;
    density[c] = static_cast<Wide>(std::llround(scaled));
  }
  return weigh(sm, std::move(density));
}

// Columns 1 .. n are w, n + 1 is K, n + 2 is K'. Row 1 is the load; all others are constraints found so far.
struct WeightProgram::Program {
  LinearProgram lp;

  int add_row(double low, double high, std::span<const double> coefficient) {
    for (std::size_t c = 0; c < coefficient.size(); ++c) lp.term(static_cast<int>(c) + 1, coefficient[c]);
    return lp.row(low, high);
  }
};

WeightProgram::WeightProgram(const Sm& sm, std::span<const double> load, double g, std::span<const double> longest)
    : sm_(sm), load_(load.begin(), load.end()), longest_(longest.begin(), longest.end()), g_(g), program_(std::make_unique<Program>()) {
  const std::size_t n = load_.size();
  for (std::size_t j = 0; j < n + 2; ++j) program_->lp.column(0, infinity);
  program_->add_row(-infinity, infinity, load_);
  // To start with: SMs full of blocks of one class.
  std::vector<double> row(n, 0.0);
  for (Resource r : sm.binding()) {
    if (sm.enough(r) == 0) continue;
    for (std::size_t c = 0; c < n; ++c) {
      const std::uint64_t d = sm.demand()[c][r];
      if (d == 0) continue;
      const std::uint64_t blocks = (sm.capacity()[r] - sm.enough(r)) / d + 1;
      row[c] = static_cast<double>(blocks);
      program_->add_row(1, infinity, row);
      row[c] = 0;
    }
  }
}

WeightProgram::~WeightProgram() = default;

std::optional<std::vector<double>> WeightProgram::least_load() {
  const double largest = *std::max_element(load_.begin(), load_.end());
  if (!std::isfinite(largest)) return std::nullopt;
  LinearProgram& lp = program_->lp;
  lp.row_bounds(1, -infinity, infinity);
  const std::size_t n = load_.size();
  for (std::size_t c = 0; c < n; ++c) lp.cost(static_cast<int>(c) + 1, largest > 0 ? load_[c] / largest : 1);
  lp.cost(static_cast<int>(n) + 1, 0);
  lp.cost(static_cast<int>(n) + 2, 0);
  return solve(false);
}

std::optional<std::vector<double>> WeightProgram::minimise(std::span<const double> cost, double per_K, double per_K_room) {
  const std::size_t n = load_.size();
  double largest = std::max(per_K, per_K_room);
  for (double c : cost) largest = std::max(largest, std::abs(c));
  if (!(largest > 0) || !std::isfinite(largest)) return std::nullopt;
  LinearProgram& lp = program_->lp;
  lp.row_bounds(1, -infinity, g_);
  for (std::size_t c = 0; c < n; ++c) lp.cost(static_cast<int>(c) + 1, cost[c] / largest);
  lp.cost(static_cast<int>(n) + 1, per_K / largest);
  lp.cost(static_cast<int>(n) + 2, per_K_room / largest);
  return solve(per_K > 0 || per_K_room > 0);
}

std::optional<std::vector<double>> WeightProgram::solve(bool with_carry) {
  const std::size_t n = load_.size();
  std::vector<double> w(n), value(n), row(n + 2, 0.0);
  LinearProgram::Effort effort{LinearProgram::Method::primal, false, most_iterations};
  for (int round = 0; round < most_solutions; ++round) {
    if (!program_->lp.solve(effort)) {
      if (program_->lp.gave_up()) ended_by_ = LeftOut::Limit::steps;
      return std::nullopt;
    }
    effort.method = LinearProgram::Method::dual;  // new constraints leave the basis dual feasible
    for (std::size_t c = 0; c < n; ++c) w[c] = std::max(0.0, program_->lp.value(static_cast<int>(c) + 1));
    bool complete = true;
    for (Resource r : sm_.binding()) {
      const auto least = sm_.least_blocking<double>(w, r);
      if (!least || least->value > 1 - tolerance) continue;
      std::transform(least->configuration.begin(), least->configuration.end(), row.begin(), [](auto x) { return static_cast<double>(x); });
      row[n] = row[n + 1] = 0;
      program_->add_row(1, infinity, row);
      complete = false;
    }
    if (with_carry) {
      for (std::size_t c = 0; c < n; ++c) value[c] = w[c] * longest_[c];
      for (const bool room : {false, true}) {
        Configuration x;
        const double most = room ? sm_.most_non_blocking<double>(value, &x) : sm_.most<double>(value, &x);
        const std::size_t column = room ? n + 1 : n;
        if (most <= program_->lp.value(static_cast<int>(column) + 1) + tolerance * (1 + most)) continue;
        for (std::size_t c = 0; c < n; ++c) row[c] = -static_cast<double>(x[c]) * longest_[c];
        row[n] = row[n + 1] = 0;
        row[column] = 1;
        program_->add_row(0, infinity, row);
        complete = false;
      }
    }
    if (complete) return w;
  }
  ended_by_ = LeftOut::Limit::rounds;
  return w;
}

}  // namespace rta::analysis::fifo
