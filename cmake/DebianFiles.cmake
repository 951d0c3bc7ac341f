# Run by CPack on what it has installed, before it makes packages of it: what Debian's policy asks for.
file(STRINGS "${CPACK_RTA_SOURCE_DIR}/CHANGELOG.md" newest REGEX "^## ${CPACK_PACKAGE_VERSION} \\(" LIMIT_COUNT 1)
if(NOT newest MATCHES "\\(([0-9-]+)\\)")
  message(FATAL_ERROR "CHANGELOG.md says nothing of version ${CPACK_PACKAGE_VERSION}")
endif()
set(ENV{LC_ALL} C)
execute_process(COMMAND date --utc --rfc-email --date "${CMAKE_MATCH_1}" OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

foreach(component name IN ZIP_LISTS CPACK_COMPONENTS_ALL CPACK_RTA_PACKAGES)
  set(usr "${CPACK_TEMPORARY_DIRECTORY}/${component}/usr")
  set(documents "${usr}/share/doc/${name}")
  file(COPY "${CPACK_RTA_SOURCE_DIR}/packaging/copyright" DESTINATION "${documents}")
  file(COPY_FILE "${CPACK_RTA_SOURCE_DIR}/CHANGELOG.md" "${documents}/changelog")
  file(WRITE "${documents}/changelog.Debian" "rta (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}; see changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  file(GLOB packed "${documents}/changelog*" "${usr}/share/man/man1/*.1")
  # Whatever modes the checkout has.
  file(CHMOD ${packed} "${documents}/copyright" PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  execute_process(COMMAND gzip -9n ${packed} COMMAND_ERROR_IS_FATAL ANY)
  # Where Debian's zsh looks for what packages bring.
  if(EXISTS "${usr}/share/zsh/site-functions")
    file(RENAME "${usr}/share/zsh/site-functions" "${usr}/share/zsh/vendor-completions")
  endif()
endforeach()
