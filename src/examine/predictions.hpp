// The sentences of which probes are made, as functions of a run. Operations are named by their index in the experiment.
#pragma once

#include <cstdint>
#include <string>

#include "rta/examine/probe.hpp"

namespace rta::examine {

/// An operation with its name, for sentences.
struct Named {
  std::size_t index = 0;
  std::string name;
};

struct Statement {
  std::string text;
  std::function<Reading(const ObservedRun&)> read;
};

/// No block of `later` starts before the last block of `earlier` has started.
[[nodiscard]] Statement starts_after_start(const Named& later, const Named& earlier);
/// No block of `later` starts before all of `earlier` has ended.
[[nodiscard]] Statement starts_after_end(const Named& later, const Named& earlier);
/// No block of `later` starts before some block of `earlier` has ended.
[[nodiscard]] Statement starts_after_first_end(const Named& later, const Named& earlier);
/// The first block of `later` starts as soon as the first block of `earlier` has ended.
[[nodiscard]] Statement starts_at_first_end(const Named& later, const Named& earlier);
/// `later` starts while `earlier` still runs.
[[nodiscard]] Statement starts_beside(const Named& later, const Named& earlier);
/// At most `most` blocks of `kernel` are on an SM at once, and on `sms` SMs that many are.
[[nodiscard]] Statement fills(const Named& kernel, std::uint64_t most, std::uint32_t sms);
/// `first` has ended before `second` has, by the margin.
[[nodiscard]] Statement ends_before(const Named& first, const Named& second);
/// `second` ends after `first`, by at least half the time that `first` took: they did not share the engine.
[[nodiscard]] Statement follows(const Named& second, const Named& first);

/// `later` is issued when all blocks of the first wave of `earlier` run: after the margin from its start, before the first of them ends.
[[nodiscard]] Condition issued_while(const Named& later, const Named& earlier);
/// `waiting` has not started when `later` is issued.
[[nodiscard]] Condition still_waits(const Named& waiting, const Named& later);

}  // namespace rta::examine
