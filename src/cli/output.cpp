#include "output.hpp"

#include <unistd.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <system_error>

#include "command.hpp"
#include "rta/io/new_file.hpp"

namespace rta::cli {
namespace {

using Formats = std::vector<const report::Format*>;

std::string names_of(const Formats& formats) {
  std::string text;
  for (const report::Format* format : formats) text += (text.empty() ? "" : ", ") + std::string(format->name);
  return text;
}

const report::Format* allowed_format(const std::string& name, const Formats& allowed) {
  const auto at = std::ranges::find(allowed, name, [](const report::Format* format) { return format->name; });
  if (at != allowed.end()) return *at;
  throw UsageError("no format '" + name + "' here (allowed: " + names_of(allowed) + ")");
}

}  // namespace

void add_quiet_option(boost::program_options::options_description& options) {
  options.add_options()("quiet,q", boost::program_options::bool_switch(), "no warnings, no progress");
}

void require_writable(const std::filesystem::path& path) {
  const auto refuse = [&](int error) { throw std::system_error(error, std::generic_category(), path.string()); };
  if (std::filesystem::is_directory(path)) refuse(EISDIR);
  const bool replaced = io::is_replaced(path);
  std::filesystem::path folder = io::written_path(path).parent_path();
  if (folder.empty()) folder = ".";
  if (::access(replaced ? folder.c_str() : path.c_str(), W_OK) != 0) refuse(errno);
  if (replaced && !std::filesystem::is_directory(folder)) refuse(ENOTDIR);
}

std::vector<Target> targets(const std::optional<std::string>& format, const std::vector<std::string>& outputs, const Formats& allowed) {
  const report::Format* const named = format ? allowed_format(*format, allowed) : nullptr;
  const report::Format* const standard = named != nullptr ? named : allowed.front();
  if (outputs.empty()) return {{std::nullopt, standard}};
  std::vector<Target> all;
  const auto told_by_name = [&](const std::string& output) {
    const std::filesystem::path extension = std::filesystem::path(output).extension();
    return std::ranges::any_of(allowed, [&](const report::Format* one) { return extension == "." + std::string(one->extension); });
  };
  const auto is_named = [&](const std::string& output) {
    return std::filesystem::path(output).extension() == "." + std::string(named->extension);
  };
  // A format beside names that all tell another one has nothing to say.
  const bool contradicted = named != nullptr && std::ranges::all_of(outputs, [&](const std::string& output) {
                              return output != "-" && told_by_name(output) && !is_named(output);
                            });
  for (const std::string& output : outputs) {
    if (output == "-") {
      all.push_back({std::nullopt, standard});
      continue;
    }
    const std::filesystem::path path(output);
    const auto of_name = [&](const report::Format* one) { return path.extension() == "." + std::string(one->extension); };
    const auto at = std::ranges::find_if(allowed, of_name);
    if (at == allowed.end() && named == nullptr) {
      throw UsageError("the name '" + output + "' tells no format; add --format (allowed: " + names_of(allowed) + ")");
    }
    if (at != allowed.end() && contradicted) {
      throw UsageError("--format " + std::string(named->name) + " and the name '" + output + "' tell two formats; leave one of them out");
    }
    require_writable(path);
    all.push_back({path, at == allowed.end() ? named : *at});
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

void write_at_once(const Target& target, const std::function<void(std::ostream&)>& print) {
  if (!target.path) {
    write(target, print);
    return;
  }
  io::NewFile file(*target.path);
  print(file.stream());
  file.publish();
}

void flush_standard_output() {
  std::cout.flush();
  if (!std::cout) throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(), "cannot write to standard output");
}

namespace {

std::optional<bool>& wanted_colour() {
  static std::optional<bool> wanted;
  return wanted;
}

}  // namespace

void set_colour(const std::string& when) {
  if (when != "auto" && when != "always" && when != "never") {
    throw UsageError("--color: '" + when + "' is not known (allowed: auto, always, never)");
  }
  wanted_colour() = when == "auto" ? std::nullopt : std::optional(when == "always");
}

bool colour_on_standard_output() {
  if (wanted_colour()) return *wanted_colour();
  const char* const no_colour = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  const bool dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return (no_colour == nullptr || *no_colour == '\0') && !dumb && isatty(STDOUT_FILENO) != 0;
}

}  // namespace rta::cli
