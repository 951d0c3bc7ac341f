#include <cuda_runtime.h>
#include <ostream>
struct S {
  template <class T>
  void operator<<(T) {}
  bool operator()(int a, int b) const { return a < b; }
  operator bool() const { return true; }
};
template <class T>
S& operator<<=(S& s, T) { return s; }
// rta: job
void frame(S& s, std::ostream& out) {
  s.operator<<<int>(1);
  out << 1 << 2;
  s <<= 3;
}
