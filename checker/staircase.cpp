#include "staircase.hpp"

#include <algorithm>

namespace checker {

void Staircase::add(Int F, Int vol) {
  if (vol == Int(0)) return;
  const Int periods = floor_div(F, T_);
  least_F_ = steps_.empty() ? F : std::min(least_F_, F);
  most_F_ = steps_.empty() ? F : std::max(most_F_, F);
  total_ += vol;
  periods_ += vol * periods;
  steps_.push_back({F, vol, F - periods * T_, 0});
}

void Staircase::finish() {
  std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) { return a.rest < b.rest; });
  Int after = 0;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) step->after = after += step->vol;
}

// With F = q T + r and x = c T + d, ceil((F + x)/T) = q + c + ceil((r + d)/T), and the last term is 0, 1 or 2.
Int Staircase::operator()(Int x) const {
  if (steps_.empty() || most_F_ + x <= 0) return 0;
  if (least_F_ + x <= -T_) {  // for some nodes the term is below 0, where none is counted
    Int sum = 0;
    for (const Step& step : steps_) sum += step.vol * jobs_in(step.F + x, T_);
    return sum;
  }
  const Int c = floor_div(x, T_);
  const Int d = x - c * T_;
  const auto above = [&](Int rest) {  // vol of those with a larger rest
    const auto first = std::upper_bound(steps_.begin(), steps_.end(), rest, [](Int r, const Step& step) { return r < step.rest; });
    return first == steps_.end() ? Int(0) : first->after;
  };
  return periods_ + c * total_ + (d > 0 ? total_ : above(0)) + (d > 0 ? above(T_ - d) : Int(0));
}

}  // namespace checker
