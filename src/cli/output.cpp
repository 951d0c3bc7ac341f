#include "output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <system_error>

#include "command.hpp"
#include "rta/io/new_file.hpp"

namespace rta::cli {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void require_allowed(const std::string& format, const std::vector<std::string>& allowed) {
  if (std::ranges::find(allowed, format) != allowed.end()) return;
  throw UsageError("no format '" + format + "' here (allowed: " + joined(allowed) + ")");
}

/// So that nobody waits for a result that cannot be written.
void require_writable(const std::filesystem::path& path) {
  const auto refuse = [&](int error) { throw std::system_error(error, std::generic_category(), path.string()); };
  if (std::filesystem::is_directory(path)) refuse(EISDIR);
  const bool replaced = !std::filesystem::exists(path) || std::filesystem::is_regular_file(path);
  std::filesystem::path folder = path.parent_path();
  if (folder.empty()) folder = ".";
  if (::access(replaced ? folder.c_str() : path.c_str(), W_OK) != 0) refuse(errno);
  if (replaced && !std::filesystem::is_directory(folder)) refuse(ENOTDIR);
}

}  // namespace

std::vector<Target> targets(const std::optional<std::string>& format, const std::vector<std::string>& outputs,
                            const std::vector<std::string>& allowed) {
  if (format) require_allowed(*format, allowed);
  if (outputs.empty()) return {{std::nullopt, format.value_or(allowed.front())}};
  std::vector<Target> all;
  for (const std::string& output : outputs) {
    if (output == "-") {
      all.push_back({std::nullopt, format.value_or(allowed.front())});
      continue;
    }
    const std::filesystem::path path(output);
    std::string name = path.extension().string();
    if (!name.empty()) name.erase(0, 1);
    if (name == "txt") name = "text";
    if (std::ranges::find(allowed, name) == allowed.end()) {
      if (!format) throw UsageError("the name '" + output + "' tells no format; add --format (allowed: " + joined(allowed) + ")");
      name = *format;
    }
    require_writable(path);
    all.push_back({path, name});
  }
  return all;
}

void write(const Target& target, const std::function<void(std::ostream&)>& print) {
  if (!target.path) {
    print(std::cout);
    flush_standard_output();
    return;
  }
  std::ostringstream text;
  print(text);
  io::write_file(*target.path, text.view());
}

void flush_standard_output() {
  std::cout.flush();
  if (!std::cout) throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), "cannot write to standard output");
}

bool colour_on_standard_output() {
  const char* no_colour = std::getenv("NO_COLOR");
  return (no_colour == nullptr || *no_colour == '\0') && isatty(STDOUT_FILENO) != 0;
}

}  // namespace rta::cli
