#include "settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "io/yaml_document.hpp"
#include "rta/model/error.hpp"

namespace rta::sweep {
namespace {

using io::Value;

// A value without parts: a scalar, nothing, an empty list or mapping.
struct Setting {
  std::string path;
  Value::Kind kind = Value::Kind::null;
  std::string text;

  bool operator==(const Setting&) const = default;
  [[nodiscard]] std::string shown() const {
    if (kind == Value::Kind::sequence) return "[]";
    if (kind == Value::Kind::mapping) return "{}";
    return text.empty() ? "nothing" : text;
  }
};
using Settings = std::vector<Setting>;

struct Analysis {
  std::string name;
  Settings settings;
};

struct Document {
  Settings settings;  // in the order of the file, which decides what random numbers are for
  std::vector<Analysis> analyses;
};

// Keys with dots, as those of a grid, stand in quotes: no two documents have the same paths.
std::string path_of(const std::string& parent, std::string_view key) {
  const std::string name = key.find('.') == std::string_view::npos ? std::string(key) : fmt::format("'{}'", key);
  return parent.empty() ? name : parent + "." + name;
}

const Value* member(const Value& mapping, std::string_view key) {
  if (mapping.kind != Value::Kind::mapping) return nullptr;
  for (const Value* at = mapping.first(); at != mapping.next(); at = at->next()->next()) {
    if (at->text == key) return at->next();
  }
  return nullptr;
}

void add_settings(const Value& value, const std::string& path, const std::vector<const Value*>& left_out, Settings& out) {
  if (std::find(left_out.begin(), left_out.end(), &value) != left_out.end()) return;
  const Value* at = value.first();
  const bool has_parts = (value.kind == Value::Kind::mapping || value.kind == Value::Kind::sequence) && at != value.next();
  if (!has_parts) {
    out.push_back({path, value.kind, std::string(value.text)});
  } else if (value.kind == Value::Kind::mapping) {
    for (; at != value.next(); at = at->next()->next()) add_settings(*at->next(), path_of(path, at->text), left_out, out);
  } else {
    for (std::size_t i = 0; at != value.next(); at = at->next(), ++i) add_settings(*at, fmt::format("{}[{}]", path, i), left_out, out);
  }
}

Document read_document(std::string_view text) {
  io::Diagnostics out("the sweep's file");
  const io::YamlDocument yaml(text, out, "nothing can extend it");
  Document document;
  std::vector<const Value*> left_out;
  if (const Value* sweep = member(yaml.root(), "sweep")) {
    for (const char* key : {"seed", "sets", "analyses"}) {
      if (const Value* value = member(*sweep, key)) left_out.push_back(value);
    }
    const Value* list = member(*sweep, "analyses");
    if (list != nullptr && list->kind == Value::Kind::sequence) {
      for (const Value* one = list->first(); one != list->next(); one = one->next()) {
        const Value* name = member(*one, "name");
        Analysis& analysis = document.analyses.emplace_back();
        if (name != nullptr) analysis.name = name->text;
        add_settings(*one, "analysis " + analysis.name, {}, analysis.settings);
      }
    }
  }
  add_settings(yaml.root(), "", left_out, document.settings);
  return document;
}

bool has(const Settings& settings, const std::string& path) {
  return std::any_of(settings.begin(), settings.end(), [&](const Setting& setting) { return setting.path == path; });
}

// Names the first setting that is another; nothing where none is.
std::string difference(const Settings& there, const Settings& here) {
  const auto [old, own] = std::mismatch(there.begin(), there.end(), here.begin(), here.end());
  if (old != there.end() && own != here.end() && old->path == own->path) {
    return fmt::format("{} is {} there and {} here", old->path, old->shown(), own->shown());
  }
  if (old != there.end() && !has(here, old->path)) return fmt::format("{} is {} there and missing here", old->path, old->shown());
  if (own != here.end() && !has(there, own->path)) return fmt::format("{} is missing there and {} here", own->path, own->shown());
  if (old != there.end()) return fmt::format("{} stands at another place of the file here", old->path);
  return "";
}

std::string difference(const std::vector<Analysis>& there, const std::vector<Analysis>& here) {
  for (const Analysis& analysis : there) {
    const auto own = std::find_if(here.begin(), here.end(), [&](const Analysis& other) { return other.name == analysis.name; });
    if (own == here.end()) return fmt::format("analysis {} is there and missing here", analysis.name);
    if (std::string differs = difference(analysis.settings, own->settings); !differs.empty()) return differs;
  }
  return "";
}

}  // namespace

Extension extension_of(std::string_view there, std::string_view here) {
  Extension extension;
  if (there == here) return extension;
  std::optional<Document> old;
  try {
    old = read_document(there);
  } catch (const UserError&) {
    extension.refusal = "its spec.yaml is damaged";
    return extension;
  }
  const Document own = read_document(here);
  extension.refusal = difference(old->settings, own.settings);
  if (extension.refusal.empty()) extension.refusal = difference(old->analyses, own.analyses);
  const bool same = std::equal(old->analyses.begin(), old->analyses.end(), own.analyses.begin(), own.analyses.end(),
                               [](const Analysis& a, const Analysis& b) { return a.name == b.name; });
  extension.analyses = same ? Analyses::same : Analyses::others;
  return extension;
}

}  // namespace rta::sweep
