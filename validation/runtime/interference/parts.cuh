// The parts of the measurement: which blocks are measured beside which company.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <thread>

#include "common/green_contexts.cuh"
#include "company.cuh"
#include "measure.cuh"
#include "report.cuh"

namespace interference {

inline Classes only(Work work) {
  Classes one;
  one.add(work);
  return one;
}

/// Classes as a set of bits.
constexpr unsigned bit(Work work) { return 1U << static_cast<unsigned>(work); }
constexpr unsigned every_class = (1U << work_count) - 1;

/// `with`: only company that has blocks of one of these classes; so below.
inline void measure_whole(Interference& of, Report& report, unsigned with = every_class) {
  for (const Work work : works) {
    report.alone(work, "other SMs", of.measure(Place::own_sm, work));
    for (const Work other : works) {
      if ((with & bit(other)) == 0) continue;
      report.add(work, "other SMs", name_of(other), only(other), of.others(), of.beside(work, only(other), of.others()));
    }
  }
}

inline void measure_halves(Interference& of, Report& report, unsigned with = every_class) {
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

inline void measure_parts(Interference& of, Report& report, unsigned with = every_class) {
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

inline void measure_registers(Interference& of, Report& report) {
  measure_whole(of, report, bit(Work::registers));
  measure_halves(of, report, bit(Work::registers));
  measure_parts(of, report, bit(Work::registers));
}

inline void measure_same_sm(Interference& of, Report& report) {
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

inline void measure_copies(Interference& of, Report& report) {
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

inline void measure_partitions(const GpuDevice& device, Interference& of, Report& report) {
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

/// Alone, and while all other SMs work on DRAM: what GPU and processors do together may be more than the sum of both.
inline void measure_processors(Interference& of, Report& report) {
  constexpr std::size_t bytes = std::size_t{32} << 20;  // of each
  const unsigned there = std::max(std::thread::hardware_concurrency(), 1U);
  const unsigned count = std::min(there > 1 ? there - 1 : 1U, 16U);
  for (const Work work : works) {
    report.alone(work, "CPUs", of.measure(Place::own_sm, work));
    for (const Traffic traffic : every_traffic) {
      const BusyProcessors busy(count, bytes, traffic);
      const std::string name = std::to_string(count) + " that " + name_of(traffic) + " memory";
      report.add(work, "CPUs", name, Classes{}, 0, of.measure(Place::own_sm, work));
      if (traffic == Traffic::read_and_write) {
        const Summary both = of.beside(work, only(Work::dram), of.others());
        report.add(work, "CPUs", name + ", and DRAM", only(Work::dram), of.others(), both);
      }
    }
  }
}

}  // namespace interference
