#include "rta/simulate/statistics.hpp"

#include <algorithm>

namespace rta::simulate {

void Statistics::open(std::uint32_t octave) {
  buckets_.resize(buckets_.size() + per_octave);
  place_[octave] = static_cast<std::uint8_t>(buckets_.size() / per_octave);
}

Time Statistics::quantile(std::uint32_t ppm) const {
  const Wide wanted = ceil_div(static_cast<Wide>(count_) * ppm, 1'000'000);
  Wide seen = 0;
  for (std::uint32_t octave = 0; octave < place_.size(); ++octave) {
    if (place_[octave] == 0) continue;
    for (std::uint32_t b = 0; b < per_octave; ++b) {
      seen += buckets_[(place_[octave] - 1) * per_octave + b];
      if (seen < wanted) continue;
      // The largest value of the bucket.
      const Wide last = octave == 0 ? b : ((static_cast<Wide>(b) + per_octave + 1) << (octave - 1)) - 1;
      return Time(static_cast<std::int64_t>(std::min<Wide>(last, max_)));
    }
  }
  return Time(max_);
}

}  // namespace rta::simulate
