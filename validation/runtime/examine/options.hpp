// The command line of `examine`.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "output_file.hpp"
#include "table.hpp"

namespace examine {

enum class Action { limits, probe, measure, list };

struct Options {
  Action action = Action::limits;
  const Probe* probe = nullptr;
  std::string measure;
  unsigned repeat = 1;
  std::string output;  // folder of traces, file of measures; empty: standard output
  int device = 0;
  bool allow_settings = false;
};

inline constexpr const char* const measure_names[] = {"dispatch_latency", "kernel_switch", "resident_grids",    "connections",
                                                      "synchronisation",  "processes",     "process_preemption"};

inline const char* usage() {
  return "Usage: examine --limits | --list\n"
         "       examine --probe NAME [--repeat N] --output FOLDER\n"
         "       examine --measure NAME [--repeat N] [--output FILE]\n"
         "Runs what `rta examine` asks of this GPU.\n"
         "  --limits           what the device says of itself, as one JSON object\n"
         "  --list             the names of the probes, one per line\n"
         "  --probe NAME       runs a probe; one trace per run: FOLDER/NAME-000.jsonl, ...\n"
         "  --measure NAME     dispatch_latency, kernel_switch, resident_grids, connections, synchronisation, processes or "
         "process_preemption; one\n"
         "                     JSON object per sample and line\n"
         "  --repeat N         runs or samples (default 1)\n"
         "  -o, --output PATH  folder (made if it is not there) or file (default: standard output)\n"
         "  --device NUMBER    CUDA device (default 0)\n"
         "  --allow-settings   may fix the GPU's clocks, and start an MPS server of its own, while it runs; both are undone when it ends\n"
         "Exit status: 0 done, 2 not (the reason is on standard error).\n";
}

[[noreturn]] inline void usage_error(const std::string& what) { fail(what + "\nTry './examine --help'."); }

/// A whole number from `least` to 999999.
inline int parse_count(const std::string& option, const std::string& text, int least) {
  if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != std::string::npos || std::atoi(text.c_str()) < least)
    usage_error(option + " '" + text + "': not allowed (a whole number from " + std::to_string(least) + " to 999999)");
  return std::atoi(text.c_str());
}

inline Options parse_options(const Examination& examination, int argc, char** argv) {
  Options options;
  int actions = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) usage_error(name + " needs a value");
      return argv[++i];
    };
    if (name == "--help" || name == "-h") {
      std::fputs(usage(), stdout);
      std::exit(0);
    } else if (name == "--limits" || name == "--list") {
      options.action = name == "--limits" ? Action::limits : Action::list;
      ++actions;
    } else if (name == "--probe") {
      const std::string wanted = value();
      for (unsigned p = 0; p < examination.probe_count; ++p) {
        if (wanted == examination.probes[p].name) options.probe = &examination.probes[p];
      }
      if (options.probe == nullptr) usage_error("--probe: no probe is called '" + wanted + "' (--list names them)");
      options.action = Action::probe;
      ++actions;
    } else if (name == "--measure") {
      options.measure = value();
      bool known = false;
      for (const char* measure : measure_names) known = known || options.measure == measure;
      if (!known) usage_error("--measure: nothing is called '" + options.measure + "' (--help names them)");
      options.action = Action::measure;
      ++actions;
    } else if (name == "--repeat") {
      options.repeat = static_cast<unsigned>(parse_count(name, value(), 1));
    } else if (name == "--output" || name == "-o") {
      options.output = value();
      if (options.output.empty()) usage_error("--output needs a name");
    } else if (name == "--device") {
      options.device = parse_count(name, value(), 0);
    } else if (name == "--allow-settings") {
      options.allow_settings = true;
    } else {
      usage_error("unknown option '" + name + "'");
    }
  }
  if (actions != 1) usage_error("one of --limits, --list, --probe and --measure is needed");
  if (options.action == Action::probe && options.output.empty()) usage_error("--probe needs --output FOLDER");
  return options;
}

}  // namespace examine
