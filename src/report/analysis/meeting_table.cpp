#include "meeting_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "analysis_words.hpp"

namespace rta::report {
namespace {

using analysis::GpuMeetings;
using analysis::Meeting;

constexpr std::size_t most_named_in_row = 8;

std::string_view words_of(Meeting meeting) {
  switch (meeting) {
    case Meeting::parallel: return "in one job neither follows the other";
    case Meeting::jobs: return "one may be unfinished when the next job is released";
    case Meeting::dags: return "no clock releases both DAGs";
    case Meeting::windows: return "one clock releases both DAGs, but when they run overlaps";
    case Meeting::handed_on: return "one is a callback, and what follows it may start before it has ended";
    case Meeting::order: return "one follows the other, and both are over before the next release";
    case Meeting::over: return "each job is over before the next release";
    case Meeting::sequential: return "sequential: each job waits for the one before";
    case Meeting::thread: return "one thread plays both";
    case Meeting::clock: return "one clock releases both DAGs, and when they run is apart";
  }
  return "";
}

/// Large: they can meet.
std::string_view letter_of(Meeting meeting) {
  switch (meeting) {
    case Meeting::parallel: return "P";
    case Meeting::jobs: return "J";
    case Meeting::dags: return "D";
    case Meeting::windows: return "W";
    case Meeting::handed_on: return "H";
    case Meeting::order: return "o";
    case Meeting::over: return "e";
    case Meeting::sequential: return "s";
    case Meeting::thread: return "t";
    case Meeting::clock: return "c";
  }
  return "";
}

/// Kernels, and behind them copies and CPU nodes; none: of these two by two, as neither slows the other.
std::optional<Meeting> meeting_of(const GpuMeetings& of, std::size_t i, std::size_t j) {
  const std::size_t n = of.kernels.size();
  if (i < n && j < n) return of.at(i, j);
  if (i >= n && j >= n) return std::nullopt;
  return i < n ? of.beside_at(i, j - n) : of.beside_at(j, i - n);
}

/// Rows of which several may be one: `row` of each kernel, copy and CPU node.
MeetingTable table_of(const GpuMeetings& meetings, const std::vector<std::size_t>& row, std::vector<std::string> names) {
  MeetingTable table;
  table.gpu = meetings.gpu;
  table.kernels = meetings.kernels.size();
  table.others = meetings.others.size();
  table.names = std::move(names);
  std::vector<std::set<Meeting>> reasons(table.names.size() * table.names.size());
  table.cells.resize(reasons.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[i] >= table.names.size() || row[j] >= table.names.size()) continue;
      const std::size_t at = row[i] * table.names.size() + row[j];
      const auto meeting = meeting_of(meetings, i, j);
      if (!meeting) continue;
      ++table.cells[at].of;
      if (!is_apart(*meeting)) ++table.cells[at].meeting;
      reasons[at].insert(*meeting);
    }
  }
  for (std::size_t at = 0; at < reasons.size(); ++at) table.cells[at].reasons.assign(reasons[at].begin(), reasons[at].end());
  return table;
}

MeetingTable table_of(const analysis::Proof& proof, const GpuMeetings& meetings) {
  std::vector<std::size_t> row;
  std::vector<std::string> names;
  if (meetings.of.empty()) {
    MeetingTable none;
    none.gpu = meetings.gpu;
    none.kernels = meetings.kernels.size();
    none.too_many = none.kernels > 0;
    return none;
  }
  std::vector<analysis::KernelId> nodes = meetings.kernels;
  nodes.insert(nodes.end(), meetings.others.begin(), meetings.others.end());
  if (nodes.size() <= most_in_matrix) {
    for (const analysis::KernelId& kernel : nodes) {
      row.push_back(names.size());
      names.push_back(kernel_name(*proof.task_set, kernel));
    }
    return table_of(meetings, row, std::move(names));
  }
  const auto kinds = kinds_of_dags(proof);
  std::vector<std::size_t> row_of(proof.task_set->dags().size(), most_in_matrix);
  std::set<DagId> counted;
  std::size_t left_out = 0;
  for (const analysis::KernelId& kernel : nodes) {
    const auto kind = std::ranges::find_if(kinds, [&](const KindOfDag& one) { return one.first <= kernel.dag && kernel.dag <= one.last; });
    if (counted.insert(kind->first).second) {
      const bool shown = names.size() < most_in_matrix;
      for (DagId d = kind->first; shown && d <= kind->last; ++d) row_of[d] = names.size();
      if (shown) names.push_back(shared_name(proof, *kind));
      left_out += shown ? 0 : 1;
    }
    row.push_back(row_of[kernel.dag]);
  }
  MeetingTable table = table_of(meetings, row, std::move(names));
  table.folded = true;
  table.left_out = left_out;
  return table;
}

std::string reasons_in_words(const std::vector<Meeting>& reasons, bool apart) {
  std::string text;
  for (const Meeting one : reasons) {
    if (is_apart(one) == apart) text += fmt::format("{}{}", text.empty() ? "" : "; ", words_of(one));
  }
  return text;
}

std::string tip_of(const MeetingTable& table, std::size_t i, std::size_t j) {
  const MeetingTable::Cell& cell = table.at(i, j);
  if (cell.of == 0) return fmt::format("{}, {}: no kernels, so neither takes longer", table.names[i], table.names[j]);
  const std::string pair = i == j && !table.folded ? table.names[i] + ", two jobs" : fmt::format("{}, {}", table.names[i], table.names[j]);
  if (!table.folded) {
    return fmt::format("{} {}: {}", pair, cell.meeting > 0 ? "can meet" : "never meet", reasons_in_words(cell.reasons, cell.meeting == 0));
  }
  std::string text = fmt::format("{}: {} of {} pairs can meet", pair, cell.meeting, cell.of);
  if (cell.meeting > 0) text += ": " + reasons_in_words(cell.reasons, false);
  if (cell.meeting < cell.of) text += fmt::format(". {} never: {}", cell.of - cell.meeting, reasons_in_words(cell.reasons, true));
  return text;
}

/// `no clock releases both DAGs: a, b and 3 more`, by reason.
std::string partners_in_words(const MeetingTable& table, std::size_t i, bool apart) {
  std::string text;
  for (const Meeting reason : analysis::all_meetings) {
    if (is_apart(reason) != apart) continue;
    std::string names;
    std::size_t count = 0;
    for (std::size_t j = 0; j < table.names.size(); ++j) {
      if (std::ranges::find(table.at(i, j).reasons, reason) == table.at(i, j).reasons.end()) continue;
      if (++count > most_named_in_row) continue;
      names += (names.empty() ? "" : ", ") + (i == j && !table.folded ? std::string("its own other jobs") : table.names[j]);
    }
    if (count == 0) continue;
    if (count > most_named_in_row) names += fmt::format(" and {} more", count - most_named_in_row);
    text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", names, words_of(reason));
  }
  return text.empty() ? "-" : text;
}

}  // namespace

std::vector<MeetingTable> meeting_tables(const analysis::Proof& proof) {
  std::vector<MeetingTable> tables;
  for (const GpuMeetings& gpu : meetings(proof)) {
    if (!gpu.kernels.empty()) tables.push_back(table_of(proof, gpu));
  }
  return tables;
}

std::string meeting_title(const MeetingTable& table) { return "Who can meet whom on " + table.gpu; }

Matrix meeting_matrix(const MeetingTable& table) {
  Matrix matrix;
  matrix.title = meeting_title(table);
  matrix.names = table.names;
  std::set<Meeting> there;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    for (std::size_t j = 0; j < table.names.size(); ++j) {
      const MeetingTable::Cell& cell = table.at(i, j);
      there.insert(cell.reasons.begin(), cell.reasons.end());
      std::string text = cell.of == 0 ? "" : table.folded ? fmt::format("{}", cell.meeting) : std::string(letter_of(cell.reasons.front()));
      matrix.cells.push_back({std::move(text), tip_of(table, i, j), cell.meeting > 0});
    }
  }
  if (table.folded) {
    matrix.caption =
        fmt::format("How many pairs of kernels{} of two DAGs can run at once, of the {} kernels here. The text of a cell says why.",
                    table.others > 0 ? ", or of a kernel and a copy or CPU node," : "", table.kernels);
    return matrix;
  }
  matrix.caption = "Two kernels that can run at once lengthen one another (coloured, large letters); the others never do.";
  if (table.others > 0) matrix.caption += " Copies and CPU nodes lengthen kernels, and are not lengthened.";
  for (const Meeting one : there) matrix.legend.emplace_back(letter_of(one), std::string(words_of(one)));
  return matrix;
}

std::vector<std::vector<std::string>> meeting_rows(const MeetingTable& table) {
  std::vector<std::vector<std::string>> rows{{table.folded ? "DAG" : table.others > 0 ? "node" : "kernel", "can meet", "never meets"}};
  for (std::size_t i = 0; i < table.names.size(); ++i)
    rows.push_back({table.names[i], partners_in_words(table, i, false), partners_in_words(table, i, true)});
  return rows;
}

std::string meetings_left_out(const MeetingTable& table) {
  if (table.too_many) return fmt::format("{} has {} kernels, too many for a table of who can meet whom", table.gpu, table.kernels);
  if (table.left_out == 0) return "";
  return fmt::format("{} more DAG{} not shown", table.left_out, table.left_out == 1 ? " is" : "s are");
}

nlohmann::ordered_json meetings_json(const std::vector<MeetingTable>& tables) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const MeetingTable& table : tables) {
    nlohmann::ordered_json one{{"gpu", table.gpu}, {"kernels", table.kernels}, {"others", table.others}, {"folded", table.folded}};
    one["names"] = table.names;
    one["left_out"] = table.left_out;
    one["pairs"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < table.names.size(); ++i) {
      for (std::size_t j = i; j < table.names.size(); ++j) {
        const MeetingTable::Cell& cell = table.at(i, j);
        if (cell.of == 0) continue;
        nlohmann::ordered_json reasons = nlohmann::ordered_json::array();
        for (const Meeting reason : cell.reasons) reasons.push_back(to_string(reason));
        one["pairs"].push_back(
            {{"a", table.names[i]}, {"b", table.names[j]}, {"meeting", cell.meeting}, {"of", cell.of}, {"reasons", std::move(reasons)}});
      }
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace rta::report
