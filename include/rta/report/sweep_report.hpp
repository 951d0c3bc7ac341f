// What a finished sweep shows: figures for papers through gnuplot (tables and pages are `Format::sweep`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "rta/sweep/results.hpp"

namespace rta::report {

enum class SweepChart : std::uint8_t { acceptance, bounds, ratios, heat };

/// A gnuplot script that draws `chart` into `output` (its extension, pdf, svg or png, chooses the terminal). `along`: the parameter of the
/// horizontal axis; `across`: of the vertical axis of a heat map. Throws `UserError` when the sweep has no such data.
[[nodiscard]] std::string gnuplot_script(const sweep::Results& sweep, SweepChart chart, const std::filesystem::path& output,
                                         std::optional<std::size_t> along = {}, std::optional<std::size_t> across = {});

}  // namespace rta::report
