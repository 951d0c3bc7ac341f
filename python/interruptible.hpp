// Work that Ctrl-C ends.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <future>
#include <optional>
#include <stop_token>
#include <utility>

#include "rta/model/error.hpp"
#include "rta/model/limit.hpp"

namespace rta::python {

/// Reached when a stop is requested, or after so many seconds. Throws `UserError` for what is no such number.
inline Limit limit_of(const std::optional<double>& seconds, std::stop_token stop) {
  const Limit limit(std::move(stop));
  if (!seconds) return limit;
  if (!(*seconds > 0 && *seconds < 1e9)) throw UserError("time_limit: expected seconds above 0");
  return limit.within(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(*seconds)));
}

/// Calls `work` in a thread of its own, while Python's other threads run and its signals are looked at: when one of their handlers raises,
/// as Ctrl-C does, `work` is asked to stop, and what was raised is raised when it has.
template <class Work>
auto interruptible(const Work& work) {
  namespace py = pybind11;
  constexpr std::chrono::milliseconds between_looks{50};
  std::stop_source source;
  auto done = std::async(std::launch::async, [&] { return work(source.get_token()); });
  std::optional<py::error_already_set> raised;
  const auto is_done = [&] {
    const py::gil_scoped_release unlocked;
    return done.wait_for(between_looks) == std::future_status::ready;
  };
  while (!is_done()) {
    if (PyErr_CheckSignals() == 0 || raised) continue;
    raised.emplace();
    source.request_stop();
  }
  if (raised) {
    done.wait();
    throw std::move(*raised);
  }
  return done.get();
}

}  // namespace rta::python
