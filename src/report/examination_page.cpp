#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <ostream>
#include <set>

#include "examination_printers.hpp"
#include "report/parts/page.hpp"
#include "rta/model/other_work.hpp"
#include "timeline_chart.hpp"

namespace rta::report {
namespace {

constexpr std::size_t most_sms = 8;  // that are drawn

// The SMs on which the operations with the fewest blocks ran, and more by number.
std::set<std::uint32_t> drawn_sms(const Experiment& experiment, const examine::ObservedRun& run) {
  std::vector<std::size_t> kernels;
  for (std::size_t i = 0; i < run.operations.size(); ++i) {
    if (std::holds_alternative<GpuDemand>(experiment.operations()[i].demand)) kernels.push_back(i);
  }
  std::ranges::stable_sort(kernels, {}, [&](std::size_t i) { return run.operations[i].pieces.size(); });
  std::set<std::uint32_t> sms;
  for (const std::size_t i : kernels) {
    std::set<std::uint32_t> of_kernel;
    for (const examine::Piece& piece : run.operations[i].pieces) of_kernel.insert(piece.unit);
    for (const std::uint32_t sm : of_kernel) {
      if (sms.size() < most_sms) sms.insert(sm);
    }
  }
  return sms;
}

// As far as it was seen: when it was issued, and from its first piece to the end of its last.
void add_job(const examine::ObservedOperation& operation, std::size_t index, Time first, trace::Timeline& timeline) {
  if (!operation.issued || operation.pieces.empty()) return;
  Time start = operation.pieces.front().start;
  Time end = start;
  for (const examine::Piece& piece : operation.pieces) {
    start = std::min(start, piece.start);
    end = std::max(end, piece.end);
  }
  timeline.job({0, index, 0}, *operation.issued - first, start - first, end - first);
}

Chart timeline_chart(std::string title, std::string caption, const Experiment& experiment, const examine::ObservedRun& run) {
  constexpr std::size_t most_bars = 3'000;
  const std::set<std::uint32_t> sms = drawn_sms(experiment, run);
  // Measured runs may begin at any instant.
  Time first{std::numeric_limits<std::int64_t>::max()}, last{std::numeric_limits<std::int64_t>::min()};
  for (const examine::ObservedOperation& operation : run.operations) {
    if (operation.issued) first = std::min(first, *operation.issued);
    for (const examine::Piece& piece : operation.pieces) {
      first = std::min(first, piece.start);
      last = std::max(last, piece.end);
    }
  }
  trace::Timeline timeline = trace::timeline(experiment, Time::zero(), last - first + Time(1), most_bars);
  struct Bar {
    std::size_t operation;
    examine::Piece piece;
  };
  std::vector<Bar> bars;
  std::set<std::uint32_t> all_sms;
  for (std::size_t i = 0; i < run.operations.size(); ++i) {
    const bool is_kernel = std::holds_alternative<GpuDemand>(experiment.operations()[i].demand);
    for (const examine::Piece& piece : run.operations[i].pieces) {
      if (is_kernel) all_sms.insert(piece.unit);
      if (!is_kernel || sms.contains(piece.unit)) bars.push_back({i, piece});
    }
    add_job(run.operations[i], i, first, timeline);
  }
  std::ranges::stable_sort(bars, {}, [](const Bar& bar) { return bar.piece.start; });
  for (const Bar& bar : bars) {
    const examine::Piece& p = bar.piece;
    if (std::holds_alternative<GpuDemand>(experiment.operations()[bar.operation].demand)) {
      timeline.block({0, bar.operation, 0}, p.block, p.unit, p.start - first, p.end - first);
    } else if (std::holds_alternative<CallDemand>(experiment.operations()[bar.operation].demand)) {
      timeline.run({0, bar.operation, 0}, p.unit, p.start - first, p.end - first);
    } else {
      timeline.copy({0, bar.operation, 0}, p.unit, p.start - first, p.end - first);
    }
  }
  if (all_sms.size() > sms.size()) caption += fmt::format("{} of {} SMs are drawn. ", sms.size(), all_sms.size());
  const TimelineDrawing drawing = drawing_of(timeline, trace::waiting(timeline));
  return {std::move(title), caption + timeline_caption(timeline, drawing), timeline_specification(drawing)};
}

}  // namespace

void print_examination_page(const ExaminationReport& report, std::ostream& out) {
  Page page;
  page.title = "Does this GPU follow the rules? " + report.profile.limits.product;
  page.summary = examination_verdict(report.profile);
  const auto some = [&](RuleState state) { return std::ranges::count(report.profile.rules, state, &RuleVerdict::state) > 0; };
  page.badge = report.profile.rules.empty() ? Badge{"rules not examined", Badge::Tone::neutral}
               : some(RuleState::refuted)   ? Badge{"rules refuted", Badge::Tone::bad}
               : some(RuleState::untested)  ? Badge{"not all tested", Badge::Tone::neutral}
                                            : Badge{"follows the rules", Badge::Tone::good};
  page.facts = examination_facts(report);
  for (const std::string& remark : report.remarks) page.content.emplace_back(Paragraph{remark});
  if (report.company) {
    page.content.emplace_back(
        PageTable{"By how much of its time alone a block of a class takes longer at most", company_table(report.company->measured)});
    for (const std::string& line : company_gaps(report)) page.content.emplace_back(Paragraph{line});
    for (const NotCounted& one : not_counted(report.company->measured, report.company->interference))
      page.content.emplace_back(Paragraph{one.text});
  }
  auto rules = rule_table(report.profile);
  rules.front().insert(rules.front().begin() + 1, "statement");
  for (std::size_t r = 1; r < rules.size(); ++r) {
    rules[r].insert(rules[r].begin() + 1, std::string(statement(report.profile.rules[r - 1].rule)));
  }
  page.content.emplace_back(PageTable{"Rules", std::move(rules)});
  if (!report.profile.latencies.empty()) page.content.emplace_back(PageTable{"Latencies", latency_table(report.profile)});
  for (const examine::Measurement& measurement : report.examination.measurements()) {
    page.content.emplace_back(PageTable{"Measured: " + measurement.name, measurement_table(measurement)});
  }
  if (auto reproduced = reproduction_table(report.examination); reproduced.size() > 1) {
    page.content.emplace_back(PageTable{"Reproduced experiments", std::move(reproduced)});
  }
  page.content.emplace_back(PageTable{"Probes", probe_table(report.examination)});
  for (std::size_t p = 0; p < report.examination.probes(); ++p) {
    const examine::Judge& judge = report.examination.judge(p);
    const examine::ObservedRun* const example = report.examination.example(p);
    if (example == nullptr) continue;
    const Experiment& experiment = judge.probe().experiment;
    page.content.emplace_back(timeline_chart(judge.probe().name, "Observed. ", experiment, *example));
    page.content.emplace_back(Paragraph{judge.probe().purpose + "."});
    for (const examine::Finding& finding : judge.findings()) {
      const std::string rule = finding.rule ? std::string(to_string(*finding.rule)) : "timeline";
      page.content.emplace_back(Paragraph{fmt::format("{}{}: {}. {} ({} of {} runs against it; {})", rule,
                                                      finding.variant.empty() ? "" : " (" + finding.variant + ")", finding.prediction,
                                                      to_string(finding.state), finding.contradicting, finding.runs, finding.seen)});
    }
    page.content.emplace_back(timeline_chart("", "By the rules, as simulated. ", experiment, report.simulated[p]));
  }
  embed("examination.json", print_examination_json, report, page);
  out << html(page);
}

}  // namespace rta::report
