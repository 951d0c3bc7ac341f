// What an examination measures besides probes: samples of named fields, and their summary.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rta/model/quantity.hpp"

namespace rta::examine {

/// One line of a measurement. Fields are in their order; values are numbers or texts (`true` and `false` are texts).
struct Sample {
  std::vector<std::pair<std::string, std::variant<double, std::string>>> fields;

  [[nodiscard]] const std::variant<double, std::string>* find(const std::string& name) const;
};

struct Measurement {
  std::string name;  // e.g. synchronisation
  std::vector<Sample> samples;
};

/// Reads JSON lines `{"measure": NAME, "sample": i, FIELD: VALUE, ...}`. A last line without end that is no JSON is left out: its writer
/// was killed. Throws io::InputError with file and line for anything else that is none.
[[nodiscard]] std::vector<Measurement> read_measurements(std::istream& in, const std::string& name);

/// Samples whose texts are the same, with the spread of their numbers.
struct SampleGroup {
  struct Spread {
    std::string field;
    double least = 0, median = 0, p99 = 0, most = 0;
  };
  std::vector<std::pair<std::string, std::string>> texts;
  std::vector<Spread> spreads;
  std::size_t samples = 0;
};
/// Groups in the order of their first samples.
[[nodiscard]] std::vector<SampleGroup> summary(const Measurement& measurement);

}  // namespace rta::examine
