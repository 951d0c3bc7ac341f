# Joins Debian's Vega modules (libjs-vega ships them one by one) into one script that defines `vega`.
# Run as: cmake -DOUTPUT=... -DVEGA_DIR=... -P VegaBundle.cmake
set(modules util time format loader dataflow statistics canvas scale scenegraph expression selection event-selector functions
            runtime parser view transforms view-transforms encode regression crossfilter label hierarchy)
file(WRITE "${OUTPUT}.tmp" [=[
var vega = (function () {
'use strict';
var defined = {}, loaded = {};
function require(name) {
  if (name === 'vega-selections') name = 'vega-selection';
  if (!loaded[name]) { loaded[name] = {}; defined[name]({exports: loaded[name]}, loaded[name], require); }
  return loaded[name];
}
]=])
foreach(module ${modules})
  file(APPEND "${OUTPUT}.tmp" "defined['vega-${module}'] = function (module, exports, require) {\n")
  # Copied by `cmake -E cat`: in a CMake string the script's brackets and semicolons would be read as a list.
  execute_process(COMMAND ${CMAKE_COMMAND} -E cat "${VEGA_DIR}/vega-${module}.min.js" OUTPUT_FILE "${OUTPUT}.part" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} -E cat "${OUTPUT}.tmp" "${OUTPUT}.part" OUTPUT_FILE "${OUTPUT}.next" COMMAND_ERROR_IS_FATAL ANY)
  file(RENAME "${OUTPUT}.next" "${OUTPUT}.tmp")
  file(APPEND "${OUTPUT}.tmp" "\n};\n")
endforeach()
file(REMOVE "${OUTPUT}.part")
file(APPEND "${OUTPUT}.tmp" [=[
var dataflow = require('vega-dataflow'), whole = {};
['transforms', 'view-transforms', 'encode', 'hierarchy', 'label', 'regression', 'crossfilter'].forEach(function (name) {
  Object.assign(dataflow.transforms, require('vega-' + name));
});
['util', 'view', 'parser', 'loader', 'scenegraph'].forEach(function (name) { Object.assign(whole, require('vega-' + name)); });
return whole;
})();
]=])
file(RENAME "${OUTPUT}.tmp" "${OUTPUT}")
