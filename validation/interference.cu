// How much longer a block takes beside company: what L must allow for, or what `interference` of a task set adds to it.
// A block with a fixed amount of work is measured alone and beside
//   whole       blocks of one class on every other SM          parts       on a quarter, a half and three quarters of them
//   halves      blocks of two or three classes, mixed          partitions  the same in two green contexts, the block in the smaller
//   same-sm     blocks on its own SM, all mixes of classes     copies      copies by an engine
//   cpus        processors that read and write memory             registers   what of the first three has blocks of registers beside it
// Prints JSON. PART...: these alone; else all but `registers`. A part ends after a minute with the cases that it has by then. With --quick:
// few repetitions.
// Build: nvcc -std=c++17 -O2 -arch=native -Xcompiler -pthread -Ivalidation/runtime -o interference validation/interference.cu
#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/cuda_memory.cuh"
#include "common/gpu_device.cuh"
#include "common/green_contexts.cuh"
#include "common/launch.cuh"
#include "common/spin.cuh"
#include "common/trace_file.hpp"
#include "interference/blocks.cuh"

namespace {

using namespace common;
using namespace interference;

struct Summary {
  std::int64_t median, p99, max;
  std::size_t samples;
};

Summary summary_of(std::vector<std::int64_t> took) {
  std::sort(took.begin(), took.end());
  return {took[took.size() / 2], took[(took.size() * 99 + 99) / 100 - 1], took.back(), took.size()};
}

/// A part cannot go on, for this reason; the cases before are known.
struct NotPossible {
  std::string reason;
};

/// Where a block is measured: on an SM that it has alone, or beside others on one SM.
enum class Place { own_sm, shared_sm };

/// Copies in one direction, one after another, for as long as it lives; some are always under way.
class Copies {
 public:
  Copies(cudaMemcpyKind kind, std::size_t bytes)
      : bytes_(bytes), from_host_(kind == cudaMemcpyHostToDevice), to_host_(kind == cudaMemcpyDeviceToHost) {
    from_ = from_host_ ? on_host<char>(bytes) : on_device<char>(bytes);
    to_ = to_host_ ? on_host<char>(bytes) : on_device<char>(bytes);
    CUDA_CALL(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (cudaEvent_t& event : events_) CUDA_CALL(cudaEventCreateWithFlags(&event, cudaEventBlockingSync | cudaEventDisableTiming));
    since_ = now();
    thread_ = std::thread([this, kind] { copy(kind); });
    while (done_.load() == 0) sleep_until(now() + 100'000);
  }
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;
  ~Copies() {
    stop_.store(true);
    thread_.join();
    for (const cudaEvent_t event : events_) CUDA_CALL(cudaEventDestroy(event));
    CUDA_CALL(cudaStreamDestroy(stream_));
    CUDA_CALL(from_host_ ? cudaFreeHost(from_) : cudaFree(from_));
    CUDA_CALL(to_host_ ? cudaFreeHost(to_) : cudaFree(to_));
  }
  /// Bytes per ns, which are GB per s.
  [[nodiscard]] double rate() const {
    return static_cast<double>(done_.load()) * static_cast<double>(bytes_) / static_cast<double>(now() - since_);
  }

 private:
  static constexpr unsigned depth = 3;

  void copy(cudaMemcpyKind kind) {
    for (unsigned n = 0; !stop_.load(); ++n) {
      const cudaEvent_t ended = events_[n % depth];
      if (n >= depth) {
        CUDA_CALL(cudaEventSynchronize(ended));
        done_.fetch_add(1);
      }
      CUDA_CALL(cudaMemcpyAsync(to_, from_, bytes_, kind, stream_));
      CUDA_CALL(cudaEventRecord(ended, stream_));
    }
    CUDA_CALL(cudaStreamSynchronize(stream_));
  }

  std::size_t bytes_;
  bool from_host_, to_host_;
  char* from_ = nullptr;
  char* to_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t events_[depth] = {};
  std::atomic<unsigned> done_{0};
  std::atomic<bool> stop_{false};
  std::int64_t since_ = 0;
  std::thread thread_;
};

/// Threads that read and write memory of their own, more than caches hold, for as long as it lives.
class BusyProcessors {
 public:
  BusyProcessors(unsigned count, std::size_t bytes) {
    for (unsigned t = 0; t < count; ++t) {
      threads_.emplace_back([this, bytes] {
        std::vector<unsigned> memory(bytes / sizeof(unsigned), 1U);
        constexpr std::size_t line = 16;  // words
        while (!stop_.load()) {
          for (std::size_t w = 0; w < memory.size(); w += line) {
            volatile unsigned& word = memory[w];
            word = word + 1;
          }
          passes_.fetch_add(1);
        }
      });
    }
    while (passes_.load() < count) sleep_until(now() + 100'000);
  }
  BusyProcessors(const BusyProcessors&) = delete;
  BusyProcessors& operator=(const BusyProcessors&) = delete;
  ~BusyProcessors() {
    stop_.store(true);
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::atomic<unsigned> passes_{0};
  std::vector<std::thread> threads_;
};

class Interference {
 public:
  explicit Interference(const GpuDevice& device)
      : device_(device),
        sms_(static_cast<unsigned>(device.properties().multiProcessorCount)),
        shared_memory_(device.properties().sharedMemPerBlockOptin),
        threads_of_place_(static_cast<unsigned>(device.properties().maxThreadsPerMultiProcessor) / places),
        victim_(device.service_stream()) {
    int cache = 0;
    CUDA_CALL(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device.index()));
    const std::size_t words = std::max<std::size_t>(static_cast<std::size_t>(cache), std::size_t{1} << 16) / sizeof(unsigned);
    cached_ = {on_device<unsigned>(words / 4), words / 4};
    large_ = {on_device<unsigned>(8 * words), 8 * words};
    times_ = on_host<BlockTimes>(1);
    stop_ = on_host<unsigned>(1);
    present_ = on_host<unsigned>(places * sms_);
    ended_ = on_device<unsigned>(std::size_t{words_of_line} * places * sms_);
    roles_ = on_device<unsigned>(places * sms_);
    begun_ = on_device<unsigned>(places * sms_);
    arrived_ = on_device<unsigned>(1);
    done_ = on_device<unsigned>(1);
    CUDA_CALL(cudaStreamCreateWithFlags(&beside_, cudaStreamNonBlocking));
    // So much shared memory that an SM holds one block.
    const auto all = static_cast<int>(shared_memory_);
    CUDA_CALL(cudaFuncSetAttribute(disturb, cudaFuncAttributeMaxDynamicSharedMemorySize, all));
    CUDA_CALL(cudaFuncSetAttribute(work_once, cudaFuncAttributeMaxDynamicSharedMemorySize, all));
    // An SM is divided between its memory and its cache in one way at a time: kernels that ask for others wait until it is empty.
    fix_carveout(disturb);
    fix_carveout(work_once);
    fix_carveout(work_on_one_sm);
    for (const Place place : {Place::own_sm, Place::shared_sm}) {
      for (const Work work : works) rounds(place, work) = rounds_of_a_millisecond(place, work);
    }
  }

  [[nodiscard]] unsigned others() const { return sms_ - 1; }
  [[nodiscard]] unsigned threads_of_place() const { return threads_of_place_; }
  [[nodiscard]] std::size_t level_2_bytes() const { return 4 * cached_.count * sizeof(unsigned); }
  void set_repetitions(unsigned repetitions) { repetitions_ = repetitions; }
  /// From now on: no case begins later.
  void set_limit(std::int64_t ns) { until_ = now() + ns; }
  /// From now on blocks that have an SM of their own are launched into `victim`, and their company into `beside`.
  void set_streams(cudaStream_t victim, cudaStream_t beside) {
    victim_ = victim;
    beside_ = beside;
  }

  /// Of a block with `work`, with what goes on anyway.
  Summary measure(Place place, Work work) {
    constexpr std::int64_t long_enough = 1'000'000'000;  // where a block takes many times as long, for fewer repetitions
    constexpr unsigned fewest = 5;
    std::vector<std::int64_t> took;
    require_time();
    const std::int64_t until = now() + long_enough;
    for (unsigned i = 0; i < repetitions_ + 3 && (took.size() < fewest || now() < until); ++i) {
      const std::int64_t ns = once(place, work, rounds(place, work));
      if (i >= 3) took.push_back(ns);  // the first bring clocks and caches up
    }
    return summary_of(std::move(took));
  }

  /// Beside `blocks` of these classes on other SMs.
  Summary beside(Work work, const Classes& classes, unsigned blocks) {
    require_time();
    if (!begin({classes, cached_, large_, blocks, threads, 0, every_sm, ++disturbances_, limit}, shared_memory_))
      gpu_failed("the blocks beside did not start within 2 s: something else holds SMs");
    const Summary found = measure(Place::own_sm, work);
    end();
    return found;
  }
  /// Beside blocks of these classes in all other places of the SM; on other SMs as many only hold their places. False: they did not start
  /// at once, or not evenly.
  /// So few blocks go on through all of their data, which else would stay in the cache of level 2.
  bool on_same_sm(Work work, const Classes& classes, Summary& found) {
    require_time();
    CUDA_CALL(cudaMemsetAsync(arrived_, 0, sizeof *arrived_, beside_));
    const unsigned blocks = (places - 1) * sms_;
    const bool there = begin({classes, cached_, large_, blocks, threads_of_place_, 64 * stride, sm_, ++disturbances_, limit}, 0) &&
                       std::count(present_, present_ + blocks, 2U) == places - 1;
    if (there) found = measure(Place::shared_sm, work);
    end();
    return there;
  }

 private:
  // For longer than any case takes: at most 8 blocks of `most`, of which the last begins after a second.
  static constexpr unsigned limit = 30'000;            // ms
  static constexpr std::int64_t most = 3'000'000'000;  // of a block that takes a millisecond alone; ns

  unsigned& rounds(Place place, Work work) { return rounds_[place == Place::own_sm ? 0 : 1][static_cast<unsigned>(work)]; }
  [[nodiscard]] Data data_of(Work work) const { return work == Work::dram ? large_ : cached_; }

  std::int64_t once(Place place, Work work, unsigned rounds) {
    const bool shares = place == Place::shared_sm;
    const unsigned of_block = shares ? threads_of_place_ : threads;
    // DRAM: what the last time left in the cache of level 2 is not read again.
    const std::size_t first_line = work == Work::dram ? line_ : 0;
    line_ += std::size_t{rounds} * stride;
    const cudaStream_t stream = shares ? device_.service_stream() : victim_;
    volatile BlockTimes* const times = times_;
    times->end = 0;
    if (shares) {
      launch(work_on_one_sm, sms_, of_block, 0, stream, work, data_of(work), first_line, rounds, sm_, done_, ++time_, times_);
    } else {
      launch(work_once, 1, of_block, shared_memory_, stream, work, data_of(work), first_line, rounds, times_);
    }
    wait_for(stream);
    if (times->end == 0) gpu_failed("no block of " + std::to_string(sms_) + " was placed on SM " + std::to_string(sm_));
    if (!shares) sm_ = times->sm;
    return static_cast<std::int64_t>(times->end - times->start);
  }
  void require_time() const {
    if (now() > until_) throw NotPossible{"the time of this part was up: its other cases are left out"};
  }
  /// Until what was launched there has ended. What does not, for lack of room or because others let it do nothing, is given up.
  void wait_for(cudaStream_t stream) {
    const std::int64_t until = now() + most;
    for (;;) {
      const cudaError_t status = cudaStreamQuery(stream);
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) CUDA_CALL(status);
      if (now() > until) break;
    }
    end();
    CUDA_CALL(cudaStreamSynchronize(stream));
    throw NotPossible{"a block of a millisecond did not end within 3 s beside others"};
  }
  unsigned rounds_of_a_millisecond(Place place, Work work) {
    constexpr unsigned trial = 256;
    once(place, work, trial);
    const std::int64_t took = std::max<std::int64_t>(once(place, work, trial), 1);
    return static_cast<unsigned>(std::max<std::int64_t>(1'000'000 * trial / took, 16));
  }

  /// False: not all blocks have started within 2 s.
  bool begin(const Disturbance& is, std::size_t shared_memory) {
    *static_cast<volatile unsigned*>(stop_) = 0;
    volatile unsigned* const present = present_;
    for (unsigned b = 0; b < is.blocks; ++b) present[b] = 0;
    if (is.blocks > 0)
      launch(disturb, is.blocks, is.threads, shared_memory, beside_, is, stop_, present_, ended_, roles_, begun_, arrived_);
    const std::int64_t until = now() + 2'000'000'000;
    for (unsigned b = 0; b < is.blocks; ++b) {
      while (present[b] == 0) {
        if (now() > until) return false;
      }
    }
    return true;
  }
  void end() {
    *static_cast<volatile unsigned*>(stop_) = 1;
    CUDA_CALL(cudaStreamSynchronize(beside_));
  }

  const GpuDevice& device_;
  unsigned repetitions_ = 1;
  unsigned sms_;
  std::size_t shared_memory_;
  unsigned threads_of_place_;
  Data cached_{};
  Data large_{};
  unsigned rounds_[2][work_count] = {};
  unsigned sm_ = 0;  // where the last block that had one of its own was
  BlockTimes* times_ = nullptr;
  unsigned* stop_ = nullptr;
  unsigned* present_ = nullptr;
  unsigned* ended_ = nullptr;  // block -> the disturbance in which it last ended
  unsigned* roles_ = nullptr;
  unsigned* begun_ = nullptr;
  unsigned* arrived_ = nullptr;
  unsigned* done_ = nullptr;
  unsigned disturbances_ = 0;
  unsigned time_ = 0;
  std::int64_t until_ = INT64_MAX;
  std::size_t line_ = 0;
  cudaStream_t victim_ = nullptr;
  cudaStream_t beside_ = nullptr;
};

/// The cases, each a line, and what could not be measured.
class Report {
 public:
  /// Of a block alone: others of that place are compared with it.
  void alone(Work work, const char* where, const Summary& is) {
    alone_ = is;
    add(work, where, "none", Classes{}, 0, is);
  }
  void add(Work work, const char* where, const std::string& beside, const Classes& company, unsigned blocks, const Summary& is,
           double rate = 0) {
    unsigned of[work_count] = {};
    for (unsigned b = 0; b < blocks; ++b) ++of[company.bits >> 2 * (b % company.count) & 3U];
    std::string line =
        std::string("    {\"kernel\": \"") + name_of(work) + "\", \"where\": \"" + where + "\", \"beside\": \"" + beside + "\"";
    line += ", \"blocks\": {";
    for (const Work each : works) {
      const unsigned n = of[static_cast<unsigned>(each)];
      if (n > 0) line += std::string(line.back() == '{' ? "\"" : ", \"") + name_of(each) + "\": " + std::to_string(n);
    }
    char figures[256];
    std::snprintf(figures, sizeof figures,
                  "}, \"samples\": %zu, \"median_ns\": %" PRId64 ", \"p99_ns\": %" PRId64 ", \"max_ns\": %" PRId64
                  ", \"growth_percent\": %.1f, \"growth_of_largest_percent\": %.2f",
                  is.samples, is.median, is.p99, is.max, percent(is.p99, alone_.p99), percent(is.max, alone_.median));
    line += figures;
    if (rate > 0) {
      std::snprintf(figures, sizeof figures, ", \"copied_gb_per_s\": %.1f", rate);
      line += figures;
    }
    cases_.push_back(line + "}");
  }
  void not_possible(const char* part, const std::string& why) { missing_.push_back("    " + json_string(part) + ": " + json_string(why)); }
  void print(const GpuDevice& device, const Interference& interference) const {
    std::printf("{\n  \"device\": %s, \"blocks_beside\": %u, \"blocks_on_same_sm\": %u, \"threads_of_each\": %u,\n  \"cases\": [\n",
                json_string(device.properties().name).c_str(), interference.others(), places, interference.threads_of_place());
    print_lines(cases_);
    std::printf("  ],\n  \"not_possible\": {\n");
    print_lines(missing_);
    std::printf("  }\n}\n");
  }

 private:
  static double percent(std::int64_t ns, std::int64_t alone) {
    return 100.0 * static_cast<double>(ns - alone) / static_cast<double>(std::max<std::int64_t>(alone, 1));
  }
  static void print_lines(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) std::printf("%s%s\n", line.c_str(), &line == &lines.back() ? "" : ",");
  }
  Summary alone_{};
  std::vector<std::string> cases_;
  std::vector<std::string> missing_;
};

Classes only(Work work) {
  Classes one;
  one.add(work);
  return one;
}

/// Classes as a set of bits.
constexpr unsigned bit(Work work) { return 1U << static_cast<unsigned>(work); }
constexpr unsigned every_class = (1U << work_count) - 1;

/// `with`: only company that has blocks of one of these classes; so below.
void measure_whole(Interference& of, Report& report, unsigned with = every_class) {
  for (const Work work : works) {
    report.alone(work, "other SMs", of.measure(Place::own_sm, work));
    for (const Work other : works) {
      if ((with & bit(other)) == 0) continue;
      report.add(work, "other SMs", name_of(other), only(other), of.others(), of.beside(work, only(other), of.others()));
    }
  }
}

void measure_halves(Interference& of, Report& report, unsigned with = every_class) {
  for (const Work work : works) {
    report.alone(work, "other SMs", of.measure(Place::own_sm, work));
    for (unsigned set = 0; set < 1U << work_count; ++set) {
      Classes mixed;
      std::string names;
      for (const Work other : works) {
        if ((set & bit(other)) == 0) continue;
        mixed.add(other);
        names += (names.empty() ? "" : " and ") + std::string(name_of(other));
      }
      if (mixed.count >= 2 && (set & with) != 0)
        report.add(work, "other SMs", names, mixed, of.others(), of.beside(work, mixed, of.others()));
    }
  }
}

void measure_parts(Interference& of, Report& report, unsigned with = every_class) {
  for (const Work work : works) {
    report.alone(work, "other SMs", of.measure(Place::own_sm, work));
    for (const Work other : works) {
      for (unsigned quarters = 1; quarters <= 3 && (with & bit(other)) != 0; ++quarters) {
        const unsigned blocks = (of.others() * quarters + 3) / 4;
        const std::string name = std::string(name_of(other)) + " on " +
                                 (quarters == 2   ? "a half"
                                  : quarters == 1 ? "a quarter"
                                                  : "three quarters");
        report.add(work, "other SMs", name, only(other), blocks, of.beside(work, only(other), blocks));
      }
    }
  }
}

void measure_registers(Interference& of, Report& report) {
  measure_whole(of, report, bit(Work::registers));
  measure_halves(of, report, bit(Work::registers));
  measure_parts(of, report, bit(Work::registers));
}

void measure_same_sm(Interference& of, Report& report) {
  for (const Work work : works) {
    report.alone(work, "same SM", of.measure(Place::shared_sm, work));
    for (unsigned level_2 = 0; level_2 < places; ++level_2) {
      for (unsigned dram = 0; dram + level_2 < places; ++dram) {
        const unsigned registers = places - 1 - level_2 - dram;
        const unsigned many[work_count] = {registers, level_2, dram};
        Classes mixed;
        std::string names;
        for (const Work other : works) {
          const unsigned n = many[static_cast<unsigned>(other)];
          for (unsigned i = 0; i < n; ++i) mixed.add(other);
          if (n > 0) names += (names.empty() ? "" : ", ") + std::to_string(n) + " " + name_of(other);
        }
        Summary found{};
        bool there = false;
        for (unsigned i = 0; i < 3 && !there; ++i) there = of.on_same_sm(work, mixed, found);
        if (!there) {
          report.not_possible("same-sm", std::to_string(places) + " blocks of " + std::to_string(of.threads_of_place()) +
                                             " threads were not on each SM at once");
          return;
        }
        report.add(work, "same SM", names, mixed, places - 1, found);
      }
    }
  }
}

void measure_copies(Interference& of, Report& report) {
  const std::size_t bytes = std::max<std::size_t>(std::size_t{16} << 20, 4 * of.level_2_bytes());
  const struct {
    cudaMemcpyKind kind;
    const char* name;
  } all[] = {{cudaMemcpyHostToDevice, "host to device"},
             {cudaMemcpyDeviceToHost, "device to host"},
             {cudaMemcpyDeviceToDevice, "device to device"}};
  for (const Work work : works) {
    report.alone(work, "copies", of.measure(Place::own_sm, work));
    for (const auto& each : all) {
      const Copies copies(each.kind, bytes);
      const Summary found = of.measure(Place::own_sm, work);
      report.add(work, "copies", each.name, Classes{}, 0, found, copies.rate());
    }
  }
}

void measure_partitions(const GpuDevice& device, Interference& of, Report& report) {
  const std::string fault = GreenContexts::fault(device.index());
  if (!fault.empty()) {
    report.not_possible("partitions", fault);
    return;
  }
  const unsigned asked = of.others() < 16 ? 1 : 8;
  GreenContexts contexts(device.index());
  const Partition small = contexts.at_least(asked);
  const Partition large = contexts.rest();
  of.set_streams(contexts.stream(small.context, 0), contexts.stream(large.context, 0));
  for (const Work work : works) {
    report.alone(work, "other partition", of.measure(Place::own_sm, work));
    for (const Work other : works)
      report.add(work, "other partition", name_of(other), only(other), large.sms, of.beside(work, only(other), large.sms));
  }
}

void measure_processors(Interference& of, Report& report) {
  const unsigned there = std::max(std::thread::hardware_concurrency(), 1U);
  const unsigned count = std::min(there > 1 ? there - 1 : 1U, 16U);
  for (const Work work : works) {
    report.alone(work, "CPUs", of.measure(Place::own_sm, work));
    const BusyProcessors busy(count, std::size_t{32} << 20);
    report.add(work, "CPUs", std::to_string(count) + " that read and write memory", Classes{}, 0, of.measure(Place::own_sm, work));
  }
}

}  // namespace

int main(int argc, char** argv) {
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  bool quick = false;
  // Their order is that in which they are measured.
  struct Part {
    const char* name;
    unsigned repetitions;
    std::function<void(const GpuDevice&, Interference&, Report&)> measure;
    bool asked;
  };
  const auto alone = [](void (*measure)(Interference&, Report&)) {
    return [=](const GpuDevice&, Interference& of, Report& report) { measure(of, report); };
  };
  const auto of_all = [](void (*measure)(Interference&, Report&, unsigned)) {
    return [=](const GpuDevice&, Interference& of, Report& report) { measure(of, report, every_class); };
  };
  Part parts[] = {{"whole", 200, of_all(measure_whole), false},   {"halves", 200, of_all(measure_halves), false},
                  {"parts", 100, of_all(measure_parts), false},   {"registers", 200, alone(measure_registers), false},
                  {"same-sm", 50, alone(measure_same_sm), false},  // of up to 30 ms
                  {"copies", 100, alone(measure_copies), false},  {"cpus", 100, alone(measure_processors), false},
                  {"partitions", 100, measure_partitions, false}};
  bool all = true;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto named = std::find_if(std::begin(parts), std::end(parts), [&](const Part& part) { return word == part.name; });
    if (word == "--quick") {
      quick = true;
    } else if (named != std::end(parts)) {
      named->asked = true;
      all = false;
    } else {
      std::fprintf(stderr,
                   "Usage: interference [--quick] [whole | halves | parts | registers | same-sm | copies | cpus | partitions]...\n");
      return 2;
    }
  }
  const GpuDevice device(0);
  std::optional<Interference> interference;
  try {
    interference.emplace(device);
  } catch (const NotPossible& why) {
    gpu_failed(why.reason);
  }
  Report report;
  for (const Part& part : parts) {
    if (all ? std::string(part.name) == "registers" : !part.asked) continue;
    constexpr std::int64_t a_minute = 60'000'000'000;
    interference->set_limit(a_minute);
    interference->set_repetitions(quick ? 5 : part.repetitions);
    try {
      part.measure(device, *interference, report);
    } catch (const NotPossible& why) {
      report.not_possible(part.name, why.reason);
    }
  }
  report.print(device, *interference);
  return 0;
}
