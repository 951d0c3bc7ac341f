#include "channel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

_Static_assert(sizeof(struct rts_message) == 512, "no padding");

void rts_message_set(struct rts_message* message, enum rts_message_kind kind, uint32_t number, const char* text) {
  memset(message, 0, sizeof *message);
  message->magic = RTS_MESSAGE_MAGIC;
  message->version = RTS_PROTOCOL_VERSION;
  message->kind = (uint16_t)kind;
  message->number = number;
  snprintf(message->text, sizeof message->text, "%s", text);
}

union control {
  char bytes[CMSG_SPACE(sizeof(int) * RTS_MOST_DESCRIPTORS)];
  struct cmsghdr align;
};

bool rts_send(int socket, const struct rts_message* message, const int* descriptors, uint32_t count) {
  struct rts_message copy = *message;
  struct iovec data = {.iov_base = &copy, .iov_len = sizeof copy};
  union control control;
  memset(&control, 0, sizeof control);
  struct msghdr header = {.msg_iov = &data, .msg_iovlen = 1};
  if (count > 0) {
    header.msg_control = control.bytes;
    header.msg_controllen = CMSG_SPACE(sizeof(int) * count);
    struct cmsghdr* rights = CMSG_FIRSTHDR(&header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int) * count);
    memcpy(CMSG_DATA(rights), descriptors, sizeof(int) * count);
  }
  ssize_t sent = -1;
  do {
    sent = sendmsg(socket, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (sent < 0 && errno == EINTR);
  return sent == (ssize_t)sizeof copy;
}

static void take_descriptors(struct msghdr* header, struct rts_received* received) {
  for (struct cmsghdr* c = CMSG_FIRSTHDR(header); c != NULL; c = CMSG_NXTHDR(header, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int descriptor = -1;
      memcpy(&descriptor, CMSG_DATA(c) + i * sizeof(int), sizeof descriptor);
      if (received->descriptor_count < RTS_MOST_DESCRIPTORS) {
        received->descriptors[received->descriptor_count++] = descriptor;
      } else {
        close(descriptor);
      }
    }
  }
}

enum rts_receipt rts_receive(int socket, struct rts_received* received) {
  memset(received, 0, sizeof *received);
  struct iovec data = {.iov_base = &received->message, .iov_len = sizeof received->message};
  union control control;
  memset(&control, 0, sizeof control);
  struct msghdr header = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t count = -1;
  // A process that ends before it has read everything resets the connection; what it said before is there all the same.
  bool reset = false;
  do {
    reset = count < 0 && errno == ECONNRESET;
    count = recvmsg(socket, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (count < 0 && (errno == EINTR || (errno == ECONNRESET && !reset)));
  if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? RTS_NOTHING : RTS_CLOSED;
  take_descriptors(&header, received);
  if (count == 0 && received->descriptor_count == 0) return RTS_CLOSED;
  received->message.text[sizeof received->message.text - 1] = '\0';
  const bool whole = count == (ssize_t)sizeof received->message && (header.msg_flags & MSG_TRUNC) == 0;
  if (!whole || received->message.magic != RTS_MESSAGE_MAGIC || received->message.version != RTS_PROTOCOL_VERSION) {
    rts_close_descriptors(received);
    return RTS_FOREIGN;
  }
  return RTS_GOT;
}

void rts_close_descriptors(struct rts_received* received) {
  for (uint32_t i = 0; i < received->descriptor_count; ++i) close(received->descriptors[i]);
  received->descriptor_count = 0;
}

bool rts_peer(int socket, uid_t* user, pid_t* process) {
  struct ucred is;
  socklen_t size = sizeof is;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &is, &size) != 0) return false;
  *user = is.uid;
  *process = is.pid;
  return true;
}
