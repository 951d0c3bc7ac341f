#include "rta/trace/recording.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <system_error>

#include "json_text.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/trace/reader.hpp"

namespace rta::trace {
namespace {

std::ifstream opened(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw io::InputError({{path.string(), 0, 0, "cannot be opened"}});
  return file;
}

/// Of a process that was killed before it wrote anything.
bool left_empty(const std::filesystem::path& part) {
  std::error_code missing;
  return std::filesystem::file_size(part, missing) == 0 && !missing;
}

class Counter {
 public:
  explicit Counter(RecordingSummary& summary) : summary_(summary) {}

  template <class Other>
  void operator()(const Other& /*record*/) {}
  void operator()(const Activity& activity) { std::visit(*this, activity); }
  void operator()(const ProcessActivity& /*a*/) { ++summary_.processes; }
  void operator()(const DeviceActivity& a) {
    if (std::ranges::find(summary_.devices, a.limits.product) == summary_.devices.end()) summary_.devices.push_back(a.limits.product);
  }
  void operator()(const KernelActivity& a) { ran(summary_.kernels, a.start, a.end); }
  void operator()(const TransferActivity& a) { ran(summary_.transfers, a.start, a.end); }
  void operator()(const MemsetActivity& a) { ran(summary_.memsets, a.start, a.end); }
  void operator()(const CallActivity& /*a*/) { ++summary_.calls; }
  void operator()(const RangeActivity& /*a*/) { ++summary_.ranges; }
  void operator()(const OverheadActivity& a) { summary_.overhead += a.end - a.start; }
  void operator()(const CheckRecord& check) {
    if (check.outcome != "ok") summary_.faults.push_back(check.text);
  }

 private:
  void ran(std::size_t& count, Time start, Time end) {
    ++count;
    summary_.first = summary_.first ? std::min(*summary_.first, start) : start;
    summary_.last = summary_.last ? std::max(*summary_.last, end) : end;
  }

  RecordingSummary& summary_;
};

std::string line_of_check(const CheckRecord& check) {
  return "{\"t\": \"check\", \"name\": " + json_text(check.name) + ", \"outcome\": " + json_text(check.outcome) +
         ", \"text\": " + json_text(check.text) + "}";
}

}  // namespace

RecordingSummary summary_of(std::span<const std::filesystem::path> parts) {
  RecordingSummary summary;
  Counter counter(summary);
  for (const std::filesystem::path& part : parts) {
    if (left_empty(part)) {
      summary.complete = false;
      continue;
    }
    std::ifstream file = opened(part);
    Reader reader(file, part.string());
    while (const auto record = reader.next()) std::visit(counter, *record);
    summary.complete = summary.complete && reader.complete();
    summary.lost_records += reader.lost_records();
  }
  return summary;
}

void write_recording(std::span<const std::filesystem::path> parts, const RecordingSummary& summary, const RecordingHeader& header,
                     std::ostream& out) {
  nlohmann::ordered_json first{{"schema", schema}, {"kind", "trace"}, {"source", "recording"}, {"task_set", ""}};
  if (!summary.devices.empty()) first["device"] = summary.devices.front();
  first["program"] = header.program;
  if (header.plain_run) first["plain_run_ns"] = header.plain_run->count();
  if (header.recorded_run) first["recorded_run_ns"] = header.recorded_run->count();
  out << first.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
  for (const std::filesystem::path& part : parts) {
    if (left_empty(part)) continue;
    std::ifstream file = opened(part);
    Reader reader(file, part.string());
    while (const auto record = reader.next()) {
      if (const auto* activity = std::get_if<Activity>(&*record)) out << line_of(*activity) << '\n';
      if (const auto* check = std::get_if<CheckRecord>(&*record)) out << line_of_check(*check) << '\n';
    }
  }
  out << R"({"t": "end", "complete": )" << (summary.complete ? "true" : "false") << ", \"lost_records\": " << summary.lost_records << "}\n";
}

}  // namespace rta::trace
