// What of a certificate rta-check does not verify.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rta/certificate/certificate.hpp"
#include "rta/model/task_set.hpp"

namespace rta::cli {

/// Adds to what the certificate leaves uncertified whatever the checker refuses of it, with its reason: a number out of its range, say. So
/// nobody meets a refusal first where the certificate is handed in. `task_set`: the file's text.
void add_refused(std::string_view task_set, certificate::Certificate& certificate);

}  // namespace rta::cli
