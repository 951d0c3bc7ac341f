#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/any.hpp>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "command.hpp"
#include "completion.hpp"
#include "evidence.hpp"
#include "help.hpp"
#include "io/fields.hpp"
#include "io/file.hpp"
#include "number.hpp"
#include "output.hpp"
#include "process/memory_limit.hpp"
#include "process/signals.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/model/error.hpp"
#include "rta/model/quantity.hpp"

namespace rta::cli {

namespace po = boost::program_options;

po::options_description options_of(const Command& command) {
  po::options_description options = command.options();
  options.add_options()("largest-file", po::value<std::string>()->value_name("SIZE"),
                        "files that are larger are refused before they fill the memory (default: 64 MiB)")(
      "memory-limit", po::value<std::string>()->value_name("SIZE"),
      "how much memory the program may take, e.g. 2 GiB (default: what the system allows); an analysis that would need more has no bounds, "
      "and where several release policies compete, the others stand")("help,h", "this text");
  return options;
}

namespace {

ExitStatus usage_error(const std::string& message, const std::string& hint) {
  std::cerr << "rta: " << message << "\nTry '" << hint << "'.\n";
  return ExitStatus::bad_input;
}

/// `; did you mean 'analyze'?`, or nothing.
std::string hint_at_command(const std::string& word) {
  std::vector<std::string_view> names{"help"};
  for (const Command& command : commands()) names.emplace_back(command.name);
  return io::suggestion(word, names);
}

std::string hint_at_option(const std::string& word, const po::options_description& known) {
  std::vector<std::string_view> names;
  for (const auto& option : known.options()) names.emplace_back(option->long_name());
  return io::suggestion(word.substr(std::min(word.find_first_not_of('-'), word.size())), names);
}

std::vector<std::string> all_of(const po::variables_map& given, const char* option) {
  if (given.count(option) == 0) return {};
  const boost::any& value = given[option].value();
  if (const auto* one = boost::any_cast<std::string>(&value)) return {*one};
  return boost::any_cast<std::vector<std::string>>(value);
}

/// Results take the place of a file as a whole: not of one that the command reads.
void refuse_to_replace_input(const po::variables_map& given, std::vector<std::string> inputs) {
  for (const char* option : {"profile", "limits", "experiment", "precedence", "check"}) {
    for (std::string& input : all_of(given, option)) inputs.push_back(std::move(input));
  }
  for (const char* option : {"output", "trace", "journal"}) {
    for (const std::string& output : all_of(given, option)) {
      const auto same = [&](const std::string& input) {
        std::error_code missing;
        return std::filesystem::is_regular_file(input, missing) && std::filesystem::equivalent(input, output, missing);
      };
      if (std::ranges::any_of(inputs, same)) throw UsageError(fmt::format("--{} '{}': would replace a file that is read", option, output));
    }
  }
}

ExitStatus execute(const Command& command, const std::vector<std::string>& words) {
  const std::string hint = std::string("rta ") + command.name + " --help";
  try {
    const po::options_description known = options_of(command);
    // No prefixes: `--form` must not become `--format` silently.
    constexpr auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const po::parsed_options parsed = po::command_line_parser(words).options(known).style(style).run();
    std::vector<std::string> arguments;
    for (const auto& option : parsed.options) {
      if (option.position_key >= 0) arguments.insert(arguments.end(), option.value.begin(), option.value.end());
    }
    po::variables_map given;
    po::store(parsed, given);
    if (given.count("help") != 0) {
      print_help(command, std::cout);
      return ExitStatus::yes;
    }
    po::notify(given);
    if (arguments.size() < static_cast<std::size_t>(command.positional)) {
      return usage_error(std::string(command.name) + " needs " + command.arguments, hint);
    }
    const auto most = static_cast<std::size_t>(command.positional) + static_cast<std::size_t>(command.optional);
    if (arguments.size() > most) return usage_error("unexpected argument '" + arguments[most] + "'", hint);
    refuse_to_replace_input(given, arguments);
    if (given.count("largest-file") != 0) io::set_largest_file(size_in_bytes(given, "largest-file"));
    if (given.count("memory-limit") != 0) process::limit_memory(size_in_bytes(given, "memory-limit"));
    begin_evidence(command.name, words, given.count("evidence") != 0 && given["evidence"].as<bool>());
    return command.run(given, arguments);
  } catch (const UsageError& error) {
    return usage_error(error.what(), hint);
  } catch (const po::unknown_option& error) {
    return usage_error(error.what() + hint_at_option(error.get_option_name(), options_of(command)), hint);
  } catch (const po::error& error) {
    return usage_error(error.what(), hint);
  }
}

ExitStatus run(const std::vector<std::string>& words) {
  if (words.empty()) {
    print_overview(std::cerr);
    return ExitStatus::bad_input;
  }
  const std::string& first = words.front();
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (first == "--help" || first == "-h" || first == "--version" || first == "help") {
    const bool completion = first == "help" && !rest.empty() && rest.front() == "--completion";
    const std::size_t most = completion ? 2 : first == "help" ? 1 : 0;
    if (rest.size() > most) return usage_error("unexpected argument '" + rest[most] + "'", "rta --help");
  }
  const bool of_help = first == "help" && !rest.empty() && (rest.front() == "help" || rest.front() == "--help" || rest.front() == "-h");
  if (first == "--help" || first == "-h" || (first == "help" && rest.empty()) || of_help) {
    print_overview(std::cout);
    return ExitStatus::yes;
  }
  if (first == "--version") {
    std::cout << "rta " RTA_VERSION "\n";
    return ExitStatus::yes;
  }
  const auto named = [](const std::string& name) {
    return std::ranges::find_if(commands(), [&](const Command& command) { return name == command.name; });
  };
  if (first == "help") {
    if (rest.front() == "--man") {
      print_manual(std::cout);
      return ExitStatus::yes;
    }
    if (rest.front() == "--completion") {
      print_completion(rest.size() > 1 ? rest[1] : "", std::cout);
      return ExitStatus::yes;
    }
    const auto command = named(rest.front());
    if (command == commands().end()) return usage_error("no command '" + rest.front() + "'" + hint_at_command(rest.front()), "rta --help");
    print_help(*command, std::cout);
    return ExitStatus::yes;
  }
  const auto command = named(first);
  if (command == commands().end()) return usage_error("no command '" + first + "'" + hint_at_command(first), "rta --help");
  return execute(*command, rest);
}

// A file opened later must not become one of the standard streams that the caller closed. What stands in for those refuses to be read
// and to be written, as they would.
void fill_closed_streams() {
  for (const auto& [stream, refusing] : {std::pair{STDIN_FILENO, O_WRONLY}, {STDOUT_FILENO, O_RDONLY}, {STDERR_FILENO, O_WRONLY}}) {
    if (::fcntl(stream, F_GETFD) == -1) (void)::open("/dev/null", refusing);  // takes the lowest free number, which is this one
  }
}

}  // namespace
}  // namespace rta::cli

// jemalloc, where it is linked, looks for this: memory in huge pages, where the system grants them to those who ask. Large task sets take
// half of the time then.
extern "C" {
extern const char* const malloc_conf;
const char* const malloc_conf = "thp:always";
}

int main(int argc, char** argv) {
  using namespace rta;
  cli::fill_closed_streams();
  process::take_signals();
  std::ios::sync_with_stdio(false);
  try {
    const cli::ExitStatus status = cli::run(std::vector<std::string>(argv + 1, argv + argc));
    cli::flush_standard_output();
    return status;
  } catch (const io::InputError& error) {
    for (const io::Diagnostic& diagnostic : error.diagnostics()) std::cerr << diagnostic.text() << '\n';
    return cli::ExitStatus::bad_input;
  } catch (const UserError& error) {
    std::cerr << "rta: " << error.what() << '\n';
    return cli::ExitStatus::bad_input;
  } catch (const Overflow& error) {
    std::cerr << "rta: " << error.what() << '\n';
    return cli::ExitStatus::bad_input;
  } catch (const std::system_error& error) {
    std::cerr << "rta: " << error.what() << '\n';
    return cli::ExitStatus::bad_input;
  } catch (const std::bad_alloc&) {
    const auto limit = process::memory_limit();
    if (!limit) {
      std::cerr << "rta: out of memory\n";
      return cli::ExitStatus::internal_error;
    }
    std::cerr << fmt::format("rta: needs more than the {} bytes of memory that --memory-limit allows\n", *limit);
    return cli::ExitStatus::bad_input;
  } catch (const std::exception& error) {
    std::cerr << "rta: internal error: " << error.what()
              << "\nThis is a defect of rta " RTA_VERSION ". Please report this text with the command and its files.\n";
    return cli::ExitStatus::internal_error;
  }
}
