#include "rta/convert/kind.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>

#include "bytes.hpp"
#include "json_stream.hpp"
#include "trace_events.hpp"

namespace rta::convert {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

std::string_view trimmed_left(std::string_view text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

// Without comments of C, C++ and shells, and white space, at its beginning.
std::string_view without_comments(std::string_view text) {
  for (;;) {
    text = trimmed_left(text);
    std::string_view end;
    if (text.starts_with("//") || text.starts_with("#")) {
      end = "\n";
    } else if (text.starts_with("/*")) {
      end = "*/";
    } else {
      return text;
    }
    const std::size_t at = text.find(end);
    if (at == std::string_view::npos) return {};
    text.remove_prefix(at + end.size());
  }
}

bool begins_with_word(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(text[i])) != word[i]) return false;
  }
  return text.size() == word.size() || is_space(text[word.size()]) || text[word.size()] == '{' || text[word.size()] == '"';
}

bool is_dot(std::string_view text) {
  text = without_comments(text);
  if (begins_with_word(text, "strict")) text = trimmed_left(text.substr(6));
  return begins_with_word(text, "digraph") || begins_with_word(text, "graph");
}

// A key of YAML or JSON anywhere in the text.
bool has_key(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    std::size_t end = at + key.size();
    const char before = at == 0 ? '\n' : text[at - 1];
    if (before == '"' && end < text.size() && text[end] == '"') ++end;
    while (end < text.size() && text[end] == ' ') ++end;
    if ((is_space(before) || before == '"' || before == '{' || before == ',') && end < text.size() && text[end] == ':') return true;
  }
  return false;
}

std::optional<Kind> kind_of_json(std::string_view head) {
  Bytes bytes(head, "head");
  JsonStream in(bytes);
  std::set<std::string> keys;
  bool first_event = true, of_rta = false, recorded = false;
  TraceHandlers handlers;
  handlers.key = [&](const std::string& key) { keys.insert(key); };
  handlers.event = [&](const Record& event) {
    of_rta = of_rta || (first_event && event.text("name") == "process_name" && event.text("args.name") == "DAGs");
    first_event = false;
  };
  handlers.top = [&](const std::string& key, const Scalar& value) {
    if (key == "kind" && value.as_text() == "trace") of_rta = true;
    if (key == "source" && value.as_text() == "recording") recorded = true;
  };
  handlers.enough = [&] { return !first_event; };
  try {
    read_trace_events(in, handlers);
  } catch (const io::InputError&) {
    // Cut off, or broken: what has been seen decides.
  }
  if (keys.contains("benchmarks")) return Kind::examiner;
  if (keys.contains("platform")) return Kind::task_set;
  if (keys.contains("graphs")) return Kind::openvx;
  if (of_rta) return recorded ? Kind::recording : Kind::trace;
  if (keys.contains("traceEvents") || keys.contains("deviceProperties")) return Kind::kineto;
  return std::nullopt;
}

std::optional<Kind> kind_of_yaml(std::string_view head) {
  if (has_key(head, "Hyperepochs") || (has_key(head, "Version") && has_key(head, "Clients"))) return Kind::stm;
  if (has_key(head, "platform")) return Kind::task_set;
  if (has_key(head, "jobset")) return Kind::sag;
  if (has_key(head, "tasks") && has_key(head, "vertices")) return Kind::dag_scheduling;
  if (has_key(head, "dags") || has_key(head, "experiment")) return Kind::task_set;
  return std::nullopt;
}

// Rows of at least eight columns that begin with a number, after one that names them.
bool is_job_set(std::string_view text) {
  const std::size_t first_end = text.find('\n');
  const std::string_view header = text.substr(0, first_end);
  if (header.find("Task ID") != std::string_view::npos && header.find(',') != std::string_view::npos) return true;
  if (header.find("Predecessor TID") != std::string_view::npos) return true;
  if (first_end == std::string_view::npos) return false;
  const std::string_view row = trimmed_left(text.substr(first_end + 1));
  const std::string_view line = row.substr(0, row.find('\n'));
  if (line.empty() || std::isdigit(static_cast<unsigned char>(line.front())) == 0 || std::ranges::count(line, ',') < 7) return false;
  std::size_t commas = 0;
  return std::ranges::none_of(line, [&](char c) {
    commas += c == ',' ? 1U : 0U;
    return commas < 7 && (c == '.' || c == '"' || std::isalpha(static_cast<unsigned char>(c)) != 0);
  });
}

// A number of tasks alone on its line, and rows of at least three numbers, of which the first is task 0.
bool is_stg(std::string_view text) {
  const auto numbers = [](std::string_view line) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (std::isdigit(static_cast<unsigned char>(c)) == 0 && c != ' ' && c != '\t' && c != '\r') return std::size_t{0};
      if (std::isdigit(static_cast<unsigned char>(c)) != 0 &&
          (i + 1 == line.size() || std::isdigit(static_cast<unsigned char>(line[i + 1])) == 0))
        ++count;
    }
    return count;
  };
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || numbers(text.substr(0, end)) != 1) return false;
  const std::string_view row = trimmed_left(text.substr(end + 1));
  return row.starts_with('0') && numbers(row.substr(0, row.find('\n'))) >= 3;
}

// Whether some line holds all of the parts.
bool has_line_with(std::string_view text, std::initializer_list<std::string_view> parts) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (std::ranges::all_of(parts, [&](std::string_view part) { return line.find(part) != std::string_view::npos; })) return true;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return false;
}

}  // namespace

std::optional<Kind> recognise(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  if (head.starts_with(std::string_view("SQLite format 3\0", 16))) return Kind::nsys;
  const std::string_view text = trimmed_left(head);
  if (text.starts_with("<")) {
    return text.find("amalthea") != std::string_view::npos || text.find("app4mc") != std::string_view::npos ? std::optional(Kind::amalthea)
                                                                                                            : std::nullopt;
  }
  // Lines that babeltrace2 prints begin as JSON may.
  if (has_line_with(text, {"[", "] ", " ros2:", ": {"}) || has_line_with(text, {"[", "] ", " ros2_caret:", ": {"}) ||
      has_line_with(text, {"[", "] ", " sched_switch: {"}))
    return Kind::ros2;
  if (text.starts_with("{") || text.starts_with("[")) {
    if (text.starts_with("[") &&
        (text.find("\"computeMs\"") != std::string_view::npos || text.find("\"averageMs\"") != std::string_view::npos))
      return Kind::trtexec;
    const auto kind = kind_of_json(text);
    return kind ? kind : kind_of_yaml(text);
  }
  if (head.substr(0, 4096).find('\0') != std::string_view::npos) return std::nullopt;
  if (has_line_with(text, {"sched_switch:", " ==> "})) return Kind::sched;
  if (has_line_with(text, {"GrdX", "BlkX", "Duration", "Name"})) return Kind::nsys_stats;
  if (has_line_with(text, {"@TASK_GRAPH"})) return Kind::tgff;
  if (is_dot(head)) return Kind::dot;
  if (is_job_set(text)) return Kind::sag;
  if (is_stg(text)) return Kind::stg;
  return kind_of_yaml(head);
}

}  // namespace rta::convert
