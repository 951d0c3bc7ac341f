// The step of a descent: the first change for the better, of several that are tried at once.
#pragma once

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace rta::analysis {

/// Tries the changes numbered `from` ... count - 1 in this order: `make(i)` is one, if there is any; `solve` says what it leads to, on
/// several threads at once; `take(change, of it)` says whether it was better and was taken. Returns the number of the first that was, else
/// `count`. `room()`: how many may be tried at once; 0: none any more. What is taken does not depend on it: an exception of `solve` counts
/// when the turn of its change comes.
template <class Make, class Solve, class Take, class Room>
std::size_t take_first(std::size_t from, std::size_t count, const Room& room, const Make& make, const Solve& solve, const Take& take) {
  using Change = typename std::invoke_result_t<Make, std::size_t>::value_type;
  struct Trial {
    std::size_t number = 0;
    Change change;
    std::invoke_result_t<Solve, const Change&> solved = {};
    std::exception_ptr error = nullptr;
  };
  while (from < count) {
    const std::size_t most = room();
    if (most == 0) return count;
    std::vector<Trial> trials;
    for (; from < count && trials.size() < most; ++from) {
      std::optional<Change> next = make(from);
      if (next && std::ranges::find(trials, *next, &Trial::change) == trials.end()) trials.push_back({from, std::move(*next)});
    }
    const auto try_one = [&](std::size_t i) {
      try {
        trials[i].solved = solve(trials[i].change);
      } catch (...) {
        trials[i].error = std::current_exception();
      }
    };
    if (trials.size() == 1) {
      try_one(0);
    } else {
      oneapi::tbb::parallel_for(std::size_t{0}, trials.size(), try_one);
    }
    for (Trial& trial : trials) {
      if (trial.error) std::rethrow_exception(trial.error);
      if (take(std::move(trial.change), std::move(trial.solved))) return trial.number;
    }
  }
  return count;
}

}  // namespace rta::analysis
