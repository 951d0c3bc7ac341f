#include "rta/diff/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <ranges>
#include <tuple>

#include "rta/model/error.hpp"

namespace rta::diff {
namespace {

using Key = std::tuple<Subject, std::string, std::string>;

Key key_of(const Part& part) { return {part.subject, part.dag, part.name}; }

/// A number in any notation, so that `4.0` and `4` are equal.
std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

bool equal(const Fact& a, const Fact& b) {
  if (a.time != b.time) return false;
  if (a.text == b.text) return true;
  return a.text && b.text && number(*a.text) && number(*a.text) == number(*b.text);
}

/// The larger, the worse.
int badness(const Fact& fact) {
  const std::string text = fact.text.value_or("");
  if (fact.meaning == Meaning::good) return text == "false" ? 1 : 0;
  if (fact.meaning == Meaning::bad) return text == "true" ? 1 : 0;
  return text == "unbounded" ? 2 : text == "deadline-missed" ? 1 : 0;
}

/// Of a value that differs.
Trend trend(const Fact& before, const Fact& after) {
  switch (after.meaning) {
    case Meaning::fact: return Trend::changed;
    case Meaning::bound:
      if (!after.time) return Trend::vanished;
      if (!before.time) return Trend::appeared;
      return *after.time > *before.time ? Trend::grew : Trend::shrank;
    case Meaning::verdict:
    case Meaning::good:
    case Meaning::bad:
      if (badness(after) == badness(before)) return Trend::changed;
      return badness(after) > badness(before) ? Trend::fell : Trend::rose;
  }
  return Trend::changed;
}

const Fact* find(const Part& part, std::string_view key) {
  const auto at = std::ranges::find(part.facts, key, &Fact::key);
  return at == part.facts.end() ? nullptr : &*at;
}

/// Of a node of an analysis, from the release of its DAG; without an offset its bound counts from there.
std::optional<Wide> latest_end(const Part& node) {
  const Fact* const offset = find(node, "offset_ns");
  const Fact* const bound = find(node, "response_bound_ns");
  if (offset == nullptr || bound == nullptr || !bound->time) return std::nullopt;
  return (offset->time ? Wide{offset->time->count()} : Wide{0}) + bound->time->count();
}

/// Bounds that count from different offsets are compared by when they end.
void judge_by_ends(const Part& before, const Part& after, std::vector<Change>& changes) {
  const auto of_offset = std::ranges::find(changes, "offset_ns", [](const Change& change) { return change.after.key; });
  const auto earlier = latest_end(before), later = latest_end(after);
  if (of_offset == changes.end() || !earlier || !later) return;
  const auto of_bound = std::ranges::find(changes, "response_bound_ns", [](const Change& change) { return change.after.key; });
  Change& counts = of_bound == changes.end() ? *of_offset : *of_bound;
  counts.trend = *later > *earlier ? Trend::grew : *later < *earlier ? Trend::shrank : Trend::changed;
}

/// What `key` has become, `before` being one side and `after` the other; null where a side lacks it.
void add_change(const Fact* before, const Fact* after, std::vector<Change>& changes) {
  const Fact& any = before != nullptr ? *before : *after;
  Change change{.before = {.key = any.key, .meaning = any.meaning}, .after = {.key = any.key, .meaning = any.meaning}};
  if (before != nullptr) change.before = *before;
  if (after != nullptr) change.after = *after;
  if (equal(change.before, change.after)) return;
  change.trend = trend(change.before, change.after);
  changes.push_back(std::move(change));
}

Entry compared(const Part& before, const Part& after) {
  Entry entry{.subject = after.subject, .dag = after.dag, .name = after.name};
  for (const Fact& fact : after.facts) add_change(find(before, fact.key), &fact, entry.changes);
  for (const Fact& fact : before.facts) {
    if (find(after, fact.key) == nullptr) add_change(&fact, nullptr, entry.changes);
  }
  judge_by_ends(before, after, entry.changes);
  return entry;
}

/// Of one side alone: its bounds, and its verdicts, of which a bad one of what came counts.
Entry alone(const Part& part, Presence presence) {
  Entry entry{.subject = part.subject, .dag = part.dag, .name = part.name, .presence = presence};
  for (const Fact& fact : part.facts) {
    if (fact.meaning == Meaning::fact) continue;
    const Fact nothing{.key = fact.key, .meaning = fact.meaning};
    const bool came = presence == Presence::came;
    Change change{.before = came ? nothing : fact, .after = came ? fact : nothing};
    if (came && fact.meaning != Meaning::bound && badness(fact) > 0) change.trend = Trend::fell;
    entry.changes.push_back(std::move(change));
  }
  return entry;
}

}  // namespace

std::string_view to_string(Trend trend) {
  constexpr std::array<std::string_view, trends> names{"grew", "vanished", "fell", "shrank", "appeared", "rose", "changed"};
  return names[static_cast<std::size_t>(trend)];
}

bool Entry::worse() const {
  return std::ranges::any_of(changes, [](const Change& change) { return is_worse(change.trend); });
}

std::size_t Difference::count(Trend trend) const {
  std::size_t n = 0;
  for (const Entry& entry : entries) n += static_cast<std::size_t>(std::ranges::count(entry.changes, trend, &Change::trend));
  return n;
}

std::size_t Difference::count(Presence presence) const {
  return static_cast<std::size_t>(std::ranges::count(entries, presence, &Entry::presence));
}

bool Difference::worse() const { return std::ranges::any_of(entries, &Entry::worse); }

Difference compare(const Result& before, const Result& after) {
  if (before.kind != after.kind) {
    throw UserError(fmt::format("{} is a result of rta {}, {} one of rta {}: both must be of the same command", before.file,
                                before.kind == Kind::analysis ? "analyze" : "simulate", after.file,
                                after.kind == Kind::analysis ? "analyze" : "simulate"));
  }
  std::map<Key, const Part*> earlier;
  for (const Part& part : before.parts) earlier.emplace(key_of(part), &part);
  Difference difference;
  for (const Part& part : after.parts) {
    const auto at = earlier.find(key_of(part));
    Entry entry = at == earlier.end() ? alone(part, Presence::came) : compared(*at->second, part);
    if (at != earlier.end()) earlier.erase(at);
    if (entry.presence != Presence::both || !entry.changes.empty()) difference.entries.push_back(std::move(entry));
  }
  for (const Part& part : before.parts) {
    if (earlier.contains(key_of(part))) difference.entries.push_back(alone(part, Presence::went));
  }
  return difference;
}

}  // namespace rta::diff
