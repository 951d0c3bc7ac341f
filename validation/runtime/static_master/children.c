#include "children.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static void free_words(char** words) {
  for (char** word = words; *word != NULL; ++word) free(*word);
  free((void*)words);
}

// Words in which {} stands for the name; they live until the program is run.
static char** replace_names(char* const* program, const char* name) {
  size_t count = 0;
  while (program[count] != NULL) ++count;
  char** words = count == 0 ? NULL : calloc(count + 1, sizeof *words);
  for (size_t i = 0; words != NULL && i < count; ++i) {
    const char* at = strstr(program[i], "{}");
    if (at == NULL) {
      words[i] = strdup(program[i]);
    } else {
      const size_t size = strlen(program[i]) + strlen(name) + 1;
      words[i] = malloc(size);
      if (words[i] != NULL) snprintf(words[i], size, "%.*s%s%s", (int)(at - program[i]), program[i], name, at + 2);
    }
    if (words[i] != NULL) continue;
    free_words(words);
    return NULL;
  }
  return words;
}

__attribute__((noreturn)) static void become(char** words, pid_t parent, int tell) {
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGXFSZ, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL, 0UL, 0UL, 0UL);
  if (words[0] != NULL && getppid() == parent) execvp(words[0], words);
  const int reason = errno;
  const ssize_t written = write(tell, &reason, sizeof reason);
  (void)written;  // nobody listens any more
  _exit(127);
}

bool rtm_child_start(struct rtm_child* child, char* const* program, const char* client, const char* socket, const char* schedule,
                     struct rts_error* error) {
  int ends[2];
  char** words = replace_names(program, client);
  if (words == NULL) return rts_fail(error, "out of memory");
  const bool told = setenv("RTA_STATIC_MASTER", socket, 1) == 0 && setenv("RTA_STATIC_SCHEDULE", schedule, 1) == 0;
  if (!told || pipe2(ends, O_CLOEXEC) != 0) {
    free_words(words);
    return told ? rts_fail_errno(error, "no pipe can be made") : rts_fail(error, "out of memory");
  }
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process == 0) become(words, parent, ends[1]);
  free_words(words);
  close(ends[1]);
  int reason = 0;
  const bool failed = process < 0 || read(ends[0], &reason, sizeof reason) == (ssize_t)sizeof reason;
  close(ends[0]);
  if (process > 0) child->process = process;
  if (!failed) return true;
  if (process > 0) (void)rtm_child_reap(child, 1000);
  child->process = 0;
  return rts_fail(error, "'%s' cannot be started: %s", program[0], strerror(process < 0 ? errno : reason));
}

bool rtm_child_reap(struct rtm_child* child, int wait_ms) {
  while (child->process > 0 && !child->ended) {
    const pid_t ended = waitpid(child->process, &child->status, WNOHANG);
    if (ended == child->process || (ended < 0 && errno == ECHILD)) {
      child->ended = true;
    } else if (wait_ms <= 0) {
      return false;
    } else {
      poll(NULL, 0, 10);
      wait_ms -= 10;
    }
  }
  return true;
}

const char* rtm_child_end(const struct rtm_child* child, char* text, size_t size) {
  if (WIFSIGNALED(child->status)) {
    snprintf(text, size, "was killed by signal %d (%s)", WTERMSIG(child->status), strsignal(WTERMSIG(child->status)));
  } else {
    snprintf(text, size, "ended with status %d", WEXITSTATUS(child->status));
  }
  return text;
}

void rtm_child_kill(struct rtm_child* child) {
  if (child->process <= 0 || rtm_child_reap(child, 0)) return;
  kill(-child->process, SIGTERM);
  kill(-child->process, SIGCONT);
  if (rtm_child_reap(child, 500)) return;
  kill(-child->process, SIGKILL);
  (void)rtm_child_reap(child, 5000);
}
