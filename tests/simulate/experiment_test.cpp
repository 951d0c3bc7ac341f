// The experiments of Amert et al. (RTSS 2017) and of chapter 3 of Yang's dissertation: which block runs where and when.
#include "rta/model/experiment.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "rta/model/error.hpp"
#include "simulate/scene.hpp"

using namespace rta;
using namespace scene;

namespace {

constexpr std::int64_t ms = 1'000'000;

// The Jetson TX2: two SMs, one copy engine.
std::vector<Pool> tx2() {
  Pool pool = gpu(2);
  std::get<GpuPool>(pool.resource).sm.shared_memory = 64 * 1024;
  return {pool, Pool{"copy", EnginePool{1}}, Pool{std::string(calling_threads), CpuPool{}}};
}

Operation launch(const std::string& name, const std::string& stream, std::int64_t at_ms, std::uint64_t B, std::uint32_t H,
                 std::int64_t L_ms, StreamPriority priority = low_priority, std::uint64_t shared_memory = 0) {
  GpuDemand d = kernel(B, H, L_ms * ms);
  d.priority = priority;
  d.shared_memory = shared_memory;
  return {name, 0, d, stream, Time(at_ms * ms), {}, {}};
}
// By a thread of its own.
Operation call(const std::string& function, std::int64_t at_ms, const std::string& stream = "") {
  return {function, 2, CallDemand{gpu_call(function)}, stream, Time(at_ms * ms), {}, {}};
}
// 256 MB, taken as 20 ms.
Operation copy(const std::string& name, const std::string& stream, std::int64_t at_ms, Direction direction) {
  return {name, 1, CopyDemand{Time(20 * ms), direction}, stream, Time(at_ms * ms), {}, {}};
}

// "SM:start-end" in ms for every block of a kernel, or "start-end" for a copy.
std::string place_of(const Experiment& e, const Recorder& seen, const std::string& name) {
  std::size_t i = 0;
  while (e.operations()[i].name != name) ++i;
  std::string out;
  for (const auto& [sm, start, end] : seen.blocks_of(0, i)) {
    out += fmt::format("{}{}:{}-{}", out.empty() ? "" : " ", sm, start / ms, end / ms);
  }
  for (const auto& c : seen.copies) {
    if (c.node == i) out += fmt::format("{}-{}", c.start / ms, c.end / ms);
  }
  for (const auto& r : seen.runs) {
    if (r.node == i) out += fmt::format("{}-{}", r.start / ms, r.end / ms);
  }
  return out;
}
struct Played {
  Experiment experiment;
  Recorder seen;
  std::string operator[](const std::string& name) const { return place_of(experiment, seen, name); }
};
Played play(std::vector<Operation> operations, simulate::CopyRules rules = simulate::CopyRules::yang2020) {
  Played played{Experiment("test", tx2(), std::move(operations)), {}};
  simulate::Options options;
  options.copy_rules = rules;
  (void)simulate::simulate(played.experiment, options, &played.seen);
  return played;
}

// [A] Table 1 and [Y] Table 3.1 differ in K6's input copy. The clock of [Y] Figure 3.1 starts 385 ms before the first launch.
std::vector<Operation> table_1(bool copy_in_of_K6) {
  constexpr std::uint64_t kib32 = 32 * 1024;
  std::vector<Operation> all{launch("K1", "S1", 385, 6, 768, 1000),
                             launch("K2", "S1", 385, 2, 512, 1000),
                             copy("C2o", "S1", 385, Direction::d2h),
                             copy("C3i", "S1", 385, Direction::h2d),
                             launch("K3", "S1", 385, 2, 1024, 1000),
                             copy("C3o", "S1", 385, Direction::d2h),
                             launch("K4", "S2", 585, 4, 256, 1000, low_priority, kib32),
                             launch("K5", "S3", 785, 2, 256, 1000, low_priority, kib32),
                             copy("C5o", "S3", 785, Direction::d2h)};
  if (copy_in_of_K6) all.push_back(copy("C6i", "S2", 3185, Direction::h2d));
  all.push_back(launch("K6", "S2", 3185, 2, 512, 1000));
  all.push_back(copy("C6o", "S2", 3185, Direction::d2h));
  return all;
}

}  // namespace

TEST_CASE("[A] Figure 3, [Y] Figure 3.1: kernels K1, K2, K4, K5") {
  for (const bool yang : {false, true}) {
    const auto p = play(table_1(yang), yang ? simulate::CopyRules::yang2020 : simulate::CopyRules::amert2017);
    // Inset (a), t = 1.1: of K1's six blocks two fit on each SM (R2), K4 would fit but waits (X1).
    // Inset (b), t = 2.1: the last blocks of K1, and K4 beside them, two blocks on each SM; its shared memory keeps K5 out (R3).
    CHECK(p["K1"] == "0:385-1385 1:385-1385 0:385-1385 1:385-1385 0:1385-2385 1:1385-2385");
    CHECK(p["K4"] == "0:1385-2385 1:1385-2385 0:1385-2385 1:1385-2385");
    // Inset (c), t = 3.0: upon completion of K1 and K4, K5's blocks were assigned, then K2's.
    CHECK(p["K5"] == "0:2385-3385 1:2385-3385");
    CHECK(p["K2"] == "0:2385-3385 1:2385-3385");
  }
}

TEST_CASE("[A] Figure 3: copies under C1-C4 enter the CE queue when they reach the head of their stream") {
  const auto p = play(table_1(false), simulate::CopyRules::amert2017);
  // Inset (d): K5 was assigned before K2, so C5o is enqueued first; C2o waits for the CE, C3i and K3 for C2o.
  CHECK(p["C5o"] == "3385-3405");
  CHECK(p["C2o"] == "3405-3425");
  CHECK(p["C3i"] == "3425-3445");
  // K6 moved unhindered through the queues.
  CHECK(p["K6"] == "0:3185-4185 1:3185-4185");
  CHECK(p["K3"] == "0:3445-4445 1:3445-4445");
  CHECK(p["C6o"] == "4185-4205");
  CHECK(p["C3o"] == "4445-4465");
}

TEST_CASE("[Y] Figure 3.1: under C1-C6 copies take their turn in the CE waiting queue") {
  const auto p = play(table_1(true));
  // Inset (d), t = 3.4: only C2o reaches the head of the CE waiting queue. Inset (e): C5o and C6i are delayed behind C3o, K6 behind C6i.
  CHECK(p["C2o"] == "3385-3405");
  CHECK(p["C3i"] == "3405-3425");
  CHECK(p["K3"] == "0:3425-4425 1:3425-4425");
  // Inset (f), t = 4.43: K3 has ended and C3o runs. Inset (g), t = 5.3: K6 is fully dispatched.
  CHECK(p["C3o"] == "4425-4445");
  CHECK(p["C5o"] == "4445-4465");
  CHECK(p["C6i"] == "4465-4485");
  CHECK(p["K6"] == "0:4485-5485 1:4485-5485");
  CHECK(p["C6o"] == "5485-5505");
}

TEST_CASE("[A] Figure 5, [Y] Figure 3.3: the NULL stream") {
  const auto p =
      play({launch("K1", "S1", 0, 6, 768, 1000), launch("K2", "NULL", 200, 1, 1024, 1000), launch("K3", "S2", 200, 4, 256, 1000),
            launch("K4", "S2", 400, 4, 256, 1000), launch("K5", "NULL", 600, 1, 1024, 1000), launch("K6", "S3", 800, 2, 256, 1000)});
  CHECK(p["K2"] == "0:2000-3000");                                      // N1: not before K1 completed
  CHECK(p["K3"] == "0:3000-4000 1:3000-4000 0:3000-4000 1:3000-4000");  // N2: launched after K2
  CHECK(p["K4"] == "0:4000-5000 1:4000-5000 0:4000-5000 1:4000-5000");
  CHECK(p["K5"] == "0:5000-6000");              // N1: not before K3 and K4 completed
  CHECK(p["K6"] == "0:6000-7000 1:6000-7000");  // N2: blocked by K2, then by K5, although it would have fitted all the time
}

TEST_CASE("[A] Figure 6, [Y] Figure 3.4: a low-priority stream starves") {
  const auto p = play({launch("K1", "S1", 0, 8, 1024, 500), launch("K2", "S2", 200, 16, 1024, 500, high_priority),
                       launch("K3", "S3", 500, 16, 1024, 500, high_priority)});
  CHECK(p["K1"] == "0:0-500 1:0-500 0:0-500 1:0-500 0:4500-5000 1:4500-5000 0:4500-5000 1:4500-5000");
  CHECK(p["K2"].substr(0, 9) == "0:500-100");
  CHECK(p["K2"].ends_with("1:2000-2500"));
  CHECK(p["K3"].substr(0, 11) == "0:2500-3000");
  CHECK(p["K3"].ends_with("1:4000-4500"));
}

TEST_CASE("[A] Figure 7, [Y] Figure 3.5: no priority is low priority") {
  const auto p = play({launch("K1", "S1", 0, 8, 1024, 500), launch("K2", "S2", 200, 8, 1024, 500),
                       launch("K3", "S3", 300, 8, 1024, 500, high_priority), launch("K4", "S4", 1200, 8, 1024, 500)});
  const auto two_waves = [](int a, int b) {
    return fmt::format("0:{0}-{1} 1:{0}-{1} 0:{0}-{1} 1:{0}-{1} 0:{2}-{3} 1:{2}-{3} 0:{2}-{3} 1:{2}-{3}", a, a + 500, b, b + 500);
  };
  CHECK(p["K1"] == two_waves(0, 1500));
  CHECK(p["K3"] == two_waves(500, 1000));
  CHECK(p["K2"] == two_waves(2000, 2500));
  CHECK(p["K4"] == two_waves(3000, 3500));
}

TEST_CASE("[A] Figure 8, [Y] Figure 3.6: low-priority kernels do not cut ahead of a blocked high-priority one") {
  std::vector<Operation> all;
  for (int k = 1; k <= 7; ++k) {
    all.push_back(launch(fmt::format("K{}", k), fmt::format("S{}", k), 100 * (k - 1), 1, 512, 1000));
  }
  all.push_back(launch("K8", "S8", 650, 1, 1024, 500, high_priority));
  all.push_back(launch("K9", "S9", 700, 1, 512, 1000));
  const auto p = play(all);
  CHECK(p["K7"] == "0:600-1600");  // fills SM 0; 512 threads are left on SM 1
  CHECK(p["K1"] == "0:0-1000");    // then 512 on each
  CHECK(p["K2"] == "1:100-1100");  // then 1024 on SM 1
  CHECK(p["K8"] == "1:1100-1600");
  CHECK(p["K9"] == "0:1100-2100");
}

TEST_CASE("A program that waits: an operation is issued `delay` after others have ended") {
  // The examiner's multikernel benchmark: `delay` synchronises the stream and then sleeps. K4 of Figure 3 ends at 2.385, K6 follows
  // at 3.185.
  auto all = table_1(false);
  for (Operation& o : all) {
    if (o.name != "K6" && o.name != "C6o") continue;
    o.at = Time(0);
    o.after = {6};
    o.delay = Time(800 * ms);
  }
  CHECK(all[6].name == "K4");
  CHECK(play(all)["K6"] == play(table_1(false))["K6"]);
  all.back().after = {6, 6, 7};  // K4 and K5, which ends at 3.385
  CHECK(play(all, simulate::CopyRules::amert2017)["C6o"] == "4185-4205");
}

TEST_CASE("Copies obey the NULL stream too") {
  // K1 on the NULL stream for 500 ms from 0; a copy launched at 100 on S1 waits for it (N2); the kernel behind it too.
  const auto p = play({launch("K1", "NULL", 0, 1, 1024, 500), copy("C2i", "S1", 100, Direction::h2d), launch("K2", "S1", 100, 1, 32, 100)});
  CHECK(p["C2i"] == "500-520");
  CHECK(p["K2"] == "0:520-620");
}

// Figures 3.9 to 3.11: K1 and K2 of 800 ms run beside one another from 0 and 200; the task of K3 calls at 400, K4 is launched at 600.
std::vector<Operation> figure(const std::string& function, const std::string& stream = "") {
  std::vector<Operation> all{launch("K1", "S1", 0, 2, 512, 800), launch("K2", "S2", 200, 2, 512, 800), call(function, 400, stream),
                             launch("K4", "S4", 600, 2, 512, 800), launch("K3", "S3", 0, 2, 512, 800)};
  all.back().after = {2};
  return all;
}

TEST_CASE("Figure 3.9: cudaDeviceSynchronize waits for what was issued before, and holds nobody up") {
  const auto p = play(figure("cudaDeviceSynchronize"));
  CHECK(p["cudaDeviceSynchronize"] == "400-1000");  // K2 ends at 1000
  CHECK(p["K3"] == "0:1000-1800 1:1000-1800");
  CHECK(p["K4"] == "0:600-1400 1:600-1400");
}

TEST_CASE("Figure 3.11: cudaFree waits likewise, and who launches meanwhile waits until it returns") {
  const auto p = play(figure("cudaFree"));
  CHECK(p["cudaFree"] == "400-1000");
  CHECK(p["K4"] == "0:1000-1800 1:1000-1800");
  CHECK(p["K3"] == "0:1000-1800 1:1000-1800");
  // Its launch was called at 600, before K3's.
  for (const auto& job : p.seen.jobs) {
    if (job.node == 3) CHECK(job.release == 600 * ms);
  }
}

TEST_CASE("calls of one stream wait for it alone; calls that wait for nothing return at once") {
  const auto of_stream = play(figure("cudaStreamSynchronize", "S1"));
  CHECK(of_stream["cudaStreamSynchronize"] == "400-800");
  CHECK(of_stream["K3"] == "0:800-1600 1:800-1600");
  CHECK(of_stream["K4"] == "0:600-1400 1:600-1400");
  CHECK(play(figure("cudaMalloc"))["cudaMalloc"] == "400-400");
  CHECK(play(figure("cudaMalloc"))["K3"] == "0:400-1200 1:400-1200");
}

TEST_CASE("cudaMemset returns at once, and keeps what is issued later from starting; streams that are non-blocking do not care") {
  auto all = figure("cudaMemset");
  const auto p = play(all);
  CHECK(p["cudaMemset"] == "400-400");
  CHECK(p["K3"] == "0:1000-1800 1:1000-1800");
  CHECK(p["K4"] == "0:1000-1800 1:1000-1800");
  all[3].stream = "non-blocking-4";
  CHECK(play(all)["K4"] == "0:600-1400 1:600-1400");
  all[3].stream = "S4";
  all[1].stream = "non-blocking-2";  // K1 alone is waited for
  CHECK(play(all)["K4"] == "0:800-1600 1:800-1600");
  // cudaFree waits for all streams, and holds all up.
  all = figure("cudaFree");
  all[1].stream = "non-blocking-2";
  all[3].stream = "non-blocking-4";
  CHECK(play(all)["K4"] == "0:1000-1800 1:1000-1800");
}

TEST_CASE("cudaMemcpy: a copy on the NULL stream, until whose end others wait that call the driver") {
  Operation memcpy = copy("C", "NULL", 400, Direction::h2d);
  memcpy.by_memcpy = true;
  const std::vector<Operation> all{launch("K1", "S1", 0, 2, 512, 800), memcpy, launch("K4", "S4", 600, 2, 512, 800),
                                   launch("K5", "S5", 1200, 2, 512, 800)};
  const auto p = play(all);
  CHECK(p["C"] == "800-820");
  CHECK(p["K4"] == "0:820-1620 1:820-1620");
  CHECK(p["K5"] == "0:1200-2000 1:1200-2000");
}

TEST_CASE("calls that are held up by a call are made in their order, each when the one before has returned") {
  // cudaFree at 400 until 1000; at 600 cudaFreeHost, at 700 K4: cudaFreeHost returns at once, and then K4 is launched. At 1100 cudaFree
  // again waits for K4, and K5 of 1200 for it.
  std::vector<Operation> all{launch("K1", "S1", 0, 2, 512, 1000),  call("cudaFree", 400),  call("cudaFreeHost", 600),
                             launch("K4", "S4", 700, 2, 512, 800), call("cudaFree", 1100), launch("K5", "S5", 1200, 2, 512, 800)};
  all[4].name = "again";
  const auto p = play(all);
  CHECK(p["cudaFreeHost"] == "600-1000");
  CHECK(p["K4"] == "0:1000-1800 1:1000-1800");
  CHECK(p["again"] == "1100-1800");
  CHECK(p["K5"] == "0:1800-2600 1:1800-2600");
}

TEST_CASE("calls need one GPU, which processes do not share, and a stream only where they wait for one") {
  const auto made = [](std::vector<Operation> all, std::vector<Pool> pools = tx2()) {
    return Experiment("test", std::move(pools), std::move(all));
  };
  CHECK_THROWS_WITH_AS((void)made({call("cudaFree", 0, "S1")}), doctest::Contains("its stream does not fit"), Defect);
  CHECK_THROWS_WITH_AS((void)made({call("cudaStreamSynchronize", 0)}), doctest::Contains("its stream does not fit"), Defect);
  CHECK_THROWS_WITH_AS((void)made({call("cudaMemcpy", 0)}), doctest::Contains("is no call"), Defect);
  Operation memcpy = copy("C", "S1", 0, Direction::h2d);
  memcpy.by_memcpy = true;
  CHECK_THROWS_WITH_AS((void)made({memcpy}), doctest::Contains("no copy on the NULL stream"), Defect);
  auto two = tx2();
  two.push_back(two[0]);
  two.back().name = "second";
  CHECK_THROWS_WITH_AS((void)made({call("cudaFree", 0)}, two), doctest::Contains("calls need one GPU"), Defect);
}

TEST_CASE("Experiments that contradict themselves are refused") {
  const auto made = [](std::vector<Operation> all) { return Experiment("test", tx2(), std::move(all)); };
  CHECK_THROWS_WITH_AS((void)made({}), doctest::Contains("an experiment needs an operation"), Defect);
  CHECK_THROWS_WITH_AS((void)made({launch("K1", "S1", 0, 1, 32, 1), launch("K1", "S2", 0, 1, 32, 1)}),
                       doctest::Contains("operation 'K1' exists twice"), Defect);
  auto o = launch("K1", "S1", 0, 1, 32, 1);
  o.after = {0};
  CHECK_THROWS_WITH_AS((void)made({o}), doctest::Contains("operation 'K1' waits for an operation that is not earlier"), Defect);
  o = launch("K1", "", 0, 1, 32, 1);
  CHECK_THROWS_WITH_AS((void)made({o}), doctest::Contains("operation 'K1': its stream does not fit"), Defect);
  o = launch("K1", "S1", -1, 1, 32, 1);
  CHECK_THROWS_WITH_AS((void)made({o}), doctest::Contains("operation 'K1': times must not be negative"), Defect);
  o = launch("K1", "S1", 0, 1, 32, 1);
  o.pool = 1;
  CHECK_THROWS_WITH_AS((void)made({o}), doctest::Contains("operation 'K1' does not fit pool 'copy'"), Defect);
  o.pool = 3;
  CHECK_THROWS_WITH_AS((void)made({o}), doctest::Contains("operation 'K1': unknown pool"), Defect);
}

TEST_CASE("streams that are named non-blocking neither wait for the NULL stream nor keep it waiting") {
  const std::vector<Operation> operations{launch("K1", "S1", 0, 1, 512, 100), launch("K2", "NULL", 10, 1, 512, 100),
                                          launch("K3", "S2", 20, 1, 512, 100)};
  // N1: K2 waits for K1. N2: K3 waits for K2.
  const auto blocking = play(operations);
  CHECK(blocking["K2"] == "0:100-200");
  CHECK(blocking["K3"] == "0:200-300");
  auto free = operations;
  free[0].stream = "non-blocking-1";
  const auto before = play(free);
  CHECK(before["K2"] == "1:10-110");
  CHECK(before["K3"] == "0:110-210");
  free[0].stream = "S1";
  free[2].stream = "non-blocking-2";
  const auto after = play(free);
  CHECK(after["K2"] == "0:100-200");
  CHECK(after["K3"] == "1:20-120");
}
