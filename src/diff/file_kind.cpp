#include "file_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace rta::diff {
namespace {

constexpr std::string_view wanted = "rta diff compares results in JSON, as rta analyze FILE -o RESULT.json writes them";

std::string other(std::string_view what) { return fmt::format("this is {}, no result: {}", what, wanted); }

bool has_all(const io::Fields& top, std::initializer_list<std::string_view> keys) {
  return std::ranges::all_of(keys, [&](std::string_view key) { return top.has(key); });
}

/// The command that made it, from its evidence; else nothing.
std::string_view command_of(const io::Fields& top) {
  const io::Value* const evidence = top.find("evidence");
  if (evidence == nullptr || evidence->kind != io::Value::Kind::mapping) return {};
  for (const io::Value* key = evidence->first(); key != evidence->next(); key = key->next()->next()) {
    if (key->text == "command" && key->next()->kind == io::Value::Kind::scalar) return key->next()->text;
  }
  return {};
}

}  // namespace

std::optional<std::string> other_format(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  text = first == std::string_view::npos ? std::string_view() : text.substr(first);
  const std::string_view line = text.substr(0, text.find('\n'));
  if (text.starts_with('<')) return other("a page or another kind of XML");
  if (text.starts_with('{')) {
    if (line.find("\"kind\": \"trace\"") != std::string_view::npos || line.find("\"kind\":\"trace\"") != std::string_view::npos)
      return other("a trace");
    return std::nullopt;
  }
  if (text.starts_with('[')) return other("a list in JSON");
  if (line.find(':') == std::string_view::npos && std::ranges::count(line, ',') >= 2) return other("a table in CSV");
  return std::nullopt;
}

std::optional<std::string> other_kind(const io::Fields& top) {
  const std::string_view command = command_of(top);
  const bool analysis = has_all(top, {"verdict", "pools", "dags"});
  const bool simulation = has_all(top, {"verdict", "simulation"});
  if ((analysis || simulation) && (command.empty() || command == "analyze" || command == "simulate")) return std::nullopt;
  if (!command.empty() && command != "analyze" && command != "simulate") {
    return fmt::format("this is a result of rta {}: rta diff compares those of rta analyze and of rta simulate", io::quote(command));
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kinds{{{"platform", "a task set"},
                                                                                {"dags", "a task set"},
                                                                                {"tasks", "a task set"},
                                                                                {"sweep", "a sweep"},
                                                                                {"random", "a recipe of random task sets"},
                                                                                {"traceEvents", "a file of Chrome trace events"},
                                                                                {"$schema", "a report of rta lint, or a JSON Schema"},
                                                                                {"comparisons", "a result of rta compare"},
                                                                                {"rules", "a device profile"}}};
  for (const auto& [key, what] : kinds) {
    if (top.has(key)) return other(what);
  }
  return other("something else");
}

}  // namespace rta::diff
