// What other jobs of a path's own DAG do on a pool where no order tells its nodes apart (T10n, T11, T12).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/path/system/late_jobs.hpp"
#include "analysis/path/system/ticks.hpp"

namespace rta::analysis::path {

/// The sum over some nodes u of `own_late_jobs`, but for J itself, times vol_u, as a function of lim >= 0. Of all nominal instants z that
/// suffice there only 0 and the largest one matter: from one to the next no more than one earlier job is lost, and one later job is won.
class OtherOwnJobs {
 public:
  explicit OtherOwnJobs(const Class& c) : T_(c.T), J_(c.J) {}

  void add(std::int64_t F, Tick vol) {
    const std::int64_t since = F + J_ - T_;
    const std::int64_t earlier = jobs_in(since, T_);
    earlier_ += earlier * vol;
    vol_ += vol;
    if (J_ > 0) nodes_.push_back({since, since - (earlier - 1) * T_, vol});
  }

  [[nodiscard]] Tick at(std::int64_t lim) {
    const std::int64_t later = lim < T_ ? 0 : lim / T_;
    const Tick at_release = earlier_ + later * vol_;
    const std::int64_t step = T_ - (lim - later * T_);
    if (step > J_) return at_release;
    return at_release + (J_ < T_ ? won_within_a_period(step) : won(step + (J_ - step) / T_ * T_, (J_ - step) / T_ + 1));
  }

 private:
  struct OfNode {
    std::int64_t since = 0;  // releases before -T count within so long
    std::int64_t room = 0;   // by so much it may become shorter, less 1, until one earlier job is lost; above T: none can be
    Tick vol;
  };

  /// By z, at which `more` later jobs count than at 0.
  [[nodiscard]] Tick won(std::int64_t z, std::int64_t more) const {
    Tick sum;
    for (const OfNode& node : nodes_) {
      sum += std::max<std::int64_t>(0, more - (jobs_in(node.since, T_) - jobs_in(node.since - z, T_))) * node.vol;
    }
    return sum;
  }

  /// The same where z < T: one more, of those that lose none.
  [[nodiscard]] Tick won_within_a_period(std::int64_t z) {
    if (sums_.empty()) {
      std::ranges::sort(nodes_, {}, &OfNode::room);
      sums_.resize(nodes_.size() + 1);
      for (std::size_t i = nodes_.size(); i > 0; --i) sums_[i - 1] = sums_[i] + nodes_[i - 1].vol;
    }
    return sums_[static_cast<std::size_t>(std::ranges::upper_bound(nodes_, z, {}, &OfNode::room) - nodes_.begin())];
  }

  std::int64_t T_;
  std::int64_t J_;
  Tick earlier_;  // at lim = 0, z = 0
  Tick vol_;
  std::vector<OfNode> nodes_;  // where there is release jitter
  std::vector<Tick> sums_;     // of vol, from each of them on, once they are sorted
};

}  // namespace rta::analysis::path
