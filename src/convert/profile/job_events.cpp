#include "job_events.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

namespace rta::convert {
namespace {

// A job that nothing marks ends with the first synchronisation after its last operation, if there is one before the next job.
std::int64_t last_of_interest(const OrderedProfile& ordered, const Job& job) {
  const Profile& profile = ordered.profile();
  std::int64_t last = job.start;
  for (const std::uint32_t o : job.operations) last = std::max({last, profile.operations[o].end, ordered.launch_time(o) + 1});
  return last == std::numeric_limits<std::int64_t>::max() ? last : last + 1;
}

}  // namespace

std::vector<JobEvent> events_of(const OrderedProfile& ordered, const JobFamily& family, const Job& job, Unclear& unclear) {
  const Profile& profile = ordered.profile();
  const auto kind_of = [&](std::uint32_t call) { return kind_of_call(profile.texts[profile.calls[call].name]); };
  std::vector<JobEvent> events;
  std::unordered_map<std::uint32_t, std::size_t> event_of_call;
  for (const std::uint32_t o : job.operations) {
    const std::uint32_t call = ordered.call_of(o);
    if (call == no_index) {
      const std::int64_t time = ordered.launch_time(o);
      events.push_back({time, time, no_index, CallKind::other, {o}, ordered.launching_thread(o)});
      ++(events.back().thread == no_index ? unclear.no_launch : unclear.assumed_launch);
      continue;
    }
    const auto [at, fresh] = event_of_call.emplace(call, events.size());
    if (fresh) events.push_back({profile.calls[call].start, profile.calls[call].end, call, kind_of(call), {}, profile.calls[call].thread});
    events[at->second].operations.push_back(o);
  }
  const auto& calls = profile.calls;
  const auto all = ordered.calls();
  auto at = std::ranges::lower_bound(all, job.start, {}, [&](std::uint32_t c) { return calls[c].start; });
  const std::int64_t end = family.marked ? job.end : std::min(job.end, last_of_interest(ordered, job));
  for (; at != all.end() && calls[*at].start < end; ++at) {
    const CallKind kind = kind_of(*at);
    if (kind == CallKind::other || event_of_call.contains(*at) || profile.threads[calls[*at].thread].process != family.process) continue;
    events.push_back({calls[*at].start, calls[*at].end, *at, kind, {}, calls[*at].thread});
  }
  // What has no call comes before the call that launched the next of its stream.
  std::ranges::sort(events, {}, [&](const JobEvent& e) {
    const bool called = e.call != no_index;
    return std::tuple(e.start, called, called ? e.end : profile.operations[e.operations.front()].start, e.call);
  });
  return events;
}

}  // namespace rta::convert
