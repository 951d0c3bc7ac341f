// All measures of an examination on the fake GPU.
#include <doctest/doctest.h>

#include "examination_programs.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("every measure has the fields that readers ask for") {
  const TemporaryFolder folder;
  build_on_fake_gpu({}, folder.path);
  for (const auto name : validation::measures()) check_measure(folder.path, std::string(name));
}
