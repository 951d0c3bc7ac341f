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

}  // namespace

std::optional<Cupti> find_cupti() {
  constexpr std::array libraries{"lib64",
                                 "lib",
                                 "lib/x86_64-linux-gnu",
                                 "lib/aarch64-linux-gnu",
                                 "targets/x86_64-linux/lib",
                                 "targets/aarch64-linux/lib",
                                 "targets/sbsa-linux/lib"};
  constexpr std::array headers{"include", "targets/x86_64-linux/include", "targets/aarch64-linux/include", "targets/sbsa-linux/include"};
  std::error_code unknown;
  for (const fs::path& root : roots()) {
    for (const fs::path& folder : {root / "extras/CUPTI", root}) {
      Cupti found;
      for (const char* const name : headers) {
        if (found.include.empty() && fs::exists(folder / name / "cupti.h", unknown)) found.include = folder / name;
      }
      for (const char* const name : libraries) {
        if (found.library.empty() && fs::exists(folder / name / "libcupti.so", unknown)) found.library = folder / name / "libcupti.so";
      }
      if (!found.include.empty() && !found.library.empty()) return found;
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
