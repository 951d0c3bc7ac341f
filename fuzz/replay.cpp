// Every target on its kept corpus, then on changed inputs for a while: what ./check does without libFuzzer.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "mutate.hpp"
#include "targets.hpp"

namespace {

namespace fs = std::filesystem;
using namespace rta::fuzz;

constexpr unsigned longest = 60;  // s; for a hang under sanitizers on a busy machine

// What is being read, for whoever ends the program within it.
std::string current_input, failure_file;

void keep_input() {
  const int file = ::open(failure_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(file, current_input.data(), current_input.size());
  ::close(file);
}

// A sanitizer's abort, or the alarm of a hang.
extern "C" void end_with_input(int /*signal*/) {
  keep_input();
  constexpr std::string_view message = "FAILED: the input is kept beside the program\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, message.data(), message.size());
  std::_Exit(1);
}

void run(const Target& target, std::string input, const std::string& name) {
  current_input = std::move(input);
  failure_file = fmt::format("fuzz-failure-{}", target.name);
  ::alarm(longest);
  try {
    target.read(current_input);
  } catch (const std::exception& error) {
    keep_input();
    std::cerr << fmt::format("FAILED: {}: {}: {}; the input is in {}\n", target.name, name, error.what(), failure_file);
    std::exit(1);  // NOLINT(concurrency-mt-unsafe)
  }
  ::alarm(0);
}

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The number of inputs; none is an error.
std::size_t run_all(const Target& target, const fs::path& corpus, double seconds, Random& random) {
  std::vector<fs::path> paths(fs::directory_iterator(corpus / target.name), {});
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> inputs;
  for (const fs::path& path : paths) {
    inputs.push_back(content_of(path));
    run(target, inputs.back(), path.filename().string());
  }
  std::size_t count = inputs.size();
  if (inputs.empty()) return 0;
  const std::clock_t begin = std::clock();
  for (; static_cast<double>(std::clock() - begin) < seconds * CLOCKS_PER_SEC; ++count) run(target, mutated(inputs, random), "changed");
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: replay_corpus CORPUS SECONDS\nReads CORPUS/TARGET/* for every target, and changed inputs for SECONDS each.\n";
    return 2;
  }
  const std::uint64_t seed = std::random_device{}();
  std::cout << "seed " << seed << '\n';
  Random random(seed);
  (void)std::signal(SIGABRT, end_with_input);
  (void)std::signal(SIGALRM, end_with_input);
  for (const auto targets : all_targets()) {
    for (const Target& target : targets) {
      const std::size_t count = run_all(target, argv[1], std::stod(argv[2]), random);
      std::cout << fmt::format("{}: {} inputs\n", target.name, count);
      if (count == 0) return 1;
    }
  }
  return 0;
}
