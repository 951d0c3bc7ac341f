#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "jobs.hpp"

namespace rta::convert {
namespace {

std::pair<std::uint32_t, std::int64_t> number_of(const Profile& profile, std::uint32_t call) {
  return {profile.threads[profile.calls[call].thread].process, profile.calls[call].correlation};
}

}  // namespace

// Calls within a call (the runtime's within the driver's) may share its number: the first that began counts.
CallsByCorrelation::CallsByCorrelation(const Profile& profile, std::span<const std::uint32_t> calls) {
  calls_.reserve(calls.size());
  for (const std::uint32_t c : calls) {
    if (profile.calls[c].correlation >= 0) calls_.push_back(c);
  }
  std::ranges::stable_sort(calls_, {}, [&](std::uint32_t c) { return number_of(profile, c); });
}

std::uint32_t CallsByCorrelation::find(const Profile& profile, std::uint32_t process, std::int64_t correlation) const {
  if (correlation < 0) return no_index;
  const std::pair wanted(process, correlation);
  const auto at = std::ranges::lower_bound(calls_, wanted, {}, [&](std::uint32_t c) { return number_of(profile, c); });
  return at == calls_.end() || number_of(profile, *at) != wanted ? no_index : *at;
}

OrderedProfile::OrderedProfile(Profile profile, Notes& notes) : profile_(std::move(profile)) {
  const auto& calls = profile_.calls;
  calls_.resize(calls.size());
  std::iota(calls_.begin(), calls_.end(), 0U);
  std::ranges::sort(calls_, {}, [&](std::uint32_t c) { return std::tuple(calls[c].start, calls[c].end, c); });
  by_correlation_ = CallsByCorrelation(profile_, calls_);
  find_priorities();
  call_of_ = leave_out_untrue(profile_, by_correlation_, notes);
  find_launched_together();
  assume_launches();
  const auto& operations = profile_.operations;
  launched_.resize(operations.size());
  std::iota(launched_.begin(), launched_.end(), 0U);
  std::ranges::sort(launched_, {}, [&](std::uint32_t o) {
    const std::int64_t call_end = call_of_[o] == no_index ? launch_time(o) : calls[call_of_[o]].end;
    return std::tuple(launch_time(o), call_end, operations[o].start, o);
  });
  synchronisation_.assign(calls.size(), no_index);
  for (std::uint32_t s = 0; s < profile_.synchronisations.size(); ++s) {
    const Synchronisation& record = profile_.synchronisations[s];
    const std::uint32_t call = call_with(record.process, record.correlation);
    if (call != no_index) synchronisation_[call] = s;
    has_lost_waits_ |= call == no_index && record.kind == Synchronisation::Kind::stream_wait_event;
  }
}

// The NULL stream has CUDA's default.
void OrderedProfile::find_priorities() {
  for (GpuOperation& o : profile_.operations) {
    const auto stream = profile_.streams.find({o.process, o.context, o.stream});
    if (o.priority || stream == profile_.streams.end()) continue;
    o.priority = stream->second.priority;
    if (!o.priority && stream->second.null) o.priority = low_priority;
  }
}

// By the calls that launch them.
void OrderedProfile::find_launched_together() {
  for (std::size_t o = 0; o < call_of_.size(); ++o) {
    if (call_of_[o] == no_index || profile_.operations[o].kind != GpuOperation::Kind::kernel) continue;
    const std::string_view call = profile_.texts[profile_.calls[call_of_[o]].name];
    const Texts::Id kernel = profile_.operations[o].name;
    if (call.find("LaunchCooperative") != std::string_view::npos) profile_.together.insert(kernel);
    const bool untold = call.find("LaunchKernelEx") != std::string_view::npos || call.find("GraphLaunch") != std::string_view::npos;
    if (!profile_.tells_launches && untold) profile_.perhaps_together.insert(kernel);
  }
}

// A stream executes in the order of its launches, and a thread within a call launches nothing else.
void OrderedProfile::assume_launches() {
  if (std::ranges::find(call_of_, no_index) == call_of_.end()) return;
  const auto& all = profile_.operations;
  std::vector<std::uint32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto stream = [&](std::uint32_t o) { return std::tuple(all[o].process, all[o].device, all[o].context, all[o].stream); };
  std::ranges::sort(order, {}, [&](std::uint32_t o) { return std::tuple(stream(o), all[o].start, all[o].end, o); });
  const auto thread_of = [&](std::uint32_t o) { return profile_.calls[call_of_[o]].thread; };
  std::map<std::uint32_t, std::uint32_t> of_process;  // a thread that launches
  for (std::uint32_t o = 0; o < all.size(); ++o) {
    if (call_of_[o] != no_index) of_process.emplace(all[o].process, thread_of(o));
  }
  std::uint32_t next = no_index;  // of the stream, with a call
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    if (next != no_index && stream(next) != stream(*at)) next = no_index;
    if (call_of_[*at] != no_index) {
      next = *at;
    } else {
      assumed_.emplace(*at, next == no_index ? Launch{all[*at].start, no_index}
                                             : Launch{std::min(all[*at].start, profile_.calls[call_of_[next]].start), thread_of(next)});
    }
  }
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_thread;  // calls, by start
  for (const std::uint32_t call : calls_) by_thread[profile_.calls[call].thread].push_back(call);
  std::uint32_t last = no_index;
  for (const std::uint32_t o : order) {
    if (last != no_index && stream(last) != stream(o)) last = no_index;
    if (call_of_[o] != no_index) {
      last = o;
      continue;
    }
    const bool migrates = all[o].kind == GpuOperation::Kind::copy && all[o].correlation < 0;  // nobody launched that
    Launch& launch = assumed_.at(o);
    if (launch.thread == no_index && last != no_index) launch.thread = thread_of(last);
    if (const auto own = of_process.find(all[o].process); launch.thread == no_index && own != of_process.end()) launch.thread = own->second;
    if (migrates) launch = {all[o].start, no_index};
    if (launch.thread == no_index) continue;
    const auto& calls = by_thread[launch.thread];
    const auto after = std::ranges::lower_bound(calls, launch.time, {}, [&](std::uint32_t c) { return profile_.calls[c].start; });
    if (after == calls.begin()) continue;
    const Call& before = profile_.calls[*std::prev(after)];
    if (before.end > launch.time) launch.time = before.start;
  }
}

std::uint32_t OrderedProfile::call_with(std::uint32_t process, std::int64_t correlation) const {
  return by_correlation_.find(profile_, process, correlation);
}

std::int64_t OrderedProfile::launch_time(std::uint32_t operation) const {
  const std::uint32_t call = call_of_[operation];
  return call == no_index ? assumed_.at(operation).time : profile_.calls[call].start;
}

std::uint32_t OrderedProfile::launching_thread(std::uint32_t operation) const {
  const std::uint32_t call = call_of_[operation];
  return call == no_index ? assumed_.at(operation).thread : profile_.calls[call].thread;
}

const Synchronisation* OrderedProfile::synchronisation_of(std::uint32_t call) const {
  return synchronisation_[call] == no_index ? nullptr : &profile_.synchronisations[synchronisation_[call]];
}

std::int64_t OrderedProfile::null_stream(std::uint32_t process, std::int64_t context) const {
  constexpr std::int64_t in_cupti = 7;
  const auto from = profile_.streams.lower_bound({process, context, std::numeric_limits<std::int64_t>::min()});
  std::optional<std::int64_t> first;
  for (auto at = from; at != profile_.streams.end(); ++at) {
    const auto& [of_process, of_context, stream] = at->first;
    if (of_process != process || of_context != context) break;
    if (at->second.null) return stream;
    if (!first && at->second.blocking == true) first = stream;
  }
  return first.value_or(in_cupti);
}

}  // namespace rta::convert
