#include "rta/validation/static_program.hpp"

#include <fmt/format.h>

#include "rta/io/digest.hpp"
#include "rta/validation/static_plan.hpp"
#include "static_program_texts.hpp"

namespace rta::validation {

std::vector<GeneratedFile> static_program(const static_order::Schedule& schedule, const std::string& text, const std::string& name) {
  std::string clients;
  for (const std::string& client : schedule.clients) clients += (clients.empty() ? "" : ", ") + client;
  std::vector<GeneratedFile> files;
  files.push_back({"Makefile", std::string(texts::static_makefile)});
  files.push_back({"plan", plan_of(schedule, name, io::sha256(text))});
  files.push_back({"schedule.yaml", text});
  files.push_back({"README.md", fmt::format(texts::static_readme, fmt::arg("name", name), fmt::arg("clients", clients))});
  for (const char* folder : {"static", "static_master", "static_player"}) add_runtime(folder, true, files);
  return files;
}

}  // namespace rta::validation
