#include "guests.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "static/clock.h"

/// How long a connection may be silent before it is closed, ns.
#define STRANGER_PATIENCE INT64_C(5000000000)

void rtm_guests_begin(struct rtm_guests* guests, const struct rts_plan* plan, int plan_memory, int page_memory,
                      struct rtm_findings* findings) {
  memset(guests, 0, sizeof *guests);
  guests->plan = plan;
  guests->plan_memory = plan_memory;
  guests->page_memory = page_memory;
  guests->findings = findings;
  for (uint32_t i = 0; i < RTS_MOST_CLIENTS; ++i) guests->all[i].socket = guests->all[i].memory = -1;
  for (uint32_t i = 0; i < RTM_MOST_STRANGERS; ++i) guests->strangers[i].socket = -1;
}

const char* rtm_guest_name(const struct rtm_guests* guests, uint32_t client) {
  return rts_name(guests->plan, guests->plan->clients[client].name);
}

static uint32_t count_of(const struct rtm_guests* guests) { return guests->plan->header->clients.count; }

__attribute__((format(printf, 2, 3))) static void fault(struct rtm_guests* guests, const char* format, ...) {
  if (guests->fault.text[0] != '\0') return;
  va_list values;
  va_start(values, format);
  vsnprintf(guests->fault.text, sizeof guests->fault.text, format, values);
  va_end(values);
}

static void send_text(int socket, enum rts_message_kind kind, uint32_t number, const char* text) {
  struct rts_message message;
  rts_message_set(&message, kind, number, text);
  (void)rts_send(socket, &message, NULL, 0);  // who does not listen is noticed when it is gone
}

nfds_t rtm_guests_poll(const struct rtm_guests* guests, struct pollfd* polled) {
  nfds_t count = 0;
  for (uint32_t i = 0; i < count_of(guests); ++i) polled[count++] = (struct pollfd){.fd = guests->all[i].socket, .events = POLLIN};
  for (uint32_t i = 0; i < RTM_MOST_STRANGERS; ++i) polled[count++] = (struct pollfd){.fd = guests->strangers[i].socket, .events = POLLIN};
  return count;
}

void rtm_guests_accept(struct rtm_guests* guests, int listening) {
  const int socket = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (socket < 0) return;
  uid_t user = 0;
  pid_t process = 0;
  if (!rts_peer(socket, &user, &process) || user != geteuid()) {
    rtm_find(guests->findings, RTM_WARNING, "strangers", "process %ld of user %u was refused: it is another user's", (long)process,
             (unsigned)user);
    send_text(socket, RTS_REFUSED, 0, "this master belongs to another user");
    close(socket);
    return;
  }
  for (uint32_t i = 0; i < RTM_MOST_STRANGERS; ++i) {
    if (guests->strangers[i].socket >= 0) continue;
    guests->strangers[i] = (struct rtm_stranger){.socket = socket, .since = rts_now()};
    return;
  }
  send_text(socket, RTS_REFUSED, 0, "too many processes connect at once");
  close(socket);
}

// Says why a process cannot be a client; null: it can.
static const char* refusal(const struct rtm_guests* guests, const struct rts_message* hello, uint32_t client, char* text, size_t size) {
  static const unsigned char any[32];
  if (client == RTS_NONE) {
    char names[300];
    snprintf(text, size, "the schedule has no client '%.100s'; it has %s", hello->text,
             rts_client_names(guests->plan, names, sizeof names));
    return text;
  }
  if (memcmp(hello->schedule, any, sizeof any) != 0 && memcmp(hello->schedule, guests->plan->header->schedule, sizeof hello->schedule) != 0)
    return "it is for another schedule than the one that is played";
  if (guests->all[client].stage != RTM_ABSENT) {
    snprintf(text, size, "client '%.100s' is here already (process %ld)", hello->text, (long)guests->all[client].process);
    return text;
  }
  if (guests->may_leave || guests->fault.text[0] != '\0') return "the run is over";
  return NULL;
}

// A stranger has said who it is.
static void greet(struct rtm_guests* guests, struct rtm_stranger* stranger, struct rts_received* hello, pid_t process) {
  const uint32_t client = rts_find_client(guests->plan, hello->message.text);
  char text[460];
  const char* why = refusal(guests, &hello->message, client, text, sizeof text);
  if (why != NULL) {
    rtm_find(guests->findings, RTM_WARNING, "strangers", "process %ld was refused: %s", (long)process, why);
    send_text(stranger->socket, RTS_REFUSED, 0, why);
    close(stranger->socket);
  } else {
    struct rtm_guest* guest = &guests->all[client];
    guest->stage = RTM_GREETED;
    guest->socket = stranger->socket;
    guest->process = guests->processes[client] = process;
    struct rts_message welcome;
    rts_message_set(&welcome, RTS_WELCOME, client, "");
    const int memory[] = {guests->plan_memory, guests->page_memory};
    (void)rts_send(guest->socket, &welcome, memory, 2);
  }
  stranger->socket = -1;
}

static void listen_to_stranger(struct rtm_guests* guests, struct rtm_stranger* stranger) {
  struct rts_received received;
  uid_t user = 0;
  pid_t process = 0;
  const enum rts_receipt receipt = rts_receive(stranger->socket, &received);
  if (receipt == RTS_NOTHING) return;
  (void)rts_peer(stranger->socket, &user, &process);
  if (receipt == RTS_GOT && received.message.kind == RTS_HELLO) {
    greet(guests, stranger, &received, process);
  } else {
    if (receipt != RTS_CLOSED) {
      char text[128];
      snprintf(text, sizeof text, "this master speaks version %u", RTS_PROTOCOL_VERSION);
      rtm_find(guests->findings, RTM_WARNING, "strangers", "process %ld was refused: it speaks another version", (long)process);
      send_text(stranger->socket, RTS_REFUSED, 0, text);
    }
    close(stranger->socket);
    stranger->socket = -1;
  }
  if (receipt == RTS_GOT) rts_close_descriptors(&received);
}

static void lose(struct rtm_guests* guests, uint32_t client) {
  struct rtm_guest* guest = &guests->all[client];
  const bool was_done = guest->stage == RTM_DONE;
  close(guest->socket);
  guest->socket = -1;
  guest->stage = RTM_GONE;
  if (was_done || guests->may_leave) return;
  // A process is closed before its parent can know how it ended.
  char how[128] = "has gone";
  if (guest->child.process > 0 && rtm_child_reap(&guest->child, 300)) rtm_child_end(&guest->child, how, sizeof how);
  fault(guests, "client '%s' (process %ld) %s", rtm_guest_name(guests, client), (long)guest->process, how);
}

static void take_memory(struct rtm_guests* guests, uint32_t client, struct rts_received* received) {
  struct rtm_guest* guest = &guests->all[client];
  struct rts_error error = {"it sent no memory"};
  size_t size = rts_slots_size(guests->plan, client);
  if (received->descriptor_count == 1) guests->base[client] = rts_region_map(received->descriptors[0], &size, false, &error);
  if (guests->base[client] == NULL) {
    fault(guests, "client '%s' (process %ld): %s", rtm_guest_name(guests, client), (long)guest->process, error.text);
    return;
  }
  guest->memory = received->descriptors[0];
  guest->memory_size = size;
  received->descriptor_count = 0;
  guest->stage = RTM_THERE;
}

static void answer(struct rtm_guests* guests, uint32_t client, struct rts_received* received) {
  struct rtm_guest* guest = &guests->all[client];
  const char* name = rtm_guest_name(guests, client);
  const struct rts_message* message = &received->message;
  if (message->kind == RTS_REGION && guest->stage == RTM_GREETED) {
    take_memory(guests, client, received);
  } else if (message->kind == RTS_READY && guest->stage == RTM_THERE && guests->introduced) {
    guest->stage = RTM_READY;
    if (message->number != 0) rtm_find(guests->findings, RTM_WARNING, "scheduling", "client '%s': %s", name, message->text);
  } else if (message->kind == RTS_FAILED) {
    if (!guests->may_leave) fault(guests, "client '%s' (process %ld): %s", name, (long)guest->process, message->text);
  } else if (message->kind == RTS_STOP) {
    guests->end_wanted = true;
  } else if (message->kind == RTS_DONE && guest->stage == RTM_READY) {
    guest->stage = RTM_DONE;
  } else {
    fault(guests, "client '%s' (process %ld) sent what it may not send now", name, (long)guest->process);
  }
}

static void listen_to_guest(struct rtm_guests* guests, uint32_t client) {
  struct rts_received received;
  switch (rts_receive(guests->all[client].socket, &received)) {
    case RTS_GOT:
      answer(guests, client, &received);
      rts_close_descriptors(&received);
      break;
    case RTS_CLOSED: lose(guests, client); break;
    case RTS_FOREIGN:
      fault(guests, "client '%s' (process %ld) sent garbage", rtm_guest_name(guests, client), (long)guests->all[client].process);
      break;
    case RTS_NOTHING: break;
  }
}

// Once all have come, everybody learns of everybody's memory.
static void introduce(struct rtm_guests* guests) {
  guests->introduced = true;
  for (uint32_t to = 0; to < count_of(guests); ++to) {
    for (uint32_t first = 0; first < count_of(guests); first += RTS_MOST_DESCRIPTORS) {
      int memory[RTS_MOST_DESCRIPTORS];
      uint32_t count = 0;
      for (; count < RTS_MOST_DESCRIPTORS && first + count < count_of(guests); ++count) memory[count] = guests->all[first + count].memory;
      struct rts_message message;
      rts_message_set(&message, RTS_PEERS, first, "");
      (void)rts_send(guests->all[to].socket, &message, memory, count);  // one that has gone will have said why
    }
  }
}

void rtm_guests_listen(struct rtm_guests* guests, const struct pollfd* polled, nfds_t count) {
  for (nfds_t i = 0; i < count; ++i) {
    if (polled[i].fd < 0 || polled[i].revents == 0) continue;
    if (i < count_of(guests)) {
      if (guests->all[i].socket == polled[i].fd) listen_to_guest(guests, (uint32_t)i);
    } else {
      struct rtm_stranger* stranger = &guests->strangers[i - count_of(guests)];
      if (stranger->socket == polled[i].fd) listen_to_stranger(guests, stranger);
    }
  }
  for (uint32_t i = 0; i < RTM_MOST_STRANGERS; ++i) {
    struct rtm_stranger* stranger = &guests->strangers[i];
    if (stranger->socket < 0 || rts_now() - stranger->since < STRANGER_PATIENCE) continue;
    close(stranger->socket);
    stranger->socket = -1;
  }
  if (!guests->introduced && guests->fault.text[0] == '\0' && rtm_guests_at(guests, RTM_THERE) == count_of(guests)) introduce(guests);
}

void rtm_guests_reap(struct rtm_guests* guests) {
  for (uint32_t i = 0; i < count_of(guests); ++i) {
    struct rtm_guest* guest = &guests->all[i];
    if (guest->child.process <= 0 || guest->child.ended || !rtm_child_reap(&guest->child, 0)) continue;
    char how[128];
    rtm_child_end(&guest->child, how, sizeof how);
    if (guest->stage == RTM_ABSENT) fault(guests, "the process of client '%s' %s before it connected", rtm_guest_name(guests, i), how);
  }
}

uint32_t rtm_guests_at(const struct rtm_guests* guests, enum rtm_guest_stage stage) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < count_of(guests); ++i) count += guests->all[i].stage >= stage ? 1 : 0;
  return count;
}

const char* rtm_guests_missing(const struct rtm_guests* guests, enum rtm_guest_stage stage, char* text, size_t size) {
  text[0] = '\0';
  for (uint32_t i = 0; i < count_of(guests); ++i) {
    if (guests->all[i].stage >= stage) continue;
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s'%s'", used == 0 ? "" : ", ", rtm_guest_name(guests, i));
  }
  return text;
}

void rtm_guests_tell(struct rtm_guests* guests, enum rts_message_kind kind, uint32_t number, const char* text) {
  for (uint32_t i = 0; i < count_of(guests); ++i) {
    if (guests->all[i].socket >= 0) send_text(guests->all[i].socket, kind, number, text);
  }
}

void rtm_guests_end(struct rtm_guests* guests) {
  for (uint32_t i = 0; i < count_of(guests); ++i) {
    struct rtm_guest* guest = &guests->all[i];
    if (guest->socket >= 0) close(guest->socket);
    if (guest->memory >= 0) close(guest->memory);
    // The integer drops const, which munmap does not know.
    if (guests->base[i] != NULL) munmap((void*)(uintptr_t)guests->base[i], guest->memory_size);  // NOLINT(performance-no-int-to-ptr)
  }
  for (uint32_t i = 0; i < RTM_MOST_STRANGERS; ++i) {
    if (guests->strangers[i].socket >= 0) close(guests->strangers[i].socket);
  }
}
