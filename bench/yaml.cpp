// Parsing of YAML alone, without a task set made of it: libyaml, which the program uses, beside yaml-cpp.
#include <benchmark/benchmark.h>
#include <yaml-cpp/yaml.h>
#include <yaml.h>

#include "../tests/support/large_file.hpp"

namespace {

void yaml_by_libyaml(benchmark::State& state) {
  const std::string text = rta::test::large_file(1000, 50);
  for (auto _ : state) {
    yaml_parser_t parser;
    yaml_document_t document;
    if (yaml_parser_initialize(&parser) == 0) state.SkipWithError("no parser");
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    if (yaml_parser_load(&parser, &document) == 0) state.SkipWithError("not parsed");
    benchmark::DoNotOptimize(yaml_document_get_root_node(&document));
    yaml_document_delete(&document);
    yaml_parser_delete(&parser);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}
BENCHMARK(yaml_by_libyaml)->Unit(benchmark::kMillisecond);

void yaml_by_yaml_cpp(benchmark::State& state) {
  const std::string text = rta::test::large_file(1000, 50);
  for (auto _ : state) benchmark::DoNotOptimize(YAML::Load(text).size());
  state.SetBytesProcessed(static_cast<std::int64_t>(text.size()) * state.iterations());
}
BENCHMARK(yaml_by_yaml_cpp)->Unit(benchmark::kMillisecond);

}  // namespace
