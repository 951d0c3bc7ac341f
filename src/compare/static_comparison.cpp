#include "rta/compare/static_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "node_index.hpp"
#include "rta/io/task_set_file.hpp"
#include "static_frames.hpp"
#include "static_judge.hpp"

namespace rta::compare {

Time Observed::quantile(std::uint32_t ppm) const {
  const auto rank = ceil_div(static_cast<Wide>(sorted.size()) * ppm, 1'000'000);
  return sorted[static_cast<std::size_t>(std::max<Wide>(rank, 1)) - 1];
}

bool StaticComparison::valid() const {
  return std::ranges::none_of(checks, [](const trace::CheckRecord& check) { return check.outcome == "failed"; });
}

bool StaticComparison::conclusive() const {
  return std::ranges::any_of(hyperepochs, [](const PlayedHyperepoch& h) { return h.frames > 0; });
}

StaticComparison compare(const static_order::Schedule& schedule, const std::string& sha256, trace::Reader& reader,
                         const std::string& name) {
  StaticComparison result;
  result.trace = name;
  result.header = reader.header();
  if (result.header.release != "static") throw io::InputError({{name, 1, 1, "is no trace of a static schedule ('release' is not static)"}});
  if (auto warning = check_task_set(reader.header(), sha256, std::nullopt, name)) result.warnings.push_back(std::move(*warning));
  const auto overrun = std::ranges::find(result.header.details, "overrun", [](const auto& entry) { return entry.first; });
  StaticJudge judge(schedule, overrun == result.header.details.end() || overrun->second != "run-on", result);
  StaticFrames frames(schedule, name, [&](const PlayedFrame& frame) { judge.judge(frame); });
  judge.prepare(frames);
  while (const auto record = reader.next()) {
    if (const auto* job = std::get_if<trace::JobRecord>(&*record)) frames.add(*job);
    if (const auto* dag = std::get_if<trace::DagRecord>(&*record)) frames.add(*dag);
    if (const auto* check = std::get_if<trace::CheckRecord>(&*record)) result.checks.push_back(*check);
  }
  frames.finish();
  judge.finish();
  std::uint64_t incomplete = 0;
  for (std::size_t h = 0; h < schedule.hyperepochs.size(); ++h) {
    result.hyperepochs[h].incomplete = frames.incomplete(h);
    incomplete += frames.incomplete(h);
  }
  result.complete = reader.complete();
  result.lost_records = reader.lost_records();
  if (!result.complete) result.warnings.push_back(name + ": is incomplete; what it holds was compared");
  if (result.lost_records > 0) result.warnings.push_back(fmt::format("{}: {} records were lost", name, result.lost_records));
  if (incomplete > 0) result.warnings.push_back(fmt::format("{}: of {} frames something is missing; they were left out", name, incomplete));
  return result;
}

}  // namespace rta::compare
