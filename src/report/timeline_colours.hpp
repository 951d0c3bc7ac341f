// Of which colour each job of a timeline is.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/parts/series_colours.hpp"
#include "rta/simulate/observer.hpp"
#include "rta/trace/labels.hpp"

namespace rta::report {

/// DAGs have one colour each, or nodes where there is one DAG. Copies into and out of a kernel have the kernel's.
class TimelineColours {
 public:
  explicit TimelineColours(const trace::Labels& labels);
  [[nodiscard]] SeriesColour of(simulate::JobId id) const { return series_colour(per_dag_ ? id.dag : of_node_[id.node]); }
  /// Of what has a colour of its own, in the order of the colours.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  bool per_dag_;
  std::vector<std::string> names_;
  std::vector<std::size_t> of_node_;
};

}  // namespace rta::report
