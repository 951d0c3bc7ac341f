// Two processes, or two threads, that hand plain data to and fro through fences: fence_stress processes|threads ROUNDS SPIN_NS. Two fence
// operations a round, one each. Prints the median and the 99th percentile of a handover, half of the time between two of the first side's.
// Built with ThreadSanitizer, which sees what threads do; in processes each checks what it reads.
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "static/clock.h"
#include "static/fence.h"

enum { WORDS = 4 };

struct side {
  uint32_t fence;
  char padding[60];
  uint64_t data[WORDS];
};

struct table {
  uint32_t stop;
  uint32_t lost;
  struct side sides[2];
};

static struct table* table = NULL;
static uint32_t rounds = 0;
static int64_t spin = 0;
static int64_t* took = NULL;  // each round of the first side, ns

static int play(int me) {
  int64_t before = rts_now();
  const struct rts_patience patience = {
      .spin = spin, .deadline = rts_now() + INT64_C(3000000000000), .stop = &table->stop, .lost = &table->lost};
  struct side* mine = &table->sides[me];
  struct side* other = &table->sides[1 - me];
  for (uint32_t n = 1; n <= rounds; ++n) {
    if (me == 1 && rts_await(&other->fence, n, &patience) != RTS_REACHED) return 1;
    if (me == 0 && n > 1 && rts_await(&other->fence, n - 1, &patience) != RTS_REACHED) return 1;
    for (int i = 0; i < WORDS; ++i) {
      if (other->data[i] != (me == 1 ? n : n - 1)) return 2;
      mine->data[i] = n;
    }
    rts_signal(&mine->fence, n);
    if (me != 0) continue;
    const int64_t now = rts_now();
    took[n - 1] = now - before;
    before = now;
  }
  return 0;
}

static int by_size(const void* a, const void* b) {
  const int64_t x = *(const int64_t*)a;
  const int64_t y = *(const int64_t*)b;
  return (x > y) - (x < y);
}

static void* play_second(void* unused) {
  (void)unused;
  static int result;
  result = play(1);
  return &result;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  rounds = (uint32_t)strtoul(argv[2], NULL, 10);
  spin = strtol(argv[3], NULL, 10);
  table = mmap(NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  took = calloc(rounds, sizeof *took);
  if (table == MAP_FAILED || took == NULL || rounds == 0) return 2;
  int first = 0;
  int second = 0;
  if (strcmp(argv[1], "processes") == 0) {
    const pid_t child = fork();
    if (child == 0) _exit(play(1));
    first = play(0);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 2;
    second = WEXITSTATUS(status);
  } else {
    pthread_t thread = 0;
    void* result = NULL;
    if (pthread_create(&thread, NULL, play_second, NULL) != 0) return 2;
    first = play(0);
    pthread_join(thread, &result);
    second = *(const int*)result;
  }
  qsort(took, rounds, sizeof *took, by_size);
  const uint32_t median = rounds / 2;
  const uint32_t most = (uint32_t)((uint64_t)rounds * 99 / 100);
  printf("%u rounds, a fence takes %.3f us (median), %.3f us (99 %%): %d %d\n", rounds, (double)took[median] / 2e3,
         (double)took[most] / 2e3, first, second);
  free(took);
  return first != 0 ? first : second;
}
