#include "lengths.hpp"

#include <algorithm>

namespace rta::generate {
namespace {

constexpr std::size_t most_discards = 1000;
constexpr std::size_t most_tables = 64;

// Largest whole length with k length / T <= limit.
std::int64_t longest(const Fraction& limit, std::int64_t k, std::int64_t T) {
  std::int64_t work = 0;
  if (k == 1 && limit.denominator == 1 && limit.numerator < 1'000'000 && !__builtin_mul_overflow(limit.numerator, T, &work)) return work;
  const Wide ns =
      floor_div(checked_mul<Wide>(static_cast<Wide>(limit.numerator), T), checked_mul<Wide>(static_cast<Wide>(k), limit.denominator));
  return static_cast<std::int64_t>(std::min<Wide>(ns, T * Wide{1'000'000}));
}

}  // namespace

bool LengthDrawer::draw(Stream stream, const Work& work, bool on_gpu, RandomSet& set) {
  loads_.clear();
  load_nodes_.clear();
  for (const RandomSet::Dag& dag : set.dags) {
    for (std::uint32_t v = dag.first_node; v < dag.end_node; ++v) {
      const RandomSet::Node& node = set.nodes[v];
      if (node.on_gpu() != on_gpu) continue;
      Load& load = loads_.emplace_back();
      load_nodes_.push_back(v);
      load.k = on_gpu ? static_cast<std::int64_t>(node.B * node.H) : 1;
      load.T = dag.T.count();
    }
  }
  if (!work.utilization) {
    if (loads_.empty()) return true;
    draw_log_uniform(stream, *work.length, loads_.size(), [&](std::size_t i, Time length) { set.nodes[load_nodes_[i]].length = length; });
    return true;
  }

  const Fraction& total = *work.utilization;
  const Fraction largest = work.largest && work.largest->approximate() < total.approximate() ? *work.largest : total;
  for (Load& load : loads_) {
    load.high = longest(largest, load.k, load.T);
    if (work.length && work.split == Split::drs) {
      load.low = work.length->low.count();
      load.high = std::min(load.high, work.length->high.count());
    }
    if (load.high < load.low) return false;
  }
  if (!split(stream, work)) return false;
  if (!make_total_exact(loads_, total, loads_.empty() ? 0 : stream.below(loads_.size()))) return false;
  for (std::size_t i = 0; i < loads_.size(); ++i) set.nodes[load_nodes_[i]].length = Time(loads_[i].x);
  return true;
}

// The lengths that the split asks for, rounded down.
bool LengthDrawer::split(Stream& stream, const Work& work) {
  const std::size_t n = loads_.size();
  if (n == 0) return true;
  const double total = work.utilization->approximate();
  const double largest = work.largest ? std::min(work.largest->approximate(), total) : total;
  share_.resize(n);
  if (work.split == Split::proportional) {
    double sum = 0;
    draw_log_uniform(stream, *work.length, n, [&](std::size_t i, Time length) {
      share_[i] = static_cast<double>(length.count()) * static_cast<double>(loads_[i].k) / static_cast<double>(loads_[i].T);
      sum += share_[i];
    });
    for (double& u : share_) u *= total / sum;
    if (std::any_of(share_.begin(), share_.end(), [&](double u) { return u > largest * (1 + 1e-9); })) return false;
  } else if (work.split == Split::drs) {
    lower_.resize(n);
    upper_.resize(n);
    double least = 0;
    double most = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double step = static_cast<double>(loads_[i].k) / static_cast<double>(loads_[i].T);
      least += lower_[i] = static_cast<double>(loads_[i].low) * step;
      most += upper_[i] = static_cast<double>(loads_[i].high) * step;
    }
    // Just outside, the exact total decides.
    if (total < least * (1 - 1e-9) || total > most + 1e-9 * most + static_cast<double>(n) * 1e-3) return false;
    bounded_.draw(stream, total, lower_, upper_, share_);
  } else if (work.split == Split::uunifast_discard) {
    if (!draw_spacings_discard(stream, total, largest, most_discards, share_)) return false;
  } else {
    const double sum = largest > 0 ? total / largest : 0;
    if (sum > static_cast<double>(n)) return false;
    table(n, sum).draw(stream, share_);
    for (double& u : share_) u *= largest;
  }
  for (std::size_t i = 0; i < n; ++i) {
    Load& load = loads_[i];
    // Rounded down, but for numbers below 0, which are raised to `low` in any case.
    const auto ns = static_cast<std::int64_t>(share_[i] * static_cast<double>(load.T) / static_cast<double>(load.k));
    load.x = std::clamp(ns, load.low, load.high);
  }
  return true;
}

const RandFixedSum& LengthDrawer::table(std::size_t n, double sum) {
  for (const RandFixedSum& t : tables_) {
    if (t.size() == n && t.sum() == sum) return t;
  }
  if (tables_.size() == most_tables) tables_.erase(tables_.begin());
  return tables_.emplace_back(n, sum);
}

}  // namespace rta::generate
