// What goes wrong is said, ends in time, hangs nobody and leaves nothing behind.
#include <doctest/doctest.h>

#include "relay.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("a client that is killed, crashes or leaves in the middle of a frame: the master says who, the other one leaves") {
  for (const std::string fault : {"die", "crash", "leave"}) {
    CAPTURE(fault);
    Relay relay(1);
    relay.start({}, {"none"}, {fault, "middle"});
    CHECK(relay.master->wait(in_time) == 1);
    CHECK(relay.first->wait(in_time) == ended_early);
    INFO(relay.master->said());
    INFO(relay.first->said());
    CHECK(contains(relay.master->said(), "client 'b' (process " + std::to_string(relay.second->number()) + ") has gone"));
    CHECK(contains(relay.first->said(), "client 'a': the run has ended early: client 'b'"));
    const auto trace = relay.stage.records();
    CHECK_FALSE(trace.complete);
    CHECK(trace.dags.size() == 5);
    CHECK(relay.stage.is_clean());
  }
}

TEST_CASE("a process that the master has started: it says how it ended, and ends the others") {
  Stage stage(relay(1_ms, 20_ms, 1));
  const auto master = stage.master({"--", STATIC_FAULTY, "{}", "die", "middle"});
  CHECK(master->wait(in_time) == 1);
  INFO(master->said());
  CHECK(contains(master->said(), "client 'b' (process "));
  CHECK(contains(master->said(), "was killed by signal 9 (Killed)"));
  CHECK(stage.is_clean());
}

TEST_CASE("a client that is stopped, and a runnable that never returns: the watchdog says which runnable of which process") {
  for (const std::string fault : {"stop", "hang"}) {
    CAPTURE(fault);
    Relay relay(2);
    relay.start({"--watchdog", "300ms"}, {"none"}, {fault, "middle"});
    CHECK(relay.master->wait(in_time) == 1);
    CHECK(relay.first->wait(in_time) == ended_early);
    INFO(relay.master->said());
    CHECK(contains(relay.master->said(), "frame 5 of hyperepoch 'relay' does not end; 'b.middle' (WCET 1.000 ms) has run for "));
    const std::string state = fault == "stop" ? "is stopped" : "is alive";
    CHECK(contains(relay.master->said(), "process " + std::to_string(relay.second->number()) + " of client 'b' " + state));
    CHECK(contains(relay.master->said(), "has not left") == (fault == "stop"));
    if (fault == "stop") {
      relay.second->kill(SIGCONT);
      CHECK((relay.second->wait(in_time) == ended_early || relay.second->wait(in_time) == master_lost));
    } else {
      CHECK(relay.second->wait(in_time) == stuck);
      CHECK(contains(relay.second->said(), "not returned: 'middle'"));
    }
    CHECK(relay.stage.is_clean());
  }
}

TEST_CASE(
    "a runnable that takes ten times its WCET and more: with skip the next frame begins at a multiple of the period, with run-on at once") {
  for (const std::string overrun : {"skip", "run-on"}) {
    CAPTURE(overrun);
    Relay relay(3);  // `middle` takes 100 ms once, the period is 20 ms
    relay.start({"--overrun", overrun, "--frames", "15"}, {"none"}, {"slow", "middle"});
    CHECK(relay.master->wait(in_time) == 0);
    CHECK(relay.first->wait(in_time) == ended_well);
    CHECK(relay.second->wait(in_time) == ended_well);
    INFO(relay.master->said());
    CHECK(contains(relay.master->said(), "15 frames, the longest 1"));
    const auto trace = relay.stage.records();
    CHECK(trace.complete);
    REQUIRE(trace.dags.size() == 15);
    for (std::size_t n = 0; n < trace.dags.size(); ++n) {
      const auto& frame = trace.dags[n];
      CHECK(frame.job.job == n);
      if (n > 0) CHECK(frame.release >= trace.dags[n - 1].end);
      if (overrun == "skip") {
        CHECK(frame.release.count() % 20'000'000 == 0);
      } else {
        CHECK(frame.release >= 20_ms * static_cast<std::int64_t>(n));
      }
    }
    const Time after = trace.dags[6].release - trace.dags[5].release;
    CHECK(after >= 100_ms);
    if (overrun == "run-on") CHECK(trace.dags[6].release == std::max(trace.dags[5].end, 120_ms));
  }
}

TEST_CASE("two masters with one identifier: the second is refused, the first goes on") {
  Relay relay(4);
  relay.start({"--frames", "40"}, {"none"}, {"none"});
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const auto second = relay.stage.master({"--patience", "1s"});
  CHECK(second->wait(in_time) == 2);
  CHECK(contains(second->said(), "another master plays a schedule of this identifier (process " + std::to_string(relay.master->number())));
  CHECK(relay.master->wait(in_time) == 0);
  CHECK(relay.stage.records().complete);  // not touched by the second
  CHECK(relay.stage.is_clean());
}

TEST_CASE("a master that is killed: clients leave, and the next master cleans up and plays") {
  Relay relay(5);
  relay.start({}, {"none"}, {"none"});
  for (int i = 0; i < 2000 && (!std::filesystem::exists(relay.stage.trace()) || std::filesystem::file_size(relay.stage.trace()) < 2000);
       ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  relay.master->kill(SIGKILL);
  CHECK(relay.master->wait(in_time) == 128 + SIGKILL);
  CHECK(relay.first->wait(in_time) == master_lost);
  CHECK(relay.second->wait(in_time) == master_lost);
  CHECK(contains(relay.first->said(), "client 'a': the master is gone"));
  CHECK_FALSE(relay.stage.is_clean());
  CHECK_FALSE(relay.stage.records().complete);
  relay.start({"--frames", "3"}, {"none"}, {"none"});
  CHECK(relay.master->wait(in_time) == 0);
  CHECK(relay.stage.records().dags.size() == 3);
  CHECK(relay.stage.is_clean());
}

TEST_CASE("a full disk: the trace ends there, the frames do not") {
  Stage stage(relay(1_ms, 5_ms, 6));
  const auto master = stage.play({"--frames", "100", "--output", "/dev/full"});
  CHECK(master->wait(in_time) == 1);
  INFO(master->said());
  CHECK(contains(master->said(), "the trace '/dev/full' ends here: No space left on device; frames are played on"));
  CHECK(contains(master->said(), "hyperepoch 'relay': 100 frames"));
  CHECK(stage.is_clean());
}

TEST_CASE("what is not there, wrong or missing at the beginning") {
  SUBCASE("a runnable that is not registered") {
    Relay relay(7);
    relay.start({}, {"missing", "last"}, {"none"});
    CHECK(relay.master->wait(in_time) == 2);
    CHECK(relay.first->wait(in_time) == misuse);
    CHECK(left_before_the_beginning(*relay.second));
    INFO(relay.master->said());
    CHECK(contains(relay.master->said(), "not registered: 'last'"));
    CHECK(contains(relay.first->said(), "client 'a': not registered: 'last'"));
    CHECK(relay.stage.is_clean());
    CHECK_FALSE(std::filesystem::exists(relay.stage.trace()));
  }
  SUBCASE("a name that the schedule does not have") {
    Relay relay(7);
    relay.start({"--frames", "2"}, {"wrong"}, {"none"});
    CHECK(relay.master->wait(in_time) == 0);
    CHECK(relay.first->wait(in_time) == ended_well);
    CHECK(contains(relay.first->said(), "client 'a': no runnable 'nonsense' in the schedule; this client has 'first', 'last'"));
  }
  SUBCASE("a client that the schedule does not have") {
    Relay relay(7);
    relay.master = relay.stage.master({"--patience", "700ms"});
    relay.first = relay.stage.client(STATIC_FAULTY, {"nobody", "none"});
    CHECK(relay.first->wait(in_time) == refused);
    CHECK(contains(relay.first->said(), "client 'nobody': refused: the schedule has no client 'nobody'; it has 'a', 'b'"));
    CHECK(relay.master->wait(in_time) == 2);
    CHECK(contains(relay.master->said(), "after 0.7 s: 'a', 'b' has not connected"));
    CHECK(relay.stage.is_clean());
  }
  SUBCASE("a client that comes twice") {
    Relay relay(7);
    relay.start({"--frames", "50"}, {"none"}, {"none"});
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const auto third = relay.stage.client(STATIC_FAULTY, {"a", "none"});
    CHECK(third->wait(in_time) == refused);
    CHECK(contains(third->said(), "client 'a' is here already"));
    CHECK(relay.master->wait(in_time) == 0);
  }
  SUBCASE("a client that connects and never enters the scheduler") {
    Relay relay(7);
    relay.start({"--patience", "1s"}, {"never-enter"}, {"none"});
    CHECK(relay.master->wait(in_time) == 2);
    CHECK(contains(relay.master->said(), "'a' has connected, but not entered the scheduler"));
    CHECK(left_before_the_beginning(*relay.second));
  }
  SUBCASE("a client that leaves before the first frame") {
    Relay relay(7);
    relay.start({}, {"early-leave"}, {"none"});
    CHECK(relay.master->wait(in_time) == 2);
    CHECK(contains(relay.master->said(), "client 'a'"));
    CHECK(contains(relay.master->said(), "has gone"));
    CHECK(left_before_the_beginning(*relay.second));
  }
  SUBCASE("no master") {
    Stage stage(relay(1_ms, 5_ms, 7));
    const auto client = stage.client(STATIC_FAULTY, {"a", "none"}, {"RTA_STATIC_PATIENCE=200"});
    CHECK(client->wait(in_time) == refused);
    CHECK(contains(client->said(), "no master answers at"));
  }
  SUBCASE("programs that cannot be started") {
    Stage stage(relay(1_ms, 5_ms, 7));
    const auto master = stage.master({"--", "/nonexistent/program", "{}"});
    CHECK(master->wait(in_time) == 2);
    CHECK(contains(master->said(), "'/nonexistent/program' cannot be started: No such file or directory"));
    CHECK(stage.is_clean());
  }
  SUBCASE("programs that end at once") {
    Stage stage(relay(1_ms, 5_ms, 7));
    const auto master = stage.master({"--", "/bin/false"});
    CHECK(master->wait(in_time) == 2);
    CHECK(contains(master->said(), "ended with status 1 before it connected"));
    CHECK(stage.is_clean());
  }
}

TEST_CASE("orderly ends: by a client, by a signal; at once by the second signal") {
  SUBCASE("rta_static_exit") {
    Relay relay(10);
    relay.start({}, {"exit", "first"}, {"none"});
    CHECK(relay.master->wait(in_time) == 0);
    CHECK(relay.first->wait(in_time) == ended_well);
    CHECK(relay.second->wait(in_time) == ended_well);
    CHECK(relay.stage.records().complete);
    CHECK(relay.stage.records().dags.size() >= 6);
  }
  SUBCASE("SIGTERM") {
    Relay relay(10);
    relay.start({}, {"none"}, {"none"});
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    relay.master->kill(SIGTERM);
    CHECK(relay.master->wait(in_time) == 0);
    CHECK(relay.first->wait(in_time) == ended_well);
    CHECK(relay.second->wait(in_time) == ended_well);
    CHECK(relay.stage.records().complete);
  }
  SUBCASE("SIGINT twice, in a frame that never ends") {
    Relay relay(10);
    relay.start({"--watchdog", "60s"}, {"none"}, {"hang", "middle"});
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    relay.master->kill(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    CHECK(relay.master->wait(std::chrono::milliseconds(0)) == -1);
    int status = -1;
    for (int again = 0; again < 30 && status == -1; ++again) {  // a busy machine may deliver two signals as one
      relay.master->kill(SIGINT);
      status = relay.master->wait(std::chrono::seconds(1));
    }
    CHECK(status == 1);
    CHECK(contains(relay.master->said(), "asked to end at once"));
    CHECK(relay.first->wait(in_time) == ended_early);
    CHECK(relay.second->wait(in_time) == stuck);
  }
}
