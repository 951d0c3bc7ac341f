// Examinations compile, where there is an nvcc. Where there is no GPU they say so and end; with one, see validation/gpu-check.
#include <doctest/doctest.h>

#include <cstdio>

#include "examination_programs.hpp"
#include "process/tool.hpp"
#include "support/skip.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("an examination builds without a warning; without a GPU it says why it cannot run") {
  if (validation::find_nvcc().empty()) {
    skip("no nvcc here");
    return;
  }
  const TemporaryFolder folder;
  CHECK(build_examination(folder.path, "") == "");
  const std::string program = (folder.path / "examine").string();
  const auto list = process::run_tool({program, "--list"});
  CHECK(list.status == 0);
  CHECK(list.text == "every-kind_1.0\n");
  if (validation::has_gpu()) return;
  const std::string out = (folder.path / "out").string();
  const std::vector<std::vector<std::string>> all = {{"--limits"},
                                                     {"--measure", "connections", "-o", out},
                                                     {"--probe", "every-kind_1.0", "-o", out},
                                                     {"--measure", "processes", "--allow-settings"}};
  for (std::vector<std::string> words : all) {
    CAPTURE(words.front());
    words.insert(words.begin(), program);
    const auto ran = process::run_tool(words);
    CHECK(ran.status == 2);
    CHECK(ran.text.find("cudaGetDeviceCount") != std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists(out));
}
