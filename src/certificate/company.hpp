// C1 and C2 as statements.
#pragma once

#include <string>

#include "rta/analysis/proof.hpp"

namespace rta::certificate {

/// `company …`: what each kernel that was measured alone takes beside its company; `inside …`: what is over before its DAG's next release;
/// `window …` and `stay …`: when kernels run.
/// Requires that company was counted.
void add_company(const analysis::Proof& proof, std::string& out);

}  // namespace rta::certificate
