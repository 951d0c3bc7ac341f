// Bounds of several task sets side by side, as text, JSON and CSV: files, and values in place of theirs. Nothing is computed here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"

namespace rta::report {

struct VariantDag {
  std::string name;
  std::optional<Time> bound;
  std::optional<Time> deadline;
  bool met = false;
};

struct Variant {
  std::string file;
  std::vector<std::string> values;             // as VariantsReport::places
  std::optional<analysis::Verdict> verdict{};  // none: the file is no task set, or has no such place
  std::string_view release{};                  // where there is a verdict
  std::vector<VariantDag> dags{};
};

struct VariantsReport {
  std::vector<std::string> places;  // what has other values than the files say
  std::vector<Variant> variants;
};

}  // namespace rta::report
