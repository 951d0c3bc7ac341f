// rta-check: verifies a certificate of `rta analyze --certificate` with nothing in common with rta but the theory.
// What of it is machine-checked rta-proved (proofs/checker) judges as well.
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "checker.hpp"
#include "shown.hpp"
#include "task_set.hpp"

namespace {

constexpr std::string_view usage =
    "Usage: rta-check [OPTION]... FILE CERTIFICATE\n"
    "Verifies every statement of CERTIFICATE, which `rta analyze FILE --certificate CERTIFICATE` wrote about the task set in FILE.\n"
    "\n"
    "Prints the statements that are not verified, with the reason, what the bounds assume that FILE does not say, and a verdict.\n"
    "It shares no code with rta, searches for nothing and computes with exact numbers; docs/certificates.md says what each statement "
    "means.\n"
    "\n"
    "  -v, --verbose   every statement with its verdict\n"
    "  -q, --quiet     nothing but errors; the exit status tells\n"
    "      --help      this text\n"
    "      --version   the version\n"
    "\n"
    "Exit status: 0 all verified, 1 some statement is not, 2 bad input or usage.\n";

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw checker::BadInput(path + ": cannot be read");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw checker::BadInput(path + ": cannot be read");
  return text;
}

void print(const checker::Outcome& outcome, bool verbose) {
  for (const checker::Verdict& verdict : outcome.verdicts) {
    if (verdict.verified && !verbose) continue;
    if (verdict.line > 0) std::cout << verdict.line << ": ";
    std::cout << (verdict.verified ? "verified: " : "not verified: ") << checker::shown(verdict.statement);
    if (!verdict.verified) std::cout << ": " << checker::shown(verdict.why);
    std::cout << '\n';
  }
  for (const std::string& assumption : outcome.assumptions) std::cout << "assumed, not in the file: " << checker::shown(assumption) << '\n';
  const std::size_t refused = outcome.refused();
  std::cout << outcome.verdicts.size() << " statements, ";
  if (refused == 0) {
    std::cout << "all verified\n";
  } else {
    std::cout << refused << " not verified\n";
  }
}

int run(const std::vector<std::string_view>& arguments) {
  bool verbose = false;
  bool quiet = false;
  std::vector<std::string> files;
  for (const std::string_view argument : arguments) {
    if (argument == "--help") {
      std::cout << usage;
      return 0;
    }
    if (argument == "--version") {
      std::cout << "rta-check " RTA_VERSION "\n";
      return 0;
    }
    if (argument == "-v" || argument == "--verbose") {
      verbose = true;
    } else if (argument == "-q" || argument == "--quiet") {
      quiet = true;
    } else if (argument.size() > 1 && argument.front() == '-') {
      std::cerr << "rta-check: no option " << checker::shown(argument) << "; see rta-check --help\n";
      return 2;
    } else {
      files.emplace_back(argument);
    }
  }
  if (files.size() != 2) {
    std::cerr << "rta-check: a task set and a certificate are expected; see rta-check --help\n";
    return 2;
  }
  const std::string task_set = read_file(files[0]);
  const checker::Outcome outcome = checker::check(task_set, read_file(files[1]));
  if (!quiet) print(outcome, verbose);
  return outcome.refused() == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  std::signal(SIGXFSZ, SIG_IGN);  // an error of the write
  try {
    const int status = run({arguments + 1, arguments + count});
    std::cout.flush();
    if (std::cout) return status;
    std::cerr << "rta-check: cannot write to standard output\n";
  } catch (const checker::BadInput& error) {
    std::cerr << "rta-check: " << checker::shown(error.what()) << '\n';
  } catch (const std::bad_alloc&) {
    std::cerr << "rta-check: the memory does not suffice\n";
  } catch (const std::exception& error) {
    std::cerr << "rta-check: " << checker::shown(error.what()) << '\n';
  }
  return 2;
}
