#include "nsys_stats_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <istream>
#include <limits>
#include <map>
#include <set>

#include "../io/decimal.hpp"
#include "byte_stream.hpp"
#include "names.hpp"

namespace rta::convert {
namespace {

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Fields of a line; within quotes a comma is none between them, and two quotes are one.
void split_cells(std::string_view line, std::vector<std::string>& cells) {
  cells.clear();
  std::string cell;
  bool quoted = false;
  const auto add = [&] {
    cells.emplace_back(without_blanks(cell));
    cell.clear();
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      if (quoted && line.substr(i + 1).starts_with('"')) {
        cell.push_back(line[i++]);
      } else {
        quoted = !quoted;
      }
    } else if (line[i] == ',' && !quoted) {
      add();
    } else {
      cell.push_back(line[i]);
    }
  }
  add();
}

// `Start (ns)`: what it is called, and in what it counts.
std::string_view called(std::string_view cell) { return without_blanks(cell.substr(0, cell.find(" ("))); }
std::string_view counted_in(std::string_view cell) {
  const std::size_t open = cell.rfind('('), end = cell.rfind(')');
  return open == std::string_view::npos || end == std::string_view::npos || end < open ? std::string_view()
                                                                                       : cell.substr(open + 1, end - open - 1);
}

class NsysStatsReader {
 public:
  NsysStatsReader(Bytes& bytes, Notes& notes) : bytes_(bytes), notes_(notes) {
    profile_.file = bytes.name();
    profile_.processes.push_back({std::filesystem::path(bytes.name()).stem().string()});
  }

  Profile read() {
    ByteStream buffer(bytes_);
    std::istream in(&buffer);
    in.exceptions(std::ios::badbit);  // what reading throws is passed on
    std::string text;
    while (std::getline(in, text)) {
      ++line_;
      take(without_blanks(text));
    }
    tell_of_kernels();
    name_processes();
    if (!seen_) refuse(notes_.file(), "no table of kernels is in the file: nsys stats --report cuda_gpu_trace --format csv prints one");
    notes_.assume(
        "calls of the CPU are not in the file: what launches take, and what streams wait for one another for, IS NOT KNOWN (nsys export "
        "--type sqlite writes all)");
    if (rounded_ > 0) {
      notes_.assume(fmt::format(
          "shared memory is rounded in the file: up to {} B more than it shows count for a kernel, in each of its two parts", rounded_));
    }
    return std::move(profile_);
  }

 private:
  enum Column : std::uint8_t {
    start,
    duration,
    call,
    grid_x,
    grid_y,
    grid_z,
    block_x,
    block_y,
    block_z,
    registers,
    fixed,
    dynamic,
    device,
    pid,
    context,
    green_context,
    stream,
    name
  };
  static constexpr std::array<std::string_view, 18> column_names_{"Start",  "Duration", "CorrId", "GrdX",     "GrdY",    "GrdZ",
                                                                  "BlkX",   "BlkY",     "BlkZ",   "Reg/Trd",  "StcSMem", "DymSMem",
                                                                  "Device", "PID",      "Ctx",    "GreenCtx", "Strm",    "Name"};
  static constexpr std::size_t nowhere_ = ~std::size_t{0};

  struct Unit {
    std::string_view text;
    std::int64_t value;  // ns, or bytes
  };
  static constexpr std::array<Unit, 16> units_{{{"ns", 1},
                                                {"nsec", 1},
                                                {"us", 1'000},
                                                {"usec", 1'000},
                                                {"ms", 1'000'000},
                                                {"msec", 1'000'000},
                                                {"s", 1'000'000'000},
                                                {"sec", 1'000'000'000},
                                                {"B", 1},
                                                {"byte", 1},
                                                {"bytes", 1},
                                                {"KB", 1'000},
                                                {"MB", 1'000'000},
                                                {"GB", 1'000'000'000},
                                                {"KiB", 1'024},
                                                {"MiB", 1'048'576}}};

  [[noreturn]] void fail(const std::string& message) const { refuse(notes_.file(), message, line_, 1); }

  void take(std::string_view line) {
    if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (line.starts_with("**")) {
      const std::string_view report = counted_in(line);
      (void)notes_.meet(Kind::nsys_stats, "report", report, line_, 1);
      in_table_ = false;
      titled_ = true;
      return;
    }
    if (line.empty()) {
      after_blank_ = true;
      return;
    }
    if (line.find("GrdX") != std::string_view::npos && line.find("BlkX") != std::string_view::npos) {
      read_header(line);
      return;
    }
    // A table goes on behind a blank line, unless something else begins there.
    if (in_table_ && after_blank_ && !is_row(line)) in_table_ = titled_ = false;
    after_blank_ = false;
    if (in_table_) {
      read_row(line);
    } else if (!titled_) {  // otherwise it is of a report that is told as a whole
      constexpr std::array<std::string_view, 5> talk{"Processing ", "Generating ", "Exporting ", "NOTICE", "SKIPPED"};
      const bool known = std::ranges::any_of(talk, [&](std::string_view word) { return line.starts_with(word); });
      (void)notes_.meet(Kind::nsys_stats, "line", known ? "title" : "text");
    }
  }

  [[nodiscard]] bool is_row(std::string_view line) {
    split_cells(line, cells_);
    const auto from = place_[start] < cells_.size() ? io::parse_decimal(cells_[place_[start]]) : std::nullopt;
    return cells_.size() == width_ || (from && from->rest.empty());
  }

  void read_header(std::string_view line) {
    split_cells(line, cells_);
    place_.fill(nowhere_);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const std::string_view what = called(cells_[i]);
      (void)notes_.meet(Kind::nsys_stats, "column", what, line_, 1);
      const auto at = std::ranges::find(column_names_, what);
      if (at == column_names_.end()) continue;
      const auto column = static_cast<std::size_t>(at - column_names_.begin());
      if (place_[column] != nowhere_) fail(fmt::format("the column '{}' is there twice", what));
      place_[column] = i;
      if (column == start || column == duration || column == fixed || column == dynamic) unit_[column] = unit_of(cells_[i]);
    }
    for (const Column needed : {start, duration, grid_x, grid_y, grid_z, block_x, block_y, block_z, name}) {
      if (place_[needed] == nowhere_) fail(fmt::format("the header has no column '{}'", column_names_[needed]));
    }
    if (place_[registers] == nowhere_ || place_[fixed] == nowhere_ || place_[dynamic] == nowhere_)
      notes_.assume("the table has no Reg/Trd, StcSMem or DymSMem: what kernels take of them COUNTS AS NOTHING");
    width_ = cells_.size();
    in_table_ = seen_ = true;
    after_blank_ = false;
  }

  [[nodiscard]] std::int64_t unit_of(std::string_view cell) const {
    const auto* const unit = std::ranges::find(units_, counted_in(cell), &Unit::text);
    if (unit == units_.end()) fail(fmt::format("column '{}': in which unit it counts is not known", one_line(cell, 40)));
    return unit->value;
  }

  [[nodiscard]] std::string_view cell(Column column) const {
    return place_[column] == nowhere_ ? std::string_view() : std::string_view(cells_[place_[column]]);
  }

  struct Value {
    Wide floor = 0;
    bool exact = true;
    std::int64_t last_place = 1;  // what one more in the last digit that is shown would be, rounded up
    bool has_point = false;
  };
  [[nodiscard]] Value value(Column column, Wide most) const {
    const std::string_view text = cell(column);
    const auto number = io::parse_decimal(text);
    const auto scaled = number && number->rest.empty() && !number->negative ? number->scaled(unit_[column]) : std::nullopt;
    if (!scaled || scaled->floor > most) {
      fail(fmt::format("{} '{}': a number of at least 0 that is not too large is expected", column_names_[column], one_line(text, 40)));
    }
    Value out{scaled->floor, scaled->exact, unit_[column], false};
    const std::size_t point = text.find('.');
    out.has_point = point != std::string_view::npos;
    for (std::size_t i = std::min(point, text.size() - 1) + 1; i < text.size() && out.last_place > 1; ++i)
      out.last_place = std::max<std::int64_t>((out.last_place + 9) / 10, 1);
    return out;
  }

  [[nodiscard]] std::int64_t whole(Column column, std::int64_t least, std::int64_t most, std::int64_t standard) const {
    const std::string_view text = cell(column);
    if (text.empty()) return standard;
    const auto number = io::parse_decimal(text);
    const auto scaled = number && number->rest.empty() ? number->scaled(1) : std::nullopt;
    if (!scaled || !scaled->exact || scaled->floor > most || (number->negative ? -scaled->floor : scaled->floor) < least) {
      fail(fmt::format("{} '{}': a whole number within {} .. {} is expected", column_names_[column], one_line(text, 40), least, most));
    }
    return static_cast<std::int64_t>(number->negative ? -scaled->floor : scaled->floor);
  }

  void read_row(std::string_view line) {
    split_cells(line, cells_);
    if (cells_.size() != width_) fail(fmt::format("the row has {} cells, the header {}", cells_.size(), width_));
    if (profile_.operations.size() == most_records) fail(fmt::format("there are more than {} rows", most_records));
    constexpr Wide longest = std::numeric_limits<std::int64_t>::max() / 4;
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    GpuOperation o;
    const Value from = value(start, longest), length = value(duration, longest);
    o.start = static_cast<std::int64_t>(from.floor);
    o.end = o.start + static_cast<std::int64_t>(length.floor) + (length.exact ? 0 : 1);
    profile_.resolution = std::max({profile_.resolution, length.last_place, from.last_place});
    o.device = device_of(cell(device));
    o.process = process_of(whole(pid, 0, most, 0));
    o.context = whole(context, 0, most, 0);
    o.stream = whole(stream, 0, most, 0);
    o.correlation = whole(call, 0, most, -1);
    const std::string_view text = cell(name);
    if (!cell(grid_x).empty()) {
      read_kernel(o);
      o.name = profile_.texts.add(one_line(text));
    } else if (!read_copy(o, text)) {
      return;
    }
    profile_.operations.push_back(o);
  }

  void read_kernel(GpuOperation& o) {
    Wide blocks = 1, threads = 1;
    for (const Column column : {grid_x, grid_y, grid_z}) blocks *= whole(column, 1, std::numeric_limits<std::int32_t>::max(), 0);
    for (const Column column : {block_x, block_y, block_z}) threads *= whole(column, 1, 65'536, 0);
    if (blocks < 1 || threads < 1 || blocks > std::numeric_limits<std::int64_t>::max() || threads > 65'536)
      fail("grid and block of a kernel are not whole, or too large");
    o.B = static_cast<std::uint64_t>(blocks);
    o.H = static_cast<std::uint32_t>(threads);
    o.registers = static_cast<std::uint32_t>(whole(registers, 0, 65'536, 0));
    bool untold = place_[registers] != nowhere_ && cell(registers).empty();
    for (const Column column : {fixed, dynamic}) {
      if (cell(column).empty()) {
        untold = untold || place_[column] != nowhere_;
        continue;
      }
      const Value bytes = value(column, Wide{1} << 40U);
      const std::int64_t more = bytes.has_point && bytes.last_place > 1 ? (bytes.last_place + 1) / 2 : bytes.exact ? 0 : 1;
      o.shared_memory += static_cast<std::uint64_t>(bytes.floor) + static_cast<std::uint64_t>(more);
      rounded_ = std::max(rounded_, more);
    }
    untold_ += untold ? 1U : 0U;
    o.green = whole(green_context, 0, std::numeric_limits<std::int64_t>::max(), 0);
  }

  void tell_of_kernels() {
    if (untold_ > 0)
      notes_.assume(fmt::format("Reg/Trd, StcSMem or DymSMem of {} kernels are empty: what these take of them COUNTS AS NOTHING", untold_));
  }

  std::uint32_t process_of(std::int64_t number) {
    const auto [at, fresh] = processes_.emplace(number, static_cast<std::uint32_t>(processes_.size()));
    if (fresh && at->second > 0) profile_.processes.push_back(profile_.processes.front());
    return at->second;
  }
  void name_processes() {
    if (processes_.size() < 2) return;
    for (const auto& [number, index] : processes_) profile_.processes[index].name += fmt::format("-{}", number);
  }

  // Copies and memsets: `[CUDA memcpy HtoD]`. False where it is none that is read.
  bool read_copy(GpuOperation& o, std::string_view text) {
    constexpr std::string_view copies = "memcpy ";
    const std::size_t at = text.find(copies);
    const bool copy = text.starts_with("[CUDA ") && text.ends_with(']') && at != std::string_view::npos;
    const std::string_view ends = copy ? text.substr(at + copies.size(), text.size() - at - copies.size() - 1) : text;
    const Reading& row = reading(Kind::nsys_stats, copy ? "copy" : "row without a grid", ends);
    const Texts::Id named = profile_.texts.add(one_line(ends, 60));
    if (row.fate != Fate::read) {
      profile_.unread.push_back({&row, named, o.device, o.process, -1, o.start, o.end});
      return false;
    }
    o.kind = copy ? GpuOperation::Kind::copy : GpuOperation::Kind::memset;
    o.name = named;
    if (copy && ends.starts_with('H')) o.direction = Direction::h2d;
    if (copy && (ends.ends_with("toH") || ends.ends_with("to-Host"))) o.direction = Direction::d2h;
    return true;
  }

  // `NVIDIA A100-SXM4-40GB (0)`; without a number, in the order in which they come.
  std::int64_t device_of(std::string_view text) {
    const auto known = devices_.find(text);
    if (known != devices_.end()) return known->second;
    if (devices_.size() == 1024) fail("there are more than 1024 GPUs");
    std::int64_t number = static_cast<std::int64_t>(devices_.size());
    const auto written = io::parse_decimal(counted_in(text));
    const auto scaled = written && written->rest.empty() && !written->negative ? written->scaled(1) : std::nullopt;
    if (scaled && scaled->exact && scaled->floor < 1'000'000) number = static_cast<std::int64_t>(scaled->floor);
    ProfiledDevice of;
    of.number = number;
    of.name = one_line(without_blanks(text.substr(0, text.rfind(" ("))), 80);
    profile_.devices.push_back(std::move(of));
    devices_.emplace(std::string(text), number);
    return number;
  }

  Bytes& bytes_;
  Notes& notes_;
  Profile profile_;
  std::size_t line_ = 0, width_ = 0;
  bool in_table_ = false, seen_ = false, titled_ = false, after_blank_ = false;
  std::vector<std::string> cells_;
  std::array<std::size_t, column_names_.size()> place_{};
  std::array<std::int64_t, column_names_.size()> unit_{};
  std::map<std::string, std::int64_t, std::less<>> devices_;
  std::map<std::int64_t, std::uint32_t> processes_;  // by PID
  std::int64_t rounded_ = 0;
  std::size_t untold_ = 0;
};

}  // namespace

Profile read_nsys_stats(Bytes& bytes, Notes& notes) { return NsysStatsReader(bytes, notes).read(); }

}  // namespace rta::convert
