// What changed from one result to another, and whether anything became worse.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/diff/result.hpp"

namespace rta::diff {

/// How a value changed. A bound grows, shrinks, vanishes (there is none any more) or appears; a verdict falls or rises; what is neither
/// changes.
enum class Trend : std::uint8_t { grew, vanished, fell, shrank, appeared, rose, changed };
inline constexpr std::size_t trends = 7;
[[nodiscard]] std::string_view to_string(Trend trend);
[[nodiscard]] constexpr bool is_worse(Trend trend) { return trend <= Trend::fell; }

struct Change {
  Fact before, after;
  Trend trend = Trend::changed;
};

enum class Presence : std::uint8_t { both, came, went };

/// A part that differs. Of one that came or went the changes are its bounds and verdicts, against nothing.
struct Entry {
  Subject subject = Subject::whole;
  std::string dag, name;
  Presence presence = Presence::both;
  std::vector<Change> changes = {};

  [[nodiscard]] bool worse() const;
};

struct Difference {
  std::vector<Entry> entries;  // in the order of the later result; what went follows

  [[nodiscard]] std::size_t count(Trend trend) const;
  [[nodiscard]] std::size_t count(Presence presence) const;
  /// A bound grew or vanished, or a verdict fell; or something came that misses its deadline.
  [[nodiscard]] bool worse() const;
};

/// Throws `UserError` when the results are of different kinds.
///
/// A node's bound counts from its offset. Where that differs, too, the node's latest end after the release of its DAG, offset and bound
/// together, says whether the bound grew.
[[nodiscard]] Difference compare(const Result& before, const Result& after);

}  // namespace rta::diff
