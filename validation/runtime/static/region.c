#include "region.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(sizeof(struct rts_slot) == 64, "a cache line");
_Static_assert(sizeof(struct rts_frame) == 64, "a cache line");
_Static_assert(sizeof(struct rts_page) == 64, "a cache line");

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010  // Linux 5.1
#endif

size_t rts_page_size(const struct rts_plan* plan) {
  return sizeof(struct rts_page) + plan->header->hyperepochs.count * sizeof(struct rts_frame) +
         plan->header->lines.count * sizeof(struct rts_setting);
}

size_t rts_slots_size(const struct rts_plan* plan, uint32_t client) {
  size_t jobs = 0;
  for (uint32_t i = 0; i < plan->header->lines.count; ++i) {
    if (plan->lines[i].client == client) jobs += plan->lines[i].jobs;
  }
  // A client without jobs takes part, too.
  return (jobs == 0 ? 1 : jobs) * sizeof(struct rts_slot);
}

static int fail_with(int descriptor, struct rts_error* error, const char* what) {
  rts_fail_errno(error, "shared memory: %s", what);
  if (descriptor >= 0) close(descriptor);
  return -1;
}

int rts_region_create(const char* name, size_t size, void** memory, struct rts_error* error) {
  const int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0 || ftruncate(descriptor, (off_t)size) != 0) return fail_with(descriptor, error, "cannot be made");
  void* at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
  if (at == MAP_FAILED) return fail_with(descriptor, error, "cannot be mapped");
  if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) != 0) {
    const int reason = errno;
    munmap(at, size);
    errno = reason;
    return fail_with(descriptor, error, "cannot be kept from others (needs Linux 5.1)");
  }
  *memory = at;
  return descriptor;
}

int rts_region_create_constant(const char* name, const void* bytes, size_t size, struct rts_error* error) {
  const int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return fail_with(descriptor, error, "cannot be made");
  for (size_t done = 0; done < size;) {
    const ssize_t count = write(descriptor, (const char*)bytes + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail_with(descriptor, error, "cannot be filled");
    done += (size_t)count;
  }
  if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_WRITE | F_SEAL_SEAL) != 0)
    return fail_with(descriptor, error, "cannot be sealed");
  return descriptor;
}

const void* rts_region_map(int descriptor, size_t* size, bool constant, struct rts_error* error) {
  struct stat status;
  const int seals = fcntl(descriptor, F_GET_SEALS);  // refused for anything that is no memfd
  if (seals < 0 || fstat(descriptor, &status) != 0) {
    rts_fail_errno(error, "shared memory: is none");
    return NULL;
  }
  const bool closed = (seals & F_SEAL_WRITE) != 0 || (!constant && (seals & F_SEAL_FUTURE_WRITE) != 0);
  if ((seals & F_SEAL_SHRINK) == 0 || (seals & F_SEAL_GROW) == 0 || !closed) {
    rts_fail(error, "shared memory: is not sealed");
    return NULL;
  }
  const size_t is = status.st_size < 0 ? 0 : (size_t)status.st_size;
  if (is == 0 || (*size != 0 && *size != is)) {
    rts_fail(error, "shared memory: has %zu bytes; %zu were expected", is, *size);
    return NULL;
  }
  const void* at = mmap(NULL, is, PROT_READ, MAP_SHARED | MAP_POPULATE, descriptor, 0);
  if (at == MAP_FAILED) {
    rts_fail_errno(error, "shared memory: cannot be mapped");
    return NULL;
  }
  *size = is;
  return at;
}

void rts_place_slots(const struct rts_plan* plan, const struct rts_slot* const* base, const struct rts_slot** slots) {
  uint32_t used[RTS_MOST_CLIENTS] = {0};
  for (uint32_t j = 0; j < plan->header->jobs.count; ++j) {
    const uint32_t client = rts_client_of(plan, &plan->jobs[j]);
    slots[j] = base[client] + used[client]++;
  }
}
