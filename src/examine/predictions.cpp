#include "predictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace rta::examine {
namespace {

const std::vector<Piece>& pieces(const ObservedRun& run, const Named& o) { return run.operations[o.index].pieces; }

Time first_start(const ObservedRun& run, const Named& o) { return pieces(run, o).front().start; }
Time last_start(const ObservedRun& run, const Named& o) { return pieces(run, o).back().start; }
Time first_end(const ObservedRun& run, const Named& o) { return std::ranges::min(pieces(run, o), {}, &Piece::end).end; }
Time last_end(const ObservedRun& run, const Named& o) { return std::ranges::max(pieces(run, o), {}, &Piece::end).end; }

std::string us(Time time) { return fmt::format("{:.1f} us", static_cast<double>(time.count()) / 1e3); }
// `12 us after` or `12 us before`.
std::string distance(Time from, Time to) { return to < from ? us(from - to) + " before" : us(to - from) + " after"; }

Reading not_before(Time at, Time limit, std::string seen) { return {at >= limit - margin, std::move(seen)}; }

struct Residency {
  std::uint64_t most = 0;      // blocks on one SM at once
  std::uint32_t sms_with = 0;  // SMs that held `asked` at once
};

// The timers of blocks tick together but coarsely: a block that ended within a tick of another's start had ended before.
constexpr Time tick{5'000};

Residency residency(const std::vector<Piece>& blocks, std::uint64_t asked) {
  std::map<std::uint32_t, std::vector<std::pair<Time, int>>> events;
  for (const Piece& b : blocks) {
    auto& of_sm = events[b.unit];
    of_sm.emplace_back(b.start, 1);
    of_sm.emplace_back(std::max(b.start, b.end - tick), -1);
  }
  Residency seen;
  for (auto& [sm, of_sm] : events) {
    std::ranges::sort(of_sm);  // ends before starts at one instant
    std::uint64_t now = 0;
    std::uint64_t most = 0;
    for (const auto& [at, change] : of_sm) {
      now = change > 0 ? now + 1 : now - 1;
      most = std::max(most, now);
    }
    seen.most = std::max(seen.most, most);
    if (most >= asked) ++seen.sms_with;
  }
  return seen;
}

}  // namespace

Statement starts_after_start(const Named& later, const Named& earlier) {
  return {fmt::format("no block of {} starts before the last block of {} has started", later.name, earlier.name),
          [=](const ObservedRun& run) {
            const Time at = first_start(run, later);
            const Time limit = last_start(run, earlier);
            return not_before(at, limit, fmt::format("{} started {} the last block of {}", later.name, distance(limit, at), earlier.name));
          }};
}

Statement starts_after_end(const Named& later, const Named& earlier) {
  return {fmt::format("{} starts only after all of {} has ended", later.name, earlier.name), [=](const ObservedRun& run) {
            const Time at = first_start(run, later);
            const Time limit = last_end(run, earlier);
            return not_before(at, limit, fmt::format("{} started {} the end of {}", later.name, distance(limit, at), earlier.name));
          }};
}

Statement starts_after_first_end(const Named& later, const Named& earlier) {
  return {fmt::format("no block of {} starts before some block of {} has ended", later.name, earlier.name), [=](const ObservedRun& run) {
            const Time at = first_start(run, later);
            const Time limit = first_end(run, earlier);
            return not_before(at, limit,
                              fmt::format("{} started {} the first block of {} ended", later.name, distance(limit, at), earlier.name));
          }};
}

Statement starts_at_first_end(const Named& later, const Named& earlier) {
  return {fmt::format("the first block of {} starts within {} of the end of the first block of {}", later.name, us(margin), earlier.name),
          [=](const ObservedRun& run) {
            const Time at = first_start(run, later);
            const Time limit = first_end(run, earlier);
            return Reading{at <= limit + margin,
                           fmt::format("{} started {} the first block of {} ended", later.name, distance(limit, at), earlier.name)};
          }};
}

Statement starts_beside(const Named& later, const Named& earlier) {
  return {fmt::format("{} starts while {} still runs", later.name, earlier.name), [=](const ObservedRun& run) {
            const Time at = first_start(run, later);
            const Time limit = last_end(run, earlier);
            return Reading{at <= limit - margin, fmt::format("{} started {} the end of {}", later.name, distance(limit, at), earlier.name)};
          }};
}

Statement fills(const Named& kernel, std::uint64_t most, std::uint32_t sms) {
  return {fmt::format("an SM never holds more than {} block{} of {} at once, and all {} SMs hold that many", most, most == 1 ? "" : "s",
                      kernel.name, sms),
          [=](const ObservedRun& run) {
            const Residency seen = residency(pieces(run, kernel), most);
            return Reading{seen.most == most && seen.sms_with == sms,
                           fmt::format("at most {} on an SM; {} of {} SMs held {}", seen.most, seen.sms_with, sms, most)};
          }};
}

Statement ends_before(const Named& first, const Named& second) {
  return {fmt::format("{} ends before {}", first.name, second.name), [=](const ObservedRun& run) {
            const Time at = last_end(run, first);
            const Time limit = last_end(run, second);
            return Reading{at <= limit - margin, fmt::format("{} ended {} {} did", first.name, distance(limit, at), second.name)};
          }};
}

Statement follows(const Named& second, const Named& first) {
  return {fmt::format("{} ends at least half as long after {} as that took", second.name, first.name), [=](const ObservedRun& run) {
            const Time took{(last_end(run, first) - first_start(run, first)).count() / 2};
            const Time limit = last_end(run, first);
            const Time at = last_end(run, second);
            return Reading{at >= limit + took,
                           fmt::format("{} ended {} {} did, which took {}", second.name, distance(limit, at), first.name, us(took * 2))};
          }};
}

Condition issued_while(const Named& later, const Named& earlier) {
  return {fmt::format("{} is issued while {} runs", later.name, earlier.name), [=](const ObservedRun& run) -> std::optional<std::string> {
            const auto issued = run.operations[later.index].issued;
            if (!issued) return fmt::format("the trace does not say when {} was issued", later.name);
            if (*issued < first_start(run, earlier)) return fmt::format("{} was issued before {} had started", later.name, earlier.name);
            if (*issued > first_end(run, earlier) - margin)
              return fmt::format("{} was issued too late to meet {}", later.name, earlier.name);
            return std::nullopt;
          }};
}

Condition still_waits(const Named& waiting, const Named& later) {
  return {fmt::format("{} waits when {} is issued", waiting.name, later.name), [=](const ObservedRun& run) -> std::optional<std::string> {
            const auto issued = run.operations[later.index].issued;
            if (!issued) return fmt::format("the trace does not say when {} was issued", later.name);
            if (first_start(run, waiting) <= *issued)
              return fmt::format("{} did not wait: it had started when {} was issued", waiting.name, later.name);
            return std::nullopt;
          }};
}

}  // namespace rta::examine
