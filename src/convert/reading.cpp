#include "rta/convert/reading.hpp"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "readings.hpp"
#include "rta/model/error.hpp"

namespace rta::convert {
namespace {

constexpr std::string_view any_other = "*";

// The names of a row, one by one.
template <class Take>
void each_name(std::string_view names, const Take& take) {
  constexpr std::string_view between = ", ";
  for (std::size_t at = 0; at <= names.size();) {
    const std::size_t end = std::min(names.find(between, at), names.size());
    take(names.substr(at, end - at));
    at = end + between.size();
  }
}

using RowsByName = std::map<std::pair<std::string_view, std::string_view>, const Reading*>;

RowsByName rows_of(Kind kind) {
  RowsByName rows;
  for (const Reading& row : readings(kind)) {
    each_name(row.names, [&](std::string_view name) {
      require(rows.emplace(std::pair(row.part, name), &row).second, "a thing has one row in the table of its reader");
    });
  }
  return rows;
}

std::string_view text_of(Fate fate) {
  switch (fate) {
    case Fate::read: return "read";
    case Fate::aside: return "without effect on times";
    case Fate::told: return "told and left out";
    case Fate::refused: break;
  }
  return "refused";
}

std::string in_code(std::string_view names) {
  if (names == any_other) return "any other";
  std::string out;
  each_name(names, [&](std::string_view name) { out += fmt::format("{}`{}`", out.empty() ? "" : ", ", name); });
  return out;
}

}  // namespace

std::span<const Reading> readings(Kind kind) {
  switch (kind) {
    case Kind::kineto: return kineto_readings();
    case Kind::nsys: return nsys_readings();
    case Kind::nsys_stats: return nsys_stats_readings();
    case Kind::trtexec: return trtexec_readings();
    case Kind::sched: return sched_readings();
    case Kind::ros2: return ros2_readings();
    case Kind::amalthea: return amalthea_readings();
    case Kind::sag: return sag_readings();
    case Kind::dag_scheduling: return dag_scheduling_readings();
    case Kind::stg: return stg_readings();
    case Kind::tgff: return tgff_readings();
    case Kind::dot: return dot_readings();
    case Kind::openvx: return openvx_readings();
    case Kind::stm: return stm_readings();
    case Kind::examiner: return examiner_readings();
    case Kind::trace: return trace_readings();
    case Kind::recording: return recording_readings();
    case Kind::task_set: break;
  }
  return task_set_readings();
}

const Reading& reading(Kind kind, std::string_view part, std::string_view name) {
  static const std::array<RowsByName, kinds.size()> all = [] {
    std::array<RowsByName, kinds.size()> made;
    for (const KindName& known : kinds) made[static_cast<std::size_t>(known.kind)] = rows_of(known.kind);
    return made;
  }();
  const RowsByName& rows = all[static_cast<std::size_t>(kind)];
  auto at = rows.find({part, name});
  if (at == rows.end()) at = rows.find({part, any_other});
  require(at != rows.end(), "each part of a file has a row for what is not known");
  return *at->second;
}

std::string reading_tables() {
  std::string out;
  for (const KindName& kind : kinds) {
    if (readings(kind.kind).empty()) continue;
    fmt::format_to(std::back_inserter(out), "### `{}`\n\n| in | what | | |\n|---|---|---|---|\n", kind.name);
    std::set<std::string_view> long_lists;  // shown once
    for (const Reading& row : readings(kind.kind)) {
      const bool again = row.names.size() > 100 && !long_lists.insert(row.names).second;
      fmt::format_to(std::back_inserter(out), "| {} | {} | {} | {} |\n", row.part, again ? "the same list as above" : in_code(row.names),
                     text_of(row.fate), row.means);
    }
    out += "\n";
  }
  if (!out.empty()) out.pop_back();
  return out;
}

}  // namespace rta::convert
