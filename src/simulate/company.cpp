#include "company.hpp"

#include <algorithm>
#include <utility>

#include "rta/model/error.hpp"

namespace rta::simulate {

void Company::start(std::uint32_t job, const PlanNode& node, std::uint32_t gpu, std::uint32_t sm, std::uint32_t blocks) {
  auto at = std::ranges::find(residents_, job, &Resident::job);
  if (at == residents_.end()) {
    residents_.push_back({job, node.number, gpu, node.interference_class, 0, {}});
    at = residents_.end() - 1;
  }
  if (at->on.size() <= sm) at->on.resize(sm + 1);
  at->on[sm] += blocks;
  at->blocks += blocks;
  changed_ = true;
}

void Company::end(std::uint32_t job, std::uint32_t sm, std::uint32_t blocks) {
  const auto at = std::ranges::find(residents_, job, &Resident::job);
  require(at != residents_.end(), "what ends on an SM has started there");
  at->on[sm] -= blocks;
  at->blocks -= blocks;
  if (at->blocks == 0) {
    *at = std::move(residents_.back());
    residents_.pop_back();
  }
  changed_ = true;
}

void Company::Classes::add(const Resident& resident) {
  if (resident.of_class) {
    known |= std::uint64_t{1} << *resident.of_class;
  } else if (std::ranges::find(without, resident.node) == without.end()) {
    without.push_back(resident.node);
  }
}

Lengthening Company::more(std::uint32_t job, const PlanNode& node, const Interference& of, std::uint32_t gpu, std::uint32_t sm) {
  if (!node.alone) return 0;
  for (Classes* const classes : {&others_, &same_}) {
    classes->known = 0;
    classes->without.clear();
  }
  for (const Resident& resident : residents_) {
    if (resident.job == job) continue;
    const std::uint32_t here = resident.gpu == gpu && sm < resident.on.size() ? resident.on[sm] : 0;
    if (here > 0) same_.add(resident);
    if (resident.blocks > here) others_.add(resident);
  }
  if (known_ && known_->job == job && known_->others == others_ && known_->same == same_) return known_->more;
  const auto part = [&](const std::vector<std::vector<Lengthening>>& matrix, const Classes& classes) {
    Present present{{}, classes.without.size()};
    for (std::size_t c = 0; c < of.classes.size(); ++c) present.classes.push_back((classes.known >> c & 1) != 0);
    return lengthening(matrix, of.combine, node.interference_class, present);
  };
  const Lengthening by_kernels = checked_add(part(of.other_sm, others_), part(of.same_sm, same_));
  known_ = Known{job, others_, same_, checked_add(by_kernels, lengthening(of, node.interference_class, other_work_))};
  return known_->more;
}

void Pace::change(Lengthening more, std::int64_t now) {
  if (more == more_) return;
  constexpr Wide unit = Wide{whole_time} * whole_time;
  // Progress is rounded up, so that no rounding makes a block later.
  if (more_ >= 0) left_ = std::max<Wide>(0, left_ - ceil_div(checked_mul(Wide{now - since_}, unit), Wide{whole_time} + more_));
  more_ = more;
  since_ = now;
  const Wide takes = checked_mul(left_, Wide{whole_time} + more);
  const Wide end = now + (rounds_up_ ? ceil_div(takes, unit) : takes / unit);
  if (end > 2 * Wide{longest}) throw_overflow("simulated time");
  end_ = static_cast<std::int64_t>(end);
}

}  // namespace rta::simulate
