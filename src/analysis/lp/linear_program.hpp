// A linear program in GLPK. What it answers steers searches; no bound depends on it.
#pragma once

#include <chrono>
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
  void cost(int column, double cost);
  /// The cost of all columns becomes 0, but for this one's, which becomes 1.
  void minimise_only(int column);
  void bounds(int column, double low, double high);

  /// Adds to the row under way; zeros are left out. No column may occur twice in a row.
  void term(int column, double coefficient);
  /// Closes the row under way: low <= sum <= high; an infinite end is open. Returns its number.
  int row(double low, double high);
  void row_bounds(int row, double low, double high);

  enum class Method { primal, dual };
  struct Effort {
    Method method = Method::dual;
    bool presolve = false;  // afresh; else from the last solution
    std::optional<std::chrono::milliseconds> time;
    std::optional<int> iterations;
  };
  /// True if an optimum was found. A start that turns out singular is tried again from the standard basis.
  [[nodiscard]] bool solve(const Effort& effort);
  /// In the last solution.
  [[nodiscard]] double value(int column) const;

 private:
  struct Problem;
  std::unique_ptr<Problem> problem_;
  std::vector<int> columns_;  // of the row under way
  std::vector<double> coefficients_;
};

}  // namespace rta::analysis
