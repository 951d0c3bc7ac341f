// Task sets, their certificates, and what the checker says of them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checker/checker.hpp"
#include "checker/parameters.hpp"
#include "checker/sha256.hpp"
#include "checker/task_set.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/certificate/certificate.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/error.hpp"
#include "rta/static_order/periodic_proof.hpp"

namespace rta::test {

struct Certified {
  std::string file;  // the task set
  analysis::Proof proof;
  certificate::Certificate certificate;
};

/// Analysed as it reads back from its own file.
inline Certified certified(const TaskSet& set, const analysis::Options& options = {}) {
  Certified made;
  made.file = io::format_task_set(set);
  auto read = std::make_shared<const TaskSet>(io::parse_task_set(made.file, "set.yaml").task_set);
  made.proof = analysis::analyze(read, options).proof;
  made.certificate = certificate::certificate_of(made.proof, *read, checker::sha256(made.file));
  return made;
}

/// The same under a static order.
inline Certified certified(const TaskSet& set, const static_order::CompileOptions& options) {
  Certified made;
  made.file = io::format_task_set(set);
  auto read = std::make_shared<const TaskSet>(io::parse_task_set(made.file, "set.yaml").task_set);
  auto proven = static_order::prove_periodic(read, options);
  made.proof = std::move(proven.analysis.proof);
  made.certificate = certificate::certificate_of(made.proof, proven.order, *read, checker::sha256(made.file));
  return made;
}

/// Whether a file can say it: some random systems have blocks that fit on no SM.
inline bool is_writable(const TaskSet& set) {
  try {
    static_cast<void>(io::parse_task_set(io::format_task_set(set), "set.yaml"));
    return true;
  } catch (const UserError&) {
    return false;
  }
}

/// The first statement that is not verified, with the reason; empty: all are.
inline std::string first_refused(const std::string& file, const std::string& certificate) {
  for (const checker::Verdict& verdict : checker::check(file, certificate).verdicts) {
    if (!verdict.verified) return verdict.statement + ": " + verdict.why;
  }
  return {};
}

/// A certificate written by hand: the parameters of the file, then `statements`.
inline std::string by_hand(const std::string& file, const std::string& statements) {
  std::string text = "rta-certificate 1\nfile " + checker::sha256(file) + "\n";
  for (const std::string& line : checker::lines_of(checker::read_task_set(file))) text += line + "\n";
  return text + statements;
}

}  // namespace rta::test
