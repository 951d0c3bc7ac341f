#include "trace_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "call_table.hpp"
#include "marks.hpp"
#include "rta/io/diagnostic.hpp"

namespace rta::lint {
namespace {

/// `camera #12`: the job's name is `camera`.
std::string without_number(std::string name) {
  const std::size_t sign = name.rfind(" #");
  if (sign == std::string::npos || sign + 2 == name.size()) return name;
  const bool digits = name.find_first_not_of("0123456789", sign + 2) == std::string::npos;
  return digits ? name.substr(0, sign) : name;
}

class Collector {
 public:
  Collector(TraceEvents& events, const std::vector<std::string>& job_ranges) : events_(events), job_ranges_(job_ranges) {}

  std::uint32_t line = 1;
  bool any = false;

  template <class Other>
  void operator()(const Other& /*record*/) {}
  void operator()(const trace::Activity& activity) {
    any = true;
    std::visit(*this, activity);
  }
  void operator()(const trace::CallActivity& a) {
    const std::string name(plain_name(a.name));
    const auto [at, fresh] = names_.try_emplace(name, static_cast<std::uint32_t>(events_.names.size()));
    if (fresh) events_.names.push_back(name);
    events_.calls.push_back({a.process, a.thread, a.correlation, at->second, a.interface, a.start, a.end, line});
  }
  void operator()(const trace::KernelActivity& a) { events_.kernels.push_back({a, line}); }
  void operator()(const trace::TransferActivity& a) { events_.copies.push_back({a, line}); }
  void operator()(const trace::MemsetActivity& a) { events_.memsets.push_back({a, line}); }
  void operator()(const trace::StreamActivity& a) { events_.streams.push_back({a, line}); }
  void operator()(const trace::ContextActivity& a) { events_.null_streams[{a.process, a.context}] = a.null_stream; }
  void operator()(const trace::RangeActivity& a) {
    RangeMeaning meaning = meaning_of_range(a.name, job_ranges_);
    if (!meaning.is_mark) return;
    const bool is_job = meaning.kind == Region::Kind::job;
    events_.has_jobs = events_.has_jobs || is_job;
    events_.ranges[{a.process, a.thread}].push_back({a.start, a.end, is_job, without_number(std::move(meaning.name))});
  }

 private:
  TraceEvents& events_;
  const std::vector<std::string>& job_ranges_;
  std::unordered_map<std::string, std::uint32_t> names_;
};

/// What the runtime asks of the driver within a call is no call of the program.
void leave_out_inner_calls(std::vector<TracedCall>& calls) {
  const auto key = [](const TracedCall& c) { return std::tuple(c.process, c.thread, c.start, -c.end.count()); };
  std::ranges::sort(calls, [&](const TracedCall& a, const TracedCall& b) { return key(a) < key(b); });
  std::vector<TracedCall> outer;
  for (const TracedCall& call : calls) {
    const bool inner = !outer.empty() && outer.back().process == call.process && outer.back().thread == call.thread &&
                       call.start >= outer.back().start && call.end <= outer.back().end && call.interface == trace::CallInterface::driver &&
                       outer.back().interface == trace::CallInterface::runtime;
    if (!inner) outer.push_back(call);
  }
  calls = std::move(outer);
}

}  // namespace

TraceEvents read_events(std::istream& in, const std::string& name, const std::vector<std::string>& job_ranges) {
  TraceEvents events;
  trace::Reader reader(in, name);
  Collector collector(events, job_ranges);
  while (const auto record = reader.next()) {
    collector.line = static_cast<std::uint32_t>(reader.line());
    std::visit(collector, *record);
  }
  if (!collector.any) {
    throw io::InputError({{name, 0, 0, "the trace holds no CUDA calls and no kernels: `rta record` writes such traces"}});
  }
  if (!reader.complete()) events.remarks.push_back(name + ": is incomplete; what it holds was judged");
  if (reader.lost_records() > 0) events.remarks.push_back(fmt::format("{}: {} records were lost", name, reader.lost_records()));
  leave_out_inner_calls(events.calls);
  for (std::size_t c = 0; c < events.calls.size(); ++c) events.by_correlation[{events.calls[c].process, events.calls[c].correlation}] = c;
  for (auto& [thread, ranges] : events.ranges) {
    std::ranges::sort(ranges, {}, [](const TracedRange& r) { return std::pair(r.start, -r.end.count()); });
  }
  return events;
}

}  // namespace rta::lint
