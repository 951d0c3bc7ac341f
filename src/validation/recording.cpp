#include "rta/validation/recording.hpp"

#include <array>
#include <cstdlib>
#include <string>
#include <system_error>

#include "recording_texts.hpp"
#include "rta/validation/machine.hpp"

namespace rta::validation {
namespace {

namespace fs = std::filesystem;

/// Folders that may hold CUPTI or a CUDA Toolkit, the one that the user names first.
std::vector<fs::path> roots() {
  std::vector<fs::path> all;
  for (const char* name : {"CUPTI", "CUDA_HOME", "CUDA_PATH"}) {
    if (const char* const folder = std::getenv(name); folder != nullptr && *folder != '\0') all.emplace_back(folder);
  }
  if (const fs::path nvcc = find_nvcc(); nvcc.has_parent_path()) all.push_back(nvcc.parent_path().parent_path());
  all.emplace_back("/usr/local/cuda");
  all.emplace_back("/usr");
  return all;
}

constexpr std::array headers{"include", "targets/x86_64-linux/include", "targets/aarch64-linux/include", "targets/sbsa-linux/include"};
constexpr std::array libraries{"lib64",
                               "lib",
                               "lib/x86_64-linux-gnu",
                               "lib/aarch64-linux-gnu",
                               "targets/x86_64-linux/lib",
                               "targets/aarch64-linux/lib",
                               "targets/sbsa-linux/lib"};

/// The folder that has the header; empty: none.
fs::path folder_of(const char* header, const fs::path& root) {
  std::error_code unknown;
  for (const char* const name : headers) {
    if (fs::exists(root / name / header, unknown)) return root / name;
  }
  return {};
}

/// Packages of Python have the library with the number of its version alone.
fs::path library_in(const fs::path& folder) {
  std::error_code unknown;
  if (fs::exists(folder / "libcupti.so", unknown)) return folder / "libcupti.so";
  fs::path found;
  for (fs::directory_iterator at(folder, unknown), end; !unknown && at != end; at.increment(unknown)) {
    const fs::path& path = at->path();
    if (path.filename().string().starts_with("libcupti.so.") && (found.empty() || path < found)) found = path;
  }
  return found;
}

}  // namespace

std::optional<Cupti> find_cupti() {
  const std::vector<fs::path> all = roots();
  for (const fs::path& root : all) {
    for (const fs::path& folder : {root / "extras/CUPTI", root}) {
      Cupti found;
      found.include = folder_of("cupti.h", folder);
      for (const char* const name : libraries) {
        if (found.library.empty()) found.library = library_in(folder / name);
      }
      if (found.include.empty() || found.library.empty()) continue;
      // Toolkits have CUPTI's headers in a folder of their own, without CUDA's.
      found.cuda = folder_of("cuda.h", folder);
      if (found.cuda.empty()) found.cuda = folder_of("cuda.h", root);
      for (const fs::path& other : all) {
        if (found.cuda.empty()) found.cuda = folder_of("cuda.h", other);
      }
      if (!found.cuda.empty()) return found;
    }
  }
  return std::nullopt;
}

std::vector<GeneratedFile> recording_source() {
  std::vector<GeneratedFile> files;
  files.push_back({"record.cpp", std::string(texts::recording_source)});
  files.push_back({"Makefile", std::string(texts::recording_makefile)});
  files.push_back({"README.md", std::string(texts::recording_readme)});
  add_runtime("common", false, files);
  add_runtime("record", true, files);
  return files;
}

}  // namespace rta::validation
