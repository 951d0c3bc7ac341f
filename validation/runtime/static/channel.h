// What the master and its clients say to each other: whole messages over a local socket, with descriptors of shared memory.
#ifndef RTS_CHANNEL_H
#define RTS_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "error.h"
#include "fence.h"

#define RTS_MESSAGE_MAGIC 0x6d617472u
/// Of the messages, the shared memory and the plan together: all processes of a run have the same.
#define RTS_PROTOCOL_VERSION 1u
#define RTS_MOST_DESCRIPTORS 16u

enum rts_message_kind {
  // client to master
  RTS_HELLO = 1,   // text: its name; schedule: the one that it is for, or zeros
  RTS_REGION = 2,  // with the descriptor of its slots
  RTS_READY = 3,   // its threads wait for the first frame; text: what they could not have; number: 1 when that is worth a warning
  RTS_FAILED = 4,  // text: why it will not take part, or what went wrong
  RTS_STOP = 5,    // asks for an orderly end
  RTS_DONE = 6,    // its threads have ended
  // master to client
  RTS_WELCOME = 16,  // number: which client it is; with the descriptors of the plan and of the master's page
  RTS_REFUSED = 17,  // text: why
  RTS_PEERS = 18,    // number: of the first of the clients whose slots come with it
  RTS_ENDED = 19     // the run is over; number: 1 where it ended early; text: why
};

struct rts_message {
  uint32_t magic;
  uint16_t version;
  uint16_t kind;
  uint32_t number;
  unsigned char schedule[32];
  char text[468];
};

/// A message as it arrived. Its text ends with a 0 byte, whatever was sent. Descriptors belong to whoever received it.
struct rts_received {
  struct rts_message message;
  int descriptors[RTS_MOST_DESCRIPTORS];
  uint32_t descriptor_count;
};

enum rts_receipt {
  RTS_GOT,
  RTS_NOTHING,  // none is there yet
  RTS_CLOSED,   // the other side is gone
  RTS_FOREIGN   // not a message of this version
};

void rts_message_set(struct rts_message* message, enum rts_message_kind kind, uint32_t number, const char* text);
/// Never waits; false where the other side is gone or does not listen.
bool rts_send(int socket, const struct rts_message* message, const int* descriptors, uint32_t count);
/// Never waits.
enum rts_receipt rts_receive(int socket, struct rts_received* received);
void rts_close_descriptors(struct rts_received* received);

/// User and process at the other end; false where the kernel does not say.
bool rts_peer(int socket, uid_t* user, pid_t* process);

#endif
