// Why something could not be done, in a sentence for people.
#ifndef RTS_ERROR_H
#define RTS_ERROR_H

#include <stdbool.h>

struct rts_error {
  char text[512];
};

/// Sets the text, cut where it is too long; always false.
__attribute__((format(printf, 2, 3))) bool rts_fail(struct rts_error* error, const char* format, ...);
/// The same, with the reason that errno gives at its end.
__attribute__((format(printf, 2, 3))) bool rts_fail_errno(struct rts_error* error, const char* format, ...);

#endif
