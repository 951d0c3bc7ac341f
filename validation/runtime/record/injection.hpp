// What the CUDA driver calls when it loads this library ($CUDA_INJECTION64_PATH). From then on all CUDA activity of the process is
// recorded, to the file PROCESS.jsonl in $RTA_RECORD_FOLDER, on CLOCK_MONOTONIC less $RTA_RECORD_ORIGIN ns.
#pragma once

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "common/clock.hpp"
#include "recorder.hpp"

namespace record {

inline Recorder* recorder = nullptr;  // never freed: CUPTI's threads may outlast the program's static objects
inline pid_t owner = 0;

inline std::uint64_t timestamp() { return static_cast<std::uint64_t>(common::now()); }

inline void request_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  constexpr std::size_t bytes = std::size_t{2} << 20U;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(ACTIVITY_RECORD_ALIGNMENT, bytes));
  *size = *buffer == nullptr ? 0 : bytes;
  *most_records = 0;  // as many as fit
}

inline void complete_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t /*size*/, std::size_t valid) {
  std::size_t dropped = 0;
  if (cuptiActivityGetNumDroppedRecords(context, stream, &dropped) != CUPTI_SUCCESS) dropped = 0;
  recorder->take(buffer, valid, dropped);
  std::free(buffer);
}

/// A child that was forked without exec has its own process number: what it inherited is its parent's to write.
inline void finish() {
  if (recorder == nullptr || getpid() != owner) return;
  (void)cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  recorder->end();
}

inline std::string reason(CUptiResult result) {
  const char* text = nullptr;
  return cuptiGetResultString(result, &text) == CUPTI_SUCCESS && text != nullptr ? text : "error " + std::to_string(result);
}

inline void must(CUptiResult result, const std::string& what) {
  if (result != CUPTI_SUCCESS) recorder->check("recording", "failed", what + ": " + reason(result));
}

inline void enable_all() {
  must(cuptiActivityRegisterTimestampCallback(timestamp), "CUPTI takes no clock");
  must(cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM), "CUPTI knows no numbers of threads");
  must(cuptiActivityRegisterCallbacks(request_buffer, complete_buffer), "CUPTI takes no buffers");
  struct Kind {
    CUpti_ActivityKind kind;
    const char* name;
  };
  // Never KIND_KERNEL: it makes kernels run one by one.
  constexpr std::array<Kind, 12> kinds{{{CUPTI_ACTIVITY_KIND_DEVICE, "devices"},
                                        {CUPTI_ACTIVITY_KIND_CONTEXT, "contexts"},
                                        {CUPTI_ACTIVITY_KIND_STREAM, "streams"},
                                        {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "kernels"},
                                        {CUPTI_ACTIVITY_KIND_MEMCPY, "copies"},
                                        {CUPTI_ACTIVITY_KIND_MEMSET, "memsets"},
                                        {CUPTI_ACTIVITY_KIND_RUNTIME, "calls of the runtime"},
                                        {CUPTI_ACTIVITY_KIND_DRIVER, "calls of the driver"},
                                        {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "synchronisations"},
                                        {CUPTI_ACTIVITY_KIND_CUDA_EVENT, "events"},
                                        {CUPTI_ACTIVITY_KIND_MARKER, "NVTX ranges"},
                                        {CUPTI_ACTIVITY_KIND_OVERHEAD, "overheads"}}};
  for (const Kind& kind : kinds) must(cuptiActivityEnable(kind.kind), std::string("CUPTI records no ") + kind.name);
  constexpr std::uint32_t period = 1000;  // ms: what a killed program leaves is at most so old, as far as buffers were full
  (void)cuptiActivityFlushPeriod(period);
}

/// 1: recording; 0: not.
inline int begin() {
  const char* const folder = std::getenv("RTA_RECORD_FOLDER");
  const char* const origin = std::getenv("RTA_RECORD_ORIGIN");
  if (folder == nullptr || origin == nullptr || recorder != nullptr) return 0;
  owner = getpid();
  // A process number returns, in a container soon: what an earlier process recorded stays.
  const std::string start = std::string(folder) + "/" + std::to_string(owner);
  std::string path = start + ".jsonl";
  std::FILE* file = std::fopen(path.c_str(), "wxe");
  for (int again = 1; file == nullptr && errno == EEXIST && again < 1'000'000; ++again) {
    path = start + "-" + std::to_string(again) + ".jsonl";
    file = std::fopen(path.c_str(), "wxe");
  }
  if (file == nullptr) {
    std::fprintf(stderr, "rta record: %s cannot be written; this process is not recorded\n", path.c_str());
    return 0;
  }
  const auto process = static_cast<std::uint32_t>(owner);
  recorder = new Recorder(file, {std::strtoll(origin, nullptr, 10), process});
  recorder->line("{\"schema\": 1, \"kind\": \"trace\", \"source\": \"recording\", \"task_set\": \"\"}\n");
  std::array<char, 4096> program{};
  const ssize_t length = readlink("/proc/self/exe", program.data(), program.size());
  JsonLine line("process");
  line.add("process", process).add("parent", static_cast<std::uint32_t>(getppid()));
  recorder->line(line.add("program", std::string(program.data(), length < 0 ? 0 : static_cast<std::size_t>(length))).text());
  std::atexit(finish);
  (void)at_quick_exit(finish);
  enable_all();
  return 1;
}

}  // namespace record

extern "C" __attribute__((visibility("default"))) int InitializeInjection(void) { return record::begin(); }
