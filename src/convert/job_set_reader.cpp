#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/tokenizer.hpp>
#include <cctype>
#include <charconv>
#include <map>

#include "../io/decimal.hpp"
#include "../io/fields.hpp"
#include "../io/yaml_document.hpp"
#include "job_set.hpp"
#include "names.hpp"
#include "rta/io/time_text.hpp"
#include "rta/model/error.hpp"

namespace rta::convert {
namespace {

constexpr std::size_t most_jobs = 1'000'000;

std::string trimmed(std::string text) {
  const auto space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && space(text.back())) text.pop_back();
  text.erase(0, static_cast<std::size_t>(std::ranges::find_if_not(text, space) - text.begin()));
  return text;
}

// Rows of a CSV file, without empty ones.
class CsvRows {
 public:
  CsvRows(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
  }

  bool next() {
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      const std::string line = trimmed(std::string(text_.substr(0, end)));
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++line_;
      if (line.empty()) continue;
      cells.clear();
      try {
        for (const std::string& cell : boost::tokenizer<boost::escaped_list_separator<char>>(line)) cells.push_back(trimmed(cell));
      } catch (const boost::escaped_list_error& error) {
        fail(error.what());
      }
      return true;
    }
    return false;
  }

  [[nodiscard]] std::size_t line() const { return line_; }
  [[noreturn]] void fail(const std::string& message) const { refuse(file_, message, line_, 1); }

  [[nodiscard]] Wide number(std::size_t cell, const char* name) const { return checked(cell, name, true); }
  [[nodiscard]] std::uint64_t id(std::size_t cell, const char* name) const {
    return static_cast<std::uint64_t>(checked(cell, name, false));
  }

  std::vector<std::string> cells;

 private:
  [[nodiscard]] Wide checked(std::size_t cell, const char* name, bool negative) const {
    const std::string text = cell < cells.size() ? cells[cell] : std::string();
    const auto number = io::parse_decimal(text);
    const auto value = number && number->rest.empty() ? number->scaled(1) : std::nullopt;
    constexpr Wide most = std::numeric_limits<std::int64_t>::max();
    if (!value || !value->exact || value->floor > most || (number->negative && !negative)) {
      fail(fmt::format("{}: {} is no whole number{} of at most 63 bits", name, text.empty() ? "nothing" : "'" + one_line(text, 40) + "'",
                       negative ? "" : " above 0"));
    }
    return number->negative ? -value->floor : value->floor;
  }

  std::string_view text_;
  std::string file_;
  std::size_t line_ = 0;
};

// `key: value` in a cell of the first line.
std::optional<std::string> value_in(const std::vector<std::string>& cells, std::string_view key) {
  for (const std::string& cell : cells) {
    if (cell.starts_with(key) && cell.size() > key.size() && cell[key.size()] == ':') return trimmed(cell.substr(key.size() + 1));
  }
  return std::nullopt;
}

void check(const JobRow& row, const auto& fail) {
  if (row.arrival_min < 0 || row.arrival_max < row.arrival_min) fail("arrivals: 0 <= min <= max is needed");
  if (row.cost_min < 0 || row.cost_max < row.cost_min) fail("costs: 0 <= min <= max is needed");
  if (row.deadline <= row.arrival_max)
    fail("the deadline is not after the latest arrival, so that a job may miss it before it is released");
}

// The tool itself heads constraints with other names.
std::string_view column_name(const std::string& cell) {
  struct Other {
    std::string_view name, known;
  };
  static constexpr std::array others{
      Other{"From TID", "Predecessor TID"},
      Other{"From JID", "Predecessor JID"},
      Other{"To TID", "Successor TID"},
      Other{"To JID", "Successor JID"},
      Other{"Sus Min", "Delay min"},
      Other{"Sus Max", "Delay max"},
      Other{"Sus min", "Delay min"},
      Other{"Sus max", "Delay max"},
      Other{"Delay Min", "Delay min"},
      Other{"Delay Max", "Delay max"},
      Other{"type", "Type"},
  };
  const std::string_view name = std::string_view(cell).substr(0, cell.find(':'));
  const auto* const at = std::ranges::find(others, name, &Other::name);
  return at == others.end() ? name : at->known;
}

// Where the columns of a table stand.
class Columns {
 public:
  /// By the names of a header, whatever their order; without a header, in the order of `names`. A header without any of them is refused,
  /// unless it is empty or comments the table (`time unit: ns`).
  template <std::size_t N>
  Columns(const std::vector<std::string>& header, const std::array<std::string_view, N>& names, const CsvRows& csv, Notes& notes)
      : place_(N) {
    std::array<bool, N> found{};
    for (std::size_t cell = 0; cell < header.size(); ++cell) {
      const auto at = std::ranges::find(names, column_name(header[cell]));
      if (at == names.end()) continue;
      const auto index = static_cast<std::size_t>(at - names.begin());
      if (found[index]) csv.fail(fmt::format("the column '{}' is there twice", names[index]));
      found[index] = true;
      place_[index] = cell;
    }
    named_ = std::ranges::count(found, true) > 0;
    for (std::size_t i = 0; i < N; ++i) {
      if (named_ && !found[i]) csv.fail(fmt::format("the header has no column '{}'", names[i]));
      if (!named_) place_[i] = i;
    }
    if (!named_) {
      std::string order;
      for (const std::string_view name : names) order += (order.empty() ? "" : ", ") + std::string(name);
      const auto is_foreign = [](const std::string& cell) {
        return cell.find(':') == std::string::npos && std::ranges::any_of(cell, [](unsigned char c) { return std::isalpha(c) != 0; });
      };
      if (std::ranges::any_of(header, is_foreign)) csv.fail(fmt::format("the header names no column of a job set; these are {}", order));
      notes.assume(fmt::format("no header names the columns; their order is {}", order));
    }
  }

  [[nodiscard]] std::size_t operator[](std::size_t column) const { return place_[column]; }
  [[nodiscard]] bool named() const { return named_; }
  [[nodiscard]] std::size_t needed() const { return *std::ranges::max_element(place_) + 1; }

 private:
  std::vector<std::size_t> place_;
  bool named_ = false;
};

constexpr std::array<std::string_view, 8> job_columns{"Task ID",  "Job ID",   "Arrival min", "Arrival max",
                                                      "Cost min", "Cost max", "Deadline",    "Priority"};
constexpr std::array<std::string_view, 9> job_keys{"Task ID",  "Job ID",   "Arrival min", "Arrival max", "Cost min",
                                                   "Cost max", "Deadline", "Priority",    "Successors"};
constexpr std::array<std::string_view, 1> set_keys{"jobset"};
constexpr std::array<std::string_view, 2> successor_keys{"Task ID", "Job ID"};
constexpr std::array<std::string_view, 4> constraint_columns{"Predecessor TID", "Predecessor JID", "Successor TID", "Successor JID"};

class JobReader {
 public:
  JobReader(std::string_view text, Notes& notes) : text_(text), notes_(notes) {}

  JobRows read(const std::optional<PrecedenceText>& precedence) {
    std::string_view start = text_;
    start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
    if (start.substr(0, start.find('\n')).find(',') == std::string_view::npos) {
      read_yaml();
    } else {
      read_csv();
    }
    if (rows_.jobs.empty()) refuse(notes_.file(), "the job set is empty");
    if (precedence) {
      rows_.precedence_file = precedence->name;
      read_precedence(*precedence);
    }
    return std::move(rows_);
  }

 private:
  void add(JobRow row, const auto& fail) {
    check(row, fail);
    if (rows_.jobs.size() == most_jobs) fail(fmt::format("there are more than {} jobs", most_jobs));
    if (!index_.emplace(std::pair(row.task, row.job), rows_.jobs.size()).second)
      fail(fmt::format("job {} of task {} is there twice", row.job, row.task));
    rows_.jobs.push_back(std::move(row));
  }

  void meet(const CsvRows& csv, std::string_view part, std::string_view name) const { notes_.meet(Kind::sag, part, name, csv.line(), 1); }

  // What the first line says; true when it is a header.
  bool read_header(const CsvRows& csv) {
    if (is_number(csv.cells.front())) return false;
    const auto name_of = [](const std::string& cell) { return std::string_view(cell).substr(0, cell.find(':')); };
    const bool names = std::ranges::any_of(
        csv.cells, [&](const std::string& cell) { return reading(Kind::sag, "column", name_of(cell)).fate != Fate::told; });
    for (const std::string& cell : csv.cells) {
      if (names && !cell.empty()) meet(csv, "column", name_of(cell));
    }
    if (const auto unit = value_in(csv.cells, "time unit")) rows_.unit = io::parse_time("1 " + *unit);
    if (const auto hyperperiod = value_in(csv.cells, "hyperperiod")) rows_.hyperperiod = io::parse_time(*hyperperiod);
    if (const auto processors = value_in(csv.cells, "processors")) {
      std::uint32_t count = 0;
      const auto [end, fault] = std::from_chars(processors->data(), processors->data() + processors->size(), count);
      if (fault == std::errc() && count > 0 && count <= 1'000'000) rows_.processors = count;
    }
    rows_.sporadic = value_in(csv.cells, "releases") == "sporadic";
    if (const auto pool = value_in(csv.cells, "pool")) rows_.pool = one_word(*pool, "cpu");
    return true;
  }

  static bool is_number(const std::string& cell) {
    return !cell.empty() && std::ranges::all_of(cell, [](unsigned char c) { return std::isdigit(c) != 0; });
  }

  void read_csv() {
    CsvRows csv(text_, notes_.file());
    if (!csv.next()) return;
    const bool header = read_header(csv);
    const Columns at(csv.cells, job_columns, csv, notes_);
    const auto named = [&](std::string_view name, std::size_t otherwise) {
      const auto cell = std::ranges::find(csv.cells, name);
      return header && cell != csv.cells.end() ? static_cast<std::size_t>(cell - csv.cells.begin()) : otherwise;
    };
    const std::size_t name_column = named("Name", std::string::npos);
    const std::size_t type_column = named("Job type", std::max(job_columns.size(), header ? csv.cells.size() : 0));
    const std::size_t known = std::max(header ? csv.cells.size() : 0, job_columns.size() + 1);
    const auto fail = [&](const std::string& message) { csv.fail(message); };
    for (bool more = !header || csv.next(); more; more = csv.next()) {
      if (csv.cells.size() < at.needed())
        csv.fail(fmt::format("{} columns are too few for a job (task, job, arrival min and max, cost min and max, deadline, priority)",
                             csv.cells.size()));
      for (std::size_t cell = known; cell < csv.cells.size(); ++cell) {
        if (!csv.cells[cell].empty())
          csv.fail(fmt::format("'{}' is in column {}, which no header names", one_line(csv.cells[cell], 40), cell + 1));
      }
      if (csv.cells[at[4]].starts_with("{")) meet(csv, "row", "gang job");
      JobRow row;
      row.line = csv.line();
      row.task = csv.id(at[0], "task");
      row.job = csv.id(at[1], "job");
      row.arrival_min = csv.number(at[2], "arrival min");
      row.arrival_max = csv.number(at[3], "arrival max");
      row.cost_min = csv.number(at[4], "cost min");
      row.cost_max = csv.number(at[5], "cost max");
      row.deadline = csv.number(at[6], "deadline");
      row.priority = csv.number(at[7], "priority");
      if (type_column < csv.cells.size() && !csv.cells[type_column].empty() && csv.cells[type_column] != "0")
        meet(csv, "row", "conditional job");
      if (name_column < csv.cells.size()) row.name = csv.cells[name_column];
      add(std::move(row), fail);
    }
  }

  [[nodiscard]] std::optional<std::size_t> find(std::uint64_t task, std::uint64_t job) const {
    const auto at = index_.find({task, job});
    return at == index_.end() ? std::nullopt : std::optional(at->second);
  }

  // By their names; those that nobody reads are told.
  std::map<std::string, std::size_t, std::less<>> named_columns(const CsvRows& csv) {
    std::map<std::string, std::size_t, std::less<>> named;
    for (std::size_t cell = 0; cell < csv.cells.size(); ++cell) {
      const std::string_view name = column_name(csv.cells[cell]);
      if (name.empty()) continue;
      if (!named.emplace(name, cell).second) csv.fail(fmt::format("the column '{}' is there twice", name));
      (void)notes_.meet(Kind::sag, "column of constraints", name, csv.line(), 1);
    }
    return named;
  }

  void read_precedence(const PrecedenceText& file) {
    const std::size_t before = rows_.precedence.size();
    CsvRows csv(file.text, file.name);
    if (!csv.next()) refuse(file.name, "--precedence: there is no constraint in it");
    const bool header = !is_number(csv.cells.front());
    const Columns at(csv.cells, constraint_columns, csv, notes_);
    std::map<std::string, std::size_t, std::less<>> named{{"Delay min", 4}, {"Delay max", 5}, {"Type", 6}};
    if (at.named()) named = named_columns(csv);
    const auto cell_of = [&](std::string_view name) {
      const auto place = named.find(name);
      return place == named.end() || place->second >= csv.cells.size() ? std::string() : csv.cells[place->second];
    };
    const auto refuse_constraint = [&](std::string_view name) {
      csv.fail(fmt::format("{}: {}", name, reading(Kind::sag, "constraint", name).means));
    };
    for (bool more = !header || csv.next(); more; more = csv.next()) {
      if (csv.cells.size() < at.needed())
        csv.fail(fmt::format("{} columns are too few for a precedence constraint (task and job of both)", csv.cells.size()));
      if (rows_.precedence.size() == 4 * most_jobs) csv.fail("there are too many precedence constraints");
      const auto from = find(csv.id(at[0], "predecessor's task"), csv.id(at[1], "predecessor's job"));
      const auto to = find(csv.id(at[2], "successor's task"), csv.id(at[3], "successor's job"));
      if (!from || !to)
        csv.fail(fmt::format("no job {} of task {} is in the job set", csv.cells[at[from ? 3 : 1]], csv.cells[at[from ? 2 : 0]]));
      for (const char* delay : {"Delay min", "Delay max"}) {
        if (!cell_of(delay).empty() && csv.number(named.at(delay), "delay") != 0) refuse_constraint("suspension");
      }
      if (const std::string type = cell_of("Type"); !type.empty() && type != "f" && type != "F") refuse_constraint("start");
      if (!at.named() && csv.cells.size() > 7) csv.fail("there are more than 7 columns, and no header names them");
      rows_.precedence.push_back({*from, *to, csv.line()});
    }
    if (rows_.precedence.size() == before) refuse(file.name, "--precedence: there is no constraint in it");
  }

  void read_yaml() {
    io::Diagnostics out(notes_.file());
    const io::YamlDocument document(text_, out, "a job set has `jobset`");
    const io::Fields top(document.root(), {}, out);
    top.allow_only(set_keys);
    const io::Value* const list = top.require("jobset", "the list of jobs");
    if (list != nullptr && list->kind != io::Value::Kind::sequence) out.error(list->mark, "jobset: a list of jobs is expected");
    out.throw_if_failed();
    require(list != nullptr, "a job set without a list of jobs has failed");
    struct Successor {
      std::size_t from;
      std::uint64_t task, job;
      io::Mark mark;
    };
    std::vector<Successor> successors;
    for (const io::Value* entry = list->first(); entry != list->next(); entry = entry->next()) {
      const io::Fields job(*entry, {}, out);
      if (!job.usable()) continue;
      job.allow_only(job_keys);
      const auto number = [&](std::string_view key) {
        static_cast<void>(job.require(key, "every job has one"));
        return job.integer(key, 0, std::numeric_limits<std::int64_t>::max()).value_or(0);
      };
      JobRow row;
      row.line = entry->mark.line;
      row.task = number("Task ID");
      row.job = number("Job ID");
      row.arrival_min = static_cast<Wide>(number("Arrival min"));
      row.arrival_max = static_cast<Wide>(number("Arrival max"));
      row.cost_min = static_cast<Wide>(number("Cost min"));
      row.cost_max = static_cast<Wide>(number("Cost max"));
      row.deadline = static_cast<Wide>(number("Deadline"));
      row.priority = static_cast<Wide>(number("Priority"));
      out.throw_if_failed();
      const auto fail = [&](const std::string& message) {
        out.error(entry->mark, message);
        out.throw_if_failed();
      };
      add(std::move(row), fail);
      const io::Value* const after = job.find("Successors");
      if (after == nullptr) continue;
      if (after->kind != io::Value::Kind::sequence) {
        out.error(after->mark, "Successors: a list is expected");
        continue;
      }
      for (const io::Value* s = after->first(); s != after->next(); s = s->next()) {
        const auto [task, id] = successor(*s, out);
        successors.push_back({rows_.jobs.size() - 1, task, id, s->mark});
      }
    }
    for (const Successor& s : successors) {
      const auto to = find(s.task, s.job);
      if (!to) out.error(s.mark, fmt::format("no job {} of task {} is in the job set", s.job, s.task));
      if (to) rows_.precedence.push_back({s.from, *to, s.mark.line});
    }
    out.throw_if_failed();
  }

  // [task, job] or a mapping.
  static std::pair<std::uint64_t, std::uint64_t> successor(const io::Value& value, io::Diagnostics& out) {
    if (value.kind == io::Value::Kind::mapping) {
      const io::Fields fields(value, {}, out);
      fields.allow_only(successor_keys);
      const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
      return {fields.integer("Task ID", 0, most).value_or(0), fields.integer("Job ID", 0, most).value_or(0)};
    }
    std::vector<std::uint64_t> ids;
    if (value.kind == io::Value::Kind::sequence) {
      for (const io::Value* id = value.first(); id != value.next(); id = id->next()) {
        std::uint64_t number = 0;
        const auto [end, fault] = std::from_chars(id->text.data(), id->text.data() + id->text.size(), number);
        if (fault == std::errc() && end == id->text.data() + id->text.size() && !id->text.empty()) ids.push_back(number);
      }
    }
    if (ids.size() != 2) {
      out.error(value.mark, "Successors: [task, job] is expected");
      return {};
    }
    return {ids[0], ids[1]};
  }

  std::string_view text_;
  Notes& notes_;
  JobRows rows_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> index_;
};

}  // namespace

JobRows read_job_rows(std::string_view text, const std::optional<PrecedenceText>& precedence, Notes& notes) {
  return JobReader(text, notes).read(precedence);
}

}  // namespace rta::convert
