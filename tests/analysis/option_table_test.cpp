// The table of options: what the command line, sweep files and traces read.
#include "rta/analysis/option_table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "rta/model/error.hpp"

using namespace rta;
using namespace rta::analysis;

TEST_CASE("options: each has a name, a key, a text and values that it takes, and takes no others") {
  std::set<std::string_view> names;
  for (const OptionEntry& entry : option_table()) {
    CAPTURE(entry.name);
    CHECK(names.insert(entry.name).second);
    CHECK(find_option(entry.name) == &entry);
    CHECK(entry.key().find('-') == std::string::npos);
    CHECK_FALSE(entry.text.empty());
    for (const std::string_view value : entry.values) {
      CAPTURE(value);
      Options options;
      CHECK_NOTHROW(entry.set(options, value));
    }
    for (const std::string_view wrong : {"", "no-such-value", "-1", "TRUE"}) {
      CAPTURE(wrong);
      Options options;
      CHECK_THROWS_AS(entry.set(options, wrong), UserError);
    }
    if (entry.is_flag()) CHECK(entry.values == std::vector<std::string_view>{"true", "false"});
  }
  CHECK(find_option("no-such-option") == nullptr);
  CHECK(find_option("cpu_bound") == nullptr);  // a key of files
  CHECK(find_option("cpu-bound")->key() == "cpu_bound");
}

TEST_CASE("options: without a release the best is taken, or offsets where only they have what is asked for") {
  CHECK_FALSE(options_of({}).release);
  CHECK_FALSE(options_of({{"scheduler", "FIFO"}, {"most-periods", "5"}}).release);
  CHECK_FALSE(options_of({{"release", "best"}}).release);
  for (const GivenOptions& given : {GivenOptions{{"cpu-bound", "T1"}}, GivenOptions{{"gpu-bound", "best"}}, GivenOptions{{"refine", "all"}},
                                    GivenOptions{{"shared-weights", "true"}}, GivenOptions{{"granularity", "fine"}}}) {
    CAPTURE(given.front().first);
    CHECK(options_of(given).release == Release::offsets);
  }
  CHECK(options_of({{"path-bound", "T10n"}}).release == Release::completion);
  CHECK_FALSE(options_of({{"path-bound", "T10n"}, {"release", "best"}}).release);
  CHECK_FALSE(options_of({{"shared-weights", "false"}}).release);  // off: asks for nothing
  CHECK(options_of({{"release", "early"}, {"refine", "carry"}}).release == Release::early);
}

TEST_CASE("options: what means nothing for the release that was asked for is refused") {
  int refused = 0;
  for (const OptionEntry& entry : option_table()) {
    if (entry.name == "release") continue;
    const std::string value(entry.values.empty() ? "7" : entry.values.front());
    for (const Release release : {Release::offsets, Release::early, Release::completion, Release::segments}) {
      const GivenOptions given{{std::string(entry.name), value}, {"release", std::string(to_string(release))}};
      CAPTURE(entry.name);
      CAPTURE(to_string(release));
      if (std::ranges::find(entry.without_effect, release) == entry.without_effect.end()) {
        CHECK(options_of(given).release == release);
      } else {
        ++refused;
        CHECK_THROWS_AS((void)options_of(given), UserError);
      }
    }
  }
  CHECK(refused > 8);
  CHECK_THROWS_WITH_AS((void)options_of({{"release", "completion"}, {"cpu-bound", "T1"}}),
                       "--release completion and --cpu-bound do not go together", UserError);
  CHECK_THROWS_AS((void)options_of({{"optimize", "priorities"}, {"objective", "sum"}}), UserError);
  CHECK_THROWS_AS((void)options_of({{"colour", "red"}}), UserError);
  // A flag that is off may stand beside anything.
  CHECK(options_of({{"release", "completion"}, {"shared-weights", "false"}}).release == Release::completion);
}
