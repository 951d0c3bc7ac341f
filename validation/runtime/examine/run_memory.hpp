// What the processes of a probe share while it runs: how far each operation is, when it ran, and the start of the next run.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "gpu.hpp"
#include "issuer.hpp"
#include "output_file.hpp"

namespace examine {

/// What a process says of its part.
struct PartReport {
  Surroundings surroundings;
  Ending ending = Ending::all_ended;
  char description[4096] = {};
  char mismatch[4096] = {};
};

/// Cut where it is too long.
inline void put_text(char (&to)[4096], const std::string& text) {
  const std::size_t length = text.size() < sizeof to ? text.size() : sizeof to - 1;
  std::memcpy(to, text.data(), length);
  to[length] = '\0';
}

/// Fields as text, one `key tab value` per line, and back.
inline std::string fields_as_text(const common::HeaderFields& fields) {
  std::string text;
  for (const auto& field : fields) text += field.first + "\t" + field.second + "\n";
  return text;
}
inline common::HeaderFields fields_from_text(const std::string& text) {
  common::HeaderFields fields;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    const std::size_t tab = text.find('\t', at);
    if (end == std::string::npos || tab > end) break;
    fields.emplace_back(text.substr(at, tab - at), text.substr(tab + 1, end - tab - 1));
    at = end + 1;
  }
  return fields;
}

class RunMemory {
 public:
  RunMemory(const Probe& probe, unsigned parts) : probe_(probe) {
    std::size_t blocks = 0;
    for (unsigned o = 0; o < probe.operation_count; ++o) {
      first_block_.push_back(blocks);
      if (probe.operations[o].kind == OperationKind::kernel) blocks += probe.operations[o].blocks;
    }
    const std::size_t at_reports = align(sizeof(Meeting));
    const std::size_t at_progress = at_reports + align(parts * sizeof(PartReport));
    const std::size_t at_copies = at_progress + align(probe.operation_count * sizeof(Progress));
    const std::size_t at_blocks = at_copies + align(probe.operation_count * sizeof(Span));
    bytes_ = at_blocks + align(blocks * sizeof(BlockSpan));
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) fail("no memory for the records of a run");
    char* base = static_cast<char*>(memory_);
    meeting = new (base) Meeting;
    reports = new (base + at_reports) PartReport[parts];
    progress = new (base + at_progress) Progress[probe.operation_count];
    copies_ = new (base + at_copies) Span[probe.operation_count];
    blocks_ = reinterpret_cast<BlockSpan*>(base + at_blocks);
  }
  RunMemory(const RunMemory&) = delete;
  RunMemory& operator=(const RunMemory&) = delete;
  ~RunMemory() { munmap(memory_, bytes_); }

  /// Where processes wait for each other. Runs are counted from 1.
  struct Meeting {
    std::atomic<unsigned> ready{0};      // parts that are ready, over all runs
    std::atomic<unsigned> run{0};        // the run that may begin
    std::atomic<std::int64_t> start{0};  // of that run
    std::atomic<unsigned> finished{0};   // parts that have finished, over all runs
  };

  void clear() {
    for (unsigned o = 0; o < probe_.operation_count; ++o) {
      progress[o].issued.store(0);
      progress[o].ended.store(0);
    }
  }
  /// Keeps when the operations with `own` ran.
  void collect(Gpu& gpu, const std::vector<bool>& own) {
    for (unsigned o = 0; o < probe_.operation_count; ++o) {
      if (!own[o]) continue;
      if (probe_.operations[o].kind == OperationKind::kernel) {
        for (std::uint64_t b = 0; b < probe_.operations[o].blocks; ++b) blocks_[first_block_[o] + b] = gpu.block(o, b);
      } else {
        copies_[o] = gpu.copy(o);
      }
    }
  }
  [[nodiscard]] const BlockSpan& block(unsigned operation, std::uint64_t number) const { return blocks_[first_block_[operation] + number]; }
  [[nodiscard]] const Span& copy(unsigned operation) const { return copies_[operation]; }

  Meeting* meeting = nullptr;
  PartReport* reports = nullptr;
  Progress* progress = nullptr;

 private:
  static std::size_t align(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

  const Probe& probe_;
  std::vector<std::size_t> first_block_;
  std::size_t bytes_ = 0;
  void* memory_ = nullptr;
  Span* copies_ = nullptr;
  BlockSpan* blocks_ = nullptr;
};

}  // namespace examine
