// What really happened while jobs ran, by the same table as sources.
#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "call_table.hpp"
#include "judge.hpp"
#include "trace_events.hpp"

namespace rta::lint {
namespace {

std::string readable(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? std::string(text.get()) : mangled;
}

std::string duration(Time time) {
  const auto ns = time.count();
  if (ns >= 1'000'000) return fmt::format("{}.{:03} ms", ns / 1'000'000, ns / 1000 % 1000);
  return fmt::format("{}.{:03} us", ns / 1000, ns % 1000);
}

class TraceJudge {
 public:
  TraceJudge(const TraceEvents& events, std::string name, const Options& options)
      : events_(events), name_(std::move(name)), options_(options), evidence_(Units{}), judge_(evidence_, options.profile) {}

  Report run() {
    report_.files = 1;
    report_.jobs_marked = events_.has_jobs;
    report_.remarks = events_.remarks;
    all_are_jobs_ = options_.unmarked == Unmarked::job || (options_.unmarked == Unmarked::automatic && !events_.has_jobs);
    calls();
    polling();
    gpu_work();
    streams();
    for (auto& [key, seen] : seen_) add(key, seen);
    std::ranges::sort(report_.findings, {}, [](const Finding& f) { return std::tuple(f.place, f.rule, f.message); });
    report_.acquitted = judge_.acquitted();
    return std::move(report_);
  }

 private:
  struct Key {
    RuleId rule;
    std::string message, job;
    auto operator<=>(const Key&) const = default;
  };
  struct Seen {
    Level level = Level::error;
    std::size_t count = 0;
    Time longest = Time(-1);
    std::uint32_t line = 0;  // of the longest one
  };

  /// The job in which a thread is at that time; nothing: none.
  [[nodiscard]] std::optional<std::string> job_at(std::uint32_t process, std::uint32_t thread, Time time) const {
    const auto at = events_.ranges.find({process, thread});
    if (at != events_.ranges.end()) {
      // Ranges of a thread are nested: of those that have begun, the last one that has not ended is the innermost.
      const auto& ranges = at->second;
      constexpr int farthest = 64;
      auto range = std::ranges::upper_bound(ranges, time, {}, &TracedRange::start);
      for (int i = 0; i < farthest && range != ranges.begin(); ++i) {
        --range;
        if (range->end < time) continue;
        if (range->is_job) return range->job;
        return std::nullopt;
      }
    }
    return all_are_jobs_ ? std::optional<std::string>("") : std::nullopt;
  }
  [[nodiscard]] std::optional<std::string> job_of(const TracedCall& call) const { return job_at(call.process, call.thread, call.start); }
  [[nodiscard]] const TracedCall* call_of(const trace::Origin& origin) const {
    const auto at = events_.by_correlation.find({origin.process, origin.correlation});
    return at == events_.by_correlation.end() ? nullptr : &events_.calls[at->second];
  }
  /// The job that issued work; work whose call is not in the trace belongs to none that is known.
  [[nodiscard]] std::optional<std::string> job_of(const trace::Origin& origin) const {
    const TracedCall* const call = call_of(origin);
    if (call != nullptr) return job_of(*call);
    return all_are_jobs_ ? std::optional<std::string>("") : std::nullopt;
  }

  void note(RuleId rule, Level level, std::string message, std::string job, Time length, std::uint32_t line) {
    Seen& seen = seen_[{rule, std::move(message), std::move(job)}];
    seen.level = level;
    ++seen.count;
    if (length > seen.longest) {
      seen.longest = length;
      seen.line = line;
    }
  }
  void note(RuleId id, std::string message, std::string job, Time length, std::uint32_t line) {
    note(id, rule(id).level, std::move(message), std::move(job), length, line);
  }

  void add(const Key& key, const Seen& seen) {
    Finding finding;
    finding.rule = key.rule;
    finding.level = seen.level;
    finding.place = {name_, seen.line, 1};
    finding.message = fmt::format("{}: {} time{}", key.message, seen.count, seen.count == 1 ? "" : "s");
    if (seen.longest > Time::zero()) finding.message += fmt::format(", at most {}", duration(seen.longest));
    finding.job = key.job;
    report_.findings.push_back(std::move(finding));
  }

  void calls() {
    for (const TracedCall& call : events_.calls) {
      const std::string& name = events_.names[call.name];
      const auto job = job_of(call);
      for (const Hit& hit : judge_.hits_of_record(name)) {
        if (!job && !hit.everywhere) continue;
        // The record of what ran says more: launches and streams are judged by them.
        if (hit.rule == RuleId::launch || hit.rule == RuleId::blocking_stream) continue;
        note(hit.rule, hit.level, hit.message, job.value_or(""), call.end - call.start, call.line);
      }
      if (job && judge_.waits(name)) {
        note(RuleId::active_wait, Level::note, fmt::format("{} made its caller wait; whether it slept a trace does not tell", name), *job,
             call.end - call.start, call.line);
      }
    }
  }

  /// The same question again and again, with nothing between.
  void polling() {
    constexpr std::size_t often = 3;
    for (std::size_t c = 0; c < events_.calls.size();) {
      const TracedCall& first = events_.calls[c];
      std::size_t next = c + 1;
      while (next < events_.calls.size() && events_.calls[next].process == first.process && events_.calls[next].thread == first.thread &&
             events_.calls[next].name == first.name) {
        ++next;
      }
      const std::string& name = events_.names[first.name];
      if (next - c >= often && judge_.asks(name)) {
        if (const auto job = job_of(first))
          note(RuleId::active_wait, fmt::format("{} is called again and again until the GPU is done", name), *job,
               events_.calls[next - 1].end - first.start, first.line);
      }
      c = next;
    }
  }

  [[nodiscard]] bool on_null_stream(const trace::Origin& origin) const {
    const auto context = events_.null_streams.find({origin.process, origin.context});
    return context != events_.null_streams.end() && context->second == origin.stream;
  }

  /// What a call is said to be itself is not said again of the work that it issued.
  [[nodiscard]] bool is_told(const trace::Origin& origin) const {
    const TracedCall* const call = call_of(origin);
    if (call == nullptr) return false;
    return std::ranges::any_of(judge_.hits_of_record(events_.names[call->name]),
                               [](const Hit& hit) { return hit.rule == RuleId::sync_copy || hit.rule == RuleId::sync_memset; });
  }

  void null_stream(const std::string& what, const trace::Origin& origin, const std::string& job, Time length, std::uint32_t line) {
    if (!on_null_stream(origin) || is_told(origin) || judge_.acquits_null_stream()) return;
    note(RuleId::null_stream, fmt::format("{} ran on the NULL stream, which waits for all blocking streams, and they for it", what), job,
         length, line);
  }

  void gpu_work() {
    std::map<std::string, std::string> names;
    for (const TracedKernel& kernel : events_.kernels) {
      const trace::KernelActivity& a = kernel.activity;
      const auto job = job_of(a.origin);
      if (!job) continue;
      const auto [name, fresh] = names.try_emplace(a.name);
      if (fresh) name->second = readable(a.name);
      const Time length = a.end - a.start;
      null_stream(name->second, a.origin, *job, length, kernel.line);
      const bool clusters = a.cluster != std::array<std::uint32_t, 3>{} && a.cluster != std::array<std::uint32_t, 3>{1, 1, 1};
      if (a.launch == trace::LaunchKind::cooperative || clusters) {
        note(RuleId::cooperative_launch, fmt::format("{} {}", name->second, rule(RuleId::cooperative_launch).says), *job, length,
             kernel.line);
      } else {
        note(RuleId::launch, fmt::format("a job launches {}", name->second), *job, length, kernel.line);
      }
    }
    dependent_launches(names);
    for (const TracedCopy& copy : events_.copies) {
      const trace::TransferActivity& a = copy.activity;
      const auto job = job_of(a.origin);
      if (!job) continue;
      const Time length = a.end - a.start;
      const std::string what = fmt::format("a copy ({}, {} to {})", to_string(a.direction), to_string(a.from), to_string(a.to));
      null_stream(what, a.origin, *job, length, copy.line);
      const bool pageable = a.from == trace::MemoryKind::pageable || a.to == trace::MemoryKind::pageable;
      if (pageable && a.async && !is_told(a.origin) && !judge_.acquits_pageable())
        note(RuleId::pageable_copy, fmt::format("{} {}", what, rule(RuleId::pageable_copy).says), *job, length, copy.line);
    }
    for (const TracedMemset& memset : events_.memsets) {
      if (const auto job = job_of(memset.activity.origin))
        null_stream("a memset", memset.activity.origin, *job, memset.activity.end - memset.activity.start, memset.line);
    }
  }

  /// A stream executes in order, but for launches that ask otherwise. (Kernels of a graph may overlap whatever stream they are recorded
  /// on.)
  void dependent_launches(const std::map<std::string, std::string>& names) {
    std::vector<const TracedKernel*> order;
    order.reserve(events_.kernels.size());
    for (const TracedKernel& kernel : events_.kernels) {
      if (!kernel.activity.origin.graph) order.push_back(&kernel);
    }
    const auto stream = [](const TracedKernel* kernel) {
      const trace::Origin& o = kernel->activity.origin;
      return std::tuple(o.process, o.device, o.context, o.stream);
    };
    std::ranges::sort(order, {}, [&](const TracedKernel* k) { return std::tuple(stream(k), k->activity.start, k->line); });
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      const trace::KernelActivity& next = order[i + 1]->activity;
      if (stream(order[i]) != stream(order[i + 1]) || next.start >= order[i]->activity.end) continue;
      const auto job = job_of(next.origin);
      if (!job) continue;
      note(RuleId::dependent_launch, fmt::format("{} began before the kernel ahead of it in its stream had ended", names.at(next.name)),
           *job, next.end - next.start, order[i + 1]->line);
    }
  }

  void streams() {
    for (const TracedStream& stream : events_.streams) {
      if (stream.activity.kind != trace::StreamKind::blocking || judge_.acquits_blocking_streams()) continue;
      note(RuleId::blocking_stream, "a stream was made that waits for the NULL stream, and that the NULL stream waits for", "", Time(-1),
           stream.line);
    }
  }

  const TraceEvents& events_;
  std::string name_;
  const Options& options_;
  Evidence evidence_;
  Judge judge_;
  bool all_are_jobs_ = false;
  std::map<Key, Seen> seen_;
  Report report_;
};

}  // namespace

Report lint_trace(std::istream& in, const std::string& name, const Options& options) {
  const TraceEvents events = read_events(in, name, options.job_ranges);
  return TraceJudge(events, name, options).run();
}

}  // namespace rta::lint
