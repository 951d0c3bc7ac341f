#define LAUNCH(k, ...) k<<<1, 32>>>(__VA_ARGS__)
template <int N = (4 > 2)> void f() { LAUNCH(g<N>, R"x(a)" ); }
void h() { auto l = [&](auto&&... x) { (cudaMalloc(&x, 1), ...); }; #if 0
