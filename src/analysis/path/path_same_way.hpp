// T10g beside T10v, as long as both go the same way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "analysis/path/path_nodes.hpp"
#include "analysis/path/system/upward_grid.hpp"

namespace rta::analysis::path {

/// Whether T10g goes the same way from below as T10v does: wherever an end rises, it says no less.
class SameWay {
 public:
  /// `goes_on`: from where it says less T10g's way is taken, else T10v's.
  SameWay(const Ticks& ticks, Nodes& nodes, bool goes_on)
      : nodes_(nodes), grid_(upward_grid(ticks, rules_of(Refinement::T10g))), goes_on_(goes_on) {
    nodes.leave_late_out(true);
  }
  /// Where the way parts here and T10g's is taken, what it says.
  [[nodiscard]] std::optional<std::int64_t> parts(std::size_t k, std::size_t v, std::int64_t now, std::int64_t next) {
    if (!holds_ || !nodes_.late_is_less(k, v, grid_, next)) return std::nullopt;
    holds_ = false;
    if (!goes_on_) {
      nodes_.drop_late();
      return std::nullopt;
    }
    nodes_.leave_late_out(false);
    return nodes_.right_hand_side(k, v, grid_, now);
  }
  [[nodiscard]] bool holds() const { return holds_; }
  [[nodiscard]] bool goes_on() const { return goes_on_; }
  /// The way has parted, and T10g's is taken.
  void part() {
    holds_ = false;
    nodes_.leave_late_out(false);
  }

 private:
  Nodes& nodes_;
  std::int64_t grid_;
  bool goes_on_;
  bool holds_ = true;
};

}  // namespace rta::analysis::path
