// What T10d keeps of windows: nothing of a window is taken for another, and of shorter ones only those in which no more counts.
#include "analysis/path/whole/kept_waiting.hpp"

#include <doctest/doctest.h>

namespace {

using rta::analysis::path::KeptWaiting;
using rta::analysis::path::Tick;

KeptWaiting three() {
  KeptWaiting kept;
  kept.add({20, 20, 20}, {Tick(7)});
  kept.add({10, 10, 10}, {Tick(3)});
  kept.add({20, 25, 20}, {Tick(9)});
  return kept;
}

}  // namespace

TEST_CASE("A window is found again by all that it depends on") {
  const KeptWaiting kept = three();
  REQUIRE(kept.find({20, 20, 20}) != nullptr);
  CHECK(kept.find({20, 20, 20})->ticks == Tick(7));
  CHECK(kept.find({20, 25, 20})->ticks == Tick(9));
  CHECK(kept.find({10, 10, 10})->ticks == Tick(3));
  CHECK(kept.find({20, 20, 19}) == nullptr);
  CHECK(kept.find({15, 10, 10}) == nullptr);
}

TEST_CASE("Of windows that are no longer the longest in which no release is later") {
  KeptWaiting kept = three();
  CHECK(kept.within({9, 30, 30}) == nullptr);
  CHECK(kept.within({15, 30, 30})->waiting.ticks == Tick(3));
  CHECK(kept.within({30, 24, 20})->waiting.ticks == Tick(7));
  CHECK(kept.within({30, 24, 19})->waiting.ticks == Tick(3));
  CHECK(kept.within({30, 9, 30}) == nullptr);
  kept.clear();
  CHECK(kept.within({30, 30, 30}) == nullptr);
  CHECK(kept.find({10, 10, 10}) == nullptr);
}
