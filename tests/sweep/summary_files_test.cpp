// The files that say what a sweep's results mean, of results written by hand.
#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "rta/model/error.hpp"
#include "support/folder.hpp"
#include "sweep/summary.hpp"

using namespace rta;
using namespace rta::generate;
using namespace rta::sweep;
using rta::test::content;
using rta::test::TemporaryFolder;

namespace {

// 8 processors; 2 SMs of 1024 G-threads.
Recipe recipe(std::int64_t processors_asked, std::int64_t threads_asked) {
  Recipe recipe;
  GpuPool gpu;
  gpu.sms = 2;
  gpu.sm.threads = 1024;
  recipe.pools = {{"cpu", CpuPool{8, Scheduler::g_edf}}, {"gpu", gpu}};
  recipe.gpu = 1;
  if (processors_asked > 0) recipe.cpu_work.utilization = Fraction{processors_asked, 1};
  if (threads_asked > 0) {
    recipe.gpu_share = {1, 2};
    recipe.gpu_work.utilization = Fraction{threads_asked, 1};
  }
  return recipe;
}

Plan plan() {
  Plan plan;
  plan.sets = 4;
  plan.parameters = {"random.dags", "random.cpu.utilization"};
  plan.points = {{{"4", "25 %"}, recipe(2, 0)}, {{"4", "75 %"}, recipe(6, 0)}, {{"[4, 8]", "25 %"}, recipe(2, 1024)}};
  plan.analyses = {{"old", {}, {}}, {"new", {}, {}}};
  return plan;
}

constexpr const char* results =
    "point,set,analysis,verdict,response_bound_mean_ns,response_bound_max_ns,lateness_max_ns,response_bound_over_period_ppm,"
    "observed_mean_ns,response_bound_over_observed_ppm,left_out\n"
    "0,0,old,schedulable,100,150,-50,500000,,,\n"
    "0,0,new,schedulable,50,60,-100,250000,40,1250000,\n"
    "0,1,old,schedulable,200,300,-10,250000,,,\n"
    "0,1,new,schedulable,201,300,-9,1000,,,\n"
    "0,2,old,deadline-missed,401,500,70,1000000,,,\n"
    "0,2,new,schedulable,401,500,-1,999,401,1000,\n"
    "0,3,old,unbounded,,,,,,,\n"
    "0,3,new,schedulable,300,400,-2,2,,,\n"
    "1,0,old,unbounded,,,,,,,\n"
    "1,0,new,schedulable,7,7,0,7,,,\n"
    "1,1,old,none,,,,,,,\n"
    "1,1,new,schedulable,8,8,0,8,,,\n"
    "1,2,old,unbounded,,,,,,,\n"
    "1,2,new,deadline-missed,9,9,5,9,,,\n"
    "1,3,old,unbounded,,,,,,,\n"
    "1,3,new,none,,,,,,,\n"
    "2,0,old,schedulable,3,3,-9,3,,,\n"
    "2,0,new,unbounded,,,,,,,\n"
    "2,1,old,schedulable,3,3,-9,3,,,\n"
    "2,1,new,unbounded,,,,,,,\n"
    "2,2,old,schedulable,3,3,-9,3,,,\n"
    "2,2,new,schedulable,2,2,-8,2,,,\n"
    "2,3,old,unbounded,,,,,,,\n"
    "2,3,new,unbounded,,,,,,,\n";

}  // namespace

// Wilson's intervals for 0, 1, 2, 3 and 4 of 4 with z = 1.959964, z^2 = 3.841459: (p + z^2/8 -+ z sqrt(p (1 - p)/4 + z^2/64)) / (1 +
// z^2/4). Quantiles: the sorted number at place ceil(q n), from 1024 on rounded up to the end of its cell, which is 2^(bits - 10) wide, at
// most to the maximum: 250000 -> 250111, 500000 -> 500223, 1000000 -> 1000447. Means are not rounded that way.
TEST_CASE("summaries: every number of results that are worked out by hand") {
  const TemporaryFolder folder;
  std::ofstream(folder / "results.csv") << results;
  write_summaries(plan(), folder.path);

  CHECK(content(folder / "points.csv") ==
        "point,random.dags,random.cpu.utilization,load\n"
        "0,4,25 %,0.250000\n"
        "1,4,75 %,0.750000\n"
        "2,\"[4, 8]\",25 %,0.500000\n");  // the GPU's 1024 of 2048 is more than the CPUs' 2 of 8

  // Point 0, old: R 100, 200, 401 (mean 233.67), lateness -50, -10, 70 (mean 3.33), both rounded up.
  // Point 0, new: R 50, 201, 300, 401 (mean 238); R/T 2, 999, 1000, 250000 millionths (mean 63000.25); lateness -112/4 = -28.
  CHECK(content(folder / "summary.csv") ==
        "point,random.dags,random.cpu.utilization,analysis,sets,schedulable,deadline_missed,unbounded,none,"
        "acceptance,acceptance_low,acceptance_high,"
        "response_bound_mean_ns,response_bound_p50_ns,response_bound_p95_ns,response_bound_max_ns,"
        "over_period_mean,over_period_p05,over_period_p25,over_period_p50,over_period_p75,over_period_p95,over_period_max,"
        "lateness_mean_ns,lateness_max_ns,simulated,over_observed_p05,over_observed_p50,over_observed_p95,left_out\n"
        "0,4,25 %,old,4,2,1,1,0,0.500000,0.150039,0.849961,234,200,401,401,"
        "0.583333,0.250111,0.250111,0.500223,1.000000,1.000000,1.000000,4,70,0,,,,\n"
        "0,4,25 %,new,4,4,0,0,0,1.000000,0.510109,1.000000,238,201,401,401,"
        "0.063000,0.000002,0.000002,0.000999,0.001000,0.250000,0.250000,-28,-1,2,0.001000,0.001000,1.250000,\n"
        "1,4,75 %,old,4,0,0,3,1,0.000000,0.000000,0.489891,,,,,,,,,,,,,,0,,,,\n"
        "1,4,75 %,new,4,2,1,0,1,0.500000,0.150039,0.849961,8,8,9,9,"
        "0.000008,0.000007,0.000007,0.000008,0.000009,0.000009,0.000009,2,5,0,,,,\n"
        "2,\"[4, 8]\",25 %,old,4,3,0,1,0,0.750000,0.300642,0.954413,3,3,3,3,"
        "0.000003,0.000003,0.000003,0.000003,0.000003,0.000003,0.000003,-9,-9,0,,,,\n"
        "2,\"[4, 8]\",25 %,new,4,1,0,3,0,0.250000,0.045587,0.699358,2,2,2,2,"
        "0.000002,0.000002,0.000002,0.000002,0.000002,0.000002,0.000002,-8,-8,0,,,,\n");

  // Point 0: 50/100, 201/200, 401/401; set 3 has no bound by `old`. Point 2: 2/3, rounded up to 666667 millionths.
  CHECK(content(folder / "ratios.csv") ==
        "point,random.dags,random.cpu.utilization,analysis,reference,sets,ratio_mean,ratio_p05,ratio_p25,ratio_p50,ratio_p75,ratio_p95,"
        "ratio_max\n"
        "0,4,25 %,new,old,3,0.835000,0.500223,0.500223,1.000447,1.005000,1.005000,1.005000\n"
        "1,4,75 %,new,old,0,,,,,,,\n"
        "2,\"[4, 8]\",25 %,new,old,1,0.666667,0.666667,0.666667,0.666667,0.666667,0.666667,0.666667\n");

  // 4 DAGs: (0.25 x 0.5 + 0.75 x 0) / 1 and (0.25 x 1 + 0.75 x 0.5) / 1; 4 or 8 DAGs: one load, so the acceptance itself.
  CHECK(content(folder / "weighted.csv") ==
        "random.dags,analysis,weighted_schedulability\n"
        "4,old,0.125000\n"
        "4,new,0.625000\n"
        "\"[4, 8]\",old,0.750000\n"
        "\"[4, 8]\",new,0.250000\n");
}

TEST_CASE("summaries: lengths as drawn ask for no load, so there is no weighted schedulability") {
  const TemporaryFolder folder;
  std::ofstream(folder / "results.csv") << std::string(results).substr(0, std::string_view(results).find("1,0,old"));
  Plan drawn = plan();
  drawn.points = {{{"4", "any"}, recipe(0, 0)}};
  write_summaries(drawn, folder.path);
  CHECK(content(folder / "points.csv") == "point,random.dags,random.cpu.utilization,load\n0,4,any,0.000000\n");
  CHECK(content(folder / "weighted.csv") == "random.dags,analysis,weighted_schedulability\n4,old,\n4,new,\n");
}

TEST_CASE("summaries: rows out of order and rows of a point that the sweep does not have are refused") {
  const std::string whole = results;
  const std::size_t second = whole.find("0,0,new");
  const std::size_t third = whole.find("0,1,old");
  const std::string swapped = whole.substr(0, second) + whole.substr(third, whole.find("0,1,new") - third) + whole.substr(second);
  Plan short_plan = plan();
  short_plan.points.pop_back();
  for (const auto& [of, rows] : {std::pair{plan(), swapped}, std::pair{short_plan, whole}}) {
    const TemporaryFolder folder;
    std::ofstream(folder / "results.csv") << rows;
    CHECK_THROWS_AS(write_summaries(of, folder.path), UserError);
    CHECK_FALSE(std::filesystem::exists(folder / "summary.csv"));
  }
}
