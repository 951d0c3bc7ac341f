#include <fcntl.h>
#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/any.hpp>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>
#include <streambuf>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "command.hpp"
#include "completion.hpp"
#include "evidence.hpp"
#include "help.hpp"
#include "io/fields.hpp"
#include "io/file.hpp"
#include "io/shown_text.hpp"
#include "mixup.hpp"
#include "number.hpp"
#include "output.hpp"
#include "process/memory_limit.hpp"
#include "process/signals.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/model/error.hpp"
#include "rta/model/quantity.hpp"
#include "source_line.hpp"

namespace rta::cli {

namespace po = boost::program_options;

po::options_description options_of(const Command& command) {
  po::options_description options = command.options();
  options.add_options()("largest-file", po::value<std::string>()->value_name("SIZE"),
                        "files that are larger are refused before they fill the memory (default: 64 MiB)")(
      "memory-limit", po::value<std::string>()->value_name("SIZE"),
      "how much memory the program may take, e.g. 2 GiB (default: what the system allows); an analysis that would need more has no bounds, "
      "and where several release policies compete, the others stand")(
      "color", po::value<std::string>()->value_name("WHEN"),
      "text on standard output in colours: auto (the default: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never")(
      "help,h", "this text");
  return options;
}

namespace {

ExitStatus usage_error(const std::string& message, const std::string& hint) {
  std::cerr << "rta: " << message << "\nTry '" << hint << "'.\n";
  return ExitStatus::bad_input;
}

/// `; did you mean 'analyze'?`, or nothing.
std::string hint_at_command(const std::string& word) {
  std::vector<std::string_view> names{"help", "version"};
  for (const Command& command : commands()) names.emplace_back(command.name);
  return io::suggestion(word, names);
}

std::string hint_at_option(const std::string& word, const po::options_description& known) {
  std::vector<std::string_view> names;
  for (const auto& option : known.options()) names.emplace_back(option->long_name());
  return io::suggestion(word.substr(std::min(word.find_first_not_of('-'), word.size())), names);
}

/// Why a command has no option that others have; empty where there is nothing to say.
std::string reason_against(std::string_view command, std::string_view word) {
  struct Reason {
    std::string_view command, option, text;
  };
  constexpr std::string_view of_task_sets = "the first lines of what it writes say what that was made of";
  static constexpr std::array<Reason, 8> all{
      {{"calibrate", "format", "it writes the task set, schedule or graph that it has read, as such a file"},
       {"calibrate", "evidence", of_task_sets},
       {"convert", "format", "--to FORMAT says what it writes (yaml, json, dot, sag, stm or callback-isolated)"},
       {"convert", "evidence", of_task_sets},
       {"generate", "format", "it writes task sets (YAML); rta convert FILE --to FORMAT writes others"},
       {"generate", "evidence", of_task_sets},
       {"plot", "format", "the name of -o FILE says what it writes (.pdf, .svg, .png, .gp or .html)"},
       {"plot", "evidence", "its pages (.html) always have it, and the folder says what the results were made of"}}};
  const std::string_view option = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  const auto* const at = std::ranges::find_if(all, [&](const Reason& one) { return one.command == command && one.option == option; });
  return at == all.end() ? std::string() : fmt::format(": {}", at->text);
}

std::vector<std::string> all_of(const po::variables_map& given, const char* option) {
  if (given.count(option) == 0) return {};
  const boost::any& value = given[option].value();
  if (const auto* one = boost::any_cast<std::string>(&value)) return {*one};
  return boost::any_cast<std::vector<std::string>>(value);
}

/// Results take the place of a file as a whole: not of one that the command reads.
void refuse_to_replace_input(const po::variables_map& given, std::vector<std::string> inputs) {
  for (const char* option : {"profile", "alone", "limits", "experiment", "precedence", "check"}) {
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

// As many as can be started, and, where memory is limited, so few that the stacks and what each needs for itself leave room.
unsigned affordable_threads(std::optional<std::uint64_t> memory) {
  constexpr std::uint64_t memory_of_each = std::uint64_t{64} << 20U;
  auto wanted = static_cast<unsigned>(oneapi::tbb::info::default_concurrency());
  if (memory) wanted = static_cast<unsigned>(std::clamp<std::uint64_t>(*memory / memory_of_each, 1, wanted));
  return 1 + process::threads_that_start(wanted - 1);
}

// Before memory is limited: those that start later might find none.
void start_threads() {
  const int all = static_cast<int>(oneapi::tbb::global_control::active_value(oneapi::tbb::global_control::max_allowed_parallelism));
  std::atomic<int> here{0};
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
  const auto wait_for_all = [&](int) {
    ++here;
    while (here < all && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
  };
  oneapi::tbb::parallel_for(0, all, wait_for_all, oneapi::tbb::static_partitioner());
}

ExitStatus execute(const Command& command, const std::vector<std::string>& words) {
  const std::string hint = std::string("rta ") + command.name + " --help";
  std::vector<std::string> arguments;
  try {
    const po::options_description known = options_of(command);
    // No prefixes: `--form` must not become `--format` silently.
    constexpr auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    const po::parsed_options parsed = po::command_line_parser(words).options(known).style(style).run();
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
    if (given.count("color") != 0) set_colour(given["color"].as<std::string>());
    if (given.count("largest-file") != 0) io::set_largest_file(size_in_bytes(given, "largest-file"));
    std::optional<std::uint64_t> memory;
    if (given.count("memory-limit") != 0) memory = size_in_bytes(given, "memory-limit");
    // Where fewer can be had than there are processors; else --jobs may ask for more. Never destroyed: oneTBB would start those that were
    // not allowed before.
    if (const unsigned threads = affordable_threads(memory); threads < static_cast<unsigned>(oneapi::tbb::info::default_concurrency())) {
      static const auto* const limit = new oneapi::tbb::global_control(oneapi::tbb::global_control::max_allowed_parallelism, threads);
      static_cast<void>(limit);
    }
    if (memory) {
      start_threads();
      process::limit_memory(*memory);
    }
    begin_evidence(command.name, words, given.count("evidence") != 0 && given["evidence"].as<bool>());
    return command.run(given, arguments);
  } catch (const UsageError& error) {
    return usage_error(error.what(), hint);
  } catch (const UserError&) {
    auto what = file_of_another_kind(command, arguments);
    if (!what) what = file_with_choices(command, arguments);
    if (!what) throw;
    std::cerr << *what << '\n';
    return ExitStatus::bad_input;
  } catch (const po::unknown_option& error) {
    const std::string reason = reason_against(command.name, error.get_option_name());
    return usage_error(error.what() + (reason.empty() ? hint_at_option(error.get_option_name(), options_of(command)) : reason), hint);
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
  const bool version = first == "--version" || first == "-V" || first == "version";
  const auto asks_for_help = [](const std::string& word) { return word == "--help" || word == "-h"; };
  if (first == "version" && rest.size() == 1 && asks_for_help(rest.front())) {
    print_overview(std::cout);
    return ExitStatus::yes;
  }
  if (asks_for_help(first) || version || first == "help") {
    const bool completion = first == "help" && !rest.empty() && rest.front() == "--completion";
    const std::size_t most = completion ? 2 : first == "help" ? 1 : 0;
    if (rest.size() > most) return usage_error("unexpected argument '" + rest[most] + "'", "rta --help");
  }
  const bool of_help =
      first == "help" && !rest.empty() && (rest.front() == "help" || rest.front() == "version" || asks_for_help(rest.front()));
  if (asks_for_help(first) || (first == "help" && rest.empty()) || of_help) {
    print_overview(std::cout);
    return ExitStatus::yes;
  }
  if (version) {
    const std::optional<std::string> commit = first == "version" ? evidence().commit : std::nullopt;
    std::cout << "rta " RTA_VERSION << (commit ? " (commit " + *commit + ")" : "") << '\n';
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
    if (command == commands().end()) {
      if (print_word(rest.front(), std::cout)) return ExitStatus::yes;
      const std::vector<std::string> known = explained_words();
      return usage_error(fmt::format("no command, option, word of the glossary or topic is called '{}'{}", rest.front(),
                                     io::suggestion(rest.front(), std::vector<std::string_view>(known.begin(), known.end()))),
                         "rta --help");
    }
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

// While it lives, what people read of this program is shown to them: all of standard error, and standard output where it is a terminal.
class ShownStreams {
 public:
  ShownStreams() : error_(std::cerr.rdbuf()), output_(std::cout.rdbuf()) {
    std::cerr.rdbuf(&shown_error_);
    if (::isatty(STDOUT_FILENO) != 0) std::cout.rdbuf(&shown_output_);
  }
  ~ShownStreams() {
    std::cerr.rdbuf(error_);
    std::cout.rdbuf(output_);
  }
  ShownStreams(const ShownStreams&) = delete;
  ShownStreams& operator=(const ShownStreams&) = delete;

 private:
  std::streambuf* error_;
  std::streambuf* output_;
  io::ShownText shown_error_{error_}, shown_output_{output_};
};

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
  std::ios::sync_with_stdio(false);
  const cli::ShownStreams shown;
  try {
    const auto limits = [](std::string_view word) { return word.starts_with("--memory-limit"); };
    if (std::any_of(argv, argv + argc, limits)) process::go_on_in_child();
    process::take_signals();
    const cli::ExitStatus status = cli::run(std::vector<std::string>(argv + 1, argv + argc));
    cli::flush_standard_output();
    return status;
  } catch (const io::InputError& error) {
    for (const io::Diagnostic& diagnostic : error.diagnostics()) std::cerr << diagnostic.text() << '\n' << cli::source_line(diagnostic);
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
    std::fprintf(stderr, "rta: needs more than the %" PRIu64 " bytes of memory that --memory-limit allows\n",
                 *limit);  // asks for no memory
    return cli::ExitStatus::bad_input;
  } catch (const std::exception& error) {
    std::cerr << "rta: internal error: " << error.what()
              << "\nThis is a defect of rta " RTA_VERSION ". Please report this text with the command and its files.\n";
    return cli::ExitStatus::internal_error;
  }
}
