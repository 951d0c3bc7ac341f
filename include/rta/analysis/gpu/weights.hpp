// T6's weights: a small linear program chooses them, exact integers carry them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rta/analysis/gpu/configuration.hpp"
#include "rta/analysis/left_out.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis::fifo {

/// Weights w_c = H_c density_c / guaranteed, as integers: one G-thread of class c is worth density_c, and an SM in a blocking
/// configuration holds at least `guaranteed`. Density 1 everywhere is occupancy (T5, T6a), with `guaranteed` in G-threads.
struct Weights {
  std::vector<Wide> density;  // per class, >= 0
  Wide guaranteed = 0;        // min over blocking x of sum x_c H_c density_c; > 0
  LeastBlocking<Wide> worst;  // a blocking configuration that holds no more
};

/// The weights with these densities; none when they guarantee nothing. Throws `Overflow`.
[[nodiscard]] std::optional<Weights> weigh(const Sm& sm, std::vector<Wide> density);
/// T6a.
[[nodiscard]] std::optional<Weights> occupancy_weights(const Sm& sm);
/// Integers for weights found in floating point: small fractions where w is one (so that a load of exactly 100 % is decided exactly), else
/// rounded. Whatever `w` is, the result is safe: `guaranteed` is computed from the integers.
[[nodiscard]] std::optional<Weights> exact_weights(const Sm& sm, std::span<const double> w);

/// T6b's linear program over w >= 0: sum x_c w_c >= 1 for every blocking x, sum load_c w_c <= g. The constraints are generated as they are
/// violated (minimum knapsack covers). Its answers only steer.
class WeightProgram {
 public:
  /// `load[c]` = sum of L B / T over class c; `longest[c]`: the longest L of class c relative to the longest of all.
  WeightProgram(const Sm& sm, std::span<const double> load, double g, std::span<const double> longest);
  ~WeightProgram();
  WeightProgram(const WeightProgram&) = delete;
  WeightProgram& operator=(const WeightProgram&) = delete;

  /// The weights that load the pool least, whatever g is.
  [[nodiscard]] std::optional<std::vector<double>> least_load();
  /// Minimises sum cost_c w_c + per_K K + per_K_room K', where K bounds the counted work of a feasible configuration and K' that of a
  /// non-blocking one, in units of the longest L. None when no weights carry the load or the solver gives up.
  [[nodiscard]] std::optional<std::vector<double>> minimise(std::span<const double> cost, double per_K = 0, double per_K_room = 0);

  /// What ended some program before its end, if anything did: rounds or steps. A better answer may be possible.
  [[nodiscard]] std::optional<LeftOut::Limit> ended_by() const { return ended_by_; }
  static constexpr int most_solutions = 200;      // of one program, each with new constraints
  static constexpr int most_iterations = 20'000;  // of the simplex method for each

 private:
  struct Program;
  [[nodiscard]] std::optional<std::vector<double>> solve(bool with_carry);

  const Sm& sm_;
  std::vector<double> load_, longest_;
  double g_;
  std::optional<LeftOut::Limit> ended_by_;
  std::unique_ptr<Program> program_;
};

}  // namespace rta::analysis::fifo
