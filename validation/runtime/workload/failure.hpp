// An error of the GPU while jobs run: the run ends, and what was recorded until then is kept.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "common/clock.hpp"
#ifdef __CUDACC__
#include "common/cuda_call.cuh"
#endif

namespace workload {

/// The first error of a program that runs one task set.
class Failure {
 public:
  [[nodiscard]] bool happened() const { return happened_.load(); }
  [[nodiscard]] std::string text() {
    const std::lock_guard<std::mutex> guard(lock_);
    return text_;
  }

  /// From now on errors are kept. The calling thread meets `finish` in them, which does not return; all others stop where they are.
  void take_over(std::function<void()> finish) {
    finish_ = std::move(finish);
    main_ = std::this_thread::get_id();
#ifdef __CUDACC__
    common::failure_handler.store([](const std::string& what) { instance().meet(what); });
#endif
  }
  /// Errors end the program at once again.
  static void let_go() {
#ifdef __CUDACC__
    common::failure_handler.store(nullptr);
#endif
  }

  static Failure& instance() {
    static Failure failure;
    return failure;
  }

 private:
  void meet(const std::string& what) {
    {
      const std::lock_guard<std::mutex> guard(lock_);
      if (text_.empty()) text_ = what;
    }
    happened_.store(true);
    if (std::this_thread::get_id() == main_) finish_();
    for (;;) common::sleep_until(common::now() + 1'000'000'000);
  }

  std::mutex lock_;
  std::string text_;
  std::atomic<bool> happened_{false};
  std::thread::id main_;
  std::function<void()> finish_;
};

}  // namespace workload
