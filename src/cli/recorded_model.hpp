// The task set that was made of a profile or recording, played and held against it.
#pragma once

#include <string>
#include <vector>

#include "rta/convert/convert.hpp"

namespace rta::cli {

struct Held {
  std::vector<std::string> figures;   // a sentence per DAG: lengths, busy times and the order of kernels, recorded and played
  std::vector<std::string> faults;    // a job of the model is shorter, or its GPU busy for another time
  std::vector<std::string> warnings;  // a job is much longer, and why
};

/// Plays each DAG of `converted.recorded` alone, one job, released on completion, with the longest execution times; with several DAGs or
/// jobs all of them at the recorded releases, too, up to 200,000 jobs of nodes. A trace's are all played at the recorded releases alone.
[[nodiscard]] Held held_against_recording(const convert::Converted& converted);

/// Adds to what was found what `held_against_recording` shows, and warnings. Throws `InputError`, with `name` for the file, where there are
/// faults, unless differences are accepted.
void hold_to_recording(convert::Converted& converted, bool accept, const std::string& name);

}  // namespace rta::cli
