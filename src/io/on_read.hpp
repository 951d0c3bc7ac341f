// For whoever says what a result was made of.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace rta::io {

/// `use` is called with every file that is read from now on, by its name in messages. `owner`, where there is one, keeps the content; else
/// it is gone after the call.
using OnRead = std::function<void(const std::string& name, std::string_view content, std::shared_ptr<const std::string> owner)>;
void on_read(OnRead use);

}  // namespace rta::io
