// The one place that says which colour a thing has, on every page and in every picture.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "rta/analysis/why.hpp"

namespace rta::report {

struct Colour {
  std::string_view fill;
  std::string_view text;  // on that fill
};

/// Eight that people with any colour vision tell apart (M. Okabe, K. Ito, "Color Universal Design", 2008; grey in place of black, which is
/// for text).
inline constexpr std::array<Colour, 8> palette{{{"#56b4e9", "#000000"},
                                                {"#e69f00", "#000000"},
                                                {"#009e73", "#000000"},
                                                {"#cc79a7", "#000000"},
                                                {"#f0e442", "#000000"},
                                                {"#0072b2", "#ffffff"},
                                                {"#d55e00", "#000000"},
                                                {"#999999", "#000000"}}};

/// By its place in the task-set file; after eight from the start.
[[nodiscard]] constexpr const Colour& pool_colour(std::size_t pool) { return palette[pool % palette.size()]; }
/// By its place in the task-set file (of an experiment: of the operation). Begins elsewhere than pools do,
/// so that the first DAG and the first pool, which most sets have, differ.
[[nodiscard]] constexpr const Colour& dag_colour(std::size_t dag) { return palette[(dag + 2) % palette.size()]; }

/// By its place in a comparison.
[[nodiscard]] constexpr const Colour& trace_colour(std::size_t trace) { return palette[(trace + 5) % palette.size()]; }

/// Of verdicts: blue and vermilion differ to every eye, and a word stands beside them.
inline constexpr Colour met_colour{"#0072b2", "#ffffff"};
inline constexpr Colour missed_colour{"#d55e00", "#000000"};
inline constexpr Colour no_deadline_colour{"#999999", "#000000"};

/// Of what a bound is made of. Execution is the one dark blue, waiting the warm ones.
[[nodiscard]] constexpr const Colour& cause_colour(analysis::Cause cause) {
  switch (cause) {
    case analysis::Cause::execution: return palette[5];
    case analysis::Cause::waiting: return palette[1];
    case analysis::Cause::blocking: return palette[6];
    case analysis::Cause::carry: return palette[3];
    case analysis::Cause::slices: return palette[2];
    case analysis::Cause::priority: return palette[0];
    case analysis::Cause::release: return palette[4];
    case analysis::Cause::rounding: break;
  }
  return palette[7];
}

}  // namespace rta::report
