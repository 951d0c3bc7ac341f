// The generated program that measures interference, built for a fake CUDA and really run: parts, cases, and what cannot be measured.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include "examination_programs.hpp"
#include "process/tool.hpp"
#include "rta/examine/company.hpp"

using namespace rta;
using namespace rta::test;

namespace {

const std::filesystem::path& built() {
  static const TemporaryFolder folder;
  static const std::filesystem::path program = folder.path / "interference";
  if (!std::filesystem::exists(program)) {
    validation::write_files(validation::examination_source({}), folder.path);
    compile_for_fake_gpu(
        {"-I" + (folder.path / "runtime").string(), "-x", "c++", (folder.path / "interference.cu").string(), "-o", program.string()});
  }
  return program;
}

examine::CompanyPart measured(const std::vector<std::string>& parts) {
  const TemporaryFolder folder;
  const auto file = folder.path / "part.json";
  std::vector<std::string> words{built().string(), "--quick", "--output", file.string()};
  words.insert(words.end(), parts.begin(), parts.end());
  const auto ran = process::run_tool(words);
  INFO(ran.text);
  REQUIRE(ran.status == 0);
  std::ifstream in(file);
  return examine::read_company(std::string(std::istreambuf_iterator<char>(in), {}), "part.json");
}

std::set<std::string> companies(const examine::CompanyPart& part, const std::string& kernel) {
  std::set<std::string> found;
  for (const auto& one : part.cases) {
    if (one.kernel == kernel) found.insert(one.beside);
  }
  return found;
}

}  // namespace

TEST_CASE("each class beside each class, alone and mixed: a whole matrix") {
  setenv("FAKE_BLOCKS_AT_ONCE", "64", 1);
  const examine::CompanyPart part = measured({"whole", "halves"});
  unsetenv("FAKE_BLOCKS_AT_ONCE");
  CHECK(part.not_possible.empty());
  for (const char* kernel : {"registers", "L2", "DRAM"}) {
    CHECK(companies(part, kernel) == std::set<std::string>{"none", "registers", "L2", "DRAM", "registers and L2", "registers and DRAM",
                                                           "L2 and DRAM", "registers and L2 and DRAM"});
  }
  // Threads of a host that has other work may be stopped for longer than any block: then there is no matrix, but a reason.
  const examine::Company company = examine::company_of(part);
  CHECK((company.interference.has_value() || company.reason == "a block took more than 1000 times as long"));
  CHECK(company.measured.rows.size() == 7);
  CHECK(company.mixtures.size() == 12);
}

TEST_CASE("processors at work on memory: three kinds, and beside blocks") {
  const examine::CompanyPart part = measured({"cpus"});
  CHECK(companies(part, "L2").size() == 5);
  for (const auto& one : part.cases) {
    CHECK(one.where == "CPUs");
    CHECK(one.classes.empty() == (one.beside.find(", and DRAM") == std::string::npos));
  }
}

TEST_CASE("too few places on an SM are a reason, and wrong words are refused with what is allowed") {
  setenv("FAKE_BLOCKS_AT_ONCE", "8", 1);
  const examine::CompanyPart part = measured({"same-sm"});
  unsetenv("FAKE_BLOCKS_AT_ONCE");
  REQUIRE(part.not_possible.size() == 1);
  CHECK(part.not_possible[0].second == "4 blocks of 512 threads were not on each SM at once");
  const auto refused = process::run_tool({built().string(), "some"});
  CHECK(refused.status == 2);
  CHECK(refused.text.find("whole | halves | parts | registers | same-sm | copies | cpus | partitions") != std::string::npos);
  setenv("FAKE_LOST_AT_LAUNCH", "0", 1);
  CHECK(process::run_tool({built().string(), "whole"}).status == 2);
  unsetenv("FAKE_LOST_AT_LAUNCH");
}
