// A target under libFuzzer: RTA_FUZZ_TARGET names it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "targets.hpp"

namespace {

const rta::fuzz::Target& chosen() {
  const char* const name = std::getenv("RTA_FUZZ_TARGET");  // NOLINT(concurrency-mt-unsafe): nothing sets it
  for (const auto targets : rta::fuzz::all_targets()) {
    for (const rta::fuzz::Target& target : targets) {
      if (name != nullptr && target.name == name) return target;
    }
  }
  std::cerr << "RTA_FUZZ_TARGET must name a target:";
  for (const auto targets : rta::fuzz::all_targets()) {
    for (const rta::fuzz::Target& target : targets) std::cerr << ' ' << target.name;
  }
  std::cerr << '\n';
  std::exit(2);  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const rta::fuzz::Target& target = chosen();
  target.read({reinterpret_cast<const char*>(data), size});
  return 0;
}
