#include "help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/option.hpp>
#include <ostream>
#include <sstream>
#include <string>

namespace rta::cli {
namespace {

constexpr std::size_t text_width = 100;

// Words of `text` in lines of at most text_width; an empty line ends a paragraph.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string out;
  std::istringstream paragraphs(text);
  const std::string margin(indent, ' ');
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    if (paragraph.empty()) {
      out += '\n';
      continue;
    }
    std::istringstream words(paragraph);
    std::string line = margin;
    for (std::string word; words >> word;) {
      if (line.size() > indent && line.size() + 1 + word.size() > text_width) {
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

struct OptionText {
  std::string names;
  std::string description;
};

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
    texts.push_back({names, option->description()});
  }
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

constexpr const char* purpose = "response-time analysis for task sets that share CPUs and GPUs";

}  // namespace

void print_overview(std::ostream& out) {
  out << "rta - " << purpose << "\n\nUsage: rta COMMAND [ARGUMENTS] [OPTIONS]\n\nCommands\n";
  for (const Command& command : commands()) out << fmt::format("  {:<10} {}\n", command.name, command.summary);
  out << "  help       Explain a command (rta help COMMAND), print the manual page (rta help --man) or the completion of\n"
         "             a shell (rta help --completion bash, or zsh)\n"
         "\n`rta COMMAND --help` lists a command's options. `rta --version` prints the version.\n"
         "Exit status: 0 yes, 1 no, 2 bad input or usage, 3 internal error.\n";
}

void print_help(const Command& command, std::ostream& out) {
  out << fmt::format("Usage: rta {}{}\n\n{}.\n\n{}\nOptions\n", command.name, synopsis(command), command.summary,
                     wrapped(command.details, 0));
  for (const OptionText& option : option_texts(command)) {
    out << "  " << option.names << '\n' << wrapped(option.description, 6);
  }
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
