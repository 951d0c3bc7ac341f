// Events of ROS 2 and of Linux's scheduler, out of the lines that babeltrace2 prints.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../byte_stream.hpp"
#include "../bytes.hpp"
#include "../notes.hpp"

namespace rta::convert {

/// Its texts are there until the next event is asked for.
struct Ros2Event {
  std::int64_t time = 0;  // ns
  std::string_view host;  // empty: not said
  std::string_view name;  // `ros2:callback_start`
  /// Contexts first, as they stand; numbers as their digits, texts without quotes.
  std::vector<std::pair<std::string_view, std::string_view>> fields;

  /// Of the last field of that name: the event's own stand behind the contexts.
  [[nodiscard]] std::optional<std::string_view> find(std::string_view key) const;
};

class Ros2Events {
 public:
  Ros2Events(Bytes& bytes, Notes& notes);

  /// The next one that the table says is read; none at the end. Throws `io::InputError` with the place of what is wrong.
  [[nodiscard]] const Ros2Event* next();
  /// Of the last event and of the first one; ns.
  [[nodiscard]] std::int64_t now() const { return now_.value_or(0); }
  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Events that the tracer says it lost, in so many lines.
  [[nodiscard]] std::uint64_t gaps() const { return gaps_; }

  /// A field of the last event that it must have.
  [[nodiscard]] std::string_view text(std::string_view key) const;
  [[nodiscard]] std::int64_t number(std::string_view key) const;
  [[nodiscard]] std::optional<std::int64_t> number_if(std::string_view key) const;
  /// The line as a whole is wrong.
  [[noreturn]] void fail(const std::string& message) const { fail(line_, message); }

 private:
  [[noreturn]] void fail(std::string_view at, const std::string& message) const;
  bool read_line();
  void read_other();
  void read_time(std::string_view text);
  void read_fields(std::string_view text);
  std::size_t end_of_value(std::string_view text, std::size_t at) const;

  ByteStream buffer_;
  std::istream in_;
  Notes& notes_;
  std::string line_;
  std::size_t number_ = 0;
  Ros2Event event_;
  std::optional<std::int64_t> now_;
  std::int64_t first_ = 0;
  std::int64_t days_ = 0;  // midnights that were passed where lines have no date; ns
  std::uint64_t count_ = 0, gaps_ = 0;
};

}  // namespace rta::convert
