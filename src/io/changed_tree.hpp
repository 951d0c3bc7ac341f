// A file's tree with a value of somebody's own in place of one of its own.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "rta/io/setting.hpp"
#include "yaml_tree.hpp"

namespace rta::io {

/// Puts the setting's value where its place says; a key that is not there comes to the end of its mapping. `setting` has to outlive the
/// tree, in which the value stands at the position of what it replaces, or of the mapping. Throws `UserError` where there is no such
/// place, `InputError` where the value is no YAML.
void change(YamlTree& tree, const Setting& setting);

}  // namespace rta::io
