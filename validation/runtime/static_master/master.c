// The process that begins the frames of a static schedule for its clients.
#include <stdio.h>

#include "run.h"

int main(int argc, char** argv) {
  static struct rtm_run run;
  rtm_read_options(&run.options, argc, argv);
  struct rts_error error;
  if (rtm_run_prepare(&run, &error)) {
    rtm_run_play(&run);
  } else {
    fprintf(stderr, "master: %s\n", error.text);
    run.early = true;
  }
  return rtm_run_finish(&run);
}
