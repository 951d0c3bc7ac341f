// Which requirements an analysis shows to hold, by which theorem.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/parts/text_table.hpp"
#include "rta/analysis/analyze.hpp"

namespace rta::report {

/// What is proven of one thing that is required: of a DAG or node its response-time bound and its D, of a chain one latency and its limit.
struct RequirementResult {
  std::string_view name;  // of the requirement; several results may have one name
  std::string of;         // `camera`, `camera/detect`, `brake (reaction)`
  std::optional<DagId> dag = std::nullopt;
  std::optional<Time> bound = std::nullopt;
  std::optional<Time> limit = std::nullopt;  // none: a bound is all that is required
  std::string theorem = {};                  // empty without a bound

  [[nodiscard]] bool holds() const { return bound && (!limit || *bound <= *limit); }
};

/// In the order of the task set.
[[nodiscard]] std::vector<RequirementResult> requirement_results(const analysis::Analysis& analysis);

/// Header and a row per result, those of one name together: requirement, of, bound, limit, theorem, verdict. Copies that are equal share a
/// row.
[[nodiscard]] std::vector<Row> requirement_rows(const analysis::Analysis& analysis);
[[nodiscard]] nlohmann::ordered_json requirements_json(const analysis::Analysis& analysis);

}  // namespace rta::report
