// T10d: what paths of a class wait for in a slot, kept as long as the ends that it follows from stay.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/path/system/tick.hpp"
#include "rta/model/quantity.hpp"

namespace rta::analysis::path {

/// Work grows by `rate` ns, at least, for every ns by which the window grows by so many.
struct WorkRise {
  std::int64_t rises_for = 0;
  Wide rate = 0;
};

class KeptWaiting {
 public:
  /// What it depends on where the ends of others stay: the window and the last releases, of more urgent nodes and of equals.
  struct Window {
    std::int64_t L = 0;
    std::int64_t any = 0;
    std::int64_t equals = 0;
    [[nodiscard]] friend bool operator==(const Window&, const Window&) = default;
  };
  struct Waiting {
    Tick ticks;
    std::vector<WorkRise> rises = {};  // of that, ticks; the first to end first
  };
  struct Entry {
    Window window;
    Waiting waiting;
  };

  void clear() { entries_.clear(); }
  /// Null where it is not known.
  [[nodiscard]] const Waiting* find(const Window& window) const {
    for (auto at = first_from(window.L); at != entries_.end() && at->window.L == window.L; ++at) {
      if (at->window == window) return &at->waiting;
    }
    return nullptr;
  }
  /// The longest window in which no more is waited for, as it is no longer and no release in it is later; null where none is known.
  [[nodiscard]] const Entry* within(const Window& window) const {
    for (auto at = first_from(window.L + 1); at != entries_.begin();) {
      --at;
      if (at->window.any <= window.any && at->window.equals <= window.equals) return &*at;
    }
    return nullptr;
  }
  /// The result holds until the next one is added.
  const Waiting& add(const Window& window, Waiting waiting) {
    return entries_.insert(first_from(window.L), Entry{window, std::move(waiting)})->waiting;
  }

 private:
  [[nodiscard]] std::vector<Entry>::const_iterator first_from(std::int64_t L) const {
    return std::lower_bound(entries_.begin(), entries_.end(), L, [](const Entry& entry, std::int64_t of) { return entry.window.L < of; });
  }

  std::vector<Entry> entries_;  // the shortest windows first
};

}  // namespace rta::analysis::path
