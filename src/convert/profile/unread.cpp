#include "unread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "../../io/yaml_text.hpp"
#include "../names.hpp"

namespace rta::convert {
namespace {

using Interval = std::pair<std::int64_t, std::int64_t>;

// When jobs ran, overlapping ones as one.
std::vector<Interval> times_of(const OrderedProfile& ordered, const std::vector<JobFamily>& families) {
  std::vector<Interval> all;
  for (const JobFamily& family : families) {
    for (const Job& job : family.jobs) {
      std::int64_t end = job.end == std::numeric_limits<std::int64_t>::max() ? job.start : job.end;
      if (families.size() == 1 && family.jobs.size() == 1 && !family.marked) end = job.end;  // all that there is
      for (const std::uint32_t o : job.operations) end = std::max(end, ordered.profile().operations[o].end);
      all.emplace_back(job.start, end);
    }
  }
  std::ranges::sort(all);
  std::vector<Interval> merged;
  for (const Interval& one : all) {
    if (!merged.empty() && one.first <= merged.back().second) {
      merged.back().second = std::max(merged.back().second, one.second);
    } else {
      merged.push_back(one);
    }
  }
  return merged;
}

// How much of an interval lies in sorted ones.
Wide within(const std::vector<Interval>& all, std::int64_t start, std::int64_t end) {
  Wide sum = 0;
  auto at = std::ranges::lower_bound(all, start, {}, &Interval::second);
  for (; at != all.end() && at->first < end; ++at) sum += Wide{std::min(end, at->second)} - std::max(start, at->first);
  return sum;
}

// The first texts, and how many more there are.
std::vector<std::string> first_of(const std::set<std::string>& all) {
  constexpr std::size_t shown = 8;
  std::vector<std::string> out;
  out.reserve(shown + 1);
  for (const std::string& text : all) {
    if (out.size() == shown) {
      out.push_back(fmt::format("and {} more", all.size() - shown));
      break;
    }
    out.push_back(text);
  }
  return out;
}

// What repeats is cut into jobs without gaps: only what ran before the first and after the last of a process is in none.
Beside tell_cut_off(const OrderedProfile& ordered, const std::vector<JobFamily>& families, const Options& options, Notes& notes) {
  Beside beside;
  const Profile& profile = ordered.profile();
  struct Cut {
    std::map<Texts::Id, std::int64_t> longest;  // of kernels in jobs
    std::map<Texts::Id, std::int64_t> cut_off;  // of kernels of which no job shows as much
    std::size_t left = 0;
    Wide time = 0;
  };
  std::map<std::uint32_t, Cut> cuts;  // by process, each of which is one family
  std::vector<bool> in_job(profile.operations.size());
  const auto longer = [](std::map<Texts::Id, std::int64_t>& all, Texts::Id name, std::int64_t length) {
    std::int64_t& most = all.emplace(name, length).first->second;
    most = std::max(most, length);
  };
  for (const JobFamily& family : families) {
    Cut& cut = cuts[family.process];
    for (const Job& job : family.jobs) {
      for (const std::uint32_t o : job.operations) {
        const GpuOperation& operation = profile.operations[o];
        in_job[o] = true;
        if (operation.kind == GpuOperation::Kind::kernel) longer(cut.longest, operation.name, operation.end - operation.start);
      }
    }
  }
  for (std::size_t o = 0; o < in_job.size(); ++o) {
    const GpuOperation& operation = profile.operations[o];
    if (in_job[o] || (options.gpu && operation.device != static_cast<std::int64_t>(*options.gpu))) continue;
    Cut& cut = cuts[operation.process];
    const std::int64_t length = operation.end - operation.start;
    ++cut.left;
    cut.time += length;
    if (operation.kind != GpuOperation::Kind::kernel) continue;
    const auto known = cut.longest.find(operation.name);
    if (known != cut.longest.end() && length <= known->second) continue;
    if (known != cut.longest.end()) ++beside.unlike;
    longer(cut.cut_off, operation.name, length);
  }
  std::set<std::string> unlike;
  for (const JobFamily& family : families) {
    const Cut& cut = cuts[family.process];
    if (cut.left == 0) continue;
    notes.assume(fmt::format("DAG '{}': {} kernels, copies and memsets before the first and after the last job are left out: {} on GPUs",
                             family.name, cut.left, io::time_text(to_time(cut.time))));
    std::set<std::string> in_none;
    for (const auto& [name, most] : cut.cut_off) {
      const std::string text = fmt::format("'{}' of {}", one_line(function_name(profile.texts[name]), 80), io::time_text(Time(most)));
      const auto known = cut.longest.find(name);
      if (known == cut.longest.end()) {
        in_none.insert(text);
      } else {
        unlike.insert(fmt::format("{}, in jobs at most {}", text, io::time_text(Time(known->second))));
      }
    }
    if (!in_none.empty())
      notes.assume(
          fmt::format("WARNING: DAG '{}': kernels in no job, WHICH NO BOUND COVERS: {}", family.name, fmt::join(first_of(in_none), "; ")));
  }
  beside.unlike_names = first_of(unlike);
  return beside;
}

struct Seen {
  std::size_t count = 0;
  Wide time = 0, within = 0;
};

}  // namespace

Beside tell_outside(const OrderedProfile& ordered, const std::vector<JobFamily>& families, const Options& options, Notes& notes) {
  Beside beside;
  if (families.empty()) return beside;
  if (!families.front().marked) return tell_cut_off(ordered, families, options, notes);
  const Profile& profile = ordered.profile();
  std::vector<bool> in_job(profile.operations.size());
  for (const JobFamily& family : families) {
    for (const Job& job : family.jobs) {
      for (const std::uint32_t o : job.operations) in_job[o] = true;
    }
  }
  const std::vector<Interval> times = times_of(ordered, families);
  std::size_t outside = 0;
  Wide time = 0, time_beside = 0;
  for (std::size_t o = 0; o < in_job.size(); ++o) {
    const GpuOperation& operation = profile.operations[o];
    if (in_job[o] || (options.gpu && operation.device != static_cast<std::int64_t>(*options.gpu))) continue;
    ++outside;
    time += Wide{operation.end} - operation.start;
    const Wide here = within(times, operation.start, operation.end);
    time_beside += here;
    beside.count += here > 0 ? 1U : 0U;
  }
  if (outside == 0) return beside;
  std::string text =
      fmt::format("{} kernels, copies and memsets that no job launched are left out: {} on GPUs", outside, io::time_text(to_time(time)));
  beside.time = to_time(time_beside);
  if (beside.count > 0) text += fmt::format(", {} OF IT BESIDE JOBS, WHICH NO BOUND COVERS", io::time_text(beside.time));
  notes.assume(std::move(text));
  return beside;
}

void tell_unread(const OrderedProfile& ordered, const std::vector<JobFamily>& families, const Options& options, Notes& notes) {
  const Profile& profile = ordered.profile();
  if (profile.unread.empty()) return;
  const std::vector<Interval> times = times_of(ordered, families);
  std::map<std::pair<const Reading*, Texts::Id>, Seen> all;
  for (const Unread& one : profile.unread) {
    if (options.gpu && one.device && *one.device != static_cast<std::int64_t>(*options.gpu)) continue;
    Seen& seen = all[{one.row, one.name}];
    ++seen.count;
    seen.time += Wide{one.end} - one.start;
    const std::uint32_t call = ordered.call_with(one.process, one.correlation);
    const bool launched = call != no_index && within(times, profile.calls[call].start, profile.calls[call].start + 1) > 0;
    seen.within += launched ? Wide{one.end} - one.start : within(times, one.start, one.end);
  }
  std::vector<io::Diagnostic> faults;
  for (const auto& [what, seen] : all) {
    const auto& [row, name] = what;
    const std::string text = fmt::format("{} '{}': {} with {} on GPUs, of which {} lie within jobs: {}", row->part,
                                         one_line(profile.texts[name], 80), seen.count, io::time_text(to_time(seen.time)),
                                         seen.within == 0 ? "none" : io::time_text(to_time(seen.within)), row->means);
    if (seen.within > 0 && !options.cpu_only) {
      faults.push_back({profile.file, 0, 0, text});
    } else {
      notes.assume("LEFT OUT: " + text);
    }
  }
  if (!faults.empty()) throw io::InputError(std::move(faults));
}

}  // namespace rta::convert
