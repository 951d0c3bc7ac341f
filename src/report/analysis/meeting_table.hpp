// Who can meet whom on each GPU whose kernels were measured alone: as a matrix, in rows and in JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "report/parts/page.hpp"
#include "rta/analysis/meetings.hpp"

namespace rta::report {

/// More kernels are shown by their DAGs.
inline constexpr std::size_t most_in_matrix = 40;

struct MeetingTable {
  /// Of two kernels, or of one and a copy or CPU node; folded, of all of one DAG, or of DAGs alike, with all of another.
  struct Cell {
    std::size_t meeting = 0;
    std::size_t of = 0;
    std::vector<analysis::Meeting> reasons;  // in the order of the enumeration
  };
  std::string gpu;
  std::size_t kernels = 0;
  std::size_t others = 0;  // copies and CPU nodes that lengthen them
  bool folded = false;
  std::vector<std::string> names;
  std::vector<Cell> cells;   // by rows
  std::size_t left_out = 0;  // DAGs beyond `most_in_matrix`
  bool too_many = false;     // for any table

  [[nodiscard]] const Cell& at(std::size_t i, std::size_t j) const { return cells[i * names.size() + j]; }
};

[[nodiscard]] std::vector<MeetingTable> meeting_tables(const analysis::Proof& proof);

[[nodiscard]] std::string meeting_title(const MeetingTable& table);
[[nodiscard]] Matrix meeting_matrix(const MeetingTable& table);
/// Header and a row per kernel or DAG: whom it can meet and whom it never does, with the reasons.
[[nodiscard]] std::vector<std::vector<std::string>> meeting_rows(const MeetingTable& table);
/// What a table leaves out; empty: nothing.
[[nodiscard]] std::string meetings_left_out(const MeetingTable& table);
[[nodiscard]] nlohmann::ordered_json meetings_json(const std::vector<MeetingTable>& tables);

}  // namespace rta::report
