# Writes OUT, a source file that defines version(), from VERSION or, where that is empty, from
# `git describe` in SOURCE_DIR.
# Runs at every build and touches the file only when the version changed.
execute_process(
  COMMAND git -c safe.directory=${SOURCE_DIR} describe --tags --always --dirty=-dirty
  WORKING_DIRECTORY ${SOURCE_DIR}
  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET RESULT_VARIABLE failed)
if(NOT "${VERSION}" STREQUAL "")
  set(described "${VERSION}")
elseif(failed)
  set(described "unknown")  # a source archive without its history
endif()
set(text "#include \"shared/util/version.hpp\"\n
namespace mocks3 {
std::string_view version() { return \"${described}\"; }
std::string_view compiler() { return \"${COMPILER}\"; }
std::string_view build_flags() { return \"${FLAGS}\"; }
}  // namespace mocks3\n")
set(before "")
if(EXISTS ${OUT})
  file(READ ${OUT} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${OUT} "${text}")
endif()
