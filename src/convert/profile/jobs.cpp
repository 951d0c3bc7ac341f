#include "jobs.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "../../io/yaml_text.hpp"
#include "../names.hpp"

namespace rta::convert {
namespace {

// PyTorch's profiler marks the steps of the program so.
const std::string standard_marker = "ProfilerStep";

// `ProfilerStep#5` is a job of the marker `ProfilerStep`; markers may be patterns of the shell.
bool is_job_of(const std::string& marker, const std::string& range) {
  if (range == marker) return true;
  if (range.starts_with(marker) && range.size() > marker.size() && (range[marker.size()] == '#' || range[marker.size()] == ' ')) {
    return std::all_of(range.begin() + static_cast<std::ptrdiff_t>(marker.size()) + 1, range.end(),
                       [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
  }
  return ::fnmatch(marker.c_str(), range.c_str(), 0) == 0;
}

std::string family_name(const std::string& marker) {
  std::string name = marker;
  while (!name.empty() && (name.back() == '*' || name.back() == '#' || name.back() == '?')) name.pop_back();
  return one_word(name, "job");
}

class JobFinder {
 public:
  JobFinder(const OrderedProfile& ordered, const Options& options, Notes& notes)
      : ordered_(ordered), profile_(ordered.profile()), options_(options), notes_(notes) {
    for (const std::uint32_t o : ordered.launched()) {
      if (!options.gpu || profile_.operations[o].device == static_cast<std::int64_t>(*options.gpu)) launched_.push_back(o);
    }
  }

  std::vector<JobFamily> find() {
    if (options_.gpu && launched_.size() == ordered_.launched().size())
      notes_.found(fmt::format("--gpu {}: nothing was recorded on another GPU", *options_.gpu));
    if (launched_.empty()) {
      refuse(profile_.file, options_.gpu ? fmt::format("--gpu {}: nothing was recorded on that GPU (recorded: {})", *options_.gpu, gpus())
                                         : "the recording has no kernel, copy or memset on a GPU" + unread());
    }
    std::vector<std::string> markers = options_.job_markers;
    if (markers.empty()) markers = {standard_marker};
    find_ranges(markers);
    if (ranges_.empty() && !options_.job_markers.empty()) {
      std::string wanted;
      for (const std::string& marker : markers) wanted += (wanted.empty() ? "'" : ", '") + marker + "'";
      refuse(profile_.file, fmt::format("--job-marker: no range of the recording is called {} (ranges: {})", wanted, range_names()));
    }
    if (ranges_.empty()) {
      find_by_repetition();
    } else {
      sort_into_ranges();
    }
    std::erase_if(families_, [](const JobFamily& f) { return f.jobs.empty(); });
    if (families_.empty())
      refuse(profile_.file, fmt::format("--job-marker: no kernel, copy or memset was launched within a job (ranges: {})", range_names()));
    UniqueNames names;
    for (JobFamily& family : families_) family.name = names.unique(family.name);
    return std::move(families_);
  }

 private:
  struct Marked {
    std::int64_t start, end;
    std::uint32_t thread;
    std::size_t marker;
    std::size_t family = 0, job = 0;
  };

  [[nodiscard]] std::string gpus() const {
    std::set<std::int64_t> numbers;
    for (const GpuOperation& o : profile_.operations) numbers.insert(o.device);
    return fmt::format("{}", fmt::join(numbers, ", "));
  }

  // What it has instead, which is not read.
  [[nodiscard]] std::string unread() const {
    if (profile_.unread.empty()) return {};
    const Unread& one = profile_.unread.front();
    return fmt::format(" that is read: {} '{}': {}", one.row->part, profile_.texts[one.name], one.row->means);
  }

  // The names of ranges without the numbers at their ends; of many the first.
  [[nodiscard]] std::string range_names() const {
    std::set<std::string> names;
    for (const Range& range : profile_.ranges) {
      std::string name(profile_.texts[range.name].substr(0, 60));
      while (!name.empty() && std::isdigit(static_cast<unsigned char>(name.back())) != 0) name.pop_back();
      names.insert(name);
      if (names.size() > 12) return fmt::format("{}, …", fmt::join(names, ", "));
    }
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
  }

  void find_ranges(const std::vector<std::string>& markers) {
    std::map<Texts::Id, std::optional<std::size_t>> matching;  // a name is matched once
    for (const Range& range : profile_.ranges) {
      auto [at, fresh] = matching.emplace(range.name, std::nullopt);
      if (fresh) {
        const std::string name(profile_.texts[range.name]);
        for (std::size_t m = 0; m < markers.size() && !at->second; ++m) {
          if (!is_job_of(markers[m], name)) continue;
          at->second = m;
          notes_.uses("job-marker " + markers[m]);
        }
      }
      if (at->second) ranges_.push_back({range.start, range.end, range.thread, *at->second});
    }
    std::ranges::sort(ranges_, {}, [](const Marked& r) { return std::tuple(r.start, -r.end, r.thread); });
    // Of ranges of one marker within one another the outermost is the job.
    std::map<std::pair<std::uint32_t, std::size_t>, std::int64_t> open;
    std::size_t nested = 0;
    std::erase_if(ranges_, [&](const Marked& r) {
      auto [at, fresh] = open.emplace(std::pair(r.thread, r.marker), r.end);
      const bool within = !fresh && r.end <= at->second;
      if (!within) at->second = std::max(at->second, r.end);
      nested += static_cast<std::size_t>(within);
      return within;
    });
    if (nested > 0) notes_.found(fmt::format("{} ranges within a range of the same marker belong to that one's job", nested));
    marker_names_ = markers;
  }

  void sort_into_ranges() {
    std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> family_of;  // process, marker
    std::map<std::uint32_t, std::vector<std::size_t>> by_thread;
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      Marked& range = ranges_[i];
      const std::uint32_t process = profile_.threads[range.thread].process;
      const auto [at, fresh] = family_of.emplace(std::pair(process, range.marker), families_.size());
      if (fresh) families_.push_back({family_name(marker_names_[range.marker]), process, true, {}});
      range.family = at->second;
      range.job = families_[at->second].jobs.size();
      families_[at->second].jobs.push_back({range.start, range.end, range.thread, {}});
      by_thread[range.thread].push_back(i);
    }
    for (const std::uint32_t o : launched_) {
      if (const Marked* const range = range_of(o, by_thread)) families_[range->family].jobs[range->job].operations.push_back(o);
    }
    std::size_t empty = 0;
    for (JobFamily& family : families_) {
      empty += std::erase_if(family.jobs, [](const Job& job) { return job.operations.empty(); });
      if (!family.jobs.empty()) notes_.found(fmt::format("DAG '{}': {} jobs, the ranges of that name", family.name, family.jobs.size()));
    }
    if (empty > 0) notes_.assume(fmt::format("{} ranges in which nothing was launched are no jobs", empty));
  }

  // The innermost range of its own thread that launched it, otherwise the last that began on any thread of its process.
  const Marked* range_of(std::uint32_t operation, const std::map<std::uint32_t, std::vector<std::size_t>>& by_thread) const {
    const std::int64_t time = ordered_.launch_time(operation);
    const std::uint32_t call = ordered_.call_of(operation);
    constexpr int patience = 64;  // ranges that began before and may still be open
    const auto contains = [&](const Marked& r) { return r.start <= time && time < r.end; };
    if (call != no_index) {
      if (const auto own = by_thread.find(profile_.calls[call].thread); own != by_thread.end()) {
        auto after = std::ranges::upper_bound(own->second, time, {}, [&](std::size_t i) { return ranges_[i].start; });
        for (int i = 0; i < patience && after != own->second.begin(); ++i) {
          if (contains(ranges_[*--after])) return &ranges_[*after];
        }
      }
    }
    auto after = std::ranges::upper_bound(ranges_, time, {}, &Marked::start);
    for (int i = 0; i < patience && after != ranges_.begin(); ++i) {
      --after;
      if (contains(*after) && profile_.threads[after->thread].process == profile_.operations[operation].process) return &*after;
    }
    return nullptr;
  }

  void find_by_repetition() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_process;
    for (const std::uint32_t o : launched_) by_process[profile_.operations[o].process].push_back(o);
    for (const auto& [process, operations] : by_process) {
      const std::string name = one_word(profile_.processes[process].name, "program");
      families_.push_back({name, process, false, {}});
      std::vector<std::uint32_t> tokens;
      tokens.reserve(operations.size());
      std::map<std::tuple<Texts::Id, std::uint32_t, std::int64_t>, std::uint32_t> ids;
      for (const std::uint32_t o : operations) {
        const GpuOperation& operation = profile_.operations[o];
        tokens.push_back(
            ids.emplace(std::tuple(operation.name, operation.H, operation.stream), static_cast<std::uint32_t>(ids.size())).first->second);
      }
      const auto repetition = find_repetition(tokens);
      if (repetition) {
        cut(operations, regular_starts(operations, *repetition), "which repeat exactly");
      } else if (const auto starts = starts_by_anchor(operations, tokens, ids.size()); !starts.empty()) {
        cut(operations, starts, "found by what comes once in each");
      } else {
        cut(operations, {0}, "");
      }
    }
  }

  // Time from the launch before to that of the i-th operation.
  [[nodiscard]] std::int64_t pause_before(const std::vector<std::uint32_t>& operations, std::size_t i) const {
    if (i == 0) return 0;
    const std::uint32_t call = ordered_.call_of(operations[i - 1]);
    const std::int64_t before = call == no_index ? profile_.operations[operations[i - 1]].end : profile_.calls[call].end;
    return std::max<std::int64_t>(ordered_.launch_time(operations[i]) - before, 0);
  }

  // A job begins after the pause that is longest on average.
  std::vector<std::size_t> regular_starts(const std::vector<std::uint32_t>& operations, const Repetition& found) const {
    std::size_t best = 0;
    double longest = -1;
    for (std::size_t k = 0; k < found.period; ++k) {
      double sum = 0;
      std::size_t count = 0;
      for (std::size_t i = found.first + k; i < operations.size(); i += found.period) {
        if (i == 0) continue;
        sum += static_cast<double>(pause_before(operations, i));
        ++count;
      }
      // Of the first whole job on, with ties for the earlier.
      if (count > 0 && sum / static_cast<double>(count) > longest) {
        longest = sum / static_cast<double>(count);
        best = k;
      }
    }
    const auto whole_from = [&](std::size_t begin) {
      std::vector<std::size_t> starts;
      for (std::size_t i = begin; i + found.period <= operations.size(); i += found.period) starts.push_back(i);
      return starts;
    };
    std::vector<std::size_t> starts = whole_from(found.first + best);
    // Two jobs are worth more than one that begins well.
    if (starts.size() < 2) starts = whole_from(found.first);
    starts.push_back(starts.back() + found.period);  // the end of the last
    return starts;
  }

  // Jobs that differ: something that comes once in each, at about equal distances, begins them. Of several the one after the longest pause.
  std::vector<std::size_t> starts_by_anchor(const std::vector<std::uint32_t>& operations, const std::vector<std::uint32_t>& tokens,
                                            std::size_t kinds) const {
    std::vector<std::vector<std::size_t>> at(kinds);
    for (std::size_t i = 0; i < tokens.size(); ++i) at[tokens[i]].push_back(i);
    std::map<std::size_t, std::vector<std::uint32_t>> regular;  // by how often
    for (std::uint32_t t = 0; t < kinds; ++t) {
      if (at[t].size() >= 3 && is_regular(at[t], tokens.size())) regular[at[t].size()].push_back(t);
    }
    const auto most = std::ranges::max_element(regular, {}, [](const auto& entry) { return entry.second.size(); });
    if (most == regular.end()) return {};
    const auto pause = [&](std::uint32_t t) {
      double sum = 0;
      for (const std::size_t i : at[t]) sum += static_cast<double>(pause_before(operations, i));
      return sum;
    };
    // What follows the last start may be cut off: it only ends the job before.
    return at[*std::ranges::max_element(most->second, {}, pause)];
  }

  // Distances that differ by less than a fifth from their mean, from end to end of the recording.
  static bool is_regular(const std::vector<std::size_t>& at, std::size_t length) {
    const double mean = static_cast<double>(at.back() - at.front()) / static_cast<double>(at.size() - 1);
    if (mean < 2 || static_cast<double>(at.front()) > 2 * mean || static_cast<double>(length - at.back()) > 2 * mean) return false;
    for (std::size_t i = 1; i < at.size(); ++i) {
      const auto distance = static_cast<double>(at[i] - at[i - 1]);
      if (distance < 0.8 * mean || distance > 1.2 * mean) return false;
    }
    return true;
  }

  // Jobs of the family at hand from each start to the next; with one start alone, to the end.
  void cut(const std::vector<std::uint32_t>& operations, const std::vector<std::size_t>& starts, const char* how) {
    JobFamily& family = families_.back();
    const std::size_t jobs = starts.size() == 1 ? 1 : starts.size() - 1;
    for (std::size_t j = 0; j < jobs; ++j) {
      const std::size_t end = j + 1 < starts.size() ? starts[j + 1] : operations.size();
      Job job;
      job.start = ordered_.launch_time(operations[starts[j]]);
      job.operations.assign(operations.begin() + static_cast<std::ptrdiff_t>(starts[j]),
                            operations.begin() + static_cast<std::ptrdiff_t>(end));
      job.end = end < operations.size() ? ordered_.launch_time(operations[end]) : std::numeric_limits<std::int64_t>::max();
      family.jobs.push_back(std::move(job));
    }
    if (jobs == 1) {
      notes_.found(
          fmt::format("DAG '{}': no range marks its jobs and nothing repeats: all of the recording is one job (--job-marker names ranges)",
                      family.name));
      return;
    }
    const GpuOperation& first = profile_.operations[operations[starts.front()]];
    notes_.found(fmt::format("DAG '{}': {} jobs of {} kernels, copies and memsets {}; each begins with '{}'", family.name, jobs,
                             starts[1] - starts[0], how, one_line(function_name(profile_.texts[first.name]), 80)));
  }

  const OrderedProfile& ordered_;
  const Profile& profile_;
  const Options& options_;
  Notes& notes_;
  std::vector<std::uint32_t> launched_;
  std::vector<Marked> ranges_;
  std::vector<std::string> marker_names_;
  std::vector<JobFamily> families_;
};

}  // namespace

std::vector<JobFamily> find_jobs(const OrderedProfile& ordered, const Options& options, Notes& notes) {
  return JobFinder(ordered, options, notes).find();
}

}  // namespace rta::convert
