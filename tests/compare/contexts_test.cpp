// What a measured run says of processes, against what its bounds are for.
#include "compare/contexts.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "rta/io/task_set_file.hpp"

using namespace rta;

namespace {

/// Two kernels, each in a DAG of its own.
TaskSet two(const std::string& sharing, const std::string& a, const std::string& b) {
  return io::parse_task_set("platform:\n  gpu: {sms: 1, threads: 32" + sharing + "}\ntasks:\n  - {name: a, T: 10 ms, on: gpu" + a +
                                ", B: 1, H: 32, L: 1 ms}\n  - {name: b, T: 10 ms, on: gpu" + b + ", B: 1, H: 32, L: 1 ms}\n",
                            "f.yaml")
      .task_set;
}

trace::Header ran(const std::string& tasks, const std::string& mps) {
  trace::Header header;
  header.details = {{"tasks", tasks}, {"mps", mps}};
  return header;
}

const std::string slices = ", sharing: {slice: 1 ms, switch: 100 us}";

}  // namespace

TEST_CASE("A run in the contexts that its bounds are for is as it should be") {
  const TaskSet one = two("", "", "");
  CHECK_FALSE(compare::other_contexts(one, ran("threads", "false"), "t"));
  CHECK_FALSE(compare::other_contexts(one, ran("processes", "true"), "t"));
  CHECK_FALSE(compare::other_contexts(one, {}, "t"));
  const TaskSet apart = two(slices, ", process: p", ", process: q");
  CHECK_FALSE(compare::other_contexts(apart, ran("processes", "false"), "t"));
  CHECK_FALSE(compare::other_contexts(two(slices, ", process: p", ", process: p"), ran("processes", "false"), "t"));
}

TEST_CASE("A run in other contexts than its bounds are for is warned of") {
  const auto warning = [](const TaskSet& set, const trace::Header& header) {
    return compare::other_contexts(set, header, "t").value_or("");
  };
  CHECK(warning(two("", "", ""), ran("processes", "false")).find("the bounds are for one context") != std::string::npos);
  const TaskSet apart = two(slices, ", process: p", ", process: q");
  CHECK(warning(apart, ran("threads", "false")).find("all DAGs shared one context") != std::string::npos);
  CHECK(warning(apart, ran("processes", "true")).find("all DAGs shared one context") != std::string::npos);
}
