# Holds layering.cmake to small trees that it must accept or refuse.
# Usage: cmake -DSCRATCH=<directory> -P layering_test.cmake
cmake_minimum_required(VERSION 3.25)

# Makes a tree with one source, `file`, that has the given include line, and checks the verdict.
function(expect verdict file include)
  file(REMOVE_RECURSE ${SCRATCH})
  foreach(header shared/util/a.hpp shared/proto/a.hpp shared/net/a.hpp data-gen/a.hpp
                 server/a.hpp client/a.hpp tests/a.hpp)
    file(WRITE ${SCRATCH}/${header} "#pragma once\n#include <string>\n")
  endforeach()
  file(WRITE ${SCRATCH}/${file} "// a source\n#include ${include}\n")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -DROOT=${SCRATCH} -P ${CMAKE_CURRENT_LIST_DIR}/layering.cmake
    RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if((verdict STREQUAL "keeps" AND failed) OR (verdict STREQUAL "breaks" AND NOT failed))
    message(SEND_ERROR "${file} with ${include}: expected that it ${verdict} the rules\n${output}")
  elseif(verdict STREQUAL "breaks" AND NOT output MATCHES "${file}")
    message(SEND_ERROR "${file} with ${include}: the message does not name the file\n${output}")
  endif()
endfunction()

expect(keeps shared/proto/x.cpp "\"shared/util/a.hpp\"")
expect(keeps shared/net/x.cpp "<boost/asio/io_context.hpp>")
expect(keeps server/x.cpp "\"shared/net/a.hpp\"")
expect(keeps server/deep/x.hpp "\"data-gen/a.hpp\"")
expect(keeps client/x.cpp "\"shared/util/a.hpp\"")
expect(keeps tests/x.cpp "\"server/a.hpp\"")
expect(breaks shared/util/x.hpp "\"shared/proto/a.hpp\"")
expect(breaks shared/proto/x.cpp "\"shared/net/a.hpp\"")
expect(breaks shared/proto/x.cpp "<boost/beast/http.hpp>")
expect(breaks shared/util/x.cpp "  <boost/version.hpp>")
expect(breaks data-gen/x.cpp "<boost/version.hpp>")
expect(breaks data-gen/x.cpp "\"shared/proto/a.hpp\"")
expect(breaks shared/net/x.cpp "\"data-gen/a.hpp\"")
expect(breaks server/x.cpp "\"client/a.hpp\"")
expect(breaks client/x.cpp "\"server/a.hpp\"")
expect(breaks server/x.cpp "\"tests/a.hpp\"")
expect(breaks server/x.cpp "\"a.hpp\"")
expect(breaks server/x.cpp "\"shared/util/absent.hpp\"")
file(REMOVE_RECURSE ${SCRATCH})
