#include "analysis/path/late/since_nominal.hpp"

#include <utility>

namespace rta::analysis::path {

EndsOfClasses since_nominal(const Ticks& ticks, EndsOfClasses all) {
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::int64_t J = ticks.classes[k].J;
    for (std::int64_t& value : all[k]) value += J;
  }
  return all;
}

}  // namespace rta::analysis::path
