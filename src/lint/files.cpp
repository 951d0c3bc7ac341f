#include "files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>

namespace rta::lint {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 5000;
constexpr std::size_t most_bytes = std::size_t{128} << 20U;

/// The text of a regular file that is no larger than a source may be.
std::optional<std::string> content(const fs::path& path) {
  std::error_code unknown;
  if (!fs::is_regular_file(path, unknown) || fs::file_size(path, unknown) > largest_source || unknown) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::vector<fs::path> include_folders(const std::vector<std::string>& flags) {
  std::vector<fs::path> folders;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    for (const std::string_view option : {"-I", "-iquote"}) {
      if (!flags[i].starts_with(option)) continue;
      if (flags[i].size() > option.size()) {
        folders.emplace_back(flags[i].substr(option.size()));
      } else if (i + 1 < flags.size()) {
        folders.emplace_back(flags[i + 1]);
      }
    }
  }
  return folders;
}

}  // namespace

LoadedFiles load(std::span<const SourceText> files, const Options& options) {
  LoadedFiles loaded;
  std::unordered_map<std::string, std::size_t> by_path;
  const auto key = [](const fs::path& path) {
    std::error_code unknown;
    const fs::path known = fs::weakly_canonical(path, unknown);
    return unknown ? path.string() : known.string();
  };
  std::size_t bytes = 0;
  for (const SourceText& file : files) {
    bytes += file.text.size();
    if (!by_path.try_emplace(key(file.name), loaded.units.size()).second) continue;
    loaded.units.push_back(std::make_unique<Unit>(file.name, file.text, true));
  }
  std::vector<bool> included(loaded.units.size());
  const std::vector<fs::path> folders = include_folders(options.flags);
  for (std::size_t u = 0; options.read_includes && u < loaded.units.size(); ++u) {
    const fs::path beside = fs::path(loaded.units[u]->file().name()).parent_path();
    for (const Include& include : loaded.units[u]->file().tokens().includes) {
      if (!include.quoted || include.path.empty()) continue;
      std::vector<fs::path> candidates{beside / include.path};
      for (const fs::path& folder : folders) candidates.push_back(folder / include.path);
      for (const fs::path& path : candidates) {
        const auto known = by_path.find(key(path));
        if (known != by_path.end()) {
          included[known->second] = included[known->second] || known->second != u;
          break;
        }
        auto text = content(path);
        if (!text) continue;
        bytes += text->size();
        if (loaded.units.size() >= most_files || bytes > most_bytes) {
          loaded.remarks.push_back(fmt::format("{}: more includes than are read; functions in the others are not known", path.string()));
          return loaded;
        }
        by_path.emplace(key(path), loaded.units.size());
        loaded.units.push_back(std::make_unique<Unit>(path.string(), *std::move(text), false));
        included.push_back(true);
        break;
      }
    }
  }
  for (std::size_t u = 0; u < loaded.units.size(); ++u) {
    if (!included[u]) loaded.roots.push_back(u);
  }
  return loaded;
}

}  // namespace rta::lint
