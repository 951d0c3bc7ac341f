// One printer for each output format of an examination, and the tables that they share.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "report/parts/text_table.hpp"
#include "rta/report/examination_report.hpp"

namespace rta::report {

[[nodiscard]] std::vector<std::pair<std::string, std::string>> examination_facts(const ExaminationReport& report);
/// rule, verdict, runs, against, what was seen
[[nodiscard]] std::vector<Row> rule_table(const DeviceProfile& profile);
[[nodiscard]] std::vector<Row> latency_table(const DeviceProfile& profile);
[[nodiscard]] std::vector<Row> measurement_table(const examine::Measurement& measurement);
/// where, beside, and for each class by how much of its time alone a block of it took longer at most
[[nodiscard]] std::vector<Row> company_table(const MeasuredCompany& company);
/// What was not measured of it, a line each, and why bounds may take nothing from it, if they may not.
[[nodiscard]] std::vector<std::string> company_gaps(const ExaminationReport& report);
/// experiment, timeline, what was seen; of experiments by which no rule is judged
[[nodiscard]] std::vector<Row> reproduction_table(const examine::Examination& examination);
/// probe, counted, disturbed, unfit
[[nodiscard]] std::vector<Row> probe_table(const examine::Examination& examination);

void print_examination_text(const ExaminationReport& report, std::ostream& out);
void print_examination_json(const ExaminationReport& report, std::ostream& out);
void print_examination_page(const ExaminationReport& report, std::ostream& out);

}  // namespace rta::report
