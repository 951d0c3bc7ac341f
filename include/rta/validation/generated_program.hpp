// What generators of programs share: files, and the runtime's headers that go with them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rta::validation {

struct GeneratedFile {
  std::string path;  // in the program's folder
  std::string content;
};

/// A header of the runtime, as it is in validation/runtime.
struct RuntimeFile {
  std::string_view path;  // e.g. `workload/run.hpp`
  std::string_view content;
};
[[nodiscard]] std::span<const RuntimeFile> runtime_files();
/// Those of a folder of the runtime, as files below `runtime/`; `with_cuda` false leaves out what only nvcc compiles.
void add_runtime(std::string_view folder, bool with_cuda, std::vector<GeneratedFile>& files);

/// A C++ string literal with these bytes, whatever they are.
[[nodiscard]] std::string cpp_literal(std::string_view text);

/// What becomes of what was built in a folder before.
enum class Built : std::uint8_t { removed, kept };

/// Writes the files below `folder`, which is made if it is not there. A file that has its content already is not touched, so that `make`
/// rebuilds only what changed; one that others may change is written anew. Other files in it stay, but for what its Makefile builds and for
/// all else below `runtime`: that may be anybody's, and is `kept` only where this process built it. Throws std::system_error, and
/// `UserError` for a folder that holds files but no generated program, that is not the caller's own (`process::OwnFolder`), or where
/// something else than a file has a name of theirs.
void write_files(std::span<const GeneratedFile> files, const std::filesystem::path& folder, Built built = Built::removed);

}  // namespace rta::validation
