// What a finished sweep shows: figures for papers through gnuplot (tables and pages are `Format::sweep`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "rta/sweep/results.hpp"

namespace rta::report {

enum class SweepChart : std::uint8_t { acceptance, bounds, ratios, tightness, heat };

/// What a figure shows of a chart.
struct SweepFigure {
  std::optional<std::size_t> along = std::nullopt;   // the parameter of the horizontal axis
  std::optional<std::size_t> across = std::nullopt;  // of the vertical axis of a heat map
  bool shared_scales = true;                         // all panels have the same ranges
};

/// A gnuplot script that draws `chart` into `output` (its extension, pdf, svg or png, chooses the terminal): panels as wide
/// as a column of a paper, the legend below them. Throws `UserError` when the sweep has no such data.
[[nodiscard]] std::string gnuplot_script(const sweep::Results& sweep, SweepChart chart, const std::filesystem::path& output,
                                         SweepFigure figure = {});

}  // namespace rta::report
