#include <doctest/doctest.h>

#include <sstream>

#include "rta/trace/reader.hpp"

using namespace rta;

TEST_CASE("what a measurement says beyond the common records is read: details, checks, CPU time") {
  std::istringstream in(
      R"({"schema": 1, "kind": "trace", "source": "measurement", "task_set": "a", "release": "early", "mps": false, "scheduling": "cpu: SCHED_FIFO"}
{"t": "run", "dag": "d", "node": "n", "job": 3, "cpu": 1, "start_ns": 10, "end_ns": 30, "consumed_ns": 15}
{"t": "check", "name": "C", "outcome": "ok", "text": "all well"}
{"t": "end", "complete": true, "lost_records": 0, "valid": true}
)");
  trace::Reader reader(in, "t");
  CHECK(reader.header().release == "early");
  CHECK(reader.header().details == std::vector<std::pair<std::string, std::string>>{{"mps", "false"}, {"scheduling", "cpu: SCHED_FIFO"}});
  CHECK(std::get<trace::RunRecord>(*reader.next()).consumed == Time(15));
  CHECK(std::get<trace::CheckRecord>(*reader.next()) == trace::CheckRecord{"C", "ok", "all well"});
  CHECK_FALSE(reader.next().has_value());
  CHECK(reader.complete());
}
