#include "rta/convert/kind.hpp"

#include <doctest/doctest.h>

#include "conversion.hpp"

using namespace rta;
using convert::Kind;
using convert::recognise;

TEST_CASE("Files are told by their content") {
  CHECK(recognise(test::file_of("three-kernels.json")) == Kind::kineto);
  CHECK(recognise(R"({"traceEvents": []})") == Kind::kineto);
  CHECK(recognise(std::string_view("SQLite format 3\0rest", 20)) == Kind::nsys);
  CHECK(recognise(R"(<?xml version="1.0"?><am:Amalthea xmlns:am="http://app4mc.eclipse.org/amalthea/1.0.0"/>)") == Kind::amalthea);
  CHECK(recognise("Task ID, Job ID, Arrival min, Arrival max, Cost min, Cost max, Deadline, Priority\n1,1,0,0,1,2,10,10\n") == Kind::sag);
  CHECK(recognise("t, j, from, to, least, most, d, p\n1, 1, 0, 0, 1, 2, 10, 10\n") == Kind::sag);
  CHECK(recognise("jobset:\n  - Task ID: 1\n") == Kind::sag);
  CHECK(recognise("tasks:\n- t: 20\n  d: 20\n  vertices:\n    - id: 0\n") == Kind::dag_scheduling);
  CHECK(recognise("{\"graphs\": [{\"nodes\": []}]}") == Kind::openvx);
  CHECK(recognise("{\"time_unit\": \"us\", \"graphs\": []}") == Kind::openvx);
  CHECK(recognise("2\n  0 0 0\n  1 5 1 0\n") == Kind::stg);
  CHECK(recognise("@HYPERPERIOD 300\n\n@TASK_GRAPH 0 {\n") == Kind::tgff);
  CHECK(recognise("Processing [a]...\n\nStart (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Name\n") == Kind::nsys_stats);
  CHECK(recognise("[\n { \"count\" : 3 },\n { \"name\" : \"a\", \"averageMs\" : 1 }\n]\n") == Kind::trtexec);
  CHECK(recognise("[ { \"computeMs\" : 1") == Kind::trtexec);
  CHECK(recognise("# tracer: nop\n a-7 [000] d..2. 1.000000: sched_switch: a:7 [120] S ==> b:8 [120]\n") == Kind::sched);
  CHECK(recognise("// a comment\n/* another */\n# and one\nstrict digraph G { a -> b }") == Kind::dot);
  CHECK(recognise("digraph{a}") == Kind::dot);
  CHECK(recognise("Version: 3.0.0\ng:\n  Identifier: 101\n  Hyperepochs: []\n  Clients: []\n") == Kind::stm);
  CHECK(recognise(R"({"name": "x", "benchmarks": [{"filename": "timer_spin.so"}]})") == Kind::examiner);
  CHECK(recognise("{\"schema\": 1, \"kind\": \"trace\", \"source\": \"simulation\", \"task_set\": \"a.yaml\"}\n{\"t\": \"dag\"}\n") ==
        Kind::trace);
  CHECK(recognise("{\"schema\": 1, \"kind\": \"trace\", \"source\": \"recording\", \"task_set\": \"\"}\n{\"t\": \"process\"}\n") ==
        Kind::recording);
  CHECK(recognise(R"({"displayTimeUnit": "ns", "traceEvents": [
{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "DAGs"}}]})") == Kind::trace);
  CHECK(recognise("platform:\n  cpu: {processors: 4}\ntasks: []\n") == Kind::task_set);
  CHECK(recognise("{\"time_unit\": \"ns\", \"platform\": {}, \"dags\": []}") == Kind::task_set);
  CHECK(recognise("\xEF\xBB\xBF{platform: {cpu: {processors: 1}}, dags: []}") == Kind::task_set);
}

TEST_CASE("What is no known kind is none, however it begins") {
  for (const char* text : {"", "   \n", "hello", "<html/>", "{\"a\": 1}", "[1, 2]", "graphic arts", "tasks: 1\n", "a,b,c\n1,2,3\n",
                           "2\n0 0\n", "2 3\n0 0 0\n", "2\n1 0 0\n"}) {
    CAPTURE(text);
    CHECK_FALSE(recognise(text));
  }
  CHECK_FALSE(recognise(std::string_view("\0\1\2\3", 4)));
}

TEST_CASE("A file of no known kind is refused with the kinds that there are; a report of Nsight Systems with what to do") {
  CHECK(test::fault_of("hello").find("file: not a kind of file that is known:\n  a profile of PyTorch (Kineto) (kineto)") == 0);
  CHECK(test::fault_of(" \n") == "file:1:1: the file is empty");
  CHECK(test::fault_of("{\"a\": }").find("file:1:7: not JSON: syntax error") == 0);
  CHECK(test::fault_of(std::string("\0\0", 2), {}, "a.nsys-rep")
            .find("this is a report of Nsight Systems, nothing that rta convert reads: `nsys export --type sqlite") != std::string::npos);
}

TEST_CASE("--from insists on a kind") {
  convert::Options options;
  options.from = Kind::dot;
  CHECK(test::fault_of("platform: {}\n", options).find("no digraph of Graphviz") != std::string::npos);
}
