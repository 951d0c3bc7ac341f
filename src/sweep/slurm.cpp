#include "rta/sweep/slurm.hpp"

#include <fmt/format.h>

#include "rta/io/new_file.hpp"
#include "rta/model/error.hpp"

namespace rta::sweep {

namespace fs = std::filesystem;

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word.push_back(c);
    }
  }
  return word + "'";
}

fs::path write_slurm_scripts(const Plan& plan, const SlurmJob& job) {
  const fs::path folder = fs::absolute(job.folder);
  const fs::path scripts = folder / "slurm";
  fs::create_directories(scripts);
  // Slurm replaces what follows a % in names of logs, unless there is a backslash anywhere: then it replaces nothing.
  if (scripts.string().find('\\') != std::string::npos)
    throw UserError("'" + scripts.string() + "': Slurm numbers no logs in a folder whose name has a backslash");
  std::string logs;
  for (const char c : scripts.string() + "/") logs.append(c == '%' ? 2 : 1, c);
  const auto word = [](const fs::path& path) { return shell_word(path.string()); };
  const std::string command = fmt::format("{} sweep {} -o {} --seed {} --count {}{} --quiet", word(fs::absolute(job.program)),
                                          word(scripts / "spec.yaml"), word(folder), plan.seed, plan.sets, plan.timing ? " --timing" : "");
  std::string options;
  for (const std::string& option : job.options) options += " " + shell_word(option);

  io::write_file(scripts / "spec.yaml", plan.text);
  // A requeued task finds the journal of its shard and goes on; SIGTERM ends a task cleanly at its next chunk.
  io::write_file(
      scripts / "shard.sh",
      fmt::format("#!/bin/sh\nexec {} --shard \"$SLURM_ARRAY_TASK_ID/{}\" --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\"\n", command, job.shards));
  io::write_file(scripts / "merge.sh", fmt::format("#!/bin/sh\nexec {} --merge\n", command));
  io::write_file(
      scripts / "submit.sh",
      fmt::format("#!/bin/sh\n"
                  "# Submits the shards as a job array and, once all have succeeded, the merge. Prints both job numbers.\n"
                  "set -e\n"
                  "array=$(sbatch --parsable --job-name=rta-sweep --requeue --open-mode=append --array=1-{}{} --output={} {})\n"
                  "array=${{array%%;*}}\n"
                  "merge=$(sbatch --parsable --job-name=rta-merge --requeue --open-mode=append --dependency=\"afterok:$array\"{} "
                  "--output={} {})\n"
                  "echo \"shards: job $array, merge: job ${{merge%%;*}}\"\n",
                  job.shards, options, shell_word(logs + "shard-%a.log"), word(scripts / "shard.sh"), options,
                  shell_word(logs + "merge.log"), word(scripts / "merge.sh")));
  return scripts / "submit.sh";
}

}  // namespace rta::sweep
