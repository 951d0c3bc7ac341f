#include "folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "rta/io/new_file.hpp"

namespace rta::sweep {
namespace {

namespace fs = std::filesystem;

constexpr const char* identity_name = "sweep.json";
constexpr const char* text_name = "spec.yaml";

std::string identity(const Plan& plan, Shard shard) {
  nlohmann::ordered_json id;
  id["schema"] = 1;
  id["tool"] = {{"name", "rta"}, {"version", RTA_VERSION}};
  id["seed"] = plan.seed;
  id["sets"] = plan.sets;
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

Folder::Folder(const Plan& plan, const fs::path& folder, Shard shard) {
  fs::create_directories(folder);
  lock_ = std::make_unique<File>(folder / ".lock", O_RDWR | O_CREAT);
  if (!lock_->lock()) throw FolderError(folder.string() + ": another process works on this sweep");
  const std::string id = identity(plan, shard);
  const auto there = content_of(folder / identity_name);
  if (!there) {
    if (fs::exists(folder / Journal::table_name)) {
      throw FolderError(folder.string() + ": has a results.csv but no sweep.json; choose another folder");
    }
    io::write_file(folder / text_name, plan.text);
    io::write_file(folder / identity_name, id);
    return;
  }
  if (*there != id || content_of(folder / text_name) != plan.text) {
    throw FolderError(
        folder.string() +
        ": holds another sweep (another file, seed, number of sets, shard or version of rta); choose another folder, or remove it");
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
