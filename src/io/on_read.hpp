// For whoever says what a result was made of.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace rta::io {

/// `use` is called with every file that `read_file` reads from now on, by its name in messages.
using OnRead = std::function<void(const std::string& name, std::string_view content)>;
void on_read(OnRead use);

}  // namespace rta::io
