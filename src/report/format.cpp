#include "rta/report/format.hpp"

#include <algorithm>
#include <array>

#include "analysis_printers.hpp"
#include "comparison_printers.hpp"
#include "difference_printers.hpp"
#include "examination_printers.hpp"
#include "findings_printers.hpp"
#include "lint_printers.hpp"
#include "schedule_printers.hpp"
#include "simulation_printers.hpp"
#include "static_comparison_printers.hpp"
#include "sweep_printers.hpp"

namespace rta::report {
namespace {

constexpr std::array known_formats{
    Format{
        .name = "text",
        .extension = "txt",
        .analysis = print_analysis_text,
        .comparison = print_comparison_text,
        .simulation = print_simulation_text,
        .examination = print_examination_text,
        .findings = print_findings_text,
        .sweep = print_sweep_text,
        .lint = print_lint_text,
        .lint_rules = print_lint_rules_text,
        .schedule = print_schedule_text,
        .static_comparison = print_static_comparison_text,
        .difference = print_difference_text,
    },
    Format{
        .name = "json",
        .extension = "json",
        .analysis = print_analysis_json,
        .comparison = print_comparison_json,
        .simulation = print_simulation_json,
        .examination = print_examination_json,
        .findings = print_findings_json,
        .lint = print_lint_json,
        .lint_rules = print_lint_rules_json,
        .schedule = print_schedule_json,
        .static_comparison = print_static_comparison_json,
        .difference = print_difference_json,
    },
    Format{
        .name = "csv",
        .extension = "csv",
        .analysis = print_analysis_csv,
        .comparison = print_comparison_csv,
        .simulation = print_simulation_csv,
        .sweep = print_sweep_csv,
        .schedule = print_schedule_csv,
        .static_comparison = print_static_comparison_csv,
        .difference = print_difference_csv,
    },
    Format{
        .name = "html",
        .extension = "html",
        .charts = true,
        .analysis = print_analysis_page,
        .comparison = print_comparison_page,
        .simulation = print_simulation_page,
        .examination = print_examination_page,
        .sweep = print_sweep_page,
        .schedule = print_schedule_page,
        .static_comparison = print_static_comparison_page,
    },
    Format{
        .name = "svg",
        .extension = "svg",
        .charts = true,
        .comparison = print_comparison_figure,
        .simulation = print_simulation_figure,
    },
    Format{
        // Made of the same by whoever writes it, as the next one.
        .name = "pdf",
        .extension = "pdf",
        .charts = true,
        .comparison = print_comparison_figure,
        .simulation = print_simulation_figure,
    },
    Format{
        .name = "png",
        .extension = "png",
        .charts = true,
        .comparison = print_comparison_figure,
        .simulation = print_simulation_figure,
    },
    Format{
        .name = "sarif",
        .extension = "sarif",
        .lint = print_lint_sarif,
    },
};

}  // namespace

std::span<const Format> formats() { return known_formats; }

const Format* format_named(std::string_view name) {
  const auto* const at = std::ranges::find(known_formats, name, &Format::name);
  return at == known_formats.end() ? nullptr : at;
}

}  // namespace rta::report
