#include "folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <system_error>

#include "earlier.hpp"
#include "rta/io/new_file.hpp"
#include "settings.hpp"

namespace rta::sweep {
namespace {

namespace fs = std::filesystem;

constexpr const char* identity_name = "sweep.json";
constexpr const char* text_name = "spec.yaml";

std::string identity(const Plan& plan, std::uint64_t sets, Shard shard) {
  nlohmann::ordered_json id;
  id["schema"] = 1;
  id["tool"] = {{"name", "rta"}, {"version", RTA_VERSION}};
  id["seed"] = plan.seed;
  id["sets"] = sets;
  id["points"] = plan.points.size();
  id["timing"] = plan.timing;
  id["shard"] = {shard.index, shard.count};
  return id.dump(2) + "\n";
}

std::optional<std::string> content_of(const fs::path& path) {
  if (!fs::exists(path)) return std::nullopt;
  const File file(path, O_RDONLY);
  return file.read(0, file.size());
}

/// Names the first setting of the sweep in the folder that is another here, with both values.
std::string different_setting(const std::string& there, const std::string& here) {
  const auto of_folder = nlohmann::ordered_json::parse(there, nullptr, false);
  const auto own = nlohmann::ordered_json::parse(here);
  if (!of_folder.is_object()) return fmt::format("its {} is damaged", identity_name);
  for (const auto& [key, value] : own.items()) {
    const auto at = of_folder.find(key);
    if (at == of_folder.end()) return fmt::format("it does not say its {}", key);
    if (*at == value) continue;
    // The program's version is in an object with its name.
    const bool version = key == "tool" && at->is_object() && at->contains("version");
    return fmt::format("{} is {} there and {} here", version ? "version of rta" : key, version ? (*at)["version"].dump() : at->dump(),
                       version ? value["version"].dump() : value.dump());
  }
  return fmt::format("its {} says more than this version of rta writes", identity_name);
}

/// Names the first line of the file that is another here; nothing where none is.
std::string different_line(std::string_view there, std::string_view here) {
  const auto first_line = [](std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    return line;
  };
  for (std::size_t number = 1; there != here; ++number) {
    const std::string_view of_folder = first_line(there);
    const std::string_view own = first_line(here);
    if (of_folder != own || there.empty() != here.empty()) {
      return fmt::format("line {} of the file is '{}' there ({}) and '{}' here", number, of_folder, text_name, own);
    }
  }
  return "";
}

struct Growth {
  std::string refusal;  // empty: the folder's sweep is part of the plan's
  std::uint64_t sets = 0;
  bool rows_change = false;
};

/// How the plan extends the sweep in the folder.
Growth growth_of(const std::string& there, const std::string& text, const Plan& plan) {
  Growth growth{{}, plan.sets, false};
  const auto of_folder = nlohmann::ordered_json::parse(there, nullptr, false);
  if (of_folder.is_object()) {
    const auto sets = of_folder.find("sets");
    if (sets != of_folder.end() && sets->is_number_unsigned()) growth.sets = std::min(plan.sets, sets->get<std::uint64_t>());
  }
  if (const std::string id = identity(plan, growth.sets, {}); there != id) {
    growth.refusal = different_setting(there, id);
    return growth;
  }
  const Extension extension = extension_of(text, plan.text);
  growth.refusal = extension.refusal;
  if (growth.refusal.empty() && plan.timing && extension.analyses != Analyses::same) {
    growth.refusal = "its analyses are others, and with --timing the time of one depends on those before it";
  }
  growth.rows_change = growth.sets != plan.sets || extension.analyses != Analyses::same;
  return growth;
}

// "3-of-8" of "shard-3-of-8".
std::optional<Shard> shard_of(const std::string& name) {
  Shard shard;
  const std::string prefix = "shard-";
  const std::string middle = "-of-";
  if (!name.starts_with(prefix)) return std::nullopt;
  const char* end = name.data() + name.size();
  auto [at, error] = std::from_chars(name.data() + prefix.size(), end, shard.index);
  if (error != std::errc{} || std::string_view(at, end).substr(0, middle.size()) != middle) return std::nullopt;
  auto [last, error2] = std::from_chars(at + middle.size(), end, shard.count);
  if (error2 != std::errc{} || last != end || shard.index < 1 || shard.index > shard.count) return std::nullopt;
  return shard;
}

}  // namespace

fs::path shard_folder(const fs::path& folder, Shard shard) {
  return shard.whole() ? folder : folder / fmt::format("shard-{}-of-{}", shard.index, shard.count);
}

Folder::Folder(const Plan& plan, const fs::path& folder, Shard shard, bool may_grow) {
  fs::create_directories(folder);
  lock_ = std::make_unique<File>(folder / ".lock", O_RDWR | O_CREAT);
  if (!lock_->lock()) throw FolderError(folder.string() + ": another process works on this sweep");
  const std::string id = identity(plan, plan.sets, shard);
  const auto there = content_of(folder / identity_name);
  if (!there) {
    if (fs::exists(folder / Journal::table_name)) {
      throw FolderError(folder.string() + ": has a results.csv but no sweep.json; choose another folder");
    }
    io::write_file(folder / text_name, plan.text);
    io::write_file(folder / identity_name, id);
    return;
  }
  const std::string text = content_of(folder / text_name).value_or("");
  if (*there == id && text == plan.text) return;
  std::string differs;
  if (may_grow) {
    const Growth growth = growth_of(*there, text, plan);
    differs = growth.refusal;
    if (differs.empty()) {
      if (growth.rows_change) set_rows_aside(plan, growth.sets, folder);
      // The rows are safe under either name of the sweep; the last file says that it is the larger one.
      io::write_file(folder / text_name, plan.text);
      io::write_file(folder / identity_name, id);
      return;
    }
  } else {
    differs = *there != id ? different_setting(*there, id) : different_line(text, plan.text);
  }
  if (!differs.empty()) {
    throw FolderError(fmt::format("{}: holds another sweep: {}; choose another folder, or remove it", folder.string(), differs));
  }
}

std::uint64_t shards_in(const fs::path& folder) {
  std::uint64_t count = 0;
  if (fs::is_directory(folder)) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const auto shard = shard_of(entry.path().filename().string());
      if (!shard) continue;
      if (count != 0 && count != shard->count) {
        throw FolderError(
            fmt::format("{}: has shards of {} and of {}; remove those that do not count", folder.string(), count, shard->count));
      }
      count = shard->count;
    }
  }
  if (count == 0) throw FolderError(folder.string() + ": has no shards (folders shard-I-of-N) to merge");
  return count;
}

}  // namespace rta::sweep
