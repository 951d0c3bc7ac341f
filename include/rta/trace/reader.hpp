// Reads traces (JSON Lines), record by record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rta/trace/record.hpp"

namespace rta::trace {

/// Throws `io::InputError` with file and line where the text is not a trace. A trace that ends early, even within a line, is no error:
/// `complete()` is false then.
class Reader {
 public:
  /// Reads the header. `name` stands for the file in messages; `in` must outlive this.
  Reader(std::istream& in, std::string name);

  [[nodiscard]] const Header& header() const { return header_; }
  /// The next record; nothing at the end.
  [[nodiscard]] std::optional<Record> next();

  /// The line of the last record that was read, from 1.
  [[nodiscard]] std::size_t line() const { return line_number_; }

  /// After the last record: whether there was an end line that said so.
  [[nodiscard]] bool complete() const { return complete_; }
  /// Records that the writer could not keep, as the end line says.
  [[nodiscard]] std::uint64_t lost_records() const { return lost_records_; }

  /// Fields that records of their kind do not have, by kind and name, and how often each was there; of very many the first.
  using UnknownFields = std::map<std::pair<std::string, std::string>, std::size_t>;
  [[nodiscard]] const UnknownFields& unknown_fields() const { return unknown_fields_; }

 private:
  [[nodiscard]] bool read_line();
  [[noreturn]] void fail(const std::string& message) const;
  template <class Use>
  auto checked(Use&& use) const;

  std::istream& in_;
  std::string name_;
  std::size_t line_number_ = 0;
  std::string line_;
  bool cut_off_ = false;  // the last line has no end
  Header header_;
  bool ended_ = false;
  bool complete_ = false;
  std::uint64_t lost_records_ = 0;
  UnknownFields unknown_fields_;
  std::map<std::string, std::vector<std::string>> known_lines_;  // the fields of the last record of each kind that has no other
};

}  // namespace rta::trace
