#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "jobs.hpp"

namespace rta::convert {

OrderedProfile::OrderedProfile(Profile profile) : profile_(std::move(profile)) {
  const auto& calls = profile_.calls;
  calls_.resize(calls.size());
  std::iota(calls_.begin(), calls_.end(), 0U);
  std::ranges::sort(calls_, {}, [&](std::uint32_t c) { return std::tuple(calls[c].start, calls[c].end, c); });
  // Calls within a call (the runtime's within the driver's) may share its number: the first that began counts.
  for (const std::uint32_t c : calls_) {
    if (calls[c].correlation >= 0) by_correlation_.emplace(std::pair(profile_.threads[calls[c].thread].process, calls[c].correlation), c);
  }
  const auto& operations = profile_.operations;
  for (const GpuOperation& o : operations) call_of_.push_back(call_with(o.process, o.correlation));
  launched_.resize(operations.size());
  std::iota(launched_.begin(), launched_.end(), 0U);
  std::ranges::sort(launched_, {}, [&](std::uint32_t o) {
    const std::int64_t call_end = call_of_[o] == no_index ? launch_time(o) : calls[call_of_[o]].end;
    return std::tuple(launch_time(o), call_end, operations[o].start, o);
  });
  synchronisation_.assign(calls.size(), no_index);
  for (std::uint32_t s = 0; s < profile_.synchronisations.size(); ++s) {
    const Synchronisation& record = profile_.synchronisations[s];
    if (const std::uint32_t call = call_with(record.process, record.correlation); call != no_index) synchronisation_[call] = s;
  }
}

std::uint32_t OrderedProfile::call_with(std::uint32_t process, std::int64_t correlation) const {
  if (correlation < 0) return no_index;
  const auto at = by_correlation_.find({process, correlation});
  return at == by_correlation_.end() ? no_index : at->second;
}

std::int64_t OrderedProfile::launch_time(std::uint32_t operation) const {
  const std::uint32_t call = call_of_[operation];
  return call == no_index ? profile_.operations[operation].start : profile_.calls[call].start;
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
