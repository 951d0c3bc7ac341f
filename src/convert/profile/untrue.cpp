#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>

#include "../names.hpp"
#include "calls.hpp"
#include "jobs.hpp"

namespace rta::convert {
namespace {

// Clocks of a GPU and of its host, which a profiler brings together, may differ by so much.
constexpr std::int64_t clocks_differ = 10'000'000;
// Nothing lasts so many times as long as all that the program did, which is more than a short recording shows.
constexpr std::int64_t orders_of_magnitude = 100;
constexpr std::int64_t short_recording = 1'000'000'000;

class Doubts {
 public:
  Doubts(Profile& profile, const CallsByCorrelation& calls, Notes& notes) : profile_(profile), notes_(notes) {
    launches_.reserve(profile.operations.size());
    for (const GpuOperation& o : profile.operations) launches_.push_back(calls.find(profile, o.process, o.correlation));
  }

  std::vector<std::uint32_t> leave_out() {
    mend_calls_and_ranges();
    leave_out_times();
    cut_by_the_next();
    cut_by_waits();
    refuse_many();
    tell();
    place();
    return std::move(launches_);
  }

 private:
  static std::int64_t length(const GpuOperation& o) { return o.end - o.start; }

  [[nodiscard]] const Call* launch_of(std::size_t operation) const {
    return launches_[operation] == no_index ? nullptr : &profile_.calls[launches_[operation]];
  }

  // A call that ends before it begins has no length that is known; a range has no use.
  void mend_calls_and_ranges() {
    for (Call& call : profile_.calls) {
      if (call.end >= call.start) continue;
      call.end = call.start;
      ++calls_;
    }
    ranges_ = std::erase_if(profile_.ranges, [](const Range& r) { return r.end < r.start; });
  }

  // From the first to the last that is known of the program itself; without times: nothing is.
  [[nodiscard]] std::int64_t length_of_program() const {
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = std::numeric_limits<std::int64_t>::min();
    const auto take = [&](std::int64_t start, std::int64_t end) {
      if (start == 0 && end == 0) return;
      first = std::min(first, start);
      last = std::max(last, end);
    };
    for (const Call& call : profile_.calls) take(call.start, call.end);
    for (const Range& range : profile_.ranges) take(range.start, range.end);
    constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max() / (2 * orders_of_magnitude);
    return last <= first ? any : std::clamp(last - first, short_recording, any);
  }

  void leave_out_times() {
    const std::int64_t longest = orders_of_magnitude * length_of_program();
    for (std::size_t i = 0; i < profile_.operations.size(); ++i) {
      GpuOperation& o = profile_.operations[i];
      const Call* const launch = launch_of(i);
      std::size_t* why = nullptr;
      if (o.end < o.start) {
        why = &backwards_;
      } else if (o.start == 0 && o.end == 0) {
        why = &without_;
      } else if (launch != nullptr && o.start < launch->start - clocks_differ) {
        why = &early_;
      } else if (length(o) > longest) {
        why = &long_;
      }
      if (why == nullptr) continue;
      ++*why;
      o.timed = false;
    }
  }

  // A stream executes in order: what ends after the next one of its stream ended had ended when that began. (Kernels of a CUDA graph may
  // overlap whatever stream they are recorded on, and dependent launches may begin early.)
  void cut_by_the_next() {
    auto& all = profile_.operations;
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      // Migrations of memory that nobody called for are on no stream.
      const bool migrates = all[i].kind == GpuOperation::Kind::copy && all[i].correlation < 0;
      if (all[i].timed && all[i].graph_node < 0 && !migrates) order.push_back(i);
    }
    const auto stream = [&](std::uint32_t i) { return std::tuple(all[i].process, all[i].device, all[i].context, all[i].stream); };
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::tuple(stream(i), all[i].start, all[i].end, i); });
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      GpuOperation& o = all[order[i]];
      const GpuOperation& next = all[order[i + 1]];
      // What one call launched together may run together.
      if (stream(order[i]) != stream(order[i + 1]) || (o.correlation >= 0 && o.correlation == next.correlation)) continue;
      if (o.end > next.end + profile_.resolution) {
        o.end = next.start;
        ++cut_;
      } else if (o.end > next.start + profile_.resolution) {
        ++overlapping_;
        if (next.kind == GpuOperation::Kind::kernel) profile_.dependent.insert(next.name);
      }
    }
  }

  // A context's synchronisation that returned had waited for all that was launched before: of programs with one context alone, because a
  // call does not tell which one it is for.
  void cut_by_waits() {
    std::map<std::uint32_t, std::set<std::pair<std::int64_t, std::int64_t>>> contexts;
    for (const GpuOperation& o : profile_.operations) contexts[o.process].insert({o.device, o.context});
    std::map<std::uint32_t, std::vector<std::pair<std::int64_t, std::int64_t>>> waits;  // of a process: start and end
    for (const Call& call : profile_.calls) {
      const std::uint32_t process = profile_.threads[call.thread].process;
      const auto own = contexts.find(process);
      if (own == contexts.end() || own->second.size() > 1) continue;
      const std::string_view name = profile_.texts[call.name];
      if (kind_of_call(name) == CallKind::waits_context && name.find("Synchronize") != std::string_view::npos)
        waits[process].emplace_back(call.start, call.end);
    }
    for (auto& [process, all] : waits) std::ranges::sort(all);
    for (std::size_t i = 0; i < profile_.operations.size(); ++i) {
      GpuOperation& o = profile_.operations[i];
      const Call* const launch = launch_of(i);
      const auto all = waits.find(o.process);
      if (!o.timed || launch == nullptr || all == waits.end()) continue;
      const auto wait = std::ranges::lower_bound(all->second, launch->end, {}, &std::pair<std::int64_t, std::int64_t>::first);
      if (wait == all->second.end() || o.end <= wait->second + clocks_differ || wait->second < o.start) continue;
      o.end = wait->second;
      ++cut_;
    }
  }

  // One record alone is no share.
  void refuse_many() const {
    const std::size_t untrue = backwards_ + without_ + early_ + long_ + cut_, all = profile_.operations.size();
    if (untrue < 2 || untrue * 100 < all) return;
    if (profile_.backwards && backwards_ == untrue) throw io::InputError({*profile_.backwards});
    refuse(profile_.file, fmt::format("{} of {} kernels, copies and memsets have times that cannot be true ({}): a recording of which 1 % "
                                      "is wrong shows nothing; record it again",
                                      untrue, all, why()));
  }

  [[nodiscard]] std::string why() const {
    std::string text;
    const auto add = [&](std::size_t count, const char* what) {
      if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    };
    add(without_, "without times");
    add(backwards_, "that end before they begin");
    add(early_, "that begin before their launch");
    add(long_, "that last over 100 times as long as the recording of the program");
    add(cut_, "that outlast the next of their stream or what waited for them");
    return text;
  }

  void tell() const {
    const std::size_t without = backwards_ + without_ + early_ + long_;
    if (without > 0 || cut_ > 0) {
      notes_.assume(fmt::format("{} of {} kernels, copies and memsets have times that cannot be true ({}): {}", without + cut_,
                                profile_.operations.size(), why(),
                                without == 0 ? "they are cut"
                                : cut_ == 0  ? "their times are not counted"
                                             : "they are cut or not counted"));
    }
    if (calls_ > 0) notes_.assume(fmt::format("{} calls that end before they begin are taken to end at once", calls_));
    if (ranges_ > 0) notes_.assume(fmt::format("{} ranges that end before they begin are left out", ranges_));
    if (overlapping_ > 0) {
      notes_.assume(
          fmt::format("{} kernels, copies and memsets had not ended when the next of their stream began (dependent launches): here they "
                      "run one after another{}",
                      overlapping_,
                      profile_.dependent.empty()
                          ? std::string()
                          : fmt::format(", and kernels that began so, '{}' among {}, have the GPU for themselves, for their time, of which "
                                        "their blocks may wait a part",
                                        one_line(profile_.texts[*profile_.dependent.begin()], 160), profile_.dependent.size())));
    }
  }

  // What has no times stands at the end of its launch. Without a launch it stands nowhere: another of its name must have times.
  void place() {
    std::set<Texts::Id> timed;
    for (const GpuOperation& o : profile_.operations) {
      if (o.timed) timed.insert(o.name);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < profile_.operations.size(); ++i) {
      GpuOperation o = profile_.operations[i];
      const Call* const launch = launch_of(i);
      if (!o.timed && launch == nullptr) {
        if (timed.contains(o.name)) continue;
        if (profile_.backwards && o.end < o.start) throw io::InputError({*profile_.backwards});
        refuse(profile_.file,
               fmt::format("'{}' has times that cannot be true ({}), and no launch: nothing tells when it ran, or for how long",
                           one_line(profile_.texts[o.name], 60), why()));
      }
      if (!o.timed) o.start = o.end = launch->end;
      launches_[kept] = launches_[i];
      profile_.operations[kept++] = o;
    }
    profile_.operations.resize(kept);
    launches_.resize(kept);
  }

  Profile& profile_;
  Notes& notes_;
  std::vector<std::uint32_t> launches_;  // of each operation: the call
  std::size_t backwards_ = 0, without_ = 0, early_ = 0, long_ = 0, cut_ = 0, overlapping_ = 0, calls_ = 0, ranges_ = 0;
};

}  // namespace

std::vector<std::uint32_t> leave_out_untrue(Profile& profile, const CallsByCorrelation& calls, Notes& notes) {
  return Doubts(profile, calls, notes).leave_out();
}

}  // namespace rta::convert
