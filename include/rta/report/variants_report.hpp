// Bounds of several task sets side by side, as text, JSON and CSV: files, and values in place of theirs. Nothing is computed here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rta/analysis/analyze.hpp"

namespace rta::report {

/// The largest rate of a DAG, where one was asked for; without a T none was found.
struct VariantRate {
  std::optional<Time> T{};
  std::optional<Time> bound{};  // there
};

struct VariantDag {
  std::string name;
  std::optional<Time> bound;
  std::optional<Time> deadline;
  bool met = false;
  std::optional<VariantRate> rate{};
};

struct Variant {
  std::string file;
  std::vector<std::string> values;             // as VariantsReport::places
  std::optional<analysis::Verdict> verdict{};  // none: the file is no task set, or has no such place
  std::string_view release{};                  // where there is a verdict
  std::vector<VariantDag> dags{};
};

struct VariantsReport {
  std::vector<std::string> places;   // what has other values than the files say
  std::vector<std::string> rates{};  // DAGs whose largest rate was asked for
  std::vector<Variant> variants;
};

}  // namespace rta::report
