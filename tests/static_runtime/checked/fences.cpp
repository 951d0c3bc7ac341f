// The run time's fences, its own code, under every interleaving. Exit status 0: as asked; prints what was found.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "model.hpp"

extern "C" {
#include "static/fence.h"
}

using checked::Flaw;
using checked::Options;
using checked::Result;
using checked::Scenario;

namespace {

struct Shared {
  uint32_t stop = 0;
  uint32_t lost = 0;
  uint32_t published = 0;
  int64_t start = 0;
  uint32_t done[3] = {};
  int64_t record[3] = {};  // of each worker; plain
  uint32_t ball[2] = {};
  int64_t payload[2] = {};  // plain
};

Shared shared;

void reset() { shared = Shared(); }

rts_patience patient(const Shared& s, std::int64_t spin = 0) { return {spin, RTS_NEVER, &s.stop, &s.lost}; }

/// Waits for a fence that must be reached.
void await(const uint32_t& fence, std::uint32_t value, const rts_patience& patience, std::uint64_t label) {
  checked::expect(rts_await(&fence, value, &patience) == RTS_REACHED, "the fence was not reached");
  checked::at(label * 64 + value);
}

void write(int64_t& data, int64_t value) {
  checked::plain_write(&data);
  data = value;
}
int64_t read(const int64_t& data) {
  checked::plain_read(&data);
  return data;
}

/// Two processes that hand a payload to and fro, as the jobs of two cores.
Scenario relay(std::uint32_t rounds, std::int64_t spin) {
  Shared* s = &shared;
  const auto play = [=](int me) {
    const rts_patience patience = patient(*s, spin);
    for (std::uint32_t n = 1; n <= rounds; ++n) {
      if (me == 1) {
        await(s->ball[0], n, patience, 1);
        checked::expect(read(s->payload[0]) == n, "an old payload");
      }
      write(s->payload[me], n);
      rts_signal(&s->ball[me], n);
      if (me == 0) {
        await(s->ball[1], n, patience, 2);
        checked::expect(read(s->payload[1]) == n, "an old payload");
      }
    }
  };
  return {reset, {[=] { play(0); }, [=] { play(1); }}, {&s->stop, &s->lost}};
}

/// One fence that two threads wait for.
Scenario crowd(std::uint32_t frames) {
  Shared* s = &shared;
  const auto wait = [=] {
    const rts_patience patience = patient(*s);
    await(s->ball[0], frames, patience, 1);
    checked::expect(read(s->payload[0]) == frames, "an old payload");
  };
  const auto signal = [=] {
    for (std::uint32_t n = 1; n <= frames; ++n) {
      if (n == frames) write(s->payload[0], n);
      rts_signal(&s->ball[0], n);
    }
  };
  return {reset, {signal, wait, wait}, {&s->stop, &s->lost}};
}

/// Frames as leader and lines play them: a word, a start and a record of each worker, used again for every frame. Each worker waits for the
/// one before it, the leader for the last. The first has a job in every `cycle`-th frame. `hasty`: the leader reads records too late.
Scenario frames(std::uint32_t count, int workers, std::uint32_t cycle = 1, bool hasty = false) {
  Shared* s = &shared;
  const auto publish = [=](std::uint32_t n, int64_t start) {
    rts_store_value(&s->start, start);
    rts_signal(&s->published, n + 1);
  };
  const auto lead = [=] {
    const rts_patience patience = patient(*s);
    publish(0, 100);
    for (std::uint32_t n = 0; n < count; ++n) {
      await(s->done[workers - 1], n + 1, patience, 1);
      const int64_t next = n + 1 < count ? 101 + n : RTS_NEVER;
      if (hasty) publish(n + 1, next);
      for (int w = n % cycle == 0 ? 0 : 1; w < workers; ++w) checked::expect(read(s->record[w]) == 100 + n, "the record of another frame");
      if (!hasty) publish(n + 1, next);
    }
  };
  const auto work = [=](int w) {
    const rts_patience patience = patient(*s);
    for (std::uint32_t n = 0;; ++n) {
      await(s->published, n + 1, patience, 2);
      const int64_t start = rts_load_value(&s->start);
      if (start == RTS_NEVER) break;
      checked::expect(n < count, "a frame too many");
      if (w == 0 && n % cycle != 0) continue;
      checked::expect(start == 100 + n, "the start of another frame");
      if (w > 1 || (w == 1 && n % cycle == 0)) await(s->done[w - 1], n + 1, patience, 3);
      write(s->record[w], start);
      rts_signal(&s->done[w], n + 1);
    }
  };
  Scenario scenario{reset, {lead}, {&s->stop, &s->lost}};
  for (int w = 0; w < workers; ++w) scenario.threads.emplace_back([=] { work(w); });
  return scenario;
}

/// Everything is stopped while a thread waits for what never comes, another sleeps until a time that never comes. Where they miss the
/// wake-up, the end of their slice is soon.
Scenario stopped() {
  Shared* s = &shared;
  const auto wait = [=] {
    const rts_patience patience = patient(*s);
    checked::expect(rts_await(&s->ball[0], 1, &patience) == RTS_STOPPED, "a fence that nobody signals");
  };
  const auto sleep = [=] {
    const rts_patience patience = patient(*s);
    checked::expect(rts_sleep_until(RTS_NEVER - 1, &patience) == RTS_STOPPED, "an instant that never comes");
  };
  const auto stop = [=] {
    rts_store(&s->stop, 1);
    rts_futex_wake(&s->stop);
    rts_futex_wake(&s->ball[0]);
  };
  return {reset, {stop, wait, sleep}, {&s->lost}};
}

struct Case {
  const char* name;
  Scenario scenario;
  Options options;
  const char* expected;  // part of the failure; empty: none
};

}  // namespace

int main(int argc, char** argv) {
  const bool deep = argc > 1 && std::strcmp(argv[1], "--deep") == 0;
  const Options every{};
  const Case cases[] = {
      {"relay", relay(deep ? 12 : 4, 0), every, ""},
      {"relay, waiting awake first", relay(deep ? 2 : 1, 1), every, ""},
      {"crowd", crowd(deep ? 3 : 2), every, ""},
      {"frames of one worker", frames(deep ? 20 : 6, 1), every, ""},
      {"frames of two workers", frames(deep ? 12 : 4, 2), every, ""},
      {"frames of three workers", frames(deep ? 4 : 1, 3), every, ""},
      {"frames of two workers, one of them in every other", frames(deep ? 7 : 3, 2, 2), every, ""},
      {"stopped", stopped(), {Flaw::none, true}, ""},
      {"relay without release", relay(1, 0), {Flaw::store_without_release, false}, "a race"},
      {"relay without wake-ups", relay(1, 0), {Flaw::wake_nobody, false}, "a lost wake-up"},
      {"relay without comparison", relay(1, 0), {Flaw::sleep_without_comparison, false}, "a lost wake-up"},
      {"frames without release", frames(2, 1), {Flaw::store_without_release, false}, "a race"},
      {"records that are read too late", frames(2, 1, 1, true), every, "a race"},
  };
  bool good = true;
  for (const Case& c : cases) {
    const Result result = checked::explore(c.scenario, c.options);
    const bool as_expected = *c.expected == '\0' ? result.failure.empty() : result.failure.starts_with(c.expected);
    good = good && as_expected;
    std::printf("%s: %llu states, %llu executions: %s%s\n", c.name, static_cast<unsigned long long>(result.states),
                static_cast<unsigned long long>(result.executions), result.failure.empty() ? "all good" : result.failure.c_str(),
                as_expected ? "" : "  <- NOT EXPECTED");
    std::fflush(stdout);
  }
  return good ? 0 : 1;
}
