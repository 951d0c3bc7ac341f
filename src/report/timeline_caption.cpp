#include <fmt/format.h>

#include <string>

#include "rta/report/time_text.hpp"
#include "timeline_drawing.hpp"

namespace rta::report {

std::string timeline_caption(const trace::Timeline& timeline, const TimelineDrawing& drawing) {
  const auto any = [&](trace::Units units) {
    for (PoolId pool = 0; pool < timeline.labels().pools.size(); ++pool) {
      if (timeline.units(pool) == units) return true;
    }
    return false;
  };
  std::string text = fmt::format("From {} to {}. ", time_text(drawing.first), time_text(drawing.last));
  const std::size_t before = text.size();
  if (any(trace::Units::numbered)) text += "A row per processor, engine, worker or SM, whose blocks are as high as their G-threads; ";
  if (any(trace::Units::single)) text += "A row per resource; ";
  if (drawing.folded) {
    text += text.size() == before ? "One" : "one";
    text += " row for all SMs of a GPU that has many, as high as the G-threads in use on those that run something; ";
  }
  if (drawing.whole_jobs) {
    text += text.size() == before ? "Rows" : "rows";
    text += " of jobs: from first start to end, since the trace does not tell where and when their pieces ran; ";
  }
  text += timeline.system().experiment ? "triangles are launches" : "triangles that point up are releases, down deadlines";
  if (drawing.waits || drawing.blocked) text += "; in rows of queues, pale: waits";
  if (drawing.blocked) text += ", framed: the head of the queue, for which there is no room";
  text += ". Pointing at a bar shows what it waits for.";
  if (drawing.dags_left_out > 0) text += fmt::format(" Releases of {} more DAGs are not drawn.", drawing.dags_left_out);
  if (timeline.left_out() > 0) {
    text += fmt::format(
        " Complete until {}: {} bars after that are not drawn; --window shows another part, and --trace FILE.json writes all for "
        "ui.perfetto.dev.",
        time_text(timeline.complete_until()), timeline.left_out());
  }
  return text;
}

}  // namespace rta::report
