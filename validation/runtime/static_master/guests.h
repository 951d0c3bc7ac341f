// The clients as the master sees them: who has come, who is ready, who is gone. Clients are never trusted: what they send is checked, and
// what one does harms the others no more than its absence would.
#ifndef RTM_GUESTS_H
#define RTM_GUESTS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "children.h"
#include "findings.h"
#include "static/channel.h"
#include "static/plan.h"
#include "static/region.h"

enum rtm_guest_stage {
  RTM_ABSENT,
  RTM_GREETED,  // its process is known
  RTM_THERE,    // so is its memory
  RTM_READY,    // its threads wait for the first frame
  RTM_DONE,     // they have ended
  RTM_GONE      // the connection is closed
};

struct rtm_guest {
  enum rtm_guest_stage stage;
  int socket;
  pid_t process;
  int memory;
  size_t memory_size;
  struct rtm_child child;
};

/// Connections of processes that have not said who they are.
#define RTM_MOST_STRANGERS 16

struct rtm_stranger {
  int socket;  // -1: none
  int64_t since;
};

struct rtm_guests {
  const struct rts_plan* plan;
  int plan_memory;
  int page_memory;
  struct rtm_findings* findings;
  struct rtm_guest all[RTS_MOST_CLIENTS];
  const struct rts_slot* base[RTS_MOST_CLIENTS];
  pid_t processes[RTS_MOST_CLIENTS];
  struct rtm_stranger strangers[RTM_MOST_STRANGERS];
  bool introduced;         // everybody has the memory of everybody
  bool may_leave;          // the run is over
  bool end_wanted;         // a client asks for it
  struct rts_error fault;  // text: why the run cannot go on; empty: it can
};

#define RTM_MOST_POLLED (RTS_MOST_CLIENTS + RTM_MOST_STRANGERS)

void rtm_guests_begin(struct rtm_guests* guests, const struct rts_plan* plan, int plan_memory, int page_memory,
                      struct rtm_findings* findings);
const char* rtm_guest_name(const struct rtm_guests* guests, uint32_t client);
/// Fills in what to poll; how many.
nfds_t rtm_guests_poll(const struct rtm_guests* guests, struct pollfd* polled);
/// Deals with what has come on the polled connections.
void rtm_guests_listen(struct rtm_guests* guests, const struct pollfd* polled, nfds_t count);
void rtm_guests_accept(struct rtm_guests* guests, int listening);
/// Notes started processes that have ended.
void rtm_guests_reap(struct rtm_guests* guests);

/// How many are at that stage or further.
uint32_t rtm_guests_at(const struct rtm_guests* guests, enum rtm_guest_stage stage);
/// Names of those that are not yet at that stage.
const char* rtm_guests_missing(const struct rtm_guests* guests, enum rtm_guest_stage stage, char* text, size_t size);
void rtm_guests_tell(struct rtm_guests* guests, enum rts_message_kind kind, uint32_t number, const char* text);
/// Closes all connections and unmaps all memory.
void rtm_guests_end(struct rtm_guests* guests);

#endif
