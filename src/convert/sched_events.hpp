// Events of Linux's scheduler, out of lines of text.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "byte_stream.hpp"
#include "bytes.hpp"
#include "notes.hpp"

namespace rta::convert {

struct SchedWho {
  std::string_view name;
  std::int64_t id = 0;  // 0: a processor idles
  std::int64_t priority = 0;
};
struct SchedSwitch {
  std::uint32_t cpu = 0;
  SchedWho before, after;
  char state = ' ';  // of the one before
};
struct SchedWakeup {
  SchedWho who;
  bool first_half = false;  // a sched_waking, which a sched_wakeup of the same thread may follow
};
/// Events are missing.
struct SchedGap {};
using SchedEvent = std::variant<SchedSwitch, SchedWakeup, SchedGap>;

class SchedEvents {
 public:
  SchedEvents(Bytes& bytes, Notes& notes);

  /// Its texts are there until the next one is asked for. Throws `io::InputError` with the place of what is wrong.
  [[nodiscard]] std::optional<SchedEvent> next();
  /// Of the last event, and of the first; ns.
  [[nodiscard]] std::optional<std::int64_t> now() const { return now_; }
  [[nodiscard]] std::int64_t first() const { return first_; }
  /// What the clock shows, as far as was seen; ns.
  [[nodiscard]] std::int64_t unit() const { return unit_; }
  /// Of the machine; 0: not in the file.
  [[nodiscard]] std::uint32_t processors() const { return processors_; }
  /// The line as a whole is wrong.
  [[noreturn]] void fail(const std::string& message) const { fail(line_, message); }

 private:
  struct Line;
  [[noreturn]] void fail(std::string_view at, const std::string& message) const;
  [[nodiscard]] static std::optional<Line> event_of(std::string_view text);
  [[nodiscard]] std::optional<SchedEvent> read(const Line& line);
  [[nodiscard]] bool tells_of_gap();
  [[nodiscard]] std::int64_t time_of(std::string_view text);
  [[nodiscard]] std::int64_t whole(std::string_view text, const char* what, std::string_view at) const;
  [[nodiscard]] SchedWho numbered(const SchedWho& who) const;
  [[nodiscard]] SchedWho short_who(std::string_view text, std::string_view& rest) const;
  [[nodiscard]] SchedWho long_who(std::string_view text, const std::string& prefix) const;
  [[nodiscard]] SchedWho waking(std::string_view body) const;
  [[nodiscard]] SchedSwitch switch_of(const Line& line);

  ByteStream buffer_;
  std::istream in_;
  Notes& notes_;
  std::string line_;
  std::size_t number_ = 0;
  std::optional<std::int64_t> now_;
  std::int64_t first_ = 0;
  std::int64_t unit_ = 1;
  std::uint32_t processors_ = 0;
};

}  // namespace rta::convert
