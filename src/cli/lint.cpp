#include "rta/lint/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options/value_semantic.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <system_error>

#include "../io/file_kind.hpp"
#include "choice.hpp"
#include "command.hpp"
#include "evidence.hpp"
#include "output.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/io/digest.hpp"
#include "rta/io/profile_file.hpp"
#include "rta/report/lint_report.hpp"
#include "task_set_input.hpp"
#include "trace_input.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

po::options_description options_of_lint() {
  po::options_description all;
  const auto texts = [](const char* name) { return po::value<std::vector<std::string>>()->composing()->value_name(name); };
  all.add_options()("profile", po::value<std::string>()->value_name("FILE"),
                    "device profile (see examine): what calls were measured to do replaces what the table says of them");
  all.add_options()("job", texts("FUNCTION"), "the body of this function is a job, as if marked so; may be repeated");
  all.add_options()("start-up", texts("FUNCTION"), "the body of this function is start-up, as if marked so; may be repeated");
  all.add_options()("job-range", texts("TEXT"),
                    "NVTX ranges whose names begin so are jobs, beside those that begin with `rta: job`; may be repeated");
  all.add_options()(
      "unmarked", po::value<std::string>()->value_name("WHAT"),
      "what code is that no mark says anything of: job, or other (only what jobs call is looked at); default: other where some "
      "code is marked as a job, else job");
  all.add_options()("level", po::value<std::string>()->value_name("LEVEL")->default_value("note"),
                    "the least level that is shown: note, warning or error");
  all.add_options()("allowed", po::bool_switch(), "text: show what marks allow, too, with their reasons");
  all.add_options()("no-clang", po::bool_switch(), "look at the text alone, even where clang is installed");
  all.add_options()("rules", po::bool_switch(), "print the rules instead: what each is about, the assumption that it protects, the remedy");
  all.add_options()("format", po::value<std::string>()->value_name("NAME"), "text (default), json or sarif");
  all.add_options()("output,o", texts("FILE"),
                    "write to FILE instead of standard output; the extension (.txt, .json, .sarif) tells the format; may be repeated");
  add_evidence_option(all);
  all.add_options()("quiet,q", po::bool_switch(), "no remarks on how files were read");
  return all;
}

/// Sources below a folder, in the order of their names.
std::vector<std::string> sources_below(const fs::path& folder) {
  constexpr std::array<std::string_view, 12> extensions{".cu",  ".cuh", ".cpp", ".cc", ".cxx", ".c",
                                                        ".hpp", ".hh",  ".hxx", ".h",  ".inl", ".ipp"};
  std::vector<std::string> found;
  for (auto at = fs::recursive_directory_iterator(folder); at != fs::recursive_directory_iterator(); ++at) {
    const std::string name = at->path().filename().string();
    if (name.starts_with('.') && at->is_directory()) {
      at.disable_recursion_pending();
    } else if (at->is_regular_file() && std::ranges::find(extensions, at->path().extension().string()) != extensions.end()) {
      found.push_back(at->path().string());
    }
  }
  std::ranges::sort(found);
  if (found.empty()) throw io::InputError({{folder.string(), 0, 0, "no CUDA or C++ source is in this folder"}});
  return found;
}

std::ifstream opened(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw io::InputError({{path, 0, 0, "cannot be opened: " + std::generic_category().message(errno)}});
  return file;
}

/// A trace begins with a JSON object.
bool is_trace(std::istream& in) {
  char c = ' ';
  while (in.get(c) && (c == ' ' || c == '\t' || c == '\r' || c == '\n')) {
  }
  const bool object = in.good() && c == '{';
  in.clear();
  in.seekg(0);
  return object;
}

/// Text of any kind may be a source, but what is known to be something else is none.
void refuse_other_kinds(const std::string& text, const std::string& name) {
  const auto kind = io::file_kind(text, name);
  if (kind && kind->is != io::FileIs::source) throw io::InputError({{name, 1, 1, io::mixup(*kind, "no source")}});
  if (text.find('\0') != std::string::npos) throw io::InputError({{name, 1, 1, "is no source: there is a NUL character in it"}});
}

std::string content(std::istream& in, const std::string& name) {
  std::string text;
  std::array<char, 65'536> piece{};
  while (in.read(piece.data(), piece.size()) || in.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > lint::largest_source) {
      throw io::InputError({{name, 0, 0, fmt::format("the source is larger than {} MiB", lint::largest_source >> 20U)}});
    }
  }
  refuse_other_kinds(text, name);
  return text;
}

/// Files up to the first word that begins with a dash, which begins the compiler's flags.
struct CommandLine {
  std::vector<std::string> files, flags;
};
CommandLine split(const std::vector<std::string>& arguments) {
  const auto is_flag = [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); };
  const auto first = std::ranges::find_if(arguments, is_flag);
  return {{arguments.begin(), first}, {first, arguments.end()}};
}

/// Those of a folder that was named count as one input.
void note_source(const std::vector<std::string>& words, const lint::SourceText& source) {
  const std::string sha256 = io::sha256(source.text);
  for (const std::string& word : words) {
    const fs::path inside = fs::path(source.name).lexically_relative(word);
    if (fs::is_directory(word) && !inside.empty() && *inside.begin() != "..") return note_input_in(word, inside.string(), sha256);
  }
  note_input(source.name, sha256);
}

struct Inputs {
  std::vector<lint::SourceText> sources;
  std::optional<std::string> trace;  // its path
};

Inputs read(const std::vector<std::string>& words) {
  Inputs inputs;
  std::vector<std::string> files;
  for (const std::string& word : words) {
    if (word != "-" && fs::is_directory(word)) {
      for (std::string& file : sources_below(word)) files.push_back(std::move(file));
    } else {
      files.push_back(word);
    }
  }
  for (const std::string& file : files) {
    if (file == "-") {
      inputs.sources.push_back({"<stdin>", content(std::cin, "<stdin>")});
      note_input("<stdin>", io::sha256(inputs.sources.back().text));
      continue;
    }
    std::ifstream in = opened(file);
    if (!is_trace(in)) {
      inputs.sources.push_back({file, content(in, file)});
      note_source(words, inputs.sources.back());
    } else if (files.size() > 1) {
      throw UsageError(fmt::format("'{}' is a trace: give it alone", file));
    } else {
      inputs.trace = file;
    }
  }
  return inputs;
}

ExitStatus print_rules(const po::variables_map& given, const std::vector<std::string>& arguments) {
  if (!arguments.empty()) throw UsageError("--rules looks at no file; it takes no FILE");
  const auto all_targets = targets<std::span<const lint::Rule>>(text_of(given, "format"), texts_of(given, "output"));
  for (const Target& target : all_targets) write_report<std::span<const lint::Rule>>(target, lint::rules());
  return ExitStatus::yes;
}

ExitStatus run_lint(const po::variables_map& given, const std::vector<std::string>& arguments) {
  if (given["rules"].as<bool>()) return print_rules(given, arguments);
  const auto all_targets = targets<report::LintReport>(text_of(given, "format"), texts_of(given, "output"));
  const auto level = lint::level_named(given["level"].as<std::string>());
  if (!level)
    throw UsageError(fmt::format("--level '{}': no such level (allowed: note, warning, error)", given["level"].as<std::string>()));
  const CommandLine words = split(arguments);
  if (words.files.empty()) throw UsageError("lint needs FILE...");

  lint::Options wanted;
  wanted.jobs = texts_of(given, "job");
  wanted.start_ups = texts_of(given, "start-up");
  wanted.job_ranges = texts_of(given, "job-range");
  wanted.flags = words.flags;
  if (given.count("unmarked") != 0) {
    constexpr Choice<lint::Unmarked> choices[] = {{"job", lint::Unmarked::job}, {"other", lint::Unmarked::other}};
    wanted.unmarked = chosen("unmarked", given["unmarked"].as<std::string>(), choices);
  }
  std::optional<DeviceProfile> profile;
  if (const auto file = text_of(given, "profile")) profile = io::read_profile(*file);
  wanted.profile = profile ? &*profile : nullptr;
  if (!given["no-clang"].as<bool>()) wanted.clang = lint::find_clang();

  const Inputs inputs = read(words.files);
  lint::Report report;
  if (inputs.trace) {
    TraceInput in(*inputs.trace);
    report = lint::lint_trace(in.stream(), *inputs.trace, wanted);
    note_input(in.name(), in.sha256());
  } else {
    report = lint::lint_sources(inputs.sources, wanted);
  }
  if (!given["quiet"].as<bool>()) {
    for (const std::string& remark : report.remarks) std::cerr << "note: " << remark << '\n';
  }
  for (const Target& target : all_targets) {
    const report::LintReport printed{report, *level, given["allowed"].as<bool>(), !target.path && colour_on_standard_output()};
    write_report<report::LintReport>(target, printed);
  }
  const bool found = report.count(std::max(*level, lint::Level::warning)) > 0 || report.left_out > 0;
  return found ? ExitStatus::no : ExitStatus::yes;
}

}  // namespace

const Command& lint_command() {
  static const Command command{
      "lint",
      "FILE... [-- FLAGS]",
      "Find what breaks the assumptions of the bounds in CUDA sources, or in a recorded trace",
      "Reads CUDA and C++ sources (a folder stands for those below it, - is standard input) and shows each call in a job that blocks or "
      "synchronises, uses the NULL stream, copies pageable memory, allocates, spins, or launches what is no node of the task set: with "
      "file:line:column, the rule, the assumption of the bounds that it breaks, and the remedy. Comments say what is a job: `// rta: job "
      "NAME` "
      "before a function or a block, `// rta: job begin NAME` and `// rta: job end`; `rta: start-up` in the same ways; `// rta: allow RULE "
      "reason` for a line or the next statement. Without marks all code counts as a job. Functions, macros and objects that jobs use are "
      "looked "
      "through, also those of quoted includes. With clang on the machine its syntax tree is used as well; FLAGS are the compiler's (-I, "
      "-D, "
      "-std and the like; others are ignored).\n\n"
      "A trace of `rta record` is judged by the same table: what really happened while jobs ran.\n\n"
      "The exit status is 0 when neither errors nor warnings were found, 1 when some were, 2 for bad input or usage.",
      options_of_lint,
      0,
      run_lint,
      1'000'000,
      {{"rta lint tasksets/examples/camera.cu", "what in a CUDA source breaks the assumptions of the bounds"},
       {"rta lint tasksets/examples/camera.cu -o lint.sarif", "the same for editors and continuous integration"}}};
  return command;
}

}  // namespace rta::cli
