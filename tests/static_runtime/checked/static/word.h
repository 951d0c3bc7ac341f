// In place of the run time's: every access to a shared word is a step of an exhaustive search (model.hpp).
#ifndef RTS_WORD_H
#define RTS_WORD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RTS_NEVER INT64_MAX

uint32_t rts_load(const uint32_t* word);
void rts_store(uint32_t* word, uint32_t value);
int64_t rts_load_value(const int64_t* value);
void rts_store_value(int64_t* value, int64_t is);
void rts_futex_wait(const uint32_t* word, uint32_t value, int64_t until);
void rts_futex_wake(const uint32_t* word);
void rts_relax(void);
int64_t rts_now(void);

#ifdef __cplusplus
}
#endif

#endif
