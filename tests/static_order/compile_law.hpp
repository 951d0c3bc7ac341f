// The law of static schedules: each passes a naive checker, never deadlocks, and nothing ends after its proven end, whatever the execution
// times.
#pragma once

#include <doctest/doctest.h>

#include "naive_checker.hpp"
#include "player.hpp"
#include "random_graph.hpp"
#include "rta/model/error.hpp"
#include "rta/static_order/compile.hpp"
#include "rta/static_order/schedule_file.hpp"
#include "rta/static_order/verify.hpp"

namespace rta::static_order {

struct Tally {
  int compiled = 0, attained = 0, shared = 0;
};

inline CompileOptions options_of(Random& random) {
  CompileOptions options;
  options.effort = random.below(3) == 0 ? 1 : 0;
  options.seed = random.next();
  options.objective = static_cast<Objective>(random.below(3));
  options.submittee = random.below(4) == 0 ? Submittee::overlap : Submittee::after;
  options.gpu = static_cast<GpuSharing>(random.below(4));
  return options;
}

// Plays the schedule a few times; the last time with worst-case execution throughout where kernels do not share.
inline void play(const Graph& graph, const ScheduledHyperepoch& h, Random& random, Tally& tally) {
  bool attained = false;
  for (int i = 0; i < 12; ++i) {
    const auto ends = Player(graph, h, random).play();
    for (std::size_t id = 0; id < ends.size(); ++id) {
      REQUIRE_MESSAGE(ends[id], "never ends: " << h.runnables[id].name);
      REQUIRE_MESSAGE(*ends[id] <= h.runnables[id].end,
                      h.runnables[id].name << " ends at " << ends[id]->count() << " instead of " << h.runnables[id].end.count());
      attained = attained || (*ends[id] == h.length && h.length > Time::zero());
    }
  }
  tally.attained += static_cast<int>(attained);
}

inline void check_law(const Graph& graph, Random& random, Tally& tally) {
  const CompileOptions options = options_of(random);
  std::optional<Compilation> compiled;
  try {
    compiled = compile(graph, options);
  } catch (const UserError& error) {
    // Streams can ask for two orders at once.
    CHECK_MESSAGE(std::string(error.what()).find("stream") != std::string::npos, error.what());
    return;
  }
  ++tally.compiled;
  for (HyperepochId id = 0; id < compiled->schedule.hyperepochs.size(); ++id) {
    const ScheduledHyperepoch& h = compiled->schedule.hyperepochs[id];
    if (compiled->hyperepochs[id].objective_bound > compiled->hyperepochs[id].objective) MESSAGE(format_schedule(compiled->schedule));
    CHECK(naive_faults(graph, id, h, options.submittee) == "");
    CHECK_MESSAGE(compiled->hyperepochs[id].objective_bound <= compiled->hyperepochs[id].objective,
                  "bound " << compiled->hyperepochs[id].objective_bound.count() << " above " << compiled->hyperepochs[id].objective.count()
                           << ", reason " << static_cast<int>(compiled->hyperepochs[id].reason.kind) << ", objective "
                           << to_string(options.objective));
    CHECK(h.lower_bound <= h.length);
    play(graph, h, random, tally);
    tally.shared += static_cast<int>(!h.sharing.empty());
  }
  CHECK(parse_schedule(format_schedule(compiled->schedule), "s.yaml") == compiled->schedule);
}

}  // namespace rta::static_order
