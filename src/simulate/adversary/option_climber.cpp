#include "option_climber.hpp"

#include <algorithm>
#include <utility>

namespace rta::simulate {
Options classical_run(const TaskSet& task_set, const Options& base) {
  Options o = base;
  o.releases = {};
  for (const Dag& dag : task_set.dags()) {
    const DagAttributes& of = dag.attributes();
    o.releases.phases.push_back(of.periodic ? of.phase.value_or(Time::zero()) : Time::zero());
  }
  o.execution = worst_case;
  o.vary = false;
  o.node_execution.clear();
  for (const Dag& dag : task_set.dags()) o.node_execution.emplace_back(dag.nodes().size(), worst_case);
  return o;
}

// From a random start, one change after the other, each kept unless the target's response falls.
void OptionClimber::step() {
  if (!climbing_) {
    target_ = next_++ % ground_.targets.size();
    current_ = classical_run(ground_.task_set, ground_.options.base);
    const std::int64_t changes = dice_.between(1, 6);
    for (std::int64_t i = 0; i < changes; ++i) change(current_);
    best_ = response(current_, ground_.targets[target_]);
    idle_ = 0;
    climbing_ = true;
    return;
  }
  Options next = current_;
  change(next);
  const auto seen = response(next, ground_.targets[target_]);
  idle_ = seen > best_ ? 0 : idle_ + 1;
  if (seen >= best_) {
    current_ = std::move(next);
    best_ = seen;
  }
  climbing_ = idle_ < ground_.options.climb;
}

void OptionClimber::change(Options& o) {
  const auto& dags = ground_.task_set.dags();
  const std::size_t d = dice_.below(dags.size());
  const std::int64_t T = dags[d].nominal_period().count();
  const std::int64_t first = dags[d].attributes().periodic ? 3 : 0;  // whose releases nobody chooses
  switch (dice_.between(first, 7)) {
    case 0: o.releases.phases[d] = Time(dice_.between(0, T - 1)); break;
    case 1: {  // a little earlier or later
      const std::int64_t moved = o.releases.phases[d].count() + dice_.between(-T / 32 - 1, T / 32 + 1);
      o.releases.phases[d] = Time(std::clamp<std::int64_t>(moved, 0, T - 1));
      break;
    }
    case 2: o.releases.phases[d] = o.releases.phases[dice_.below(dags.size())]; break;
    case 3: o.releases.jitter = dice_.one_in(2) ? 0 : static_cast<PartsPerMillion>(dice_.between(1, 500'000)); break;
    case 4:
      if (ground_.slices && dice_.one_in(2)) {
        o.slices = other(o.slices);
      } else if (ground_.waves && dice_.one_in(2)) {
        o.block_times = other(o.block_times);
      } else {
        o.placement = dice_.pick(all_placements);
      }
      break;
    case 5: o.ties = dice_.one_in(2) ? Ties::in_order : Ties::random; break;
    case 6: o.seed = static_cast<std::uint64_t>(dice_.between(0, 1'000'000'000)); break;
    default: {
      auto& nodes = o.node_execution[d];
      Execution e = worst_case;
      if (dice_.one_in(3)) e.least = e.most = static_cast<PartsPerMillion>(dice_.between(0, whole));
      if (dice_.one_in(6)) e = {static_cast<PartsPerMillion>(dice_.between(0, whole)), whole};
      if (dice_.one_in(8)) {
        std::fill(nodes.begin(), nodes.end(), e);
      } else {
        nodes[dice_.below(nodes.size())] = e;
      }
      break;
    }
  }
}

}  // namespace rta::simulate
