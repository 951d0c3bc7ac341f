// Takes what CUPTI delivers and writes it to a file, one line a record.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "lines.hpp"

namespace record {

class Recorder {
 public:
  /// Takes the file over.
  Recorder(std::FILE* file, const Where& where) : file_(file), lines_(where) {}
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder() {
    if (file_ != nullptr) std::fclose(file_);
  }

  /// Nothing stays in memory: a program that forks would write it twice, one that is killed never.
  void line(const std::string& text) {
    const std::lock_guard guard(lock_);
    put(text);
    if (file_ != nullptr) std::fflush(file_);
  }

  void check(const std::string& name, const std::string& outcome, const std::string& text) {
    line(JsonLine("check").add("name", name).add("outcome", outcome).add("text", text).text());
  }

  /// Of a buffer that CUPTI has filled; `dropped`: records that had no room in any.
  void take(std::uint8_t* buffer, std::size_t size, std::size_t dropped) {
    const std::lock_guard guard(lock_);
    lost_ += dropped;
    CUpti_Activity* next = nullptr;
    while (cuptiActivityGetNextRecord(buffer, size, &next) == CUPTI_SUCCESS) take(*next);
    if (file_ != nullptr) std::fflush(file_);
  }

  /// What comes after this is not written.
  void end() {
    const std::lock_guard guard(lock_);
    if (file_ == nullptr) return;
    if (!open_ranges_.empty()) {
      const std::string text = std::to_string(open_ranges_.size()) + " NVTX ranges had not ended when the program did; they are left out";
      put(JsonLine("check").add("name", "ranges").add("outcome", "warning").add("text", text).text());
    }
    if (untimed_ > 0) {
      const std::string text = std::to_string(untimed_) + " operations have no times, for CUPTI had no memory for them; they are left out";
      put(JsonLine("check").add("name", "times").add("outcome", "warning").add("text", text).text());
    }
    put(JsonLine("end").add("complete", !failed_).add("lost_records", lost_ + untimed_).text());
    std::fclose(file_);
    file_ = nullptr;
  }

 private:
  struct OpenRange {
    std::string name, domain;
    std::uint64_t start = 0;
    std::uint32_t thread = 0;
  };

  template <class Record>
  static const Record& as(const CUpti_Activity& activity) {
    return reinterpret_cast<const Record&>(activity);
  }

  void put(const std::string& text) {
    if (file_ != nullptr && std::fwrite(text.data(), 1, text.size(), file_) != text.size()) failed_ = true;
  }

  /// What ran on the GPU without times says nothing.
  template <class Record>
  void put_timed(const Record& record) {
    if (record.start == 0 || record.end == 0) {
      ++untimed_;
    } else {
      put(lines_.of(record));
    }
  }

  void take(const CUpti_Activity& activity) {
    switch (activity.kind) {
      case CUPTI_ACTIVITY_KIND_KERNEL:
      case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: put_timed(as<Kernel>(activity)); break;
      case CUPTI_ACTIVITY_KIND_MEMCPY: put_timed(as<Memcpy>(activity)); break;
      case CUPTI_ACTIVITY_KIND_MEMSET: put_timed(as<Memset>(activity)); break;
      case CUPTI_ACTIVITY_KIND_RUNTIME:
      case CUPTI_ACTIVITY_KIND_DRIVER: put_timed(as<Call>(activity)); break;
      case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION: put_timed(as<Synchronization>(activity)); break;
      case CUPTI_ACTIVITY_KIND_CUDA_EVENT: put(lines_.of(as<Event>(activity))); break;
      case CUPTI_ACTIVITY_KIND_STREAM: put(lines_.of(as<Stream>(activity))); break;
      case CUPTI_ACTIVITY_KIND_CONTEXT: put(lines_.of(as<Context>(activity))); break;
      case CUPTI_ACTIVITY_KIND_DEVICE: put(lines_.of(as<Device>(activity))); break;
      case CUPTI_ACTIVITY_KIND_OVERHEAD: put_timed(as<Overhead>(activity)); break;
      case CUPTI_ACTIVITY_KIND_MARKER: take_marker(as<Marker>(activity)); break;
      default: break;
    }
  }

  // Beginnings and ends of ranges are records of their own; the end does not say the name again.
  void take_marker(const Marker& r) {
    const bool of_thread = r.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD;
    const std::uint32_t thread = of_thread ? r.objectId.pt.threadId : 0;
    const std::string name = r.name == nullptr ? "" : r.name;
    const std::string domain = r.domain == nullptr ? "" : r.domain;
    if ((r.flags & CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS) != 0) {
      JsonLine line("mark");
      line.add("name", name).add("domain", domain).add("process", lines_.process()).add("thread", thread);
      put(line.add("at_ns", lines_.at(r.timestamp)).text());
    } else if ((r.flags & CUPTI_ACTIVITY_FLAG_MARKER_START) != 0) {
      open_ranges_[r.id] = {name, domain, r.timestamp, thread};
    } else if ((r.flags & CUPTI_ACTIVITY_FLAG_MARKER_END) != 0) {
      const auto begun = open_ranges_.find(r.id);
      if (begun == open_ranges_.end()) return;
      const OpenRange& range = begun->second;
      JsonLine line("range");
      line.add("name", range.name).add("domain", range.domain).add("process", lines_.process()).add("thread", range.thread);
      put(lines_.add_interval(line.add("end_thread", thread), range.start, r.timestamp).text());
      open_ranges_.erase(begun);
    }
  }

  std::mutex lock_;
  std::FILE* file_;
  Lines lines_;
  std::map<std::uint32_t, OpenRange> open_ranges_;
  std::uint64_t lost_ = 0, untimed_ = 0;
  bool failed_ = false;
};

}  // namespace record
