// Measures how much longer a block takes beside company: what L must allow for, or what `interference` of a task set adds to it.
// A block with a fixed amount of work is measured alone and beside
//   whole       blocks of one class on every other SM          parts       on a quarter, a half and three quarters of them
//   halves      blocks of two or three classes, mixed          partitions  the same in two green contexts, the block in the smaller
//   same-sm     blocks on its own SM, all mixes of classes     copies      copies by an engine
//   cpus        processors that read and write memory          registers   what of the first three has blocks of registers beside it
// Writes JSON. A part ends after a minute with the cases that it has by then.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <optional>
#include <string>

#include "examine/interruption.hpp"
#include "examine/options.hpp"
#include "examine/output_file.hpp"
#include "measure.cuh"
#include "parts.cuh"
#include "report.cuh"

namespace interference {

/// Their order is that in which they are measured.
struct Part {
  const char* name;
  unsigned repetitions;
  std::function<void(const GpuDevice&, Interference&, Report&)> measure;
  bool asked;
};

inline Part alone(const char* name, unsigned repetitions, void (*measure)(Interference&, Report&)) {
  return {name, repetitions, [measure](const GpuDevice&, Interference& of, Report& report) { measure(of, report); }, false};
}
inline Part of_all(const char* name, unsigned repetitions, void (*measure)(Interference&, Report&, unsigned)) {
  return {name, repetitions, [measure](const GpuDevice&, Interference& of, Report& report) { measure(of, report, every_class); }, false};
}

inline const char* usage() {
  return "Usage: interference [--quick] [--device NUMBER] [--output FILE]\n"
         "                    [whole | halves | parts | registers | same-sm | copies | cpus | partitions]...\n"
         "Measures how much longer blocks take beside others: these parts, or all but registers. --quick: few repetitions.\n"
         "Exit status: 0 done, 2 not (the reason is on standard error).\n";
}

/// The exit status.
inline int run(int argc, char** argv) {
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  Part parts[] = {
      of_all("whole", 200, measure_whole),        of_all("halves", 200, measure_halves),  of_all("parts", 100, measure_parts),
      alone("registers", 200, measure_registers), alone("same-sm", 50, measure_same_sm),  // of up to 30 ms
      alone("copies", 100, measure_copies),       alone("cpus", 100, measure_processors), {"partitions", 100, measure_partitions, false}};
  bool quick = false;
  bool all = true;
  int device_number = 0;
  std::string output;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto named = std::find_if(std::begin(parts), std::end(parts), [&](const Part& part) { return word == part.name; });
    if (word == "--quick") {
      quick = true;
    } else if (word == "--device" && i + 1 < argc) {
      device_number = examine::parse_count(word, argv[++i], 0);
    } else if (word == "--output" && i + 1 < argc) {
      output = argv[++i];
    } else if (named != std::end(parts)) {
      named->asked = true;
      all = false;
    } else {
      const bool help = word == "--help" || word == "-h";
      std::fputs(usage(), help ? stdout : stderr);
      return help ? 0 : 2;
    }
  }
  examine::end_on_signals();
  const GpuDevice device(device_number);
  std::optional<Interference> interference;
  try {
    interference.emplace(device);
  } catch (const NotPossible& why) {
    gpu_failed(why.reason);
  }
  Report report;
  for (const Part& part : parts) {
    if (all ? std::string(part.name) == "registers" : !part.asked) continue;
    constexpr std::int64_t a_minute = 60'000'000'000;
    interference->set_limit(a_minute);
    interference->set_repetitions(quick ? 5 : part.repetitions);
    try {
      part.measure(device, *interference, report);
    } catch (const NotPossible& why) {
      report.not_possible(part.name, why.reason);
    }
  }
  const std::string text = report.text(device, *interference);
  if (output.empty()) {
    std::fputs(text.c_str(), stdout);
    return std::fflush(stdout) == 0 ? 0 : 2;
  }
  examine::OutputFile file(output);
  const bool written = std::fwrite(text.data(), 1, text.size(), file.stream()) == text.size();
  file.finish(written ? "" : "no room");
  return 0;
}

}  // namespace interference
