#include "place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "channel.h"

static bool find_folder(char* folder, size_t size, struct rts_error* error) {
  const char* given = getenv("XDG_RUNTIME_DIR");
  const int length = given != NULL && given[0] == '/' ? snprintf(folder, size, "%s/rta-static", given)
                                                      : snprintf(folder, size, "/tmp/rta-static-%u", (unsigned)geteuid());
  if (length < 0 || (size_t)length >= size) return rts_fail(error, "the path of the folder '%s/rta-static' is too long for sockets", given);
  if (mkdir(folder, 0700) != 0 && errno != EEXIST) return rts_fail_errno(error, "the folder '%s' cannot be made", folder);
  struct stat status;
  if (lstat(folder, &status) != 0) return rts_fail_errno(error, "the folder '%s' cannot be looked at", folder);
  // In /tmp anybody could have made it first, or a link to elsewhere.
  if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 077) != 0)
    return rts_fail(error, "'%s' is not a folder of this user alone (mode 0700)", folder);
  return true;
}

static void set_paths(struct rts_place* place, const char* folder, unsigned identifier) {
  snprintf(place->socket, sizeof place->socket, "%.90s/%u.socket", folder, identifier);
  snprintf(place->lock, sizeof place->lock, "%.90s/%u.lock", folder, identifier);
  place->lock_descriptor = -1;
  place->made[0] = '\0';
}

bool rts_place_find(struct rts_place* place, uint32_t identifier, struct rts_error* error) {
  char folder[88];
  if (!find_folder(folder, sizeof folder, error)) return false;
  set_paths(place, folder, identifier);
  return true;
}

bool rts_place_choose(struct rts_place* place, uint32_t identifier, struct rts_error* error) {
  if (rts_place_find(place, identifier, error)) return true;
  if (getenv("XDG_RUNTIME_DIR") != NULL) return false;
  char folder[sizeof place->made] = "/tmp/rta-static-XXXXXX";
  if (mkdtemp(folder) == NULL) return rts_fail_errno(error, "the folder '%s' cannot be made", folder);
  set_paths(place, folder, identifier);
  memcpy(place->made, folder, sizeof folder);
  return true;
}

bool rts_place_find_only(struct rts_place* place, struct rts_error* error) {
  char folder[88];
  if (!find_folder(folder, sizeof folder, error)) return false;
  DIR* directory = opendir(folder);
  if (directory == NULL) return rts_fail_errno(error, "the folder '%s' cannot be read", folder);
  unsigned found = 0;
  unsigned identifier = 0;
  for (const struct dirent* entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
    char* rest = NULL;
    const unsigned long number = strtoul(entry->d_name, &rest, 10);
    if (rest == entry->d_name || strcmp(rest, ".socket") != 0 || number > 65535) continue;
    identifier = (unsigned)number;
    ++found;
  }
  closedir(directory);
  if (found == 0) return rts_fail(error, "no master runs (no socket in '%s')", folder);
  if (found > 1) return rts_fail(error, "%u masters run: RTA_STATIC_MASTER must say which, by its schedule's identifier", found);
  set_paths(place, folder, identifier);
  return true;
}

// The lock belongs to the process and ends with it, however it ends. Not to be confused by a master that removes the file just now.
static bool take_lock(struct rts_place* place, struct rts_error* error) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    const int descriptor = open(place->lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0) return rts_fail_errno(error, "'%s' cannot be made", place->lock);
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      char owner[32] = "unknown";
      const ssize_t count = pread(descriptor, owner, sizeof owner - 1, 0);
      if (count > 0) owner[count] = '\0';
      close(descriptor);
      return rts_fail(error, "another master plays a schedule of this identifier (process %s, '%s')", owner, place->lock);
    }
    struct stat held;
    struct stat there;
    if (fstat(descriptor, &held) == 0 && stat(place->lock, &there) == 0 && held.st_ino == there.st_ino) {
      char owner[32];
      const int length = snprintf(owner, sizeof owner, "%ld", (long)getpid());
      if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, owner, (size_t)length, 0) != length) {
        rts_fail_errno(error, "'%s' cannot be written", place->lock);
        close(descriptor);
        return false;
      }
      place->lock_descriptor = descriptor;
      return true;
    }
    close(descriptor);
  }
  return rts_fail(error, "'%s' keeps being removed", place->lock);
}

static bool set_address(struct sockaddr_un* address, const char* path, struct rts_error* error) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  const size_t length = strlen(path);
  if (length >= sizeof address->sun_path) return rts_fail(error, "the path '%s' is too long for a socket", path);
  memcpy(address->sun_path, path, length);
  return true;
}

int rts_place_take(struct rts_place* place, struct rts_error* error) {
  struct sockaddr_un address;
  if (!set_address(&address, place->socket, error) || !take_lock(place, error)) return -1;
  unlink(place->socket);  // of a master that was killed: the lock was free
  const int listening = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  // Made with mode 0600, not changed to it afterwards.
  const mode_t before = umask(0177);
  const bool bound = listening >= 0 && bind(listening, (const struct sockaddr*)&address, sizeof address) == 0;
  umask(before);
  if (!bound || listen(listening, 64) != 0) {
    rts_fail_errno(error, "the socket '%s' cannot be made", place->socket);
    rts_place_leave(place, listening);
    return -1;
  }
  return listening;
}

void rts_place_leave(struct rts_place* place, int listening) {
  if (listening >= 0) close(listening);
  if (place->lock_descriptor >= 0) {
    unlink(place->socket);
    unlink(place->lock);
    close(place->lock_descriptor);
    place->lock_descriptor = -1;
  }
  if (place->made[0] != '\0') rmdir(place->made);
  place->made[0] = '\0';
}

int rts_place_connect(const char* path, bool* retry, struct rts_error* error) {
  *retry = false;
  struct sockaddr_un address;
  if (!set_address(&address, path, error)) return -1;
  const int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (connection < 0) {
    rts_fail_errno(error, "no socket can be made");
    return -1;
  }
  if (connect(connection, (const struct sockaddr*)&address, sizeof address) != 0) {
    // Not there, not listening, or too many at once: all may change.
    *retry = errno == ENOENT || errno == ECONNREFUSED || errno == EAGAIN || errno == EINTR;
    rts_fail_errno(error, "no master answers at '%s'", path);
    close(connection);
    return -1;
  }
  uid_t user = 0;
  pid_t process = 0;
  if (!rts_peer(connection, &user, &process) || user != geteuid()) {
    rts_fail(error, "the master at '%s' belongs to another user (%u)", path, (unsigned)user);
    close(connection);
    return -1;
  }
  return connection;
}
