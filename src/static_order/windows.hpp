// What follows for a machine that holds one task at a time, when each of its tasks has a window.
#pragma once

#include <span>
#include <vector>

#include "problem.hpp"
#include "theta_tree.hpp"

namespace rta::static_order {

struct Window {
  TaskId task = 0;
  Ns start = 0;  // not before
  Ns end = 0;    // must have ended
  Ns length = 0;
};

/// Edge finding, detectable precedences and not-last (Vilím 2007), forwards and backwards.
class MachineFilter {
 public:
  /// Narrows the windows until nothing more follows of them. False when they cannot all be kept. Times stay within +-`never` * 4.
  [[nodiscard]] bool narrow(std::vector<Window>& windows);

 private:
  [[nodiscard]] bool pass(std::vector<Window>& windows, bool& changed);
  [[nodiscard]] bool find_edges(std::vector<Window>& windows, bool& changed);
  void detect(std::vector<Window>& windows, bool& changed);
  void not_last(std::vector<Window>& windows, bool& changed);
  void sort_leaves(const std::vector<Window>& windows);
  void apply(std::vector<Window>& windows, bool& changed);

  ThetaTree tree_;
  std::vector<std::size_t> leaf_, by_start_, by_end_, by_latest_, by_earliest_;
  std::vector<Ns> updates_;
  std::vector<char> in_set_;
};

}  // namespace rta::static_order
