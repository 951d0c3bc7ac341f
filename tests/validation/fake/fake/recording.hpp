// The fake device as CUPTI sees it. As the driver does when CUDA is started, it loads the library of $CUDA_INJECTION64_PATH; what the
// program then calls, and what runs on the device, goes to the stand-in for libcupti.so that this library is linked with.
#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "fake/activity.hpp"

namespace fake {

class Recording {
 public:
  static bool is_on() { return receiver() != nullptr; }
  static void put(const Activity& activity) {
    if (is_on()) receiver()(&activity);
  }
  static std::uint64_t now() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
  }
  static std::uint32_t next_number() {
    static std::atomic<std::uint32_t> last{0};
    return ++last;
  }

  static int push(const char* name) {
    Activity range{};
    range.kind = Activity::Kind::range;
    range.name = name;
    range.correlation = next_number();
    range.start = now();
    open().push_back(range.correlation);
    put(range);
    return static_cast<int>(open().size()) - 1;
  }
  static int pop() {
    if (open().empty()) return -1;
    Activity end{};
    end.kind = Activity::Kind::range_end;
    end.correlation = open().back();
    end.start = now();
    open().pop_back();
    put(end);
    return static_cast<int>(open().size());
  }

 private:
  using Receiver = void (*)(const Activity*);

  static std::vector<std::uint32_t>& open() {
    static thread_local std::vector<std::uint32_t> ranges;
    return ranges;
  }
  static Receiver receiver() {
    static const Receiver loaded = load();
    return loaded;
  }
  static Receiver load() {
    const char* const path = std::getenv("CUDA_INJECTION64_PATH");
    if (path == nullptr) return nullptr;
    void* const library = dlopen(path, RTLD_NOW);
    const auto begin = library == nullptr ? nullptr : reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"));
    if (begin == nullptr || begin() != 1) {
      std::fprintf(stderr, "the fake device is not recorded: %s\n", library == nullptr ? dlerror() : path);
      return nullptr;
    }
    return reinterpret_cast<Receiver>(dlsym(library, "fake_device_activity"));
  }
};

/// A call of the runtime, while it is under way.
class Call {
 public:
  explicit Call(const char* name) {
    if (!Recording::is_on()) return;
    is_.name = name;
    is_.correlation = Recording::next_number();
    is_.start = Recording::now();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    if (is_.name == nullptr) return;
    is_.end = Recording::now();
    Recording::put(is_);
  }
  /// What it asked for, and what still lacks its times.
  [[nodiscard]] Activity asks(Activity::Kind kind, std::uint32_t stream) const {
    Activity activity{};
    activity.kind = kind;
    activity.correlation = is_.correlation;
    activity.stream = stream;
    activity.start = is_.start;
    return activity;
  }

 private:
  Activity is_{};
};

}  // namespace fake
