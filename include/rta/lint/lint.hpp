// Looks in CUDA sources, and in traces of `rta record`, for what takes the footing from under the bounds.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "rta/lint/finding.hpp"
#include "rta/model/device_profile.hpp"

namespace rta::lint {

/// What code is that no mark says anything of.
enum class Unmarked : std::uint8_t {
  automatic,  // jobs where no file marks any, else neither jobs nor start-up
  job,
  other  // neither
};

struct SourceText {
  std::string name;  // path; quoted includes are looked for beside it
  std::string text;
};

struct Options {
  std::vector<std::string> job_ranges;       // NVTX ranges whose names begin so are jobs
  std::vector<std::string> jobs, start_ups;  // names of functions, also the ends of qualified ones
  Unmarked unmarked = Unmarked::automatic;
  const DeviceProfile* profile = nullptr;  // what was measured replaces what the table says
  bool read_includes = true;               // quoted ones, for the functions that they define
  std::string clang;                       // program that is asked for the syntax tree; empty: none
  std::vector<std::string> flags;          // for clang, as for nvcc: -I, -isystem, -iquote, -D, -U, -include, -std; others are left out
};

struct Report {
  std::vector<Finding> findings;     // by place; those that are allowed, too
  std::vector<std::string> remarks;  // on how files were read
  std::size_t files = 0;             // that were asked for
  std::size_t included = 0;          // that were read beside them
  std::size_t left_out = 0;          // findings beyond the first ten thousand
  std::size_t acquitted = 0;         // calls that a device profile was measured to harm nobody
  bool jobs_marked = false;          // some code is marked as a job

  /// Findings of at least that level that are not allowed.
  [[nodiscard]] std::size_t count(Level least) const;
};

/// Throws UserError for a function in `jobs` or `start_ups` that no file defines.
[[nodiscard]] Report lint_sources(std::span<const SourceText> files, const Options& options);

/// Reads the trace to its end. Throws io::InputError where it is none. `name` stands for the file in findings.
[[nodiscard]] Report lint_trace(std::istream& in, const std::string& name, const Options& options);

/// A clang that can be asked: $RTA_CLANG, or the newest `clang++` in the PATH; empty: none.
[[nodiscard]] std::string find_clang();

/// Larger sources are refused: nobody writes them.
inline constexpr std::size_t largest_source = std::size_t{16} << 20U;

}  // namespace rta::lint
