#include "help.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/program_options/option.hpp>
#include <cctype>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "glossary.hpp"
#include "io/fields.hpp"
#include "rta/analysis/option_table.hpp"
#include "topics.hpp"

namespace rta::cli {
namespace {

/// The terminal's; 100 where there is none.
std::size_t text_width() {
  constexpr unsigned least = 40, most = 120;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 100;
  return std::clamp<unsigned>(size.ws_col, least, most);
}

// Words of `text` in lines of at most text_width; an empty line ends a paragraph.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out;
  std::istringstream paragraphs(text);
  const std::string margin(indent, ' ');
  const std::size_t width = text_width();
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    if (paragraph.empty()) {
      out += '\n';
      continue;
    }
    std::istringstream words(paragraph);
    std::string line = margin;
    for (std::string word; words >> word;) {
      if (line.size() > indent && line.size() + 1 + word.size() > width) {
        out += line + '\n';
        line = margin;
      }
      line += (line.size() > indent ? " " : "") + word;
    }
    out += line + '\n';
  }
  return out;
}

/// The arguments and where options stand among them: what follows `--` is for somebody else.
std::string synopsis(const Command& command) {
  const std::string arguments = command.arguments;
  const std::size_t rest = std::min({arguments.find("[-- "), arguments.find("-- "), arguments.size()});
  const auto word = [](std::string text) {
    while (text.ends_with(' ')) text.pop_back();
    return text.empty() ? text : " " + text;
  };
  return word(arguments.substr(0, rest)) + " [OPTIONS]" + word(arguments.substr(rest));
}

/// In the order of help: a command's own options come first.
enum class Group : std::uint8_t { own, analysis, output, every };
constexpr std::array<std::string_view, 4> group_titles{"Options", "How it is analysed", "What is written", "Of every command"};

struct OptionText {
  std::string long_name;
  std::string names;
  std::string description;
  Group group;
};

Group group_of(std::string_view option) {
  constexpr std::array<std::string_view, 6> of_output{"format", "output", "verbose", "all-digits", "quiet", "evidence"};
  constexpr std::array<std::string_view, 4> of_every{"largest-file", "memory-limit", "color", "help"};
  if (std::ranges::find(of_every, option) != of_every.end()) return Group::every;
  if (std::ranges::find(of_output, option) != of_output.end()) return Group::output;
  return analysis::find_option(option) != nullptr ? Group::analysis : Group::own;
}

std::vector<OptionText> option_texts(const Command& command) {
  std::vector<OptionText> texts;
  const auto options = options_of(command);
  for (const auto& option : options.options()) {
    std::string names = option->format_name();
    // Boost writes `-o [ --output ]`.
    if (const auto open = names.find(" [ "); open != std::string::npos) {
      names = names.substr(0, open) + ", " + names.substr(open + 3, names.size() - open - 5);
    }
    std::string parameter = option->format_parameter();
    if (!parameter.empty()) names += " " + parameter;
    texts.push_back({option->long_name(), names, option->description(), group_of(option->long_name())});
  }
  std::ranges::stable_sort(texts, {}, &OptionText::group);
  return texts;
}

std::string roff(const std::string& text) {
  std::string out;
  bool line_start = true;
  for (char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '-') {
      out += "\\-";
    } else if (c == '\\') {
      out += "\\e";
    } else {
      out.push_back(c);
    }
    line_start = c == '\n';
  }
  return out;
}

std::string roff_paragraphs(const std::string& text) {
  std::string out = roff(text);
  for (std::size_t at = 0; (at = out.find("\n\n", at)) != std::string::npos;) out.replace(at, 2, "\n.PP\n");
  return out;
}

/// A symbol by its letter; words, and names of several letters, as people type them.
bool is_called(const std::string& name, const std::string& word) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return name == word || (name.size() > 1 && std::ranges::equal(name, word, same));
}

std::string topic_names() {
  std::string names;
  for (const Topic& topic : topics()) names += (names.empty() ? "" : ", ") + std::string(topic.name);
  return names;
}

constexpr const char* purpose = "response-time analysis for task sets that share CPUs and GPUs";

}  // namespace

void print_overview(std::ostream& out) {
  out << "rta - " << purpose << "\n\nUsage: rta COMMAND [ARGUMENTS] [OPTIONS]\n\nCommands\n";
  for (const Command& command : commands()) out << fmt::format("  {:<10} {}\n", command.name, command.summary);
  out << "  help       Explain a command, an option, a word or a topic (rta help WORD), print the manual page (rta help --man)\n"
         "             or the completion of a shell (rta help --completion bash, or zsh)\n"
         "  version    Print the version, and the commit that the program was built from (rta --version: the version alone)\n"
      << '\n'
      << wrapped("Topics: " + topic_names() + ".", 0)
      << "\n`rta COMMAND --help` lists a command's options.\n"
         "Exit status: 0 yes, 1 no, 2 bad input or usage, 3 internal error.\n";
}

void print_help(const Command& command, std::ostream& out) {
  out << fmt::format("Usage: rta {}{}\n\n{}\n{}", command.name, synopsis(command), wrapped(std::string(command.summary) + ".", 0),
                     wrapped(command.details, 0));
  if (!command.examples.empty()) out << "\nExamples\n";
  for (const Example& example : command.examples) out << "  " << example.line << '\n' << wrapped(example.what, 6);
  std::string_view title;
  for (const OptionText& option : option_texts(command)) {
    const std::string_view of_group = group_titles.at(static_cast<std::size_t>(option.group));
    if (title != of_group) out << '\n' << of_group << '\n';
    title = of_group;
    out << "  " << option.names << '\n' << wrapped(option.description, 6);
  }
}

bool print_word(const std::string& word, std::ostream& out) {
  bool found = false;
  for (const GlossaryEntry& entry : glossary()) {
    if (!std::ranges::any_of(entry.words, [&](const std::string& one) { return is_called(one, word); })) continue;
    out << (found ? "\n" : "") << fmt::format("{}", fmt::join(entry.words, ", ")) << '\n' << wrapped(entry.meaning, 6);
    found = true;
  }
  const std::string option = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  std::vector<std::pair<OptionText, std::string>> options;  // with the commands that have it
  for (const Command& command : commands()) {
    for (const OptionText& text : option_texts(command)) {
      if (text.long_name != option) continue;
      const auto same = std::ranges::find_if(
          options, [&](const auto& other) { return other.first.names == text.names && other.first.description == text.description; });
      if (same == options.end()) {
        options.emplace_back(text, std::string("rta ") + command.name);
      } else {
        same->second += std::string(", rta ") + command.name;
      }
    }
  }
  for (const auto& [text, of_commands] : options) {
    out << (found ? "\n" : "") << text.names << "\n" << wrapped(text.description, 6) << wrapped("Option of " + of_commands + ".", 6);
    found = true;
  }
  for (const Topic& topic : topics()) {
    if (!is_called(std::string(topic.name), word)) continue;
    if (found) out << '\n';
    print_topic(topic, wrapped, out);
    found = true;
  }
  return found;
}

std::vector<std::string> explained_words() {
  std::vector<std::string> words{"help", "version"};
  for (const Command& command : commands()) {
    words.emplace_back(command.name);
    for (const OptionText& option : option_texts(command)) words.push_back(option.long_name);
  }
  for (const GlossaryEntry& entry : glossary()) words.insert(words.end(), entry.words.begin(), entry.words.end());
  for (const Topic& topic : topics()) words.emplace_back(topic.name);
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

void print_manual(std::ostream& out) {
  out << ".TH RTA 1 \"\" \"rta " RTA_VERSION "\" \"User Commands\"\n.SH NAME\nrta \\- " << roff(purpose)
      << "\n.SH SYNOPSIS\n.B rta\n.I COMMAND\n[\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]\n";
  for (const Command& command : commands()) {
    out << ".SH \"RTA " << roff(command.name) << "\"\n.B rta " << roff(command.name) << "\n\\fI" << roff(synopsis(command).substr(1))
        << "\\fR\n.PP\n"
        << roff(command.summary) << ".\n.PP\n"
        << roff_paragraphs(command.details) << '\n';
    for (const OptionText& option : option_texts(command)) {
      out << ".TP\n\\fB" << roff(option.names) << "\\fR\n" << roff(option.description) << '\n';
    }
  }
  out << ".SH \"EXIT STATUS\"\n0 yes, 1 no, 2 bad input or usage, 3 internal error.\n";
}

}  // namespace rta::cli
