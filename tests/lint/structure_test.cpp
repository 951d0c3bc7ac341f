// Brackets, functions, calls: what tokens tell of the structure.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "lint/calls.hpp"
#include "lint/expressions.hpp"
#include "lint/unit.hpp"

using namespace rta::lint;

namespace {

struct Parsed {
  explicit Parsed(std::string text) : unit("t.cu", std::move(text), true) {}
  Unit unit;

  [[nodiscard]] std::string functions() const {
    std::string names;
    for (const Function& f : unit.functions())
      names += (names.empty() ? "" : ", ") + f.qualified + (f.is_kernel ? " (kernel)" : f.is_device ? " (device)" : "");
    return names;
  }
  [[nodiscard]] std::string calls() const {
    std::string names;
    for (const Call& call : unit.calls()) {
      if (call.kind == Call::Kind::call || call.kind == Call::Kind::launch)
        names += (names.empty() ? "" : ", ") + std::string(call.name) + "/" + std::to_string(call.arguments.size());
    }
    return names;
  }
};

bool is_null(const std::string& argument) {
  const Parsed parsed("void f() { g(" + argument + "); }");
  return is_null_stream(parsed.unit.code(), parsed.unit.calls().front().arguments.at(0));
}

std::string pointee_of(const std::string& argument) {
  const Parsed parsed("void f() { g(" + argument + "); }");
  const Pointee found = pointee(parsed.unit.code(), parsed.unit.calls().front().arguments.at(0));
  const char* const kinds[] = {"unknown", "value", "address", "literal"};
  return std::string(kinds[static_cast<int>(found.kind)]) + " " + std::string(found.name) + (found.is_member ? " member" : "");
}

}  // namespace

TEST_CASE("functions are found in namespaces and types, however their heads are written") {
  CHECK(Parsed("namespace a::b { struct S : T { S() : x{1}, y(2) {} ~S() {} int f() const noexcept override { return 1; } }; }")
            .functions() == std::string("a::b::S::S, a::b::S::~S, a::b::S::f"));
  CHECK(Parsed("template <class T, int n = (1 > 0)> auto A<T>::f(T x) -> decltype(x) { return x; }").functions() == std::string("A::f"));
  CHECK(Parsed("extern \"C\" { int f(void) { return 0; } } extern \"C\" void g() {}").functions() == std::string("f, g"));
  CHECK(Parsed("__global__ void __launch_bounds__(256, 2) k(int* p) {} __device__ int d() { return 1; } __host__ __device__ int h() { "
               "return 1; }")
            .functions() == std::string("k (kernel), d (device), h"));
  CHECK(Parsed("bool S::operator()(int a) const { return a; } S::operator bool() { return 1; } S operator+(S a, S b) { return a; }")
            .functions() == std::string("S::operator(), S::operator bool, operator+"));
  CHECK(Parsed("class EXPORT alignas(8) C final : public B<int> { void f() {} enum E { a, b }; };").functions() ==
        std::string("C::f, C::E"));
  CHECK(Parsed("int v[] = {1, f()}; std::function<void()> g = [] { h(); };").functions() == std::string("v, g"));
}

TEST_CASE("parameters tell which is a stream, and what it is by default") {
  const Parsed parsed("void f(int (*g)(int), std::map<int, int> m, cudaStream_t s = 0, ...) {}");
  const auto& parameters = parsed.unit.functions().front().parameters;
  REQUIRE(parameters.size() == 4);
  CHECK(parameters[1].name == "m");
  CHECK(parameters[2].name == "s");
  CHECK(parameters[2].is_stream);
  CHECK(parameters[2].has_default);
  CHECK(parameters[3].is_pack);
}

TEST_CASE("calls are told from declarations, and their arguments from each other") {
  CHECK(Parsed("void f() { T x(1); int g(2); return h(a, b<c, d>(1), (e, 2), {3, 4}), i(); }").calls() == std::string("h/4, b/1, i/0"));
  CHECK(Parsed("void f() { if (g(a < b, c > d)) sizeof(h); new T(1); x->m<int>(y); a::b::n(); }").calls() ==
        std::string("g/2, T/1, m/1, n/0"));
  CHECK(Parsed("void f() { k<int><<<g, b, 0, s>>>(p); k<<<A<B<C<1>>>::n, 32>>>(); }").calls() == std::string("k/4, k/2"));
}

TEST_CASE("a mismatched bracket does not unbalance the rest") {
  CHECK(Parsed("void f() { a(1)); b[2); } void g() { c(); }").functions() == std::string("f, g"));
  CHECK(Parsed("#ifdef X\nvoid f() {\n#else\nvoid g() {\n#endif\n} void h() {}").functions() == std::string("f, g, h"));
}

TEST_CASE("the NULL stream has many names") {
  for (const char* one : {"0", "0x0", "0u", "NULL", "nullptr", "cudaStreamLegacy", "CU_STREAM_LEGACY", "cudaStreamDefault", "{}", "((0))",
                          "(cudaStream_t)0", "static_cast<cudaStream_t>(nullptr)", "cudaStream_t()", "cudaStream_t{}", "cudaStream_t(0)",
                          "reinterpret_cast<CUstream>(0)", "at::cuda::getDefaultCUDAStream().stream()"}) {
    INFO(one);
    CHECK(is_null(one));
  }
  for (const char* one : {"s", "1", "(cudaStream_t)1", "streams[0]", "f(0)", "cudaStreamPerThread", "a ? 0 : s", "10", "0 + s"}) {
    INFO(one);
    CHECK_FALSE(is_null(one));
  }
}

TEST_CASE("what a pointer points to is read from its expression") {
  CHECK(pointee_of("p") == "value p");
  CHECK(pointee_of("(void*)p + 3") == "value p");
  CHECK(pointee_of("v.data()") == "value v");
  CHECK(pointee_of("a->b.data() + n") == "value b member");
  CHECK(pointee_of("&x") == "address x");
  CHECK(pointee_of("&x.y.z") == "address x");
  CHECK(pointee_of("&x->y") == "address y member");
  CHECK(pointee_of("&v[i]") == "value v");
  CHECK(pointee_of("&a.b[0]") == "value b member");
  CHECK(pointee_of("static_cast<const void*>(&x)") == "address x");
  CHECK(pointee_of("\"text\"") == "literal ");
  CHECK(pointee_of("f(x)") == "unknown ");
  CHECK(pointee_of("a ? b : c") == "unknown ");
}

TEST_CASE("columns count characters, lines and tokens are found from bytes") {
  const SourceFile file("f",
                        "\xEF\xBB\xBF"
                        "a\n\xC3\xA4\xC3\xB6 b\n");
  CHECK(file.place(0).line == 1);
  CHECK(file.place(7) == Place{"f", 2, 4});  // b follows two characters of two bytes and a blank
  CHECK(file.line(7) == 1);
  CHECK(file.token_at(7) == 2);
  CHECK(file.token_at(8) == 3);
}
