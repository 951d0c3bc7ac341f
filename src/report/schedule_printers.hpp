// The formats of a static schedule, and the tables that they share.
#pragma once

#include <iosfwd>
#include <string>

#include "report/parts/text_table.hpp"
#include "rta/report/schedule_report.hpp"

namespace rta::report {

void print_schedule_text(const ScheduleReport& report, std::ostream& out);
void print_schedule_json(const ScheduleReport& report, std::ostream& out);
void print_schedule_csv(const ScheduleReport& report, std::ostream& out);
void print_schedule_page(const ScheduleReport& report, std::ostream& out);

/// Rows of resources (type, runnables, how long they are busy, share of the period), with a head.
[[nodiscard]] std::vector<Row> resource_rows(const static_order::ScheduledHyperepoch& hyperepoch);
/// Rows of frames (epoch, frame, start, latest end, time between), with a head.
[[nodiscard]] std::vector<Row> frame_rows(const static_order::ScheduledHyperepoch& hyperepoch, const static_order::HyperepochProof& proof);
/// Rows of runnables, with a head.
[[nodiscard]] std::vector<Row> runnable_rows(const static_order::ScheduledHyperepoch& hyperepoch,
                                             const static_order::HyperepochProof& proof);
/// The Vega specification of a Gantt chart: a row per resource, in those of streams pale what waits in them, dependencies of what the
/// pointer is over. `clients`: the schedule's, in whose order colours go.
[[nodiscard]] std::string gantt_specification(const static_order::ScheduledHyperepoch& hyperepoch, const HyperepochReport& report,
                                              const std::vector<std::string>& clients);

}  // namespace rta::report
