// The architectures that an nvcc compiles for.
#pragma once

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "process/tool.hpp"
#include "rta/validation/machine.hpp"

namespace rta::test {

/// Options of nvcc, oldest architecture first.
inline std::vector<std::string> every_target(const std::string& nvcc) {
  std::vector<std::string> targets;
  std::istringstream list(process::run_tool({nvcc, "--list-gpu-code"}).text);
  for (std::string target; list >> target;) {
    if (target.starts_with("sm_")) targets.push_back("-gencode=arch=compute_" + target.substr(3) + ",code=" + target);
  }
  REQUIRE_FALSE(targets.empty());
  return targets;
}

}  // namespace rta::test
