#include "sched_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "../io/decimal.hpp"

namespace rta::convert {
namespace {

constexpr std::int64_t second = 1'000'000'000;

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string_view without_space(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// The next word of a text, which loses it.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r"), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(" \t\r"));
  text.remove_prefix(word.size());
  return word;
}

// `12.345678:`
bool is_timestamp(std::string_view word) {
  if (!word.ends_with(':')) return false;
  word.remove_suffix(1);
  const std::size_t point = word.find('.');
  return point != std::string_view::npos && all_digits(word.substr(0, point)) && all_digits(word.substr(point + 1));
}

// What follows the last ` key=`, up to a space.
std::string_view field(std::string_view text, std::string_view key) {
  const std::size_t at = text.rfind(key);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size());
  return text.substr(0, text.find(' '));
}

}  // namespace

// `thread-7 [000] d..2. 12.345678: sched_switch: …`; perf has `sched:sched_switch:`.
struct SchedEvents::Line {
  std::string_view cpu, time, event, body;
};

SchedEvents::SchedEvents(Bytes& bytes, Notes& notes) : buffer_(bytes), in_(&buffer_), notes_(notes) {
  in_.exceptions(std::ios::badbit);  // what reading throws is passed on
}

std::optional<SchedEvent> SchedEvents::next() {
  while (std::getline(in_, line_)) {
    ++number_;
    const auto line = event_of(line_);
    if (!line) {
      if (tells_of_gap()) return SchedGap{};
    } else if (auto event = read(*line)) {
      return event;
    }
  }
  return std::nullopt;
}

std::optional<SchedEvent> SchedEvents::read(const Line& line) {
  if (notes_.meet(Kind::sched, "event", line.event) != Fate::read) return std::nullopt;
  const std::int64_t time = time_of(line.time);
  if (now_ && time < *now_) fail(line.time, "the time is before that of the event before: events must stand in the order of their times");
  if (!now_) first_ = time;
  now_ = time;
  if (line.event == "sched_switch") return switch_of(line);
  if (line.body.find(" success=0") != std::string_view::npos) return std::nullopt;
  return SchedWakeup{waking(line.body), line.event == "sched_waking"};
}

std::optional<SchedEvents::Line> SchedEvents::event_of(std::string_view text) {
  Line line;
  std::string_view last;
  for (;;) {
    const std::string_view word = take_word(text);
    if (word.empty()) return std::nullopt;
    if (is_timestamp(word)) {
      line.time = word.substr(0, word.size() - 1);
      break;
    }
    last = word;
    if (word.size() > 2 && word.front() == '[' && word.back() == ']' && all_digits(word.substr(1, word.size() - 2)))
      line.cpu = word.substr(1, word.size() - 2);
  }
  // In the latency format the processor's number begins the flags: `1d..3`.
  const std::size_t digits = last.find_first_not_of("0123456789");
  if (line.cpu.empty() && digits != std::string_view::npos && digits > 0 && (last[digits] == '.' || is_letter(last[digits])))
    line.cpu = last.substr(0, digits);
  std::string_view event = take_word(text);
  if (all_digits(event)) event = take_word(text);  // how many of them a sample stands for
  if (!event.ends_with(':')) return std::nullopt;
  event.remove_suffix(1);
  line.event = event.substr(event.rfind(':') + 1);
  line.body = without_space(text);
  return line;
}

void SchedEvents::fail(std::string_view at, const std::string& message) const {
  const bool within = at.data() >= line_.data() && at.data() <= line_.data() + line_.size();
  refuse(notes_.file(), message, number_, within ? static_cast<std::size_t>(at.data() - line_.data()) + 1 : 1);
}

std::int64_t SchedEvents::whole(std::string_view text, const char* what, std::string_view at) const {
  std::int64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size())
    fail(text.empty() ? at : text, fmt::format("{} is expected, not '{}'", what, one_line(text.empty() ? at : text, 40)));
  return value;
}

std::int64_t SchedEvents::time_of(std::string_view text) {
  const auto number = io::parse_decimal(text);
  const auto scaled = number ? number->scaled(second) : std::nullopt;
  if (!scaled || scaled->floor > std::numeric_limits<std::int64_t>::max() / 4) fail(text, "the time is too large");
  std::int64_t unit = second;
  for (std::size_t i = text.find('.') + 1; i < text.size() && unit > 1; ++i) unit /= 10;
  unit_ = std::max(unit_, unit);
  return static_cast<std::int64_t>(scaled->floor);
}

// Headers, comments and call stacks; and what says that events are missing.
bool SchedEvents::tells_of_gap() {
  const std::string_view text = without_space(line_);
  const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
  std::string_view rest = text;
  const std::string_view first = take_word(rest);
  const bool address = first.size() >= 8 && first.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  if ((has("LOST") && (has("EVENTS") || has("events"))) || has("EVENTS DROPPED") || has("RECORD_LOST") || has("buffer started")) {
    return true;
  }
  if (first.starts_with("cpus=") || has("#P:")) {
    std::string_view count = first.starts_with("cpus=") ? first.substr(5) : text.substr(text.find("#P:") + 3);
    count = count.substr(0, count.find_first_not_of("0123456789"));
    if (!count.empty() && count.size() < 7) processors_ = static_cast<std::uint32_t>(whole(count, "a number of processors", text));
  } else if (!text.empty()) {
    const bool known = first.starts_with('#') || first.starts_with("version") || first == "=>" || address || has(" is empty");
    (void)notes_.meet(Kind::sched, "line", known ? "comment" : "no event");
  }
  return false;
}

SchedWho SchedEvents::numbered(const SchedWho& who) const {
  if (who.id < 0) fail(fmt::format("a thread has the number {}", who.id));
  return who;
}

// `name:7 [120]`, and what follows.
SchedWho SchedEvents::short_who(std::string_view text, std::string_view& rest) const {
  const std::size_t bracket = text.rfind(" ["), end = text.find(']', std::min(bracket, text.size()));
  const std::size_t colon = bracket == std::string_view::npos ? bracket : text.substr(0, bracket).rfind(':');
  if (colon == std::string_view::npos || end == std::string_view::npos)
    fail(text, fmt::format("a thread is expected, as in 'name:7 [120]', not '{}'", one_line(text, 60)));
  rest = without_space(text.substr(end + 1));
  return numbered({without_space(text.substr(0, colon)), whole(text.substr(colon + 1, bracket - colon - 1), "the number of a thread", text),
                   whole(text.substr(bracket + 2, end - bracket - 2), "a priority", text)});
}

// `prev_comm=name prev_pid=7 prev_prio=120`, with what its keys begin with.
SchedWho SchedEvents::long_who(std::string_view text, const std::string& prefix) const {
  const std::string id = " " + prefix + "pid=", priority = " " + prefix + "prio=";
  const std::size_t begin = prefix.size() + 5;  // comm=
  const std::size_t end = text.rfind(id);
  if (end == std::string_view::npos || end < begin)
    fail(text, fmt::format("a thread is expected, as in '{0}comm=name {0}pid=7', not '{1}'", prefix, one_line(text, 60)));
  return numbered({text.substr(begin, end - begin), whole(field(text, id), "the number of a thread", text),
                   whole(field(text, priority), "a priority", text)});
}

SchedWho SchedEvents::waking(std::string_view body) const {
  std::string_view rest;
  return body.starts_with("comm=") ? long_who(body, "") : short_who(body, rest);
}

SchedSwitch SchedEvents::switch_of(const Line& event) {
  constexpr std::string_view arrow = " ==> ";
  const bool named = event.body.starts_with("prev_comm=");
  const std::size_t at = named ? event.body.find(" ==> next_comm=") : event.body.rfind(arrow);
  if (at == std::string_view::npos) fail(event.body, fmt::format("'PREVIOUS ==> NEXT' is expected, not '{}'", one_line(event.body, 60)));
  if (event.cpu.empty()) fail(event.time, "the processor is missing before the time: '[000]'");
  const auto cpu = static_cast<std::uint32_t>(std::clamp<std::int64_t>(whole(event.cpu, "a processor", event.cpu), 0, 1'000'000));
  const std::string_view left = event.body.substr(0, at), right = event.body.substr(at + arrow.size());
  std::string_view state, rest;
  const SchedWho before = named ? long_who(left, "prev_") : short_who(left, state);
  if (named) state = field(left, " prev_state=");
  const SchedWho after = right.starts_with("next_comm=") ? long_who(right, "next_") : short_who(right, rest);
  if (before.id == 0) return {cpu, before, after, ' '};
  const std::string_view letter = state.substr(0, 1);
  const std::size_t column = static_cast<std::size_t>((state.empty() ? left : state).data() - line_.data()) + 1;
  const bool known = reading(Kind::sched, "state", letter).fate != Fate::refused;
  (void)notes_.meet(Kind::sched, "state", known ? letter : state, number_, column);
  return {cpu, before, after, letter.empty() ? ' ' : letter.front()};
}

}  // namespace rta::convert
