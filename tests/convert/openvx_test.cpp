// Lists of OpenVX nodes.
#include <doctest/doctest.h>

#include <string>

#include "conversion.hpp"

using namespace rta;

namespace {

const std::string pedestrian = R"({"time_unit": "us", "graphs": [
  {"name": "pedestrian", "period": "30 Hz", "deadline": "100 ms", "nodes": [
    {"kernel": "org.khronos.openvx.scale_image", "target": "cpu", "time": 3000, "inputs": ["frame"], "outputs": ["small"]},
    {"name": "edges", "kernel": "org.khronos.openvx.sobel_3x3", "target": "gpu", "time": "400 us", "blocks": 120, "threads": 250,
     "inputs": ["small"], "outputs": ["gx", "gy"]},
    {"kernel": "org.khronos.openvx.magnitude", "target": "gpu", "time": 100, "inputs": ["gx", "gy"], "outputs": ["mag"]},
    {"kernel": "com.example.track", "target": "cpu", "time": 1000, "inputs": ["mag", "small", "tracks"], "outputs": ["tracks"]}]},
  {"nodes": [{"kernel": "com.example.track", "target": "cpu", "time": 1}]}]})";

convert::Options options() {
  convert::Options out;
  out.processors = {{"", 4}};
  out.device = "orin";
  out.period = Time(50'000'000);
  return out;
}

std::string with(const std::string& what, const std::string& other) {
  std::string text = pedestrian;
  return text.replace(text.find(what), what.size(), other);
}

}  // namespace

TEST_CASE("A graph of OpenVX is a DAG: readers of data follow its writer") {
  const auto result = convert::convert_text(pedestrian, "graphs.json", options());
  CHECK(result.kind == convert::Kind::openvx);
  const auto& set = std::get<TaskSet>(result.content);
  REQUIRE(set.dags().size() == 2);
  const Dag& dag = set.dags()[0];
  CHECK(dag.name() == "pedestrian");
  CHECK(dag.period() == Time(33'333'333));
  CHECK(dag.deadline() == Time(100'000'000));
  CHECK(test::edges_of(dag) == "scale_image -> edges\nedges -> magnitude\nmagnitude -> track\nscale_image -> track\n");
  CHECK(std::get<CpuDemand>(test::node_of(dag, "scale_image").demand).C == Time(3'000'000));
  CHECK(test::node_of(dag, "track").sequential);
  CHECK_FALSE(test::node_of(dag, "scale_image").sequential);
  const auto& edges = std::get<GpuDemand>(test::node_of(dag, "edges").demand);
  CHECK(edges.B == 120);
  CHECK(edges.H == 256);
  CHECK(edges.time == Time(400'000));
  CHECK(edges.has_blocks);
  CHECK_FALSE(std::get<GpuDemand>(test::node_of(dag, "magnitude").demand).has_blocks);
  CHECK(set.dags()[1].name() == "graph1");
  CHECK(set.dags()[1].period() == Time(50'000'000));
  CHECK(std::get<CpuDemand>(set.dags()[1].nodes()[0].demand).C == Time(1'000));
  CHECK(test::mentions(result.found, "graph 'pedestrian': nodes: 4, edges from writers to readers: 4, references to data from outside: 1"));
  CHECK(test::mentions(result.found, "'track' writes on what it has written before ('tracks'): it is sequential"));
  CHECK(test::mentions(result.assumed, "jobs of a graph may overlap"));
  CHECK(test::mentions(result.assumed, "to launch a kernel is not in the file"));
}

TEST_CASE("What a list of OpenVX nodes lacks is asked for, and nothing of it is passed over") {
  convert::Options none;
  const std::string missing = test::fault_of(pedestrian, none, "graphs.json");
  CHECK(missing.find("--processors N") != std::string::npos);
  CHECK(missing.find("graph 'graph1' says no period: give --period TIME") != std::string::npos);
  const auto fault = [&](const std::string& what, const std::string& other) {
    return test::fault_of(with(what, other), options(), "graphs.json");
  };
  CHECK(fault("\"inputs\": [\"frame\"]", "\"border\": \"replicate\"").find("graphs.json:3:81: node 'node0': unknown key 'border'") == 0);
  CHECK(fault("\"target\": \"cpu\"", "\"target\": \"dsp\"").find("dsp") != std::string::npos);
  CHECK(fault("\"mag\"]}", "\"small\"]}")
            .find("outputs: 'small' is written by node 'scale_image' already, and data of a graph has one writer") != std::string::npos);
  CHECK(fault("\"inputs\": [\"frame\"]", "\"inputs\": [\"mag\"]")
            .find("nodes: some read what follows from what they write: a cycle, which no graph of OpenVX has") != std::string::npos);
  CHECK(fault("\"blocks\": 120, ", "").find("blocks and threads stand together") != std::string::npos);
  CHECK(fault("3000,", "3000, \"blocks\": 1, \"threads\": 1,").find("blocks: is of kernels on the GPU") != std::string::npos);
  CHECK(fault("\"time_unit\": \"us\", ", "").find("time") != std::string::npos);
  CHECK(fault("[\"frame\"]", "[{\"delay\": \"frame\"}]").find("inputs: a name of data is expected, not a mapping") != std::string::npos);
  CHECK(fault("\"inputs\": [\"frame\"]", "\"inputs\": \"frame\"").find("inputs: a list is expected") != std::string::npos);
  CHECK(fault("\"time\": 100,", "\"time\": 0,").find("time: a kernel takes 1 ns at least") != std::string::npos);
  CHECK(fault("\"inputs\": [\"frame\"]", "\"name\": \"edges\"").find("name: another node of the graph is called 'edges' already") !=
        std::string::npos);
  CHECK(fault("{\"nodes\"", "{\"name\": \"pedestrian\", \"nodes\"").find("name: another graph is called 'pedestrian' already") !=
        std::string::npos);
  CHECK(test::fault_of("{\"graphs\": []}", options()).find("there is no graph in the file") != std::string::npos);
  CHECK(test::fault_of("{\"graphs\": [{\"nodes\": []}]}", options()).find("nodes: a graph has one at least") != std::string::npos);
}

TEST_CASE("Data that another graph of OpenVX writes makes no edge, and is told") {
  const auto result =
      convert::convert_text(with("\"time\": 1}", "\"time\": 1, \"inputs\": [\"mag\", \"frame\"]}"), "graphs.json", options());
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings[0].line == 8);
  CHECK(result.warnings[0].message.find("inputs: 'mag' of node 'track' is written by graph 'pedestrian'") == 0);
}
