// Each case plays the program in a child process: signals end it.
#include "process/signals.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "process/temporary.hpp"
#include "process/tool.hpp"
#include "support/folder.hpp"

using namespace rta;
using namespace std::chrono_literals;

namespace {

/// A child process that has taken signals; without an exception it ends with the status that `program` returns.
class Child {
 public:
  explicit Child(const std::function<int()>& program, int ignored = 0) : process_(::fork()) {
    if (process_ != 0) return;
    if (ignored != 0) ::signal(ignored, SIG_IGN);
    process::take_signals();
    std::_Exit(program());
  }
  void send(int signal) const { ::kill(process_, signal); }
  /// How it ended, as waitpid says.
  int end() const {
    int status = 0;
    ::waitpid(process_, &status, 0);
    return status;
  }

 private:
  pid_t process_;
};

bool ended_by(int status, int signal) { return WIFSIGNALED(status) && WTERMSIG(status) == signal; }
bool ended_with(int status, int wanted) { return WIFEXITED(status) && WEXITSTATUS(status) == wanted; }

int sleep_for_ever() {
  for (;;) std::this_thread::sleep_for(1h);
}

bool appears(const std::filesystem::path& path) {
  for (int i = 0; i < 1000 && !std::filesystem::exists(path); ++i) std::this_thread::sleep_for(10ms);
  return std::filesystem::exists(path);
}

void make(const std::filesystem::path& path) { std::ofstream(path) << "x"; }

}  // namespace

TEST_CASE("a signal removes files and folders that are temporary, then ends the program") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const test::TemporaryFolder folder;
    const auto inner = folder.path / "inner";
    const Child child([&] {
      const process::Temporary first([&] {
        std::filesystem::create_directories(inner / "deep" / "deeper");
        return std::filesystem::path(inner);
      });
      make(inner / "deep" / "deeper" / "file");
      const process::Temporary second([&] {
        make(folder.path / "file");
        return folder.path / "file";
      });
      const process::Temporary gone([&] { return folder.path / "never"; });
      make(folder.path / "ready");
      return sleep_for_ever();
    });
    REQUIRE(appears(folder.path / "ready"));
    child.send(signal);
    CHECK(ended_by(child.end(), signal));
    CHECK_FALSE(std::filesystem::exists(inner));
    CHECK_FALSE(std::filesystem::exists(folder.path / "file"));
    CHECK(std::filesystem::exists(folder.path / "ready"));
  }
}

TEST_CASE("what is being made when a signal comes is removed, too") {
  const test::TemporaryFolder folder;
  const Child child([&] {
    const process::Temporary made([&] {
      make(folder.path / "ready");
      if (!appears(folder.path / "sent")) std::_Exit(1);
      std::this_thread::sleep_for(50ms);
      make(folder.path / "file");
      return folder.path / "file";
    });
    return sleep_for_ever();
  });
  REQUIRE(appears(folder.path / "ready"));
  child.send(SIGTERM);
  make(folder.path / "sent");
  CHECK(ended_by(child.end(), SIGTERM));
  CHECK_FALSE(std::filesystem::exists(folder.path / "file"));
}

TEST_CASE("a signal that is ignored stays so, also where an end may be asked for") {
  const test::TemporaryFolder folder;
  const Child child(
      [&] {
        const process::StopRequest stop({SIGINT});
        make(folder.path / "ready");
        if (!appears(folder.path / "sent")) return 1;
        std::this_thread::sleep_for(50ms);
        return stop.made() ? 2 : 0;
      },
      SIGINT);
  REQUIRE(appears(folder.path / "ready"));
  child.send(SIGINT);
  make(folder.path / "sent");
  CHECK(ended_with(child.end(), 0));
}

TEST_CASE("the first signal asks for an end, the second one ends the program") {
  const test::TemporaryFolder folder;
  const Child child([&] {
    const process::StopRequest stop({SIGINT});
    make(folder.path / "ready");
    while (!stop.made()) std::this_thread::sleep_for(1ms);
    make(folder.path / "asked");
    return sleep_for_ever();
  });
  REQUIRE(appears(folder.path / "ready"));
  child.send(SIGINT);
  REQUIRE(appears(folder.path / "asked"));
  child.send(SIGINT);
  CHECK(ended_by(child.end(), SIGINT));
}

TEST_CASE("a signal that nobody waits for ends the program, whatever others ask for") {
  const test::TemporaryFolder folder;
  const Child child([&] {
    { const process::StopRequest over({SIGTERM}); }
    const process::StopRequest stop({SIGINT});
    make(folder.path / "ready");
    return sleep_for_ever();
  });
  REQUIRE(appears(folder.path / "ready"));
  child.send(SIGTERM);
  CHECK(ended_by(child.end(), SIGTERM));
}

TEST_CASE("a signal goes to the tool that runs and all that it started, and ends the program when the tool has ended") {
  const test::TemporaryFolder folder;
  const std::string script =
      "trap 'sleep 0.1; touch handled; exit 3' TERM; (trap 'touch inner; exit' TERM; touch ready; while :; do sleep 0.01; done) & wait";
  const Child child([&] {
    std::filesystem::current_path(folder.path);
    (void)process::run_tool({"sh", "-c", script});
    make(folder.path / "after");
    return 0;
  });
  REQUIRE(appears(folder.path / "ready"));
  child.send(SIGTERM);
  CHECK(ended_by(child.end(), SIGTERM));
  CHECK(std::filesystem::exists(folder.path / "handled"));
  CHECK(appears(folder.path / "inner"));
  CHECK_FALSE(std::filesystem::exists(folder.path / "after"));
}

TEST_CASE("with a request to stop the program goes on once the tool has ended") {
  const test::TemporaryFolder folder;
  const Child child([&] {
    std::filesystem::current_path(folder.path);
    const process::StopRequest stop({SIGINT});
    const int status = process::run_tool({"sh", "-c", "trap 'exit 4' INT; touch ready; while :; do sleep 0.01; done"}).status;
    return stop.made() ? status : 99;
  });
  REQUIRE(appears(folder.path / "ready"));
  child.send(SIGINT);
  CHECK(ended_with(child.end(), 4));
}

TEST_CASE("an interrupt is for an attached tool alone") {
  const test::TemporaryFolder folder;
  const Child child([&] {
    std::filesystem::current_path(folder.path);
    return process::run_attached({"sh", "-c", "trap 'exit 6' INT; touch ready; while :; do sleep 0.01; done"}) + 1;
  });
  REQUIRE(appears(folder.path / "ready"));
  child.send(SIGINT);
  CHECK(ended_with(child.end(), 7));
}

TEST_CASE("a tool begins with the signals that the program began with") {
  // 0: nothing is blocked, as in this test.
  const Child child([] {
    const auto said = process::run_tool({"sh", "-c", "grep SigBlk /proc/self/status"});
    return said.text == "SigBlk:\t0000000000000000\n" ? 0 : 1;
  });
  CHECK(ended_with(child.end(), 0));
}

TEST_CASE("a file that may grow no further is an error of its write here, and what it was for tools") {
  const test::TemporaryFolder folder;
  const Child child([&] {
    const rlimit size{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &size);
    const int file = ::open((folder / "file").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const std::string much(2000, 'x');
    if (::write(file, much.data(), much.size()) != 1000 || ::write(file, "x", 1) != -1 || errno != EFBIG) return 1;
    return process::run_tool({"sh", "-c", "kill -XFSZ $$; exit 3"}).status == -1 ? 0 : 2;
  });
  CHECK(ended_with(child.end(), 0));
}
