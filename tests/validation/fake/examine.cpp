// An examination on a fake GPU: all of the generated program but CUDA. FAKE_NEWCOMER: another process uses the GPU from the second
// observation on.
#include <cstdlib>
#include <memory>

#include "examine/options.hpp"
#include "examine/player.hpp"
#include "fake_gpu.hpp"

int main(int argc, char** argv) {
  const examine::Options options = examine::parse_options(examine::generated, argc, argv);
  if (options.action != examine::Action::probe) examine::fail("only probes are run here");
  examine::end_on_signals();
  examine::make_folder(options.output);
  unsigned observations = 0;
  const auto observe = [&] {
    examine::Observation seen;
    seen.known = true;
    seen.processes_known = true;
    seen.slowed_by_known = true;
    if (observations++ > 0 && std::getenv("FAKE_NEWCOMER") != nullptr) seen.processes = {1, 2, 3, 4, 5};
    return seen;
  };
  examine::Player(
      *options.probe, options.output, [] { return std::make_unique<examine::FakeGpu>(); }, observe)
      .play(options.repeat);
}
