// The results that bounds come from, by number and name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "rta/model/quantity.hpp"

namespace rta::analysis {

/// `none`: nothing is proven. `sum`: an end-to-end bound at offsets, the bounds of a path's nodes added up.
enum class Theorem : std::uint8_t {
  none,
  sum,
  T1,
  T1e,
  T1c,
  T1ec,
  T1r,
  T1re,
  T1n,
  T1b,
  T1be,
  T1bn,
  T3,
  T3b,
  T4,
  T5,
  T6a,
  T6b,
  T6c,
  T6n,
  T7,
  T8,
  T10,
  T10n,
  T10p,
  T10d,
  T10w,
  T10m,
  T10a,
  T10v,
  T10c,
  T10f,
  T10j,
  T10g,
  T11,
  T11g,
  T11j,
  T12,
  T12j,
  T12d,
  T12w,
  T12m,
  T14,
  T14j,
  T15,
  T15g,
  T15w,
  T16,
  T17,
  T18,
  T19,
  T19j,
  T20,
  T21h,
  T22,
  T23,
  T24,
  T27,
  T35,
  T36,
  T38,
  T39,
  T41
};

struct TheoremEntry {
  Theorem theorem;
  std::string_view name;  // in results: `T1e+T1c`
  std::string_view says;
  std::string_view page;  // of docs/, where its proof is; empty: nothing to prove
};

/// One entry per theorem, in the order of the enumeration.
[[nodiscard]] std::span<const TheoremEntry> theorems();
using rta::to_string;  // of whole numbers, which the next one would hide
/// Its name; empty for `none`.
[[nodiscard]] std::string_view to_string(Theorem theorem);

}  // namespace rta::analysis
