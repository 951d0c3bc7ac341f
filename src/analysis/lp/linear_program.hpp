// A linear program in GLPK, or by an interior point method. What it answers steers searches; no bound depends on it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

namespace rta::analysis {

/// Minimises the sum of cost x value over the columns. Silent. Columns and rows are numbered by GLPK, from 1.
class LinearProgram {
 public:
  LinearProgram();
  ~LinearProgram();
  LinearProgram(const LinearProgram&) = delete;
  LinearProgram& operator=(const LinearProgram&) = delete;

  /// A column in [low, high]; an infinite end is open.
  int column(double low, double high, double cost = 0);
  [[nodiscard]] int columns() const;
  [[nodiscard]] int rows() const;
  void cost(int column, double cost);
  /// The cost of all columns becomes 0, but for this one's, which becomes 1.
  void minimise_only(int column);
  void bounds(int column, double low, double high);

  /// Adds to the row under way; zeros are left out. No column may occur twice in a row.
  void term(int column, double coefficient);
  /// Closes the row under way: low <= sum <= high; an infinite end is open. Returns its number.
  int row(double low, double high);
  void row_bounds(int row, double low, double high);

  /// The interior point method ends near an optimum, not at a vertex, much sooner on large programs; it needs rows of one open end, or few
  /// and equal ends, and takes neither a start nor `iterations`.
  enum class Method { primal, dual, interior };
  struct Effort {
    Method method = Method::dual;
    bool presolve = false;  // afresh; else from the last solution
    std::optional<int> iterations;
  };
  /// True if an optimum was found. A start that turns out singular is tried again from the standard basis. No clock decides.
  [[nodiscard]] bool solve(const Effort& effort);
  /// Whether the last one ended by its iterations.
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  /// In the last solution.
  [[nodiscard]] double value(int column) const;

 private:
  struct Problem;
  [[nodiscard]] bool solve_inside();

  std::unique_ptr<Problem> problem_;
  bool gave_up_ = false;
  std::vector<double> inside_;  // the last solution by the interior point method, by column from 0; else empty
  std::vector<int> columns_;    // of the row under way
  std::vector<double> coefficients_;
};

}  // namespace rta::analysis
