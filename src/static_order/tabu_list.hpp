// What a tabu search must not undo for a while: a table that forgets where two entries meet.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "problem.hpp"

namespace rta::static_order {

class TabuList {
 public:
  explicit TabuList(std::size_t tasks) : entries_(std::bit_ceil(std::clamp<std::size_t>(tasks * 16, 1024, 65'536))) {}

  void clear() { std::ranges::fill(entries_, Entry{}); }
  /// `first` must not come before `second` again until then.
  void remember(TaskId first, TaskId second, std::uint64_t until) { entries_[slot_of(first, second)] = {first, second, until}; }
  [[nodiscard]] bool forbidden(TaskId first, TaskId second, std::uint64_t now) const {
    const Entry& entry = entries_[slot_of(first, second)];
    return entry.until >= now && entry.first == first && entry.second == second;
  }

 private:
  struct Entry {
    TaskId first = none;
    TaskId second = none;
    std::uint64_t until = 0;
  };
  [[nodiscard]] std::size_t slot_of(TaskId first, TaskId second) const {
    const std::uint64_t key = (static_cast<std::uint64_t>(first) << 32U) | second;
    return (key * 0x9e3779b97f4a7c15U >> 40U) & (entries_.size() - 1);
  }

  std::vector<Entry> entries_;
};

}  // namespace rta::static_order
