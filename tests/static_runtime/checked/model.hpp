// An exhaustive search over all that a few threads may do with shared words: every interleaving of their steps, and for every load every
// value that release and acquire allow it to see. Threads are functions; the search runs them again and again, each time with other
// choices.
//
// The memory: each word has its values in the order in which they were written. A thread that has seen one never sees an earlier one; a
// load that acquires sees all that the writer of its value had seen. Plain data may be touched only in an order that this gives; anything
// else is a race. The kernel's futex: a wait compares with a value that is no older than at the last wake on the word, and does not sleep
// when it differs; nobody wakes by himself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace checked {

/// What the model leaves out, to see that the search finds it.
enum class Flaw { none, store_without_release, wake_nobody, sleep_without_comparison };

struct Options {
  Flaw flaw = Flaw::none;
  bool time_passes = false;  // a wait ends when nobody else can go on: its timeout. Otherwise that is a lost wake-up
};

struct Result {
  std::uint64_t executions = 0;
  std::uint64_t states = 0;
  std::string failure;  // of the first execution that fails; empty: none does
};

/// Threads that leave nothing behind when they are abandoned in the middle, over words that are at the same place in every execution.
struct Scenario {
  std::function<void()> reset;  // of what they share
  std::vector<std::function<void()>> threads;
  std::vector<const void*> constants;  // words that no thread writes: a look at one is no step
};

[[nodiscard]] Result explore(const Scenario& scenario, const Options& options);

/// Within a thread of an execution.
void plain_write(const void* data);
void plain_read(const void* data);
void expect(bool holds, const char* what);
/// What the thread does from here on depends on the label and on what may still be seen, no more on how it came here.
void at(std::uint64_t label);

}  // namespace checked
