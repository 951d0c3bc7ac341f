// Programs that know the public calls of the System Task Manager alone.
#include <doctest/doctest.h>

#include "played.hpp"

using namespace rta;
using namespace rta::test;

namespace {

void check_sample(const char* program) {
  Stage stage(tutorial(2_ms, 10_ms, 101));
  const auto master = stage.master({"--frames", "15"});
  const auto client = stage.client(program, {});
  const int status = master->wait();
  INFO(master->said());
  CHECK((status == 0 || status == 1));  // on a busy machine something takes longer than its WCET
  CHECK(client->wait() == 0);
  CHECK(client->said().find("15 frames, 0 wrong bytes") != std::string::npos);
  const auto trace = stage.records();
  CHECK(trace.complete);
  CHECK(trace.jobs.size() == 45);
  CHECK(stage.is_clean());
}

}  // namespace

TEST_CASE("a client in C with a submitter for the CPU runs against the STM header alone") { check_sample(STATIC_STM_SAMPLE); }

TEST_CASE("the same client in C++ with CUDA streams, on the fake CUDA") { check_sample(STATIC_STM_CUDA); }
