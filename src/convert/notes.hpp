// What a conversion found, assumed and missed.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../io/yaml_text.hpp"
#include "names.hpp"
#include "rta/convert/reading.hpp"
#include "rta/io/task_set_file.hpp"

namespace rta::convert {

class Notes {
 public:
  explicit Notes(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] const std::string& file() const { return file_; }

  void found(std::string sentence) { add(found_, std::move(sentence)); }
  void assume(std::string sentence) { add(assumed_, std::move(sentence)); }
  void warn(io::Diagnostic diagnostic) { warnings_.push_back(std::move(diagnostic)); }
  /// Something that the file does not say and that must be known; the sentence names the option.
  void miss(std::string sentence) { add(missing_, std::move(sentence)); }

  /// An option had an effect, though it may be that of the default.
  void uses(std::string option) { used_.insert(std::move(option)); }
  [[nodiscard]] bool used(const std::string& option) const { return used_.contains(option); }
  /// A pool whose number of processors an option may say.
  void asks_for(std::string pool) { asked_.insert(std::move(pool)); }
  [[nodiscard]] const std::set<std::string>& asked() const { return asked_; }

  /// Asks the table what becomes of a thing of the file. What is told is counted, for one sentence at the end, with the time that it took;
  /// what is refused is thrown.
  Fate meet(Kind kind, std::string_view part, std::string_view name, std::size_t line = 0, std::size_t column = 0,
            std::optional<Time> time = {}) {
    const Reading& row = reading(kind, part, name);
    if (row.fate == Fate::refused) {
      throw io::InputError({{file_, line, column, fmt::format("{} '{}' cannot be read: {}", row.part, one_line(name, 60), row.means)}});
    }
    if (row.fate == Fate::told) leave_out(row, name, 1, time);
    return row.fate;
  }
  /// Counts things of a row that are left out.
  void leave_out(const Reading& row, std::string_view name, std::size_t count, std::optional<Time> time) {
    Met& met = met_[{&row, std::string(name)}];
    met.count += count;
    if (time) met.time = met.time.value_or(Time()) + *time;
  }

  /// Throws `io::InputError` with all that is missing.
  void throw_if_missing() const {
    if (missing_.list.empty()) return;
    std::vector<io::Diagnostic> all;
    all.reserve(missing_.list.size());
    for (const std::string& sentence : missing_.list) all.push_back({file_, 0, 0, sentence});
    throw io::InputError(std::move(all));
  }

  [[nodiscard]] std::vector<std::string> take_found() { return std::move(found_.list); }
  [[nodiscard]] std::vector<std::string> take_assumed() {
    for (const auto& [thing, met] : met_) {
      const auto& [row, name] = thing;
      const std::string times = met.count == 1 ? std::string() : fmt::format(", {} times", met.count);
      const std::string took = met.time ? fmt::format(", {} in all", io::time_text(*met.time)) : std::string();
      assume(fmt::format("{} '{}'{}{} IS LEFT OUT: {}", row->part, one_line(name, 60), times, took, row->means));
    }
    return std::move(assumed_.list);
  }
  [[nodiscard]] std::vector<io::Diagnostic> take_warnings() { return std::move(warnings_); }

 private:
  struct Met {
    std::size_t count = 0;
    std::optional<Time> time;
  };
  struct Sentences {
    std::vector<std::string> list;
    std::unordered_set<std::string> known;
  };
  static void add(Sentences& to, std::string sentence) {
    if (to.known.insert(sentence).second) to.list.push_back(std::move(sentence));
  }

  std::string file_;
  Sentences found_, assumed_, missing_;
  std::vector<io::Diagnostic> warnings_;
  std::set<std::string> used_, asked_;
  std::map<std::pair<const Reading*, std::string>, Met> met_;  // what the table says is told; rows stand in order
};

/// Throws `io::InputError` with one message.
[[noreturn]] inline void refuse(const std::string& file, std::string message, std::size_t line = 0, std::size_t column = 0) {
  throw io::InputError({{file, line, column, std::move(message)}});
}

}  // namespace rta::convert
