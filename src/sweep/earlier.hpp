// The rows of a smaller sweep, while the folder's sweep is extended: they stand in `results.csv.earlier` until the larger one is whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "rta/sweep/plan.hpp"
#include "table.hpp"

namespace rta::sweep {

/// What is known of the sets of a chunk before any work: set by set, an outcome per analysis of the plan.
using KnownOutcomes = std::vector<std::vector<std::optional<Outcome>>>;

/// Rows in the order of points and sets, read once. A row that is not there is only computed again.
class Earlier {
 public:
  /// No file: nothing is known. Throws std::system_error when it cannot be opened.
  Earlier(const Plan& plan, const std::filesystem::path& folder);

  /// Chunks must be asked for in their order; some may be left out. Throws `UserError` for rows that are damaged.
  [[nodiscard]] KnownOutcomes of(const Chunk& chunk);

  static constexpr const char* name = "results.csv.earlier";

 private:
  friend void set_rows_aside(const Plan& plan, std::uint64_t sets, const std::filesystem::path& folder);
  void next();
  /// Leaves out the rows before a set.
  void skip_to(std::uint64_t point, std::uint64_t set);

  const Plan& plan_;
  std::filesystem::path path_;
  std::ifstream file_;
  std::string line_;
  std::uint64_t line_number_ = 0;
  std::optional<Row> row_;  // the next one
};

/// Makes what the folder's sweep has computed, finished or not, into the rows that a larger one starts from. `sets` is its number of sets
/// of each point; its points are those of the plan. A process that is killed in between leaves the folder as that sweep can go on with.
void set_rows_aside(const Plan& plan, std::uint64_t sets, const std::filesystem::path& folder);

}  // namespace rta::sweep
