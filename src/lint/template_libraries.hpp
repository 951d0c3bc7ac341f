// Libraries of templates: what algorithms of Thrust and CUB do, and on which stream.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "calls.hpp"

namespace rta::lint {

enum class TemplateLibrary : std::uint8_t { none, thrust, cub };

/// Other names of these libraries in a file.
struct LibraryNames {
  std::map<std::string_view, TemplateLibrary> namespaces;  // `namespace t = thrust;`
  std::map<std::string_view, TemplateLibrary> members;     // `using thrust::sort;`
  std::map<std::string_view, std::string_view> devices;    // `using Sums = cub::DeviceReduce;`
  bool all_of_thrust = false, all_of_cub = false;          // `using namespace thrust;`
};
[[nodiscard]] LibraryNames library_names_in(const Code& code);

/// Whose algorithm is called, by the namespace that stands before the name, or as the file's names tell: of Thrust those that
/// algorithm_named knows, of CUB those of its classes for a whole device.
[[nodiscard]] TemplateLibrary template_library_of(const LibraryNames& names, const Code& code, const Call& call);

/// An algorithm of Thrust.
struct Algorithm {
  std::string_view name;
  bool allocates = false;  // temporary memory, by cudaMalloc unless the policy has an allocator
  bool returns = false;    // what the GPU has computed: its caller waits under every policy
};
[[nodiscard]] const Algorithm* algorithm_named(std::string_view name);

/// Where an algorithm runs, as its first argument says.
struct Policy {
  enum class Kind : std::uint8_t {
    none,    // the argument is no policy: iterators decide
    host,    // thrust::host, thrust::seq and the like
    device,  // of CUDA
    unknown  // a variable that is set elsewhere
  };
  Kind kind = Kind::none;
  Range stream;                // of `on(s)`; empty: not given
  bool waits = true;           // not under par_nosync
  bool has_allocator = false;  // par(a), par_nosync(a)
};
[[nodiscard]] Policy policy_of(const Code& code, Range argument);

}  // namespace rta::lint
