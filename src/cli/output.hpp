// Where results go: standard output, or files that appear whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "rta/report/format.hpp"

namespace boost::program_options {
class options_description;
}

namespace rta::cli {

/// One result to write. No path: standard output.
struct Target {
  std::optional<std::filesystem::path> path;
  const report::Format* format = nullptr;
};

/// The targets that `--format` and `--output` ask for; a file's format is its extension's, and `--format` is for the
/// others. Throws `UsageError` where it is for none, and for formats that are not in `allowed`, whose first is the default.
[[nodiscard]] std::vector<Target> targets(const std::optional<std::string>& format, const std::vector<std::string>& outputs,
                                          const std::vector<const report::Format*>& allowed);
/// All formats that print such a report.
template <class Report>
[[nodiscard]] std::vector<const report::Format*> formats_of() {
  std::vector<const report::Format*> all;
  for (const report::Format& one : report::formats()) {
    if (report::printer_of<Report>(one) != nullptr) all.push_back(&one);
  }
  return all;
}
/// The targets with any of these formats.
template <class Report>
[[nodiscard]] std::vector<Target> targets(const std::optional<std::string>& format, const std::vector<std::string>& outputs) {
  return targets(format, outputs, formats_of<Report>());
}

/// Throws std::system_error when no file can be written there, so that nobody waits for a result in vain.
void require_writable(const std::filesystem::path& path);

/// Writes to the target what `print` prints. Throws std::system_error when it cannot be written.
void write(const Target& target, const std::function<void(std::ostream&)>& print);
/// The same without the whole in memory: where `print` throws, a device or standard output keeps what it has printed.
void write_at_once(const Target& target, const std::function<void(std::ostream&)>& print);

/// Throws std::system_error when something that was printed could not be written.
void flush_standard_output();

/// -q for commands that tell nothing beside their result anyway: scripts may give it to all.
void add_quiet_option(boost::program_options::options_description& options);

/// What --color says: `always`, `never`, or `auto`. Throws `UsageError` for anything else.
void set_colour(const std::string& when);
/// Whether text on standard output is coloured: by default on a terminal, unless NO_COLOR is set or TERM is dumb.
[[nodiscard]] bool colour_on_standard_output();

}  // namespace rta::cli
