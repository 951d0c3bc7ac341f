#include "certificate_check.hpp"

#include <string>

#include "checker/checker.hpp"
#include "checker/task_set.hpp"

namespace rta::cli {
namespace {

constexpr std::string_view already_named = " uncertified";

}  // namespace

void add_refused(std::string_view task_set, certificate::Certificate& certificate) {
  std::vector<std::string>& all = certificate.uncertified;
  try {
    for (const checker::Verdict& verdict : checker::check(task_set, certificate.text).verdicts) {
      if (verdict.verified || verdict.statement.ends_with(already_named)) continue;
      all.push_back("'" + verdict.statement + "': " + verdict.why);
    }
  } catch (const checker::BadInput& refused) {
    all.push_back(std::string("all of it: ") + refused.what());
  }
}

}  // namespace rta::cli
