#include <fmt/format.h>

#include <algorithm>
#include <boost/tokenizer.hpp>
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
  if (row.deadline <= row.arrival_min) fail("the deadline is not after the arrival");
}

class JobReader {
 public:
  JobReader(std::string_view text, const Notes& notes) : text_(text), notes_(notes) {}

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

  void read_csv() {
    CsvRows csv(text_, notes_.file());
    if (!csv.next()) return;
    if (csv.cells.front().find("Predecessor") != std::string::npos) {
      csv.fail("these are precedence constraints: give the file of jobs, and this one with --precedence");
    }
    if (const auto unit = value_in(csv.cells, "time unit")) rows_.unit = io::parse_time("1 " + *unit);
    if (const auto hyperperiod = value_in(csv.cells, "hyperperiod")) rows_.hyperperiod = io::parse_time(*hyperperiod);
    if (const auto processors = value_in(csv.cells, "processors")) {
      std::uint32_t count = 0;
      const auto [end, fault] = std::from_chars(processors->data(), processors->data() + processors->size(), count);
      if (fault == std::errc() && count > 0 && count <= 1'000'000) rows_.processors = count;
    }
    if (const auto pool = value_in(csv.cells, "pool")) rows_.pool = one_word(*pool, "cpu");
    const auto name_column = std::ranges::find(csv.cells, "Name") - csv.cells.begin();
    const auto fail = [&](const std::string& message) { csv.fail(message); };
    while (csv.next()) {
      if (csv.cells.size() < 8)
        csv.fail(fmt::format("{} columns are too few for a job (task, job, arrival min and max, cost min and max, deadline, priority)",
                             csv.cells.size()));
      if (csv.cells[4].starts_with("{")) csv.fail("jobs that need several processors at once (gang jobs) are no nodes of a task set");
      JobRow row;
      row.line = csv.line();
      row.task = csv.id(0, "task");
      row.job = csv.id(1, "job");
      row.arrival_min = csv.number(2, "arrival min");
      row.arrival_max = csv.number(3, "arrival max");
      row.cost_min = csv.number(4, "cost min");
      row.cost_max = csv.number(5, "cost max");
      row.deadline = csv.number(6, "deadline");
      row.priority = csv.number(7, "priority");
      if (csv.cells.size() > 8 && !csv.cells[8].empty() && csv.cells[8] != "0")
        csv.fail("conditional jobs (job type other than 0) are no nodes of a task set");
      if (static_cast<std::size_t>(name_column) < csv.cells.size()) row.name = csv.cells[static_cast<std::size_t>(name_column)];
      add(std::move(row), fail);
    }
  }

  [[nodiscard]] std::optional<std::size_t> find(std::uint64_t task, std::uint64_t job) const {
    const auto at = index_.find({task, job});
    return at == index_.end() ? std::nullopt : std::optional(at->second);
  }

  void read_precedence(const PrecedenceText& file) {
    CsvRows csv(file.text, file.name);
    if (!csv.next()) return;
    while (csv.next()) {
      if (csv.cells.size() < 4)
        csv.fail(fmt::format("{} columns are too few for a precedence constraint (task and job of both)", csv.cells.size()));
      if (rows_.precedence.size() == 4 * most_jobs) csv.fail("there are too many precedence constraints");
      const auto from = find(csv.id(0, "predecessor's task"), csv.id(1, "predecessor's job"));
      const auto to = find(csv.id(2, "successor's task"), csv.id(3, "successor's job"));
      if (!from || !to) csv.fail(fmt::format("no job {} of task {} is in the job set", csv.cells[from ? 3 : 1], csv.cells[from ? 2 : 0]));
      for (const std::size_t delay : {std::size_t{4}, std::size_t{5}}) {
        if (csv.cells.size() > delay && !csv.cells[delay].empty() && csv.number(delay, "delay") != 0)
          csv.fail("delays between jobs (self-suspensions) are no part of a task set");
      }
      if (csv.cells.size() > 6 && !csv.cells[6].empty() && csv.cells[6] != "f" && csv.cells[6] != "F")
        csv.fail("only constraints from end to start (f) are edges of a task set");
      rows_.precedence.push_back({*from, *to, csv.line()});
    }
  }

  void read_yaml() {
    io::Diagnostics out(notes_.file());
    const io::YamlDocument document(text_, out, "a job set has `jobset`");
    const io::Fields top(document.root(), {}, out);
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
      for (const io::Value* s = after->first(); after->kind == io::Value::Kind::sequence && s != after->next(); s = s->next()) {
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
  const Notes& notes_;
  JobRows rows_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> index_;
};

}  // namespace

JobRows read_job_rows(std::string_view text, const std::optional<PrecedenceText>& precedence, const Notes& notes) {
  return JobReader(text, notes).read(precedence);
}

}  // namespace rta::convert
