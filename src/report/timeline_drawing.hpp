// A timeline laid out: rows, bars, marks and their words, for a page or a figure.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rta/trace/waits.hpp"

namespace rta::report {

/// Vertical places are in pixels from the top of the first row.
struct DrawnRow {
  std::string name;
  double top = 0, bottom = 0;
  bool queue = false;
};

enum class BarStyle : std::uint8_t {
  runs,
  copies,
  waits,   // in a queue
  blocked  // at the head of its queue: there is no room
};

struct DrawnBar {
  double top = 0, bottom = 0;
  Time start, end;
  BarStyle style = BarStyle::runs;
  std::string fill, ink;  // ink: of the text on it
  std::string text, tooltip;
  std::string waits;  // what its job waits for, if anything
  std::string job;    // the same for all that belongs to one job
};

enum class MarkKind : std::uint8_t { release, deadline, missed };

/// Points down from, or up to, its place.
struct DrawnMark {
  MarkKind kind = MarkKind::release;
  Time at;
  double y = 0;
  std::string fill, tooltip, job;
  std::string text;  // beside it
};

/// From the place of a job in a queue to where it starts.
struct DrawnLink {
  Time at;
  double from = 0, to = 0;
  std::string fill, job;
};

struct TimelineDrawing {
  Time first, last;
  double height = 0;
  std::vector<DrawnRow> rows;
  std::vector<DrawnBar> bars;
  std::vector<DrawnMark> marks;
  std::vector<DrawnLink> links;
  std::vector<std::pair<std::string, std::string>> legend;  // name, colour
  bool experiment = false;
  bool copies = false, waits = false, blocked = false;  // what there is to explain
  bool whole_jobs = false;                              // in rows of pools whose units are not known
  bool folded = false;                                  // many SMs in one row
  std::size_t dags_left_out = 0;                        // that have no row of releases
};

/// Rows of launches (experiments) or DAGs (task sets), of streams in which something waited, then per pool its queues and its units. Bars
/// of one row overlap only where the timeline's SMs hold more than they can, or a queue is longer than its row is high.
/// More than 32 SMs of a GPU share a row, unless `unfold` asks for a row of each.
[[nodiscard]] TimelineDrawing drawing_of(const trace::Timeline& timeline, const std::vector<trace::Waiting>& waiting, bool unfold = false);

/// What a page says below it.
[[nodiscard]] std::string timeline_caption(const trace::Timeline& timeline, const TimelineDrawing& drawing);

}  // namespace rta::report
