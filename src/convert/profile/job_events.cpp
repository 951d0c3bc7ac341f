#include "job_events.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

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

JobEvents events_of(const OrderedProfile& ordered, const JobFamily& family, const Job& job, Unclear& unclear) {
  const Profile& profile = ordered.profile();
  const auto kind_of = [&](std::uint32_t call) { return kind_of_call(profile.texts[profile.calls[call].name]); };
  JobEvents events;
  // Operations by their call, those of a call in the order of launches; those without one at the end.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_call;
  by_call.reserve(job.operations.size());
  for (std::uint32_t i = 0; i < job.operations.size(); ++i) by_call.emplace_back(ordered.call_of(job.operations[i]), i);
  std::ranges::sort(by_call);
  events.operations.reserve(by_call.size());
  for (const auto& [call, i] : by_call) events.operations.push_back(job.operations[i]);
  const auto first_of = [&](std::uint32_t call) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(by_call, std::pair(call, std::uint32_t{0})) - by_call.begin());
  };
  const auto launches = [&](std::uint32_t call) {
    const std::uint32_t first = first_of(call);
    return first < by_call.size() && by_call[first].first == call;
  };
  std::uint32_t without = first_of(no_index);
  for (std::uint32_t i = 0; i < job.operations.size(); ++i) {
    const std::uint32_t o = job.operations[i], call = ordered.call_of(o);
    if (call == no_index) {
      const std::int64_t time = ordered.launch_time(o);
      events.all.push_back({time, time, no_index, ordered.launching_thread(o), without++, 1, CallKind::other});
      ++(events.all.back().thread == no_index ? unclear.no_launch : unclear.assumed_launch);
      continue;
    }
    const std::uint32_t first = first_of(call);
    if (by_call[first].second != i) continue;
    std::uint32_t end = first;
    while (end < by_call.size() && by_call[end].first == call) ++end;
    const Call& c = profile.calls[call];
    events.all.push_back({c.start, c.end, call, c.thread, first, end - first, kind_of(call)});
  }
  const auto& calls = profile.calls;
  const auto all = ordered.calls();
  auto at = std::ranges::lower_bound(all, job.start, {}, [&](std::uint32_t c) { return calls[c].start; });
  const std::int64_t end = family.marked ? job.end : std::min(job.end, last_of_interest(ordered, job));
  for (; at != all.end() && calls[*at].start < end; ++at) {
    const CallKind kind = kind_of(*at);
    if (kind == CallKind::other || profile.threads[calls[*at].thread].process != family.process || launches(*at)) continue;
    events.all.push_back({calls[*at].start, calls[*at].end, *at, calls[*at].thread, 0, 0, kind});
  }
  // What has no call comes before the call that launched the next of its stream.
  std::ranges::sort(events.all, {}, [&](const JobEvent& e) {
    const bool called = e.call != no_index;
    return std::tuple(e.start, called, called ? e.end : profile.operations[events.operations[e.first_operation]].start, e.call);
  });
  return events;
}

const JobEvent* JobEvents::of_call(const Call& call, std::uint32_t number) const {
  const auto key = [](const JobEvent& e) { return std::tuple(e.start, e.call != no_index, e.call == no_index ? e.start : e.end, e.call); };
  const auto at = std::ranges::lower_bound(all, std::tuple(call.start, true, call.end, number), {}, key);
  return at == all.end() || at->call != number ? nullptr : &*at;
}

}  // namespace rta::convert
