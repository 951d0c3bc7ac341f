// Experiment files: read, written, refused; the papers' tables and the examiner's configurations.
#include "rta/io/experiment_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "rta/io/examiner_file.hpp"
#include "rta/io/time_text.hpp"
#include "rta/model/error.hpp"

using namespace rta;

namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}
const std::filesystem::path literature = std::filesystem::path(RTA_SOURCE_DIR) / "tasksets/literature/experiments";

std::string fault(const std::string& experiment) {
  try {
    (void)io::parse_experiment("platform:\n  gpu: {sms: 2, threads: 2048}\n  copy: {engines: 1}\nexperiment:\n" + experiment, "e.yaml");
  } catch (const io::InputError& error) {
    std::string all;
    for (const auto& d : error.diagnostics()) all += d.text() + "\n";
    return all;
  }
  return "";
}
std::string examiner_fault(const std::string& json) {
  try {
    (void)io::parse_examiner(json, "e.json");
  } catch (const io::InputError& error) {
    std::string all;
    for (const auto& d : error.diagnostics()) all += d.message + "\n";
    return all;
  }
  return "";
}

}  // namespace

TEST_CASE("Every experiment of the literature reads, and reads back as it was written") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(literature)) {
    const auto read = io::parse_experiment(content(entry.path()), entry.path().string());
    CHECK(read.warnings.empty());
    CHECK(io::parse_experiment(io::format_experiment(read.experiment), "again").experiment == read.experiment);
    ++files;
  }
  CHECK(files == 9);
}

TEST_CASE("A kernel with copies is three operations on its stream") {
  const auto e = io::parse_experiment(
                     "platform:\n  gpu: {sms: 2, threads: 2048}\n  copy: {engines: 1}\ncopy_rate: 1 MiB\nexperiment:\n"
                     "  - {kernel: K1, stream: S1, at: 1 s, B: 6, H: 768, L: 2 s, copy_in: 3 MiB, copy_out: 20 ms, priority: high}\n"
                     "  - {copy: C, stream: \"NULL\", after: K1, delay: 5 ms, size: 512 KiB}\n"
                     "  - {kernel: K2, stream: S1, at: 2 s, after: [K1, C], B: 1, H: 32, C: 64 ms}\n",
                     "e.yaml")
                     .experiment;
  REQUIRE(e.operations().size() == 5);
  CHECK(e.operations()[0].name == "K1:in");
  CHECK(std::get<CopyDemand>(e.operations()[0].demand) == CopyDemand{Time(3'000'000'000), Direction::h2d});
  CHECK(std::get<GpuDemand>(e.operations()[1].demand).L == Time(2'000'000'000));
  CHECK(std::get<GpuDemand>(e.operations()[1].demand).priority == high_priority);
  CHECK(std::get<CopyDemand>(e.operations()[2].demand) == CopyDemand{Time(20'000'000), Direction::d2h});
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(e.operations()[i].at == Time(1'000'000'000));
    CHECK(e.operations()[i].stream == "S1");
  }
  // `after: K1` waits for its output copy.
  CHECK(e.operations()[3].after == std::vector<std::size_t>{2});
  CHECK(e.operations()[3].delay == Time(5'000'000));
  CHECK(e.operations()[3].stream == null_stream);
  CHECK(std::get<CopyDemand>(e.operations()[3].demand).C == Time(500'000'000));
  CHECK(e.operations()[4].after == std::vector<std::size_t>{2, 3});
  CHECK(std::get<GpuDemand>(e.operations()[4].demand).L == Time(2'000'000));
}

TEST_CASE("What is wrong with an experiment is said with its place") {
  CHECK(fault("  - {kernel: K1, at: 0 s, B: 1, H: 32, L: 1 s}\n") ==
        "e.yaml:5:5: kernel 'K1': 'stream' is missing: the stream that it is issued on\n");
  CHECK(fault("  - {kernel: K1, stream: NULL, at: 0 s, B: 1, H: 32, L: 1 s}\n") ==
        "e.yaml:5:26: kernel 'K1': stream: nothing is given; the NULL stream is written in quotes: \"NULL\"\n");
  CHECK(fault("  - {kernel: K1, stream: S1, B: 1, H: 32, L: 1 s}\n") ==
        "e.yaml:5:5: kernel 'K1': 'at' is missing: the instant at which it is issued (or `after`)\n");
  CHECK(fault("  - {stream: S1, at: 0 s}\n").find("either `kernel: NAME`, `copy: NAME` or `call: FUNCTION` is needed") !=
        std::string::npos);
  CHECK(fault("  - {kernel: K1, stream: S1, at: 0 s, after: K2, B: 1, H: 32, L: 1 s}\n")
            .find("the names of operations further up are expected") != std::string::npos);
  CHECK(fault("  - {kernel: K1, stream: S1, at: 0 s, B: 1, H: 32, L: 1 s, copy_in: 1 MiB}\n").find("a size needs `copy_rate`") !=
        std::string::npos);
  CHECK(fault("  - {kernel: K1, stream: S1, at: 0 s, B: 1, H: 4096, L: 1 s}\n").find("4096 G-threads are more than") != std::string::npos);
  CHECK(fault("  - {kernel: K1, stream: S1, at: 0 s, B: 1, H: 32, L: 1 s, colour: red}\n").find("unknown key 'colour'") !=
        std::string::npos);
  CHECK(fault("  - {copy: C, stream: S1, at: 0 s}\n").find("either C (its time) or size is needed") != std::string::npos);
  CHECK(fault("  - {copy: C, stream: S1, at: 0 s, C: 1 s}\n  - {copy: C, stream: S1, at: 0 s, C: 1 s}\n").find("exists already") !=
        std::string::npos);
  CHECK(fault("  - {kernel: K1, stream: S1, at: 0 s, B: 1, H: 32, L: 1 s, delay: 1 s}\n").find("delay: it counts from the end") !=
        std::string::npos);
  CHECK(fault("  {}\n").find("a list of kernels, copies and calls is expected") != std::string::npos);
  CHECK(fault("  []\n").find("it has no operation") != std::string::npos);
}

TEST_CASE("Calls are operations, and are written as they were read") {
  const std::string head = "platform: {gpu: {sms: 2, threads: 2048}, copy: {engines: 1}}\nexperiment:\n";
  const auto read = [&](const std::string& text) { return io::parse_experiment(head + text, "e.yaml").experiment; };
  const Experiment e = read(
      "  - {kernel: K1, stream: S1, at: 0 s, B: 1, H: 32, L: 1 s}\n"
      "  - {call: cudaFree, at: 0.1 s}\n"
      "  - {call: cudaStreamSynchronize, name: wait, stream: S1, after: K1, delay: 1 ms}\n"
      "  - {copy: C, call: cudaMemcpy, at: 0 s, C: 1 ms}\n");
  REQUIRE(e.operations().size() == 4);
  REQUIRE(e.pools().size() == 3);
  CHECK(e.pools()[2] == Pool{std::string(calling_threads), CpuPool{.processors = 2}});
  CHECK(std::get<CallDemand>(e.operations()[1].demand).call == gpu_call("cudaFree"));
  CHECK(e.operations()[1].pool == 2);
  CHECK(e.operations()[1].stream.empty());
  CHECK(e.operations()[2].name == "wait");
  CHECK(e.operations()[2].stream == "S1");
  CHECK(e.operations()[3].by_memcpy);
  CHECK(e.operations()[3].stream == null_stream);
  CHECK(e.has_calls());
  CHECK(io::parse_experiment(io::format_experiment(e), "again").experiment == e);
  const auto wrong = [&](const std::string& text) {
    try {
      (void)read(text);
    } catch (const io::InputError& error) {
      return error.diagnostics().front().text();
    }
    return std::string();
  };
  CHECK(wrong("  - {call: cudaFree, stream: S1, at: 0 s}\n") ==
        "e.yaml:3:30: call 'cudaFree': stream: cudaFree waits for no stream of its own");
  CHECK(wrong("  - {call: cudaStreamSynchronize, at: 0 s}\n") ==
        "e.yaml:3:5: call 'cudaStreamSynchronize': 'stream' is missing: the stream that it waits for");
  CHECK(wrong("  - {call: cudaFoo, at: 0 s}\n").find("cudaFreeHost") != std::string::npos);
  CHECK(wrong("  - {copy: C, call: cudaFree, at: 0 s, C: 1 ms}\n").find("cudaMemcpy") != std::string::npos);
  CHECK(wrong("  - {copy: C, call: cudaMemcpy, stream: S1, at: 0 s, C: 1 ms}\n").find("cudaMemcpy copies on the NULL stream") !=
        std::string::npos);
}

TEST_CASE("Processes that share a GPU have a context each, and are written as they were read") {
  const std::string head =
      "platform: {gpu: {sms: 2, threads: 2048, sharing: {slice: 1 ms, switch: 100 us}}, copy: {engines: 1}}\nexperiment:\n";
  const std::string one = "  - {kernel: K1, on: gpu, process: b, stream: S1, at: 0 s, B: 1, H: 32, L: 1 s, copy_in: 1 ms}\n";
  const auto read =
      io::parse_experiment(head + one + "  - {kernel: K2, on: gpu, process: a, stream: S2, at: 0 s, B: 1, H: 32, L: 1 s}\n", "e.yaml");
  const Experiment& e = read.experiment;
  REQUIRE(e.pools().size() == 3);
  CHECK(e.pools()[0].name == "gpu/a");
  CHECK(e.pools()[1].name == "gpu/b");
  CHECK(std::get<GpuPool>(e.pools()[1].resource).sharing == Sharing{"gpu", "b", Time(1'000'000), Time(100'000), 2});
  CHECK(e.operations()[0].pool == 2);  // K1:in
  CHECK(e.operations()[1].pool == 1);
  CHECK(e.operations()[2].pool == 0);
  CHECK(io::parse_experiment(io::format_experiment(e), "again").experiment == e);
  const auto wrong = [&](const std::string& text, const std::string& more) {
    try {
      (void)io::parse_experiment(text + one + more, "e.yaml");
    } catch (const io::InputError& error) {
      return error.diagnostics().front().text();
    }
    return std::string();
  };
  CHECK(wrong(head, "  - {kernel: K2, on: gpu, process: a, stream: \"NULL\", at: 0 s, B: 1, H: 32, L: 1 s}\n") ==
        "e.yaml:4:47: kernel 'K2': stream: where processes share a GPU each has a NULL stream of its own; give the stream a name");
  CHECK(wrong(head, "  - {kernel: K2, on: gpu, process: a, stream: S1, at: 0 s, B: 1, H: 32, L: 1 s}\n") ==
        "e.yaml:4:47: kernel 'K2': stream: 'S1' is another process's above; streams are not shared");
  CHECK(wrong("platform: {gpu: {sms: 2, threads: 2048}, copy: {engines: 1}}\nexperiment:\n",
              "  - {kernel: K2, on: gpu, process: a, stream: S2, at: 0 s, B: 1, H: 32, L: 1 s}\n")
            .starts_with("e.yaml:4:36: pool 'gpu': two processes use this GPU, 'b' (line 3) and 'a': say `sharing:"));
}

TEST_CASE("A file is an experiment by its key") {
  const std::string platform = "platform:\n  gpu: {sms: 2, threads: 2048}\n";
  CHECK(
      io::parse_task_set_or_experiment(platform + "experiment:\n  - {kernel: K, stream: S, at: 0 s, B: 1, H: 32, L: 1 s}\n", "x").index() ==
      1);
  CHECK(io::parse_task_set_or_experiment(platform + "\"experim\\x65nt\":\n  - {kernel: K, stream: S, at: 0 s, B: 1, H: 32, L: 1 s}\n", "x")
            .index() == 1);
  CHECK(io::parse_task_set_or_experiment(platform + "tasks:\n  - {name: t, T: 1 s, on: gpu, B: 1, H: 32, L: 1 ms}\n", "x").index() == 0);
  CHECK_THROWS_AS((void)io::parse_task_set_or_experiment("experiment: [", "x"), io::InputError);
}

TEST_CASE("Times on the command line") {
  CHECK(io::parse_time("30 s") == Time(30'000'000'000));
  CHECK(io::parse_time("1.5ms") == Time(1'500'000));
  CHECK(io::parse_time("0 ns") == Time(0));
  CHECK(io::parse_time("5m") == Time(300'000'000'000));
  CHECK(io::parse_time("0.5 h") == Time(1'800'000'000'000));
  for (const char* wrong : {"", "s", "5", "-1 s", "0.5 ns", "1 d", "99999999999999 s", "1 s x"}) CHECK(!io::parse_time(wrong));
}

TEST_CASE("The examiner's multikernel benchmark: delays wait for the stream, releases are absolute") {
  // The shape of the examiner's configuration for Figure 3 of Amert et al.
  const auto e = io::parse_examiner(R"({"max_iterations": 1, "max_time": 0, "benchmarks": [
    {"filename": "./bin/multikernel.so", "label": "a", "thread_count": 0, "block_count": 0, "additional_info": [
      {"kernel_label": "K4", "duration": 1000000000, "block_count": 4, "thread_count": 256, "shared_memory_size": 8192, "delay": 0.2},
      {"kernel_label": "K6", "duration": 1000000000, "block_count": 2, "thread_count": 512, "copy_out_count": 67108864, "delay": 0.8}]},
    {"filename": "./bin/timer_spin_default_stream.so", "label": "K 2", "thread_count": 1024, "block_count": 1,
     "additional_info": 500000000, "release_time": 0.25, "stream_priority": -1}]})",
                                    "e.json")
                     .experiment;
  REQUIRE(e.operations().size() == 4);
  const auto& K4 = e.operations()[0];
  CHECK(K4.at == Time(200'000'000));
  CHECK(K4.after.empty());
  CHECK(std::get<GpuDemand>(K4.demand).shared_memory == 32 * 1024);
  const auto& K6 = e.operations()[1];
  CHECK(K6.after == std::vector<std::size_t>{0});
  CHECK(K6.delay == Time(800'000'000));
  CHECK(e.operations()[2].name == "K6:out");
  CHECK(std::get<CopyDemand>(e.operations()[2].demand).C == Time(20'000'000));  // 256 MiB at 12800 MiB/s
  CHECK(e.operations()[3].name == "K_2");
  CHECK(e.operations()[3].stream == null_stream);
  CHECK(e.operations()[3].at == Time(250'000'000));
  CHECK(std::get<GpuDemand>(e.operations()[3].demand).priority == high_priority);
  CHECK(io::parse_experiment(io::format_experiment(e), "again").experiment == e);
}

TEST_CASE("Iterations wait for the one before, of the same benchmark or of all") {
  const std::string benchmarks = R"("max_iterations": 2, "benchmarks": [
    {"filename": "timer_spin.so", "label": "A", "thread_count": 256, "block_count": 1, "additional_info": 500000000},
    {"filename": "timer_spin.so", "label": "B", "thread_count": 512, "block_count": 1, "additional_info": 250000000}]})";
  const auto apart = io::parse_examiner("{" + benchmarks, "e.json").experiment;
  CHECK(apart.operations()[3].name == "B.2");
  CHECK(apart.operations()[3].after == std::vector<std::size_t>{1});
  const auto together = io::parse_examiner(R"({"sync_every_iteration": true, )" + benchmarks, "e.json").experiment;
  CHECK(together.operations()[3].after == std::vector<std::size_t>{0, 1});
}

TEST_CASE("What the examiner can do and the rules cannot is refused by the kernel's name") {
  const auto one = [](const std::string& rest) {
    return R"({"benchmarks": [{"label": "K7", "thread_count": 32, "block_count": 1, )" + rest + "}]}";
  };
  CHECK(examiner_fault(one(R"("filename": "./bin/counter_spin.so", "additional_info": 1)")) ==
        "kernel 'K7': 'counter_spin' has no fixed duration\n");
  CHECK(examiner_fault(one(R"("filename": "mandelbrot.so")")) == "kernel 'K7': 'mandelbrot' has no fixed duration\n");
  CHECK(examiner_fault(one(R"("filename": "timer_spin.so", "additional_info": 5, "sm_mask": "0x1")")).find("kernel 'K7': sm_mask") == 0);
  CHECK(examiner_fault(one(R"("filename": "timer_spin.so")")) == "kernel 'K7': its duration is missing\n");
  CHECK(examiner_fault(R"({"benchmarks": [{"filename": "timer_spin.so", "additional_info": 5, "label": ")" + std::string(256, 'k') +
                       R"("}]})")
            .find("is longer than 255 bytes") != std::string::npos);
  const std::string spin = R"("filename": "timer_spin.so", "additional_info": 5)";
  CHECK(examiner_fault(one(spin + R"(, "stream_priority": "high")")) == "kernel 'K7': stream_priority: a number is expected\n");
  CHECK(examiner_fault(R"({"use_processes": 1, "benchmarks": [{)" + spin + "}]}") == "use_processes: true or false is expected\n");
  CHECK(examiner_fault(R"({"sync_every_iteration": "yes", "benchmarks": [{)" + spin + "}]}") ==
        "sync_every_iteration: true or false is expected\n");
  // However long a name or a word is, the message is not.
  const std::string long_word(100'000, 'k');
  CHECK(examiner_fault(R"({"benchmarks": [{"filename": ")" + long_word + R"(", "label": ")" + long_word + R"("}]})").size() < 400);
  CHECK(examiner_fault(R"({"benchmarks": [{"filename": "timer_spin.so", "label": ")" + long_word).size() < 400);
  CHECK(examiner_fault("[]").find("not a configuration") == 0);
  CHECK(examiner_fault("{").find("not JSON: syntax error") == 0);
  CHECK(examiner_fault(R"({"use_processes": true, "benchmarks": [{"filename": "timer_spin.so", "additional_info": 1},
                           {"filename": "timer_spin.so", "additional_info": 1}]})")
            .find("use_processes") == 0);
  CHECK_THROWS_AS((void)io::parse_examiner("{}", "e.json", {"abacus", 1, {}, {}}), UserError);
}

TEST_CASE("A kernel that is called like another one's copy gets a name of its own") {
  const auto read = io::parse_examiner(
      R"({"benchmarks": [{"filename": "multikernel.so", "additional_info": [
             {"kernel_label": "K", "thread_count": 32, "block_count": 1, "duration": 5, "copy_in_count": 256},
             {"kernel_label": "K:in", "thread_count": 32, "block_count": 1, "duration": 5}]}]})",
      "e.json");
  std::vector<std::string> names;
  for (const Operation& operation : read.experiment.operations()) names.push_back(operation.name);
  CHECK(names == std::vector<std::string>{"K:in", "K", "K:in-2"});
}
