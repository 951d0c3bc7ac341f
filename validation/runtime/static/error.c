#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool rts_fail(struct rts_error* error, const char* format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(error->text, sizeof error->text, format, values);
  va_end(values);
  return false;
}

bool rts_fail_errno(struct rts_error* error, const char* format, ...) {
  const int reason = errno;
  va_list values;
  va_start(values, format);
  vsnprintf(error->text, sizeof error->text, format, values);
  va_end(values);
  const size_t used = strlen(error->text);
  snprintf(error->text + used, sizeof error->text - used, ": %s", strerror(reason));
  return false;
}
