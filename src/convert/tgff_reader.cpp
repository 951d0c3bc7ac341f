#include "tgff_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <limits>
#include <map>
#include <unordered_map>
#include <vector>

#include "../io/decimal.hpp"
#include "names.hpp"
#include "pools.hpp"

namespace rta::convert {
namespace {

constexpr std::size_t most_tasks_of_graphs = 1'000'000;
// Columns of times, by how likely they are execution times. TGFF lets its users name them.
constexpr std::array<std::string_view, 4> columns_of_times{"exec_time", "task_time", "wcet", "time"};

using Words = std::vector<std::string_view>;

Words words_of(std::string_view line) {
  Words words;
  constexpr std::string_view space = " \t\r";
  for (std::size_t at = line.find_first_not_of(space); at < line.size(); at = line.find_first_not_of(space, at)) {
    words.push_back(line.substr(at, line.find_first_of(space, at) - at));
    at += words.back().size();
  }
  return words;
}

class TgffReader {
 public:
  TgffReader(std::string_view text, const Options& options, Notes& notes) : text_(text), options_(options), notes_(notes) {}

  Draft read() {
    notes_.uses("time-unit");
    if (!options_.time_unit) notes_.miss("the file does not say in which unit its times are: give --time-unit ns, us, ms or s");
    while (next()) {
      if (words_.front() == "{") {
        if (!header_) fail("'{' begins nothing: '@NAME NUMBER' is expected before it");
        read_block();
      } else if (words_.front().starts_with('@')) {
        end_header();
        Header header{{}, line_};
        for (const std::string_view word : words_) {
          if (word != "{") header.name += (header.name.empty() ? "" : " ") + std::string(word.substr(word.starts_with('@') ? 1 : 0));
        }
        header_ = std::move(header);
        if (words_.back() == "{") read_block();
      } else {
        fail(fmt::format("'@NAME NUMBER' is expected, not '{}'", one_line(words_.front(), 40)));
      }
    }
    end_header();
    if (graphs_.empty()) refuse(notes_.file(), "no graph with a TASK is in the file");
    return draft();
  }

 private:
  struct Header {
    std::string name;
    std::size_t line;
  };
  struct Task {
    std::string name;
    std::string type;
    std::size_t line;
  };
  struct Graph {
    std::string name;
    std::optional<Time> period;
    std::size_t timed = 0;  // the line that says when it is released
    std::optional<Time> deadline;
    bool deadlines_differ = false;
    std::vector<Task> tasks;
    std::vector<Edge> edges;
  };
  struct Row {
    std::string type, value;
    std::size_t line;
  };
  struct Table {
    std::string name;
    std::map<std::string, std::vector<Row>, std::less<>> columns;
    std::size_t rows_before = 0;  // the names of columns
  };

  [[noreturn]] void fail(const std::string& message) const { refuse(notes_.file(), message, line_, 1); }

  // The next line with words, without its comment, which is kept.
  bool next() {
    while (!text_.empty()) {
      const std::string_view line = text_.substr(0, text_.find('\n'));
      text_.remove_prefix(std::min(line.size() + 1, text_.size()));
      ++line_;
      const std::size_t comment = std::min(line.find('#'), line.size());
      words_ = words_of(line.substr(0, comment));
      if (words_.empty() && comment < line.size()) take_comment(words_of(line.substr(comment + 1)));
      if (!words_.empty()) return true;
    }
    return false;
  }

  // In a table, one that begins with `type` names the columns.
  void take_comment(const Words& words) {
    if (words.empty() || words.front() != "type") return;
    columns_.assign(words.begin(), words.end());
  }

  // A statement without a block.
  void end_header() {
    if (!header_) return;
    (void)notes_.meet(Kind::tgff, "statement", std::string_view(header_->name).substr(0, header_->name.find(' ')), header_->line, 1);
    header_.reset();
  }

  void read_block() {
    const Header header = std::move(*header_);
    header_.reset();
    columns_.clear();
    Graph graph;
    graph.name = header.name;
    std::unordered_map<std::string, NodeId> index;
    Table table;
    table.name = header.name;
    bool is_graph = header.name.starts_with("TASK_GRAPH");
    for (;;) {
      if (!next()) refuse(notes_.file(), fmt::format("'}}' is missing at the end of '@{}'", one_line(header.name, 40)), header.line, 1);
      if (words_.front() == "}") break;
      if (words_.front() == "TASK" || words_.front() == "PERIOD" || words_.front() == "APERIODIC") is_graph = true;
      if (is_graph) {
        take_statement(graph, index);
      } else {
        take_row(table);
      }
    }
    if (is_graph) {
      if (graph.tasks.empty()) refuse(notes_.file(), fmt::format("'@{}' has no task", one_line(header.name, 40)), header.line, 1);
      graphs_.push_back(std::move(graph));
    } else if (table.columns.empty()) {
      (void)notes_.meet(Kind::tgff, "table", header.name, header.line, 1);
    } else {
      tables_.push_back(std::move(table));
    }
  }

  void expect(std::initializer_list<std::string_view> form, const char* shown) const {
    bool fits = words_.size() == form.size();
    std::size_t i = 0;
    for (const std::string_view word : form) {
      fits = fits && (word.empty() || words_[i] == word);
      ++i;
    }
    if (!fits) fail(fmt::format("'{}' is expected, not '{}'", shown, one_line(fmt::format("{}", fmt::join(words_, " ")), 60)));
  }

  void take_statement(Graph& graph, std::unordered_map<std::string, NodeId>& index) {
    const std::string_view what = words_.front();
    (void)notes_.meet(Kind::tgff, "statement of a graph", what, line_, 1);
    const auto task = [&](std::string_view name) {
      const auto at = index.find(std::string(name));
      if (at == index.end()) fail(fmt::format("'{}' is no task of the graph", one_line(name, 40)));
      return at->second;
    };
    if (what == "PERIOD" || what == "APERIODIC") {
      if (graph.timed > 0) fail(fmt::format("the graph has one PERIOD or APERIODIC, which is in line {}", graph.timed));
      graph.timed = line_;
    }
    if (what == "PERIOD") {
      expect({"PERIOD", ""}, "PERIOD TIME");
      graph.period = Time(time_of(words_[1], false));
    } else if (what == "APERIODIC") {
      expect({"APERIODIC"}, "APERIODIC");
    } else if (what == "TASK") {
      expect({"TASK", "", "TYPE", ""}, "TASK NAME TYPE NUMBER");
      if (++tasks_ > most_tasks_of_graphs) fail(fmt::format("there are more than {} tasks", most_tasks_of_graphs));
      if (!index.emplace(words_[1], graph.tasks.size()).second) fail(fmt::format("task '{}' is there twice", one_line(words_[1], 40)));
      graph.tasks.push_back({std::string(words_[1]), std::string(words_[3]), line_});
    } else if (what == "ARC") {
      expect({"ARC", "", "FROM", "", "TO", "", "TYPE", ""}, "ARC NAME FROM TASK TO TASK TYPE NUMBER");
      graph.edges.push_back({task(words_[3]), task(words_[5]), false});
      (void)notes_.meet(Kind::tgff, "type of an arc", "TYPE");
    } else if (what == "HARD_DEADLINE") {
      expect({"HARD_DEADLINE", "", "ON", "", "AT", ""}, "HARD_DEADLINE NAME ON TASK AT TIME");
      (void)task(words_[3]);
      const Time at(time_of(words_[5], false));
      graph.deadlines_differ = graph.deadlines_differ || (graph.deadline && *graph.deadline != at);
      graph.deadline = std::min(graph.deadline.value_or(at), at);
    }
  }

  void take_row(Table& table) {
    if (columns_.empty()) {  // what the table says as a whole: prices, areas
      ++table.rows_before;
      return;
    }
    if (words_.size() != columns_.size()) {
      fail(fmt::format("the row has {} numbers, the columns are {}", words_.size(),
                       one_line(fmt::format("{}", fmt::join(columns_, " ")), 80)));
    }
    const auto valid = std::ranges::find(columns_, "valid");
    if (valid != columns_.end() && words_[static_cast<std::size_t>(valid - columns_.begin())] == "0") return;
    for (std::size_t i = 1; i < columns_.size(); ++i)
      table.columns[columns_[i]].push_back({std::string(words_.front()), std::string(words_[i]), line_});
  }

  // Whole ns; what cannot be said in them is rounded to the safe side.
  std::int64_t time_of(std::string_view text, bool up) const {
    std::string written;
    const auto number = io::parse_scientific(text, written);
    const auto scaled =
        number && number->rest.empty() && !number->negative ? number->scaled(options_.time_unit.value_or(Time(1)).count()) : std::nullopt;
    if (!scaled || scaled->floor > std::numeric_limits<std::int64_t>::max() / 4)
      fail(fmt::format("'{}' is no time of at least 0 that is not too large", one_line(text, 40)));
    return static_cast<std::int64_t>(scaled->floor) + (up && !scaled->exact ? 1 : 0);
  }

  // The largest time of each type in the tables that count.
  std::unordered_map<std::string, std::int64_t> times() {
    std::string_view wanted = options_.cost_attribute, only;
    if (const std::size_t colon = wanted.rfind(':'); colon != std::string_view::npos) {
      only = wanted.substr(0, colon);
      wanted.remove_prefix(colon + 1);
    }
    const auto counts = [&](const Table& table) { return only.empty() || table.name == only; };
    const auto has = [&](std::string_view column) {
      return std::ranges::any_of(tables_, [&](const Table& table) { return counts(table) && table.columns.contains(column); });
    };
    const std::string given(wanted);
    if (given.empty() ? std::ranges::none_of(columns_of_times, has) : !has(given)) refuse_column(given);
    std::unordered_map<std::string, std::int64_t> most;
    std::string names;
    std::vector<std::string> used;
    for (const Table& table : tables_) {
      std::string_view column = given;
      if (given.empty()) {
        // Each table has its own name for them.
        const auto* const usual = std::ranges::find_if(columns_of_times, [&](std::string_view one) { return table.columns.contains(one); });
        if (usual != columns_of_times.end()) column = *usual;
      }
      const auto rows = table.columns.find(column);
      if (!counts(table) || rows == table.columns.end()) {
        (void)notes_.meet(Kind::tgff, "table", table.name);
        continue;
      }
      if (std::ranges::find(used, rows->first) == used.end()) used.push_back(rows->first);
      names += fmt::format("{}'{}'", names.empty() ? "" : ", ", one_line(table.name, 40));
      for (const auto& [other, unused] : table.columns) {
        if (other != column) (void)notes_.meet(Kind::tgff, "column of a table", other);
      }
      if (table.rows_before > 0) (void)notes_.meet(Kind::tgff, "row of a table", table.name);
      for (const Row& row : rows->second) {
        line_ = row.line;
        std::int64_t& time = most[row.type];
        time = std::max(time, time_of(row.value, true));
      }
    }
    column_ = fmt::format("{}", fmt::join(used, "' or '"));
    notes_.assume(fmt::format("C is the largest '{}' of a task's type in {} (--cost [TABLE:]COLUMN): a task may run on any processor",
                              column_, names));
    return most;
  }

  [[noreturn]] void refuse_column(std::string_view wanted) const {
    std::string known;
    std::size_t shown = 0;
    for (const Table& table : tables_) {
      if (++shown > 12) break;
      for (const auto& [column, rows] : table.columns)
        known += fmt::format("{}'{}:{}'", known.empty() ? "" : ", ", one_line(table.name, 40), one_line(column, 40));
    }
    refuse(notes_.file(), fmt::format("{}: give --cost [TABLE:]COLUMN (there are: {})",
                                      wanted.empty() ? "which column is the execution time of types of tasks is not known"
                                                     : fmt::format("no table has the column '{}'", one_line(options_.cost_attribute, 60)),
                                      known.empty() ? "none; a comment '# type ...' names the columns of a table" : known));
  }

  Draft draft() {
    Draft draft;
    draft.name = std::filesystem::path(notes_.file()).filename().string();
    draft.pools.push_back(cpu_pool("cpu", options_, notes_));
    const auto times_of_types = times();
    UniqueNames names;
    std::size_t without = 0;
    for (Graph& graph : graphs_) {
      DraftDag dag;
      dag.name = names.unique(one_word(graph.name, "graph"));
      without += graph.period ? 0 : 1;
      dag.T = graph.period ? *graph.period : options_.period.value_or(Time(1));
      dag.D = graph.deadline ? graph.deadline : options_.deadline;
      if (!graph.period) notes_.uses("period");
      if (!graph.deadline) notes_.uses("deadline");
      if (graph.deadlines_differ)
        notes_.assume(fmt::format("DAG '{}': D is the least of its hard deadlines, which all of it keeps here", dag.name));
      UniqueNames tasks;
      for (const Task& task : graph.tasks) {
        const auto time = times_of_types.find(task.type);
        if (time == times_of_types.end()) {
          line_ = task.line;
          fail(fmt::format("no table has the column '{}' with type {}", column_, one_line(task.type, 40)));
        }
        DraftNode node;
        node.node.name = tasks.unique(one_word(task.name, "task"));
        node.node.demand = CpuDemand{Time(time->second)};
        dag.add(std::move(node));
      }
      dag.edges = std::move(graph.edges);
      draft.dags.push_back(std::move(dag));
    }
    if (without > 0 && !options_.period) notes_.miss(fmt::format("{} graphs have no period: give --period TIME", without));
    notes_.throw_if_missing();
    return draft;
  }

  std::string_view text_;
  const Options& options_;
  Notes& notes_;
  std::size_t line_ = 0, tasks_ = 0;
  Words words_;
  std::vector<std::string> columns_;
  std::optional<Header> header_;
  std::vector<Graph> graphs_;
  std::vector<Table> tables_;
  std::string column_;
};

}  // namespace

Draft read_tgff(std::string_view text, const Options& options, Notes& notes) { return TgffReader(text, options, notes).read(); }

}  // namespace rta::convert
