// Two processes on one GPU: do their blocks run at the same time, how long are time slices, and does one process's kernel have to wait
// until another's ends?
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "child.hpp"
#include "interruption.hpp"
#include "intervals.hpp"
#include "measure_latency.cuh"

namespace examine {

struct Gap {
  unsigned long long start;
  unsigned long long end;
};

/// Every block runs for `length` by the timer, whatever else has its SM in between; block 0 notes when it did not advance for `least` ns.
static __global__ void watch_gaps(unsigned long long length, unsigned long long least, BlockTimes* times, Gap* gaps, unsigned most,
                                  volatile unsigned* count) {
  if (threadIdx.x == 0) {
    const std::uint64_t start = global_time();
    std::uint64_t before = start;
    unsigned found = 0;
    while (before - start < length) {
      const std::uint64_t at = global_time();
      if (blockIdx.x == 0 && at - before >= least && found < most) {
        gaps[found] = {before, at};
        ++found;
      }
      before = at;
    }
    times[blockIdx.x].start = start;
    times[blockIdx.x].end = before;
    if (blockIdx.x == 0) *count = found;
  }
  __syncthreads();
}

/// Where two processes meet.
struct Pair {
  std::atomic<unsigned> ready{0};
  std::atomic<std::int64_t> start{0};
  std::atomic<unsigned> round{0};
  std::atomic<unsigned> finished{0};
};

/// Until `ready`, or an interruption; the other process may have ended without a word.
template <class Ready>
void wait_for_other(Ready ready) {
  const std::int64_t until = common::now() + 60'000'000'000;
  while (!ready() && interrupted == 0) {
    if (common::now() > until) fail("the other of two processes did not answer within 60 s");
    common::sleep_until(common::now() + 100'000);
  }
}

class PairMemory {
 public:
  PairMemory() {
    memory_ = mmap(nullptr, sizeof(Pair), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) fail("no memory for two processes to meet in");
    pair = new (memory_) Pair;
  }
  PairMemory(const PairMemory&) = delete;
  PairMemory& operator=(const PairMemory&) = delete;
  ~PairMemory() { munmap(memory_, sizeof(Pair)); }
  Pair* pair = nullptr;

 private:
  void* memory_ = nullptr;
};

/// Both kernels of a round: as long as `length`; the second process launches its own later by `later`.
struct Round {
  bool filling;  // the first process's kernel takes all of the GPU
  std::int64_t first_length;
  std::int64_t second_length;
  std::int64_t later;
};

/// One of the two: per round a line `launched start end gaps gap-start gap-end ...`, all by the GPU's timer but `launched`, which is put
/// on it.
inline std::string be_one_of_two(int index, unsigned who, unsigned rounds, const Round& round, Pair& pair, const std::string& mps_folder) {
  if (!mps_folder.empty()) setenv("CUDA_MPS_PIPE_DIRECTORY", mps_folder.c_str(), 1);
  constexpr unsigned most_gaps = 4096;
  // One after the other: what one prepares does not disturb the other.
  wait_for_other([&] { return pair.ready.load() == who; });
  require_device(index);
  common::GpuDevice device(index);
  const cudaDeviceProp& is = device.properties();
  const unsigned H = filling_threads(is);
  const unsigned filling = static_cast<unsigned>(is.multiProcessorCount) * (static_cast<unsigned>(is.maxThreadsPerMultiProcessor) / H);
  const bool fills = round.filling && who == 0;
  const unsigned blocks = fills ? filling : 1;
  auto* times = on_host<BlockTimes>(blocks);
  auto* gaps = on_host<Gap>(most_gaps);
  auto* count = on_host<unsigned>(1);
  fix_carveout(watch_gaps);
  const auto launch = [&](std::int64_t length) {
    common::launch(watch_gaps, blocks, fills ? H : 32, 0, device.service_stream(), static_cast<unsigned long long>(length), 20'000ULL,
                   times, gaps, most_gaps, count);
  };
  launch(1'000);
  CUDA_CALL(cudaStreamSynchronize(device.service_stream()));
  pair.ready.fetch_add(1);
  std::ostringstream out;
  for (unsigned r = 1; r <= rounds && interrupted == 0; ++r) {
    wait_for_other([&] { return pair.ready.load() == 2 * r + who && pair.finished.load() == 2 * (r - 1); });
    warm_up(device, 5'000'000);
    const common::ClockPair clocks = device.read_clocks();
    if (who == 1) {
      pair.start.store(common::now() + 10'000'000);
      pair.round.store(r);
    }
    pair.ready.fetch_add(1);
    wait_for_other([&] { return pair.round.load() == r; });
    if (interrupted != 0) break;
    const std::int64_t at = pair.start.load() + (who == 0 ? 0 : round.later);
    while (common::now() < at) {
    }
    const std::int64_t launched = common::now();
    launch(who == 0 ? round.first_length : round.second_length);
    CUDA_CALL(cudaStreamSynchronize(device.service_stream()));
    pair.finished.fetch_add(1);
    const volatile unsigned* found = count;
    const volatile BlockTimes* record = times;
    // The rates differ by parts per million, and the pair is some 10 ms old.
    out << clocks.gpu + (launched - clocks.host) << ' ' << record[0].start << ' ' << record[0].end << ' ' << *found;
    for (unsigned g = 0; g < *found; ++g) {
      const volatile Gap& gap = gaps[g];
      out << ' ' << gap.start << ' ' << gap.end;
    }
    out << '\n';
  }
  return out.str();
}

/// What one of the two saw in a round.
struct Seen {
  std::int64_t launched = 0;
  Span whole;
  std::vector<Span> gaps;
};

inline std::vector<Seen> parse_seen(const std::string& text) {
  std::vector<Seen> rounds;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream in(line);
    Seen seen;
    std::size_t count = 0;
    in >> seen.launched >> seen.whole.start >> seen.whole.end >> count;
    seen.gaps.resize(count);
    for (Span& gap : seen.gaps) in >> gap.start >> gap.end;
    if (!in) fail("a process of the examination wrote what cannot be read");
    rounds.push_back(seen);
  }
  return rounds;
}

inline void play_pair(int index, unsigned repeat, const Round& round, const std::string& mps_folder, std::vector<Seen>& first,
                      std::vector<Seen>& second) {
  const PairMemory memory;
  Child one([&] { return be_one_of_two(index, 0, repeat, round, *memory.pair, mps_folder); });
  Child two([&] { return be_one_of_two(index, 1, repeat, round, *memory.pair, mps_folder); });
  first = parse_seen(one.text());
  second = parse_seen(two.text());
  if (interrupted != 0 || first.size() != repeat || second.size() != repeat) fail(interrupted != 0 ? "interrupted" : "rounds are missing");
}

/// Runs `sample` without and, where there is a server to be used, with MPS.
template <class MakeSample>
void measure_pairs(int index, unsigned repeat, const Round& round, const std::string& mps_folder, Samples& samples, MakeSample make) {
  std::vector<std::string> folders{""};
  if (!mps_folder.empty()) folders.push_back(mps_folder);
  for (const std::string& folder : folders) {
    // A server of the examination's own is there only for those that are told of it.
    const bool mps = !folder.empty() || (mps_folder.empty() && common::mps_is_active());
    std::vector<Seen> first;
    std::vector<Seen> second;
    play_pair(index, repeat, round, folder, first, second);
    for (unsigned r = 0; r < repeat; ++r) samples.add(make(r, mps, first[r], second[r]));
  }
}

/// Two small kernels of 60 ms, started together.
inline void measure_processes(int index, unsigned repeat, const std::string& mps_folder, Samples& samples) {
  const Round round{false, 60'000'000, 60'000'000, 0};
  measure_pairs(index, repeat, round, mps_folder, samples, [](unsigned r, bool mps, const Seen& one, const Seen& two) {
    const std::vector<Span> a = running(one.whole, one.gaps);
    const std::vector<Span> b = running(two.whole, two.gaps);
    std::vector<std::int64_t> slices = inner_lengths(a);
    const std::vector<std::int64_t> others = inner_lengths(b);
    slices.insert(slices.end(), others.begin(), others.end());
    const std::int64_t both = overlap(a, b);
    return Sample("processes", r)
        .add("mps", mps)
        .add("together", 2 * both > std::min(length(a), length(b)))
        .add("overlap_ns", both)
        .add("ran_ns", std::min(length(a), length(b)))
        .add("gaps", static_cast<std::int64_t>(one.gaps.size() + two.gaps.size()))
        .add("slice_ns", median(slices))
        .add("longest_slice_ns", longest(slices))
        .add("longest_switch_ns", longest(passes(a, b)));
  });
}

/// One process fills the GPU with blocks of 100 ms; 20 ms later the other launches a small kernel of 1 ms.
inline void measure_process_preemption(int index, unsigned repeat, const std::string& mps_folder, Samples& samples) {
  const Round round{true, 100'000'000, 1'000'000, 20'000'000};
  measure_pairs(index, repeat, round, mps_folder, samples, [](unsigned r, bool mps, const Seen& one, const Seen& two) {
    std::int64_t longest = 0;
    for (const Span& gap : one.gaps) longest = std::max(longest, gap.end - gap.start);
    return Sample("process_preemption", r)
        .add("mps", mps)
        .add("preempted", two.whole.start < one.whole.end && longest > 0)
        .add("began_before_end", two.whole.start < one.whole.end)
        .add("wait_ns", two.whole.start - two.launched)
        .add("other_left_ns", one.whole.end - two.launched)
        .add("longest_gap_ns", longest);
  });
}

}  // namespace examine
