#include "events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <limits>

namespace rta::convert {
namespace {

constexpr std::int64_t ns_of_second = 1'000'000'000;
constexpr std::int64_t ns_of_day = 86'400 * ns_of_second;

// The whole text as a number.
template <class Number>
std::optional<Number> number_of(std::string_view text, int base = 10) {
  Number value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// `12`, `-1`, `0x7F`, and of an enumeration `( "TASK_RUNNING" : container = 0 )` what holds it.
std::optional<std::int64_t> value_of(std::string_view text) {
  constexpr std::string_view container = "container = ";
  if (text.starts_with('(')) {
    const std::size_t at = text.rfind(container);
    if (at == std::string_view::npos) return std::nullopt;
    text.remove_prefix(at + container.size());
    text = text.substr(0, text.find_first_of(" )"));
  }
  if (text.starts_with("0x") || text.starts_with("0X")) {
    const auto bits = number_of<std::uint64_t>(text.substr(2), 16);
    return bits ? std::optional(static_cast<std::int64_t>(*bits)) : std::nullopt;
  }
  if (const auto value = number_of<std::int64_t>(text)) return value;
  const auto large = number_of<std::uint64_t>(text);  // a handle in decimal digits
  return large ? std::optional(static_cast<std::int64_t>(*large)) : std::nullopt;
}

// Digits after a point as ns; more than nine are cut.
std::optional<std::int64_t> fraction_of(std::string_view digits) {
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  std::int64_t value = 0;
  for (std::size_t i = 0; i < 9; ++i) value = value * 10 + (i < digits.size() ? digits[i] - '0' : 0);
  return value;
}

// Days from 1970 on to `2022-06-21`.
std::optional<std::int64_t> days_of(std::string_view date) {
  if (date.size() != 10 || date[4] != '-' || date[7] != '-') return std::nullopt;
  const auto year = number_of<int>(date.substr(0, 4));
  const auto month = number_of<unsigned>(date.substr(5, 2)), day = number_of<unsigned>(date.substr(8, 2));
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day of{std::chrono::year(*year), std::chrono::month(*month), std::chrono::day(*day)};
  return of.ok() ? std::optional<std::int64_t>(std::chrono::sys_days(of).time_since_epoch().count()) : std::nullopt;
}

// `03:42:59` or `1655782979`, in s.
std::optional<std::int64_t> seconds_of(std::string_view text) {
  if (text.find(':') == std::string_view::npos) {
    const auto seconds = number_of<std::int64_t>(text);
    return seconds && *seconds >= 0 && *seconds < std::numeric_limits<std::int64_t>::max() / 4 / ns_of_second ? seconds : std::nullopt;
  }
  if (text.size() != 8 || text[2] != ':' || text[5] != ':') return std::nullopt;
  const auto hours = number_of<unsigned>(text.substr(0, 2)), minutes = number_of<unsigned>(text.substr(3, 2)),
             seconds = number_of<unsigned>(text.substr(6, 2));
  if (!hours || !minutes || !seconds || *hours > 23 || *minutes > 59 || *seconds > 60) return std::nullopt;
  return (std::int64_t{*hours} * 60 + *minutes) * 60 + *seconds;
}

}  // namespace

std::optional<std::string_view> Ros2Event::find(std::string_view key) const {
  for (std::size_t i = fields.size(); i-- > 0;) {
    if (fields[i].first == key) return fields[i].second;
  }
  return std::nullopt;
}

Ros2Events::Ros2Events(Bytes& bytes, Notes& notes) : buffer_(bytes), in_(&buffer_), notes_(notes) {
  in_.exceptions(std::ios::badbit);  // what reading throws is passed on
}

void Ros2Events::fail(std::string_view at, const std::string& message) const {
  const bool within = at.data() >= line_.data() && at.data() <= line_.data() + line_.size();
  refuse(notes_.file(), message, number_, within ? static_cast<std::size_t>(at.data() - line_.data()) + 1 : 1);
}

std::string_view Ros2Events::text(std::string_view key) const {
  const auto value = event_.find(key);
  if (!value) fail(fmt::format("event '{}' has no field '{}'", one_line(event_.name, 60), key));
  return *value;
}

std::int64_t Ros2Events::number(std::string_view key) const {
  const std::string_view value = text(key);
  const auto number = value_of(value);
  if (!number) fail(value, fmt::format("field '{}': a number is expected, not '{}'", key, one_line(value, 40)));
  return *number;
}

std::optional<std::int64_t> Ros2Events::number_if(std::string_view key) const {
  return event_.find(key) ? std::optional(number(key)) : std::nullopt;
}

const Ros2Event* Ros2Events::next() {
  while (std::getline(in_, line_)) {
    ++number_;
    if (line_.ends_with('\r')) line_.pop_back();
    if (read_line()) return &event_;
  }
  return nullptr;
}

// `[03:42:59.334385495] (+0.000000001) host ros2:rcl_init: { cpu_id = 1 }, { vpid = 7, vtid = 7 }, { context_handle = 0x55, … }`
bool Ros2Events::read_line() {
  const std::string_view line = line_;
  const std::size_t end_of_time = line.find(']');
  if (!line.starts_with('[') || end_of_time == std::string_view::npos || end_of_time + 1 == line.size() ||
      line.substr(1, 1).find_first_of("0123456789") == std::string_view::npos) {
    read_other();
    return false;
  }
  std::string_view rest = line.substr(end_of_time + 1);
  if (rest.starts_with(" (+")) rest.remove_prefix(std::min(rest.find(')') + 1, rest.size()));
  const std::size_t colon = rest.find(": {");
  if (colon == std::string_view::npos) fail(rest, "the event is cut off: no `{` with its fields follows");
  const std::string_view head = rest.substr(0, colon);
  event_.name = head.substr(head.find_last_of(' ') + 1);
  ++count_;
  if (notes_.meet(Kind::ros2, "event", event_.name) != Fate::read) {
    read_time(line.substr(1, end_of_time - 1));
    return false;
  }
  // One word before the name is the host; more are what --fields adds.
  std::string_view before = head.substr(0, head.size() - event_.name.size());
  before.remove_prefix(std::min(before.find_first_not_of(' '), before.size()));
  before = before.substr(0, before.find_last_not_of(' ') + 1);
  event_.host = before.find(' ') == std::string_view::npos ? before : std::string_view();
  read_time(line.substr(1, end_of_time - 1));
  event_.time = *now_;
  read_fields(rest.substr(colon + 2));
  return true;
}

// What the tracer lost is said between events, or before them.
void Ros2Events::read_other() {
  const std::string_view line = line_;
  if (line.find_first_not_of(" \t") == std::string_view::npos) return;
  if (line.find("iscarded") != std::string_view::npos || line.find("lost") != std::string_view::npos) {
    ++gaps_;
    return;
  }
  if (line.starts_with("timestamp = ")) fail("the lines name every field: print them with `babeltrace2 FOLDER` alone, without --names");
  (void)notes_.meet(Kind::ros2, "line", line.starts_with("WARNING") || line.starts_with("[warning]") ? "warning" : "no event");
}

void Ros2Events::read_time(std::string_view text) {
  std::string_view clock = text;
  std::optional<std::int64_t> days;
  if (const std::size_t space = clock.find(' '); space != std::string_view::npos) {
    days = days_of(clock.substr(0, space));
    if (!days) fail(text, fmt::format("a date is expected, as in '2022-06-21', not '{}'", one_line(clock.substr(0, space), 40)));
    clock.remove_prefix(space + 1);
  }
  const std::size_t point = clock.find('.');
  if (point == std::string_view::npos) {
    fail(text,
         fmt::format("a time is expected, as in '03:42:59.334385495' or '1655782979.334385495', not '{}'; print without --clock-cycles",
                     one_line(text, 40)));
  }
  const auto seconds = seconds_of(clock.substr(0, point)), fraction = fraction_of(clock.substr(point + 1));
  if (!seconds || !fraction) fail(text, fmt::format("a time is expected, as in '03:42:59.334385495', not '{}'", one_line(text, 40)));
  std::int64_t time = days.value_or(0) * ns_of_day + *seconds * ns_of_second + *fraction;
  if (!days && clock.find(':') != std::string_view::npos) {
    time += days_;
    if (now_ && time < *now_ - ns_of_day / 2) {  // midnight
      days_ += ns_of_day;
      time += ns_of_day;
    }
  }
  if (now_ && time < *now_) fail(text, "the time is before that of the event before: events must stand in the order of their times");
  if (!now_) first_ = time;
  now_ = time;
}

// Where the value that begins at `at` ends: before a `,` or a closing bracket that it did not open.
std::size_t Ros2Events::end_of_value(std::string_view text, std::size_t at) const {
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
      }
      if (at >= text.size()) break;
    } else if (c == '{' || c == '[' || c == '(') {
      ++depth;
    } else if (c == '}' || c == ']' || c == ')') {
      if (depth == 0) return at;
      --depth;
    } else if (c == ',' && depth == 0) {
      return at;
    }
  }
  fail(text, "the event is cut off in the middle of its fields");
}

void Ros2Events::read_fields(std::string_view text) {
  const auto skip = [&](std::size_t at) { return std::min(text.find_first_not_of(' ', at), text.size()); };
  const auto cut_off = [&] { fail(text, "the event is cut off in the middle of its fields"); };
  event_.fields.clear();
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '{') fail(text.substr(at), fmt::format("`{{` is expected, not '{}'", one_line(text.substr(at), 20)));
    for (at = skip(at + 1);;) {
      if (at >= text.size()) cut_off();
      if (text[at] == '}') break;
      const std::size_t equals = text.find(" = ", at);
      if (equals == std::string_view::npos) cut_off();
      const std::size_t begin = equals + 3;
      const std::size_t end = end_of_value(text, begin);
      std::string_view value = text.substr(begin, end - begin);
      value = value.substr(0, value.find_last_not_of(' ') + 1);
      if (value.size() > 1 && value.starts_with('"')) value = value.substr(1, value.size() - 2);
      event_.fields.emplace_back(text.substr(at, equals - at), value);
      at = skip(text[end] == ',' ? end + 1 : end);
    }
    at = skip(at + 1);
    if (at < text.size() && text[at] == ',') at = skip(at + 1);
  }
}

}  // namespace rta::convert
