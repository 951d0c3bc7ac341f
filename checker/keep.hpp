// What is worth keeping of many: what no other one makes void.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace checker {

/// Adds what nothing covers, in place of what it covers. Whether it was added.
template <class T, class Covers>
bool keep(std::vector<T>& all, T added, const Covers& covers) {
  if (std::any_of(all.begin(), all.end(), [&](const T& other) { return covers(other, added); })) return false;
  std::erase_if(all, [&](const T& other) { return covers(added, other); });
  all.push_back(std::move(added));
  return true;
}

}  // namespace checker
