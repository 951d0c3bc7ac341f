#include "difference_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>

#include "rta/report/time_text.hpp"

namespace rta::report {
namespace {

using diff::Change;
using diff::Entry;
using diff::Presence;
using diff::Subject;
using diff::Trend;

struct Section {
  std::string_view title;
  Subject subject;
};

constexpr std::array sections{Section{"Made of", Subject::made},
                              Section{"As a whole", Subject::whole},
                              Section{"Requirements", Subject::requirement},
                              Section{"DAGs", Subject::dag},
                              Section{"Chains", Subject::chain},
                              Section{"Nodes", Subject::node},
                              Section{"Pools", Subject::pool},
                              Section{"Policies that were tried", Subject::policy},
                              Section{"Operations", Subject::operation},
                              Section{"Warnings", Subject::warning}};

/// Of a digest its beginning.
std::string value_text(const diff::Fact& fact) {
  if (fact.time) return time_text(*fact.time);
  if (!fact.text || fact.text->empty()) return "-";
  return fact.key.ends_with("sha256") ? fact.text->substr(0, 12) : *fact.text;
}

std::string growth(const Change& change) {
  if (!change.before.time || !change.after.time) return "";
  // In 128 bits: two instants may be further apart than a time can say.
  const Wide by = Wide{change.after.time->count()} - change.before.time->count();
  const double before = static_cast<double>(change.before.time->count());
  const std::string share =
      before > 0 ? fmt::format(" ({}{} %)", by > 0 ? "+" : "", number_text(static_cast<double>(by) / before * 100, 1)) : std::string();
  const bool fits = by >= -std::numeric_limits<std::int64_t>::max() && by <= std::numeric_limits<std::int64_t>::max();
  return (by > 0 ? "+" : "") + (fits ? time_text(Time(static_cast<std::int64_t>(by))) : std::string("much")) + share;
}

std::string name_of(const Entry& entry) {
  std::string name = entry.dag.empty() ? entry.name : entry.dag + "/" + entry.name;
  if (entry.presence == Presence::both) return name;
  return name + (entry.presence == Presence::came ? " (came)" : " (went)");
}

std::string mark(const Change& change) {
  const std::string word(to_string(change.trend));
  if (!is_worse(change.trend)) return change.trend == Trend::changed ? "" : word;
  std::string loud = word;
  std::ranges::transform(loud, loud.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
  return loud;
}

/// Of nodes only bounds and verdicts, unless all is asked for.
bool is_shown(const DifferenceReport& report, const Entry& entry, const Change& change) {
  return report.verbose || entry.subject != Subject::node || change.after.meaning != diff::Meaning::fact;
}

void add(const DifferenceReport& report, const Entry& entry, std::vector<DifferenceRow>& rows) {
  const std::string name = name_of(entry);
  if (entry.changes.empty()) rows.push_back({name, "", "", "", "", ""});
  for (const Change& change : entry.changes) {
    if (!is_shown(report, entry, change)) continue;
    rows.push_back(
        {name, words_of_key(change.after.key), value_text(change.before), value_text(change.after), growth(change), mark(change)});
  }
}

std::string counted(std::size_t n, std::string_view one, std::string_view several, std::string_view what) {
  return n == 0 ? std::string() : fmt::format("{} {} {}", n, n == 1 ? one : several, what);
}

}  // namespace

std::string words_of_key(std::string key) {
  if (key.ends_with("_ns")) key.resize(key.size() - 3);
  std::ranges::replace(key, '_', ' ');
  return key;
}

std::string difference_summary(const diff::Difference& difference) {
  std::size_t came = 0, went = 0;
  for (const Entry& entry : difference.entries) {
    if (entry.subject == Subject::warning || entry.subject == Subject::policy) continue;
    came += static_cast<std::size_t>(entry.presence == Presence::came);
    went += static_cast<std::size_t>(entry.presence == Presence::went);
  }
  const std::array parts{counted(difference.count(Trend::grew), "bound", "bounds", "grew"),
                         counted(difference.count(Trend::vanished), "bound", "bounds", "vanished"),
                         counted(difference.count(Trend::fell), "verdict", "verdicts", "fell"),
                         counted(difference.count(Trend::shrank), "bound", "bounds", "shrank"),
                         counted(difference.count(Trend::appeared), "bound", "bounds", "appeared"),
                         counted(difference.count(Trend::rose), "verdict", "verdicts", "rose"),
                         counted(came, "part", "parts", "came"),
                         counted(went, "part", "parts", "went")};
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  }
  if (!text.empty()) return (difference.worse() ? "worse: " : "not worse: ") + text;
  return difference.entries.empty() ? "the same: nothing differs" : "not worse: every bound and verdict is the same";
}

std::vector<DifferenceSection> difference_sections(const DifferenceReport& report) {
  std::vector<DifferenceSection> all;
  for (const Section& section : sections) {
    std::vector<const Entry*> entries;
    for (const Entry& entry : report.difference.entries) {
      if (entry.subject == section.subject) entries.push_back(&entry);
    }
    std::stable_partition(entries.begin(), entries.end(), [](const Entry* entry) { return entry->worse(); });
    DifferenceSection shown{section.title, {}};
    for (const Entry* entry : entries) add(report, *entry, shown.rows);
    if (!shown.rows.empty()) all.push_back(std::move(shown));
  }
  return all;
}

std::vector<Row> difference_table(const DifferenceSection& section) {
  std::vector<Row> table{{"", "", "before", "after", "change", ""}};
  table.reserve(section.rows.size() + 1);
  std::string_view last;
  for (const DifferenceRow& row : section.rows) {
    table.push_back({row.part == last ? std::string() : row.part, row.key, row.before, row.after, row.growth, row.mark});
    last = row.part;
  }
  return table;
}

}  // namespace rta::report
