#include "file_kind.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <utility>

namespace rta::io {
namespace {

std::string_view without_leading_space(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

bool has_key(const Value& mapping, std::string_view key) {
  for (const Value* at = mapping.first(); at != mapping.next(); at = at->next()->next()) {
    if (at->kind == Value::Kind::scalar && at->text == key) return true;
  }
  return false;
}

// `digraph g {`, `strict graph {`.
bool is_dot(std::string_view text) {
  if (text.starts_with("strict")) text = without_leading_space(text.substr(6));
  for (const std::string_view word : {"digraph", "graph"}) {
    if (!text.starts_with(word)) continue;
    const std::string_view after = text.substr(word.size());
    if (after.empty() || after.front() == '{' || std::isspace(static_cast<unsigned char>(after.front())) != 0) {
      return text.find('{') != std::string_view::npos;
    }
  }
  return false;
}

// A first line of plain words between commas.
bool is_csv(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  return std::ranges::count(line, ',') >= 2 && line.find_first_of(":{[#&*!|>'\"") == std::string_view::npos;
}

}  // namespace

std::optional<std::string> foreign_format(std::string_view text) {
  text = without_leading_space(text);
  const std::string_view line = text.substr(0, text.find('\n'));
  if (is_dot(text)) return "this is a graph in DOT, no task set: a task set is YAML with `platform` and `dags` or `tasks`";
  if (text.starts_with('<')) return "this is XML, no task set: a task set is YAML with `platform` and `dags` or `tasks`";
  if (text.starts_with('{')) {
    // JSON is full of quotes, at each of which `find` would look closer.
    const auto names = [](std::string_view part, std::string_view key) {
      return std::search(part.begin(), part.end(), std::boyer_moore_horspool_searcher(key.begin(), key.end())) != part.end();
    };
    if (names(line, "\"kind\": \"trace\"")) return "this is a trace, no task set: rta compare TRACE TASKSET reads it";
    if (names(text, "\"traceEvents\"")) return "these are Chrome trace events, no task set: ui.perfetto.dev shows them";
    if (names(text, "\"benchmarks\"")) {
      return "this is a configuration of the cuda_scheduling_examiner, no task set: rta convert makes an experiment of it";
    }
    return std::nullopt;
  }
  if (is_csv(text)) return "this is CSV, no task set: a task set is YAML with `platform` and `dags` or `tasks`";
  return std::nullopt;
}

std::optional<std::string> other_kind(const Value& root) {
  if (root.kind != Value::Kind::mapping || has_key(root, "dags") || has_key(root, "tasks")) return std::nullopt;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kinds{
      {{"experiment", "this is an experiment, no task set: rta simulate plays it"},
       {"sweep", "this is a sweep, no task set: rta sweep evaluates it"},
       {"random", "this is a recipe of random task sets: rta generate draws task sets from it"},
       {"rules", "this is a device profile, no task set: rta analyze FILE --profile takes it"},
       {"latencies", "this is a device profile, no task set: rta analyze FILE --profile takes it"}}};
  for (const auto& [key, what] : kinds) {
    if (has_key(root, key)) return std::string(what);
  }
  return std::nullopt;
}

}  // namespace rta::io
