#include "rta/report/format.hpp"

#include <algorithm>
#include <array>

#include "analysis_printers.hpp"
#include "comparison_printers.hpp"
#include "examination_printers.hpp"
#include "findings_printers.hpp"
#include "lint_printers.hpp"
#include "schedule_printers.hpp"
#include "simulation_printers.hpp"
#include "static_comparison_printers.hpp"
#include "sweep_printers.hpp"

namespace rta::report {
namespace {

constexpr std::array table{
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
        .name = "sarif",
        .extension = "sarif",
        .lint = print_lint_sarif,
    },
};

}  // namespace

std::span<const Format> formats() { return table; }

const Format* format_named(std::string_view name) {
  const auto* const at = std::ranges::find(table, name, &Format::name);
  return at == table.end() ? nullptr : at;
}

}  // namespace rta::report
