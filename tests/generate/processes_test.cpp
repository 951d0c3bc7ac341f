// Random task sets whose DAGs are processes of a GPU that serves them by time slices.
#include <doctest/doctest.h>

#include "generate/recipes.hpp"
#include "rta/generate/generator.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/time_slices.hpp"

using namespace rta;
using namespace rta::generate;
using namespace rta::literals;

namespace {

Recipe shared_gpu() {
  Recipe recipe = hundred_nodes();
  std::get<GpuPool>(recipe.pools[1].resource).sharing = Sharing{.gpu = "gpu", .process = {}, .slice = 1_ms, .switch_time = 200_us};
  recipe.dags = {12, 12};  // d10 and d11 come before d2
  return recipe;
}

TaskSet first_set(const Recipe& recipe) {
  Generator generator(recipe);
  RandomSet set;
  generator.draw({1, 0, 0}, set);
  return to_task_set(recipe, set, "random");
}

}  // namespace

TEST_CASE("With `processes: dag` every DAG with kernels has a context of its own; else all are in one") {
  Recipe recipe = shared_gpu();
  const TaskSet together = first_set(recipe);
  CHECK(together.pools().size() == 2);
  recipe.process_per_dag = true;
  const TaskSet apart = first_set(recipe);
  CHECK(apart.pools().size() == 13);
  for (const Dag& dag : apart.dags()) {
    for (const Node& node : dag.nodes()) {
      const Pool& pool = apart.pools()[node.pool];
      CHECK(pool.name == (pool.kind() == PoolKind::gpu ? "gpu/" + dag.name() : "cpu"));
    }
  }
  CHECK(gap(*std::get<GpuPool>(apart.pools()[1].resource).sharing) == 13'400_us);  // 11 x 1 ms + 12 x 200 us
  CHECK(io::parse_task_set(io::format_task_set(apart), "f.yaml").task_set == apart);
}

TEST_CASE("Processes without a GPU that they share are refused") {
  Recipe recipe = hundred_nodes();
  recipe.process_per_dag = true;
  CHECK_THROWS_AS(check(recipe), RecipeError);
}
