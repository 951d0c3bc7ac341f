// `grid:` of a sweep file: axes of values that replace values elsewhere in the file.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "io/fields.hpp"

namespace rta::sweep {

/// Parameters that vary together: value k of each.
struct Axis {
  std::vector<std::string> parameters;                // paths like random.cpu.utilization
  std::vector<std::vector<const io::Value*>> values;  // of each parameter; all equally many
  [[nodiscard]] std::size_t size() const { return values.empty() ? 0 : values.front().size(); }
};

/// The grid of a file. Refers to the file's tree, which must outlive it.
class Grid {
 public:
  /// Reads the axes; reports what is wrong, and parameters that `top` does not have.
  Grid(const io::Value& grid, const io::Value& top, io::Diagnostics& out);
  /// No axes: one point.
  Grid() = default;

  [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }
  /// The product of the axes' sizes; saturates at 2^63.
  [[nodiscard]] std::uint64_t points() const;
  /// The values of point p, one per parameter of all axes; the last axis varies fastest.
  [[nodiscard]] std::vector<const io::Value*> at(std::uint64_t p) const;
  [[nodiscard]] std::vector<std::string> parameters() const;

 private:
  std::vector<const io::Value*> read_values(const io::Value& value, const std::string& parameter, io::Diagnostics& out);
  std::vector<const io::Value*> read_steps(const io::Value& value, const std::string& parameter, io::Diagnostics& out);

  std::vector<Axis> axes_;
  std::deque<std::string> texts_;  // of the values of from-to-step ranges
  std::deque<io::Value> made_;
  std::deque<std::vector<io::Value>> kept_;  // one-parameter axes taken out of a mapping
};

/// A copy of the document with the values at `paths` replaced, each by the value beside it. Every path must be there.
[[nodiscard]] std::vector<io::Value> with_values(const io::Value& top, const std::vector<std::string>& paths,
                                                 const std::vector<const io::Value*>& values);

/// A value as one line of YAML, for tables.
[[nodiscard]] std::string flow_text(const io::Value& value);

}  // namespace rta::sweep
