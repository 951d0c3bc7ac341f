#include "stg_reader.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <vector>

#include "names.hpp"
#include "pools.hpp"

namespace rta::convert {
namespace {

constexpr std::size_t most_tasks = 1'000'000;

class StgReader {
 public:
  StgReader(std::string_view text, const Options& options, Notes& notes) : text_(text), options_(options), notes_(notes) {}

  Draft read() {
    Draft draft;
    draft.name = std::filesystem::path(notes_.file()).filename().string();
    if (!options_.time_unit) notes_.miss("the file does not say in which unit its times are: give --time-unit ns, us, ms or s");
    draft.pools.push_back(cpu_pool("cpu", options_, notes_));
    DraftDag dag;
    dag.name = one_word(std::filesystem::path(notes_.file()).stem().string(), "dag");
    if (!options_.period) notes_.miss("a task graph has no period: give --period TIME");
    dag.T = options_.period.value_or(Time(1));
    dag.D = options_.deadline;
    for (const char* option : {"time-unit", "period", "deadline"}) notes_.uses(option);
    read_tasks(dag);
    notes_.throw_if_missing();
    draft.dags.push_back(std::move(dag));
    return draft;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { refuse(notes_.file(), message, line_, 1); }

  // The numbers of the next line that has some; none at the end.
  std::vector<std::uint64_t> next() {
    std::vector<std::uint64_t> numbers;
    while (numbers.empty() && !text_.empty()) {
      std::string_view line = text_.substr(0, text_.find('\n'));
      text_.remove_prefix(std::min(line.size() + 1, text_.size()));
      ++line_;
      line = line.substr(0, line.find('#'));  // what follows is about the file
      for (std::size_t at = line.find_first_not_of(" \t\r"); at < line.size(); at = line.find_first_not_of(" \t\r", at)) {
        const std::string_view word = line.substr(at, line.find_first_of(" \t\r", at) - at);
        std::uint64_t number = 0;
        const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (fault != std::errc() || end != word.data() + word.size())
          fail(fmt::format("'{}' is no whole number of at least 0 that fits", one_line(word, 40)));
        numbers.push_back(number);
        at += word.size();
      }
    }
    return numbers;
  }

  void read_tasks(DraftDag& dag) {
    const auto head = next();
    if (head.size() != 1) fail("the number of tasks is expected, alone on its line");
    if (head.front() > most_tasks) fail(fmt::format("there are more than {} tasks", most_tasks));
    // The first and the last row are an entry and an exit, which are not counted.
    const std::size_t rows = static_cast<std::size_t>(head.front()) + 2;
    for (std::size_t id = 0; id < rows; ++id) {
      const auto row = next();
      if (row.empty()) fail(fmt::format("the file ends after {} rows: {} tasks, an entry and an exit are {}", id, head.front(), rows));
      if (row.size() < 3) fail("a task has a number, a processing time, and the number of its predecessors");
      if (row[0] != id) fail(fmt::format("task {} is expected, not {}", id, row[0]));
      const std::size_t before = static_cast<std::size_t>(row[2]), others = row.size() - 3;
      if (others != before) fail(fmt::format("{} predecessors are announced, {} numbers follow", row[2], others));
      DraftNode node;
      node.node.name = fmt::format("{}", id);
      node.node.demand = CpuDemand{to_time(static_cast<Wide>(row[1]) * options_.time_unit.value_or(Time(1)).count())};
      for (std::size_t p = 0; p < before; ++p) {
        const std::uint64_t from = row[3 + p];
        if (from >= rows) fail(fmt::format("predecessor {} is no task", from));
        dag.edges.push_back({static_cast<NodeId>(from), id, false});
      }
      dag.add(std::move(node));
    }
    if (!next().empty()) fail(fmt::format("a row after the exit: {} tasks, an entry and an exit are {}", head.front(), rows));
  }

  std::string_view text_;
  const Options& options_;
  Notes& notes_;
  std::size_t line_ = 0;
};

}  // namespace

Draft read_stg(std::string_view text, const Options& options, Notes& notes) { return StgReader(text, options, notes).read(); }

}  // namespace rta::convert
