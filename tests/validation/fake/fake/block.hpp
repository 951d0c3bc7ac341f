// A block of a kernel whose threads all run: one after the other on one thread of the host. One that comes to a barrier waits there on a
// stack of its own until all others have come, or ended.
#pragma once

#include <ucontext.h>

#include <csetjmp>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned along = 1, unsigned down = 1, unsigned deep = 1) : x(along), y(down), z(deep) {}  // NOLINT: CUDA's converts
};
inline thread_local uint3 blockIdx{};
inline thread_local uint3 threadIdx{};
inline thread_local dim3 blockDim;
inline thread_local dim3 gridDim;

namespace fake {

class Block {
 public:
  Block() = default;
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// The one that runs on this thread; null: none whose threads know barriers.
  static Block*& current() {
    static thread_local Block* block = nullptr;
    return block;
  }

  template <class Thread>
  void run(dim3 threads, Thread body) {
    const std::size_t count = std::size_t{threads.x} * threads.y * threads.z;
    std::size_t next = 0;
    rest_ = [&] {
      while (next < count) {
        const auto i = static_cast<unsigned>(next++);
        threadIdx = {i % threads.x, i / threads.x % threads.y, i / threads.x / threads.y};
        body();
      }
    };
    current() = this;
    while (next < count) resume(fresh());
    while (!waiting_.empty()) {
      std::vector<Stack*> all;
      all.swap(waiting_);
      for (Stack* stack : all) resume(*stack);
    }
    current() = nullptr;
  }

  void wait() {
    const uint3 own = threadIdx;
    waiting_.push_back(running_);
    leave(*running_);
    threadIdx = own;
  }

 private:
  struct Stack {
    std::jmp_buf left{};
    bool begun = false;
    std::unique_ptr<char[]> memory{new char[bytes]};
  };
  static constexpr std::size_t bytes = std::size_t{64} << 10U;

  /// Until it is resumed. Jumps, because contexts are switched by system calls.
  void leave(Stack& stack) {
    if (_setjmp(stack.left) == 0) _longjmp(scheduler_, 1);
  }

  static void begin() {
    for (;;) {
      Block& block = *current();
      block.rest_();
      block.free_.push_back(block.running_);
      block.leave(*block.running_);
    }
  }

  Stack& fresh() {
    if (free_.empty()) {
      stacks_.push_back(std::make_unique<Stack>());
      free_.push_back(stacks_.back().get());
    }
    Stack* const stack = free_.back();
    free_.pop_back();
    return *stack;
  }
  void resume(Stack& stack) {
    running_ = &stack;
    if (_setjmp(scheduler_) != 0) return;
    if (stack.begun) _longjmp(stack.left, 1);
    stack.begun = true;
    ucontext_t context{};
    getcontext(&context);
    context.uc_stack.ss_sp = stack.memory.get();
    context.uc_stack.ss_size = bytes;
    makecontext(&context, begin, 0);
    setcontext(&context);
  }

  std::function<void()> rest_;
  std::jmp_buf scheduler_{};
  Stack* running_ = nullptr;
  std::vector<std::unique_ptr<Stack>> stacks_;
  std::vector<Stack*> free_, waiting_;
};

}  // namespace fake
