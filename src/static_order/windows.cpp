#include "windows.hpp"

#include <algorithm>
#include <numeric>

namespace rta::static_order {
namespace {

template <class Key>
void order_by(std::vector<std::size_t>& index, std::size_t count, Key key) {
  index.resize(count);
  std::iota(index.begin(), index.end(), std::size_t{0});
  std::ranges::sort(index, [&](std::size_t a, std::size_t b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
}

void turn(std::vector<Window>& windows) {
  for (Window& w : windows) {
    const Ns start = w.start;
    w.start = -w.end;
    w.end = -start;
  }
}

bool possible(const std::vector<Window>& windows) {
  return std::ranges::all_of(windows, [](const Window& w) { return w.start + w.length <= w.end; });
}

}  // namespace

bool MachineFilter::narrow(std::vector<Window>& windows) {
  if (windows.size() < 2) return possible(windows);
  for (bool changed = true; changed;) {
    changed = false;
    if (!pass(windows, changed)) return false;
    turn(windows);
    const bool fine = pass(windows, changed);
    turn(windows);
    if (!fine) return false;
  }
  return true;
}

bool MachineFilter::pass(std::vector<Window>& windows, bool& changed) {
  sort_leaves(windows);
  if (!find_edges(windows, changed) || !possible(windows)) return false;
  sort_leaves(windows);
  detect(windows, changed);
  if (!possible(windows)) return false;
  sort_leaves(windows);
  not_last(windows, changed);
  return possible(windows);
}

void MachineFilter::sort_leaves(const std::vector<Window>& windows) {
  const std::size_t n = windows.size();
  order_by(by_start_, n, [&](std::size_t i) { return windows[i].start; });
  order_by(by_end_, n, [&](std::size_t i) { return windows[i].end; });
  order_by(by_latest_, n, [&](std::size_t i) { return windows[i].end - windows[i].length; });
  order_by(by_earliest_, n, [&](std::size_t i) { return windows[i].start + windows[i].length; });
  leaf_.resize(n);
  for (std::size_t k = 0; k < n; ++k) leaf_[by_start_[k]] = k;
}

// A task that ends after a set, if it is not first of it and the set, starts when the set has ended.
bool MachineFilter::find_edges(std::vector<Window>& windows, bool& changed) {
  const std::size_t n = windows.size();
  tree_.reset(n);
  for (std::size_t i = 0; i < n; ++i) tree_.add(leaf_[i], windows[i].start, windows[i].length);
  updates_.resize(n);
  for (std::size_t i = 0; i < n; ++i) updates_[i] = windows[i].start;
  for (std::size_t k = n; k-- > 0;) {
    const std::size_t j = by_end_[k];
    if (tree_.end() > windows[j].end) return false;
    if (k == 0) break;
    tree_.make_grey(leaf_[j], windows[j].start, windows[j].length);
    const Ns end = windows[by_end_[k - 1]].end;
    while (tree_.end_with_grey() > end) {
      if (tree_.responsible() == none) return false;
      const std::size_t i = by_start_[tree_.responsible()];
      updates_[i] = std::max(updates_[i], tree_.end());
      tree_.remove(leaf_[i]);
    }
  }
  apply(windows, changed);
  return true;
}

// All that must come before a task, since they could not follow it, have ended when it starts.
void MachineFilter::detect(std::vector<Window>& windows, bool& changed) {
  const std::size_t n = windows.size();
  tree_.reset(n);
  updates_.resize(n);
  in_set_.assign(n, 0);
  std::size_t q = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = by_earliest_[k];
    for (; q < n; ++q) {
      const std::size_t j = by_latest_[q];
      if (windows[i].start + windows[i].length <= windows[j].end - windows[j].length) break;
      tree_.add(leaf_[j], windows[j].start, windows[j].length);
      in_set_[j] = 1;
    }
    const bool inside = in_set_[i] != 0;
    if (inside) tree_.remove(leaf_[i]);
    updates_[i] = std::max(windows[i].start, tree_.end());
    if (inside) tree_.add(leaf_[i], windows[i].start, windows[i].length);
  }
  apply(windows, changed);
}

// A task that cannot be last of a set ends before the last one of the others starts.
void MachineFilter::not_last(std::vector<Window>& windows, bool& changed) {
  const std::size_t n = windows.size();
  tree_.reset(n);
  updates_.resize(n);
  in_set_.assign(n, 0);
  std::size_t q = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = by_end_[k];
    updates_[i] = windows[i].end;
    for (; q < n; ++q) {
      const std::size_t j = by_latest_[q];
      if (windows[i].end <= windows[j].end - windows[j].length) break;
      tree_.add(leaf_[j], windows[j].start, windows[j].length);
      in_set_[j] = 1;
    }
    const bool inside = in_set_[i] != 0;
    if (inside) tree_.remove(leaf_[i]);
    if (tree_.end() > windows[i].end - windows[i].length) {
      std::size_t last = q - 1;  // the latest start of the others
      if (by_latest_[last] == i) --last;
      const Ns latest = windows[by_latest_[last]].end - windows[by_latest_[last]].length;
      updates_[i] = std::min(updates_[i], latest);
    }
    if (inside) tree_.add(leaf_[i], windows[i].start, windows[i].length);
  }
  for (std::size_t i = 0; i < n; ++i) {
    changed = changed || updates_[i] < windows[i].end;
    windows[i].end = updates_[i];
  }
}

void MachineFilter::apply(std::vector<Window>& windows, bool& changed) {
  for (std::size_t i = 0; i < windows.size(); ++i) {
    changed = changed || updates_[i] > windows[i].start;
    windows[i].start = updates_[i];
  }
}

}  // namespace rta::static_order
