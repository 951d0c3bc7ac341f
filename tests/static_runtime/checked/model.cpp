#include "model.hpp"

#include <setjmp.h>  // NOLINT(modernize-deprecated-headers): _setjmp
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_set>
#include <utility>

#include "static/word.h"

namespace checked {
namespace {

constexpr std::size_t stack_size = 64 * 1024;
constexpr std::size_t most_threads = 4;

using Clock = std::array<std::uint32_t, most_threads>;
using View = std::map<const void*, std::size_t>;  // the oldest value of each word that may still be seen

void join(Clock& clock, const Clock& other) {
  for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}
void join(View& view, const View& other) {
  for (const auto& [word, at] : other) view[word] = std::max(view[word], at);
}

struct Message {
  std::int64_t value = 0;
  Clock clock{};  // what whoever acquires it knows
  View view;
};

struct Thread {
  ucontext_t first{};  // for its first step; from then on it jumps, which needs no system call
  jmp_buf place{};
  bool began = false;
  std::vector<char> stack = std::vector<char>(stack_size);
  std::function<void()> run;
  bool ended = false;
  const void* sleeps_on = nullptr;
  std::uint64_t seen = 1;  // a digest of what its steps have seen
  std::uint64_t steps = 0;
  std::int64_t instant = 0;
  Clock clock{};
  View view;
};

struct Plain {
  Clock writes{};  // the last write of each thread
  Clock reads{};
};

std::uint64_t mixed(std::uint64_t digest, std::uint64_t value) {
  digest = (digest ^ value) * 0x9e3779b97f4a7c15U;
  return digest ^ (digest >> 29U);
}

using States = std::unordered_set<std::uint64_t>;

/// One execution, whose choices come from a list that the search extends.
class Execution {
 public:
  Execution(const Options& options, const Scenario& scenario, std::vector<std::pair<std::size_t, std::size_t>>& choices, States& states)
      : options_(options), scenario_(scenario), choices_(choices), states_(states) {}

  std::string play() {
    for (std::size_t t = 0; t < scenario_.threads.size(); ++t) {
      Thread& thread = *threads_.emplace_back(std::make_unique<Thread>());
      thread.run = scenario_.threads[t];
      thread.clock[t] = 1;
      getcontext(&thread.first);
      thread.first.uc_stack.ss_sp = thread.stack.data();
      thread.first.uc_stack.ss_size = stack_size;
      thread.first.uc_link = nullptr;
      makecontext(&thread.first, begin, 0);
    }
    while (failure_.empty()) {
      std::vector<std::size_t> able;
      for (std::size_t t = 0; t < threads_.size(); ++t) {
        if (!threads_[t]->ended && threads_[t]->sleeps_on == nullptr) able.push_back(t);
      }
      if (able.empty()) {
        if (!wake_by_timeout()) break;
        continue;
      }
      if (next_ == choices_.size() && !states_.insert(state()).second) break;
      // Whoever ran last comes first, so that the first execution of all is the one with the fewest switches.
      std::ranges::stable_sort(able, {}, [&](std::size_t t) { return t != current_; });
      current_ = able[choose(able.size())];
      go_on();
    }
    return failure_;
  }

  /// One of so many.
  std::size_t choose(std::size_t count) {
    if (count == 1) return 0;
    if (next_ == choices_.size()) choices_.emplace_back(0, count);
    return choices_[next_++].first;
  }

  void fail(const std::string& what) {
    if (failure_.empty()) failure_ = what;
  }

  std::int64_t load(const void* word, bool acquire) {
    if (std::ranges::find(scenario_.constants, word) != scenario_.constants.end()) return 0;
    step();
    std::vector<Message>& history = words_[word];
    if (history.empty()) history.emplace_back();
    Thread& me = *threads_[current_];
    const std::size_t oldest = me.view[word];
    // The newest first.
    const std::size_t at = history.size() - 1 - choose(history.size() - oldest);
    me.view[word] = at;
    me.seen = mixed(me.seen, at + 1);
    if (acquire) {
      join(me.view, history[at].view);
      join(me.clock, history[at].clock);
    }
    return history[at].value;
  }

  void store(const void* word, std::int64_t value, bool release) {
    step();
    std::vector<Message>& history = words_[word];
    if (history.empty()) history.emplace_back();
    Thread& me = *threads_[current_];
    me.view[word] = history.size();
    Message message{value, {}, {}};
    if (release && options_.flaw != Flaw::store_without_release) {
      message.clock = me.clock;
      message.view = me.view;
    }
    message.view[word] = history.size();
    history.push_back(std::move(message));
    ++me.clock[current_];
  }

  void futex_wait(const void* word, std::int64_t value) {
    step();
    std::vector<Message>& history = words_[word];
    if (history.empty()) history.emplace_back();
    const std::size_t oldest = std::max(threads_[current_]->view[word], woken_[word]);
    const std::size_t at = history.size() - 1 - choose(history.size() - oldest);
    Thread& me = *threads_[current_];
    const bool sleeps = history[at].value == value || options_.flaw == Flaw::sleep_without_comparison;
    me.seen = mixed(me.seen, sleeps ? 0 : at + 1);
    if (!sleeps) {
      me.view[word] = at;  // the kernel has looked for this thread
      return;
    }
    me.sleeps_on = word;
    leave();
  }

  void futex_wake(const void* word) {
    step();
    if (options_.flaw == Flaw::wake_nobody) return;
    woken_[word] = words_[word].empty() ? 0 : words_[word].size() - 1;
    for (auto& thread : threads_) {
      if (thread->sleeps_on != word) continue;
      thread->sleeps_on = nullptr;
      thread->view[word] = std::max(thread->view[word], woken_[word]);
    }
  }

  void at(std::uint64_t label) {
    Thread& me = *threads_[current_];
    me.seen = label;
    for (const auto& [word, oldest] : me.view) me.seen = mixed(mixed(me.seen, reinterpret_cast<std::uintptr_t>(word)), oldest);
    for (const std::uint32_t time : me.clock) me.seen = mixed(me.seen, time);
    me.steps = 0;
    me.instant = 0;
  }

  /// Time passes for each thread by itself.
  std::int64_t now() { return threads_[current_]->instant++; }

  void plain(const void* data, bool write) {
    Plain& is = plain_[data];
    const Clock& mine = threads_[current_]->clock;
    for (std::size_t t = 0; t < most_threads; ++t) {
      const bool unseen = is.writes[t] > mine[t] || (write && is.reads[t] > mine[t]);
      if (t != current_ && unseen) fail("a race: plain data is touched by two threads in no order");
    }
    (write ? is.writes : is.reads)[current_] = mine[current_];
  }

 private:
  static void begin();

  void go_on() {
    Thread& thread = *threads_[current_];
    if (_setjmp(main_) != 0) return;
    if (std::exchange(thread.began, true)) _longjmp(thread.place, 1);
    setcontext(&thread.first);
  }
  void leave() {
    if (_setjmp(threads_[current_]->place) == 0) _longjmp(main_, 1);
  }
  /// Lets the search choose who goes on.
  void step() {
    ++threads_[current_]->steps;
    leave();
  }

  std::uint64_t state() const {
    std::uint64_t digest = 1;
    for (const auto& thread : threads_) {
      digest = mixed(digest, thread->seen);
      digest = mixed(digest, thread->steps * 2 + (thread->ended ? 1 : 0));
      digest = mixed(digest, reinterpret_cast<std::uintptr_t>(thread->sleeps_on));
    }
    for (const auto& [word, at] : woken_) digest = mixed(mixed(digest, reinterpret_cast<std::uintptr_t>(word)), at);
    return digest;
  }

  bool wake_by_timeout() {
    bool any = false;
    for (auto& thread : threads_) {
      if (thread->sleeps_on == nullptr) continue;
      if (!options_.time_passes) {
        fail("a lost wake-up: a thread sleeps and nobody will wake it");
        return false;
      }
      thread->sleeps_on = nullptr;
      // After so long everybody sees everything.
      for (const auto& [word, history] : words_) thread->view[word] = history.size() - 1;
      any = true;
    }
    return any;
  }

  const Options& options_;
  const Scenario& scenario_;
  std::vector<std::pair<std::size_t, std::size_t>>& choices_;  // taken, of so many
  States& states_;
  std::size_t next_ = 0;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::size_t current_ = 0;
  jmp_buf main_{};
  std::map<const void*, std::vector<Message>> words_;
  std::map<const void*, std::size_t> woken_;  // the value of the word at the last wake
  std::map<const void*, Plain> plain_;
  std::string failure_;
};

Execution* execution = nullptr;

void Execution::begin() {
  Thread& me = *execution->threads_[execution->current_];
  me.run();
  me.ended = true;
  execution->leave();
}

}  // namespace

Result explore(const Scenario& scenario, const Options& options) {
  Result result;
  std::vector<std::pair<std::size_t, std::size_t>> choices;
  States states;
  for (;;) {
    scenario.reset();
    Execution one(options, scenario, choices, states);
    execution = &one;
    result.failure = one.play();
    ++result.executions;
    result.states = states.size();
    if (!result.failure.empty()) return result;
    // The last choice that has an alternative takes it; those after it are made anew.
    while (!choices.empty() && choices.back().first + 1 == choices.back().second) choices.pop_back();
    if (choices.empty()) return result;
    ++choices.back().first;
  }
}

void plain_write(const void* data) { execution->plain(data, true); }
void plain_read(const void* data) { execution->plain(data, false); }
void at(std::uint64_t label) { execution->at(label); }
void expect(bool holds, const char* what) {
  if (!holds) execution->fail(what);
}

}  // namespace checked

extern "C" {
uint32_t rts_load(const uint32_t* word) { return static_cast<uint32_t>(checked::execution->load(word, true)); }
void rts_store(uint32_t* word, uint32_t value) { checked::execution->store(word, value, true); }
int64_t rts_load_value(const int64_t* value) { return checked::execution->load(value, false); }
void rts_store_value(int64_t* value, int64_t is) { checked::execution->store(value, is, false); }
void rts_futex_wait(const uint32_t* word, uint32_t value, int64_t) { checked::execution->futex_wait(word, value); }
void rts_futex_wake(const uint32_t* word) { checked::execution->futex_wake(word); }
void rts_relax(void) {}
int64_t rts_now(void) { return checked::execution->now(); }
}
