// Whom a master and its clients trust: their own user alone, of one version and schedule; what others send or write breaks nothing.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include "relay.hpp"

using namespace rta;
using namespace rta::test;

TEST_CASE("processes of another version, of another schedule, and those that talk nonsense are refused; who belongs there plays on") {
  Relay relay(8);
  relay.master = relay.stage.master({"--frames", "3", "--patience", "20s"});
  const auto version = relay.stage.client(STATIC_FAULTY, {"a", "version"});
  CHECK(version->wait(in_time) == 0);
  CHECK(relay.master->says("it speaks another version", in_time));
  const auto garbage = relay.stage.client(STATIC_FAULTY, {"a", "garbage"});
  CHECK(garbage->wait(in_time) == 0);
  const auto silence = relay.stage.client(STATIC_FAULTY, {"a", "silence"});
  const auto other = relay.stage.client(STATIC_FAULTY, {"a", "none"}, {"RTA_STATIC_SCHEDULE=" + std::string(64, 'b')});
  CHECK(other->wait(in_time) == refused);
  CHECK(contains(other->said(), "refused: it is for another schedule than the one that is played"));
  relay.first = relay.stage.client(STATIC_FAULTY, {"a", "none"}, {"RTA_STATIC_SCHEDULE=" + std::string(64, 'a')});
  relay.second = relay.stage.client(STATIC_FAULTY, {"b", "none"});
  CHECK(relay.master->wait(in_time) == 0);
  INFO(relay.master->said());
  CHECK(relay.first->wait(in_time) == ended_well);
  CHECK(relay.second->wait(in_time) == ended_well);
}

TEST_CASE("a client that shares a file in place of sealed memory, or speaks out of turn, ends the run before it begins") {
  for (const std::string fault : {"file", "early"}) {
    CAPTURE(fault);
    Relay relay(9);
    relay.start({}, {fault}, {"none"});
    CHECK(relay.master->wait(in_time) == 2);
    INFO(relay.master->said());
    CHECK(contains(relay.master->said(), fault == "file" ? "shared memory: is none" : "sent what it may not send now"));
    CHECK(left_before_the_beginning(*relay.second));
    CHECK(relay.stage.is_clean());
  }
}

TEST_CASE("garbage in shared memory: master and other clients end or go on, and never crash") {
  int noticed = 0;
  for (int attempt = 0; attempt < 6; ++attempt) {
    Relay relay(11);
    const bool first = attempt % 2 == 0;
    const std::vector<std::string> scribbling{"scribble", first ? "first" : "middle"};
    const std::vector<std::string> plain{"none"};
    relay.start({"--frames", "25", "--watchdog", "500ms"}, first ? scribbling : plain, first ? plain : scribbling);
    const int status = relay.master->wait(in_time);
    INFO(relay.master->said());
    CHECK((status == 0 || status == 1));
    Process& other = first ? *relay.second : *relay.first;
    const int other_status = other.wait(in_time);
    INFO(other.said());
    CHECK((other_status == ended_well || other_status == ended_early || other_status == master_lost));
    noticed += contains(relay.master->said(), "holds garbage") || contains(relay.master->said(), "does not end") ? 1 : 0;
    (void)relay.stage.records();  // what was written reads as a trace
    CHECK(relay.stage.is_clean());
  }
  CHECK(noticed > 0);
}

TEST_CASE("socket and lock belong to the user alone, and a folder that is open to others is refused") {
  Stage stage(relay(1_ms, 20_ms, 12));
  {
    const auto master = stage.master({"--patience", "20s"});
    const auto socket = stage.meeting_place() / "12.socket";
    for (int i = 0; i < 2000 && !std::filesystem::exists(socket); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    struct stat status {};
    REQUIRE(stat(socket.c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0600);
    REQUIRE(stat((stage.meeting_place() / "12.lock").c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0600);
    REQUIRE(stat(stage.meeting_place().c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == 0700);
    master->kill(SIGTERM);
    CHECK(master->wait(in_time) == 2);
    CHECK(stage.is_clean());
  }
  std::filesystem::permissions(stage.meeting_place(), std::filesystem::perms::all);
  const auto master = stage.master({});
  CHECK(master->wait(in_time) == 2);
  CHECK(contains(master->said(), "is not a folder of this user alone (mode 0700)"));
}

TEST_CASE("a process of another user is refused by the master, and refuses a master of another user") {
  if (geteuid() != 0) {
    MESSAGE("skipped: only root can be two users");
    std::printf("skipped: only root can be two users\n");
    return;
  }
  Stage stage(relay(1_ms, 20_ms, 13));
  const auto master = stage.master({"--patience", "20s"});
  const auto socket = stage.meeting_place() / "13.socket";
  for (int i = 0; i < 2000 && !std::filesystem::exists(socket); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  // Even where everybody may reach the socket.
  using std::filesystem::perms;
  std::filesystem::permissions(stage.folder(), perms::all);
  std::filesystem::permissions(stage.meeting_place(), perms::all);
  std::filesystem::permissions(socket, perms::all);
  const std::string program = (stage.folder() / "faulty").string();
  std::filesystem::copy_file(STATIC_FAULTY, program);
  const auto client = stage.client("/usr/bin/setpriv", {"--reuid=65534", "--regid=65534", "--clear-groups", program, "a", "none"},
                                   {"RTA_STATIC_MASTER=" + socket.string(), "RTA_STATIC_PATIENCE=500"});
  CHECK(client->wait(in_time) == refused);
  CHECK(contains(client->said(), "belongs to another user (0)"));
  CHECK(master->says("of user 65534 was refused: it is another user's", in_time));
}
