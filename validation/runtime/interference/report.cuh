// What was measured, as JSON.
#pragma once

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "blocks.cuh"
#include "common/trace_file.hpp"
#include "measure.cuh"

namespace interference {

/// The cases, each a line, and what could not be measured.
class Report {
 public:
  /// Of a block alone: others of that place are compared with it.
  void alone(Work work, const char* where, const Summary& is) {
    alone_ = is;
    add(work, where, "none", Classes{}, 0, is);
  }
  void add(Work work, const char* where, const std::string& beside, const Classes& company, unsigned blocks, const Summary& is,
           double rate = 0) {
    unsigned of[work_count] = {};
    for (unsigned b = 0; b < blocks; ++b) ++of[company.bits >> 2 * (b % company.count) & 3U];
    std::string line =
        std::string("    {\"kernel\": \"") + name_of(work) + "\", \"where\": \"" + where + "\", \"beside\": \"" + beside + "\"";
    line += ", \"blocks\": {";
    for (const Work each : works) {
      const unsigned n = of[static_cast<unsigned>(each)];
      if (n > 0) line += std::string(line.back() == '{' ? "\"" : ", \"") + name_of(each) + "\": " + std::to_string(n);
    }
    char figures[256];
    std::snprintf(figures, sizeof figures,
                  "}, \"samples\": %zu, \"median_ns\": %" PRId64 ", \"p99_ns\": %" PRId64 ", \"max_ns\": %" PRId64
                  ", \"growth_percent\": %.1f, \"growth_of_largest_percent\": %.2f",
                  is.samples, is.median, is.p99, is.max, percent(is.p99, alone_.p99), percent(is.max, alone_.median));
    line += figures;
    if (rate > 0) {
      std::snprintf(figures, sizeof figures, ", \"copied_gb_per_s\": %.1f", rate);
      line += figures;
    }
    cases_.push_back(line + "}");
  }
  void not_possible(const char* part, const std::string& why) { missing_.push_back("    " + json_string(part) + ": " + json_string(why)); }
  [[nodiscard]] std::string text(const GpuDevice& device, const Interference& interference) const {
    return "{\n  \"device\": " + json_string(device.properties().name) + ", \"blocks_beside\": " + std::to_string(interference.others()) +
           ", \"blocks_on_same_sm\": " + std::to_string(places) +
           ", \"threads_of_each\": " + std::to_string(interference.threads_of_place()) + ",\n  \"cases\": [\n" + lines_of(cases_) +
           "  ],\n  \"not_possible\": {\n" + lines_of(missing_) + "  }\n}\n";
  }

 private:
  static double percent(std::int64_t ns, std::int64_t alone) {
    return 100.0 * static_cast<double>(ns - alone) / static_cast<double>(std::max<std::int64_t>(alone, 1));
  }
  static std::string lines_of(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + (&line == &lines.back() ? "\n" : ",\n");
    return text;
  }
  Summary alone_{};
  std::vector<std::string> cases_;
  std::vector<std::string> missing_;
};

}  // namespace interference
