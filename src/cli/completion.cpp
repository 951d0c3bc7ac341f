#include "completion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "command.hpp"
#include "rta/analysis/option_table.hpp"
#include "rta/report/format.hpp"

namespace rta::cli {
namespace {

struct Option {
  std::string short_name, long_name;  // with their dashes; no short one: empty
  std::string text;                   // what it does, in a few words
  std::string value;                  // what its value is called; empty: it has none
  std::vector<std::string> words;     // that may be its value; none: a file, or anything
  bool repeated = false;
};

/// Up to the first mark that ends a thought.
std::string in_short(const std::string& text) {
  constexpr std::size_t longest = 90;
  std::string start = text.substr(0, std::min(text.find_first_of(";:("), text.size()));
  if (start.size() > longest) start.resize(start.find_last_of(' ', longest));
  while (!start.empty() && (start.back() == ' ' || start.back() == ',')) start.pop_back();
  return start;
}

/// The names of formats that a description lists.
std::vector<std::string> formats_in(const std::string& text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
  constexpr std::array<std::string_view, 5> pictures{"dot", "gv", "svg", "pdf", "png"};
  std::vector<std::string> names;
  for (std::size_t at = text.find_first_of(letters); at != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_not_of(letters, at), text.size());
    std::string word = text.substr(at, end - at);
    if (report::format_named(word) != nullptr || std::ranges::find(pictures, word) != pictures.end()) names.push_back(std::move(word));
    at = text.find_first_of(letters, end);
  }
  return names;
}

std::vector<std::string> words_of(const std::string& option, const std::string& text) {
  if (option == "format") return formats_in(text);
  if (option == "color") return {"auto", "always", "never"};
  const analysis::OptionEntry* const entry = analysis::find_option(option);
  return entry == nullptr ? std::vector<std::string>() : std::vector<std::string>(entry->values.begin(), entry->values.end());
}

std::vector<Option> offered(const Command& command) {
  std::vector<Option> all;
  const auto known = options_of(command);
  for (const auto& option : known.options()) {
    const std::string names = option->format_name();
    Option one{.short_name = names.starts_with("--") ? std::string() : names.substr(0, 2),
               .long_name = "--" + option->long_name(),
               .text = in_short(option->description()),
               .value = {},
               .words = {},
               .repeated = option->semantic()->is_composing()};
    if (option->semantic()->max_tokens() > 0) {
      one.value = option->format_parameter().substr(0, option->format_parameter().find(' '));
      one.words = words_of(option->long_name(), option->description());
      if (one.long_name == "--release" && std::string_view(command.name) == "analyze") one.words.emplace_back("static");
    }
    all.push_back(std::move(one));
  }
  return all;
}

std::string commands_in_words() {
  std::string words;
  for (const Command& command : commands()) words += std::string(command.name) + ' ';
  return words + "help version";
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

void print_bash(std::ostream& out) {
  out << "# Completion of rta in bash, as `rta help --completion bash` writes it.\n"
         "_rta() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
         "  COMPREPLY=()\n"
         "  # `--name=value` is three words.\n"
         "  if [ \"$word\" = = ]; then word=; elif [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      << fmt::format("    words=\"{} --help --version\"\n", commands_in_words())
      << "  else\n"
         "    # An empty answer stands for the names of files.\n"
         "    case ${COMP_WORDS[1]}:$before in\n"
      << fmt::format("      help:*) words=\"{}\" ;;\n", commands_in_words());
  for (const Command& command : commands()) {
    for (const Option& option : offered(command)) {
      if (option.value.empty()) continue;
      out << fmt::format("      {}:{}", command.name, option.long_name);
      if (!option.short_name.empty()) out << fmt::format(" | {}:{}", command.name, option.short_name);
      out << (option.words.empty() ? ") return 0 ;;\n" : fmt::format(") words=\"{}\" ;;\n", joined(option.words)));
    }
  }
  out << "      *)\n"
         "        [[ $word == -* ]] || return 0\n"
         "        case ${COMP_WORDS[1]} in\n";
  for (const Command& command : commands()) {
    std::vector<std::string> names;
    for (const Option& option : offered(command)) {
      if (!option.short_name.empty()) names.push_back(option.short_name);
      names.push_back(option.long_name);
    }
    out << fmt::format("          {}) words=\"{}\" ;;\n", command.name, joined(names));
  }
  out << "        esac\n"
         "        ;;\n"
         "    esac\n"
         "  fi\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "}\n"
         "complete -o default -F _rta rta\n";
}

/// Within single quotes, and with what _arguments and _describe would read as their own marked.
std::string for_zsh(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') out.push_back('\\');
      out.push_back(c);
    }
  }
  return out;
}

void print_zsh(std::ostream& out) {
  out << "#compdef rta\n"
         "# Completion of rta in zsh, as `rta help --completion zsh` writes it.\n"
         "_rta() {\n"
         "  local -a commands=(\n";
  for (const Command& command : commands()) out << fmt::format("    '{}:{}'\n", command.name, for_zsh(command.summary));
  out << "    'help:Explain a command, an option or a word'\n"
         "    'version:Print the version and the commit'\n"
         "  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe command commands\n"
         "    return\n"
         "  fi\n"
         "  shift words\n"
         "  (( CURRENT-- ))\n"
         "  case $words[1] in\n"
         "    help) _describe command commands ;;\n";
  for (const Command& command : commands()) {
    out << fmt::format("    {})\n      _arguments -s \\\n", command.name);
    for (const Option& option : offered(command)) {
      std::string value;
      if (!option.value.empty()) {
        value = fmt::format(":{}:{}", for_zsh(option.value), option.words.empty() ? "_files" : "(" + joined(option.words) + ")");
      }
      const auto print = [&](const std::string& name) {
        const std::string others =
            option.short_name.empty() || option.repeated ? "" : fmt::format("({} {})", option.short_name, option.long_name);
        out << fmt::format("        '{}{}{}[{}]{}' \\\n", option.repeated ? "*" : others, name,
                           option.value.empty() || name.size() == 2 ? "" : "=", for_zsh(option.text), value);
      };
      if (!option.short_name.empty()) print(option.short_name);
      print(option.long_name);
    }
    out << "        '*:file:_files'\n"
           "      ;;\n";
  }
  out << "  esac\n"
         "}\n"
         "_rta \"$@\"\n";
}

}  // namespace

void print_completion(std::string_view shell, std::ostream& out) {
  if (shell == "bash") {
    print_bash(out);
  } else if (shell == "zsh") {
    print_zsh(out);
  } else {
    throw UsageError(fmt::format("no completion for '{}' (allowed: bash, zsh)", shell));
  }
}

}  // namespace rta::cli
