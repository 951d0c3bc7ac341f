// A program that "starts CUDA" as the driver does: it loads $CUDA_INJECTION64_PATH and calls InitializeInjection.
//
//   program STATUS [child | killed | plain | becomes]
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

int main(int argc, char** argv) {
  const std::string how = argc > 2 ? argv[2] : "";
  std::printf("runs%s\n", std::getenv("CUDA_INJECTION64_PATH") == nullptr ? "" : " recorded");
  std::fflush(stdout);
  if (how == "plain") return 0;
  if (const char* const path = std::getenv("CUDA_INJECTION64_PATH"); path != nullptr) {
    void* const library = dlopen(path, RTLD_NOW);
    if (library == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 9;
    }
    const auto initialize = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"));
    if (initialize == nullptr || initialize() != 1) return 8;
  }
  if (how == "killed") std::raise(SIGKILL);
  if (how == "becomes") execl(argv[0], argv[0], "0", nullptr);  // its number stays
  if (how == "child") {
    if (fork() == 0) {
      execl(argv[0], argv[0], "0", nullptr);
      _exit(7);
    }
    wait(nullptr);
    // A child that only forks writes nothing.
    if (fork() == 0) std::exit(0);
    wait(nullptr);
  }
  return std::atoi(argv[1]);
}
