// What a sweep computes: points x sets x analyses, in chunks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rta/generate/recipe.hpp"
#include "rta/sweep/set_analyzer.hpp"

namespace rta::sweep {

/// One combination of parameter values.
struct Point {
  std::vector<std::string> values;  // as written, one per Plan::parameters
  generate::Recipe recipe;
};

struct Plan {
  std::string text;  // the file; an output folder belongs to one text
  std::uint64_t seed = 0;
  std::uint64_t sets = 1;               // of each point
  std::vector<std::string> parameters;  // what the grid varies, e.g. `random.cpu.utilization`
  std::vector<Point> points;
  std::vector<AnalysisChoice> analyses;
  bool timing = false;  // the time that each analysis took is a column, so results differ from run to run
};

/// Part `index` of `count` of a sweep, from 1; 1 of 1 is all of it.
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t count = 1;
  [[nodiscard]] bool whole() const { return count == 1; }
  bool operator==(const Shard&) const = default;
};

/// Sets of one point that are evaluated, written and committed together.
struct Chunk {
  std::uint64_t point = 0;
  std::uint64_t first = 0;  // set
  std::uint64_t count = 0;
};

/// All chunks of a plan, point after point. Shard i of n has the chunks i - 1, i - 1 + n, ...: costs differ from point to point.
class Chunks {
 public:
  explicit Chunks(const Plan& plan, Shard shard = {});
  /// Of the shard.
  [[nodiscard]] std::uint64_t size() const;
  [[nodiscard]] Chunk operator[](std::uint64_t i) const;
  /// Sets in the first n chunks of the shard.
  [[nodiscard]] std::uint64_t sets_before(std::uint64_t n) const;

 private:
  std::uint64_t sets_, points_, per_point_;
  Shard shard_;
};

}  // namespace rta::sweep
