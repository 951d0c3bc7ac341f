#include <cuda_runtime.h>
%:define EMPTY
// rta: job
void frame() <%
  int a<:2:> = <%1, 2%>;
  (void)a;
%>
EMPTY
