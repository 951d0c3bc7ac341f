#include "timeline_releases.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "report/parts/series_colours.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

constexpr std::string_view missed_fill = "#d55e00";

}  // namespace

void add_releases(const trace::Timeline& timeline, std::span<const double> tops, TimelineDrawing& out) {
  const auto& dags = timeline.labels().dags;
  for (const trace::TimelineDagJob& job : timeline.dag_jobs()) {
    if (job.dag >= tops.size()) continue;
    const SeriesColour colour = dags.size() > 1 ? series_colour(job.dag) : SeriesColour{"#666666", "#ffffff"};
    const std::string name = fmt::format("{} job {}", dags[job.dag].name, job.job);
    const std::string key = fmt::format("{}/-/{}", job.dag, job.job);
    if (job.release >= out.first) {
      out.marks.push_back(
          {MarkKind::release, job.release, tops[job.dag] + 15.5, colour.fill,
           fmt::format("{} released at {}, response time {}", name, time_text(job.release), time_text(job.end - job.release)), key, ""});
    }
    if (job.deadline && *job.deadline >= out.first && *job.deadline <= out.last) {
      const std::string tooltip =
          fmt::format("deadline of {} at {}: {} by {}", name, time_text(*job.deadline), job.missed() ? "missed" : "met",
                      time_text(job.missed() ? job.end - *job.deadline : *job.deadline - job.end));
      out.marks.push_back({job.missed() ? MarkKind::missed : MarkKind::deadline, *job.deadline, tops[job.dag] + 6.5,
                           job.missed() ? std::string(missed_fill) : colour.fill, tooltip, key, ""});
    }
  }
}

}  // namespace rta::report
