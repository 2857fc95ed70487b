# Checks every #include of the sources below ROOT against the dependency rules of the project:
#   tests -> server | client -> shared/net -> shared/proto -> shared/util
#   server | client -> data-gen -> shared/util
# shared/util, shared/proto and data-gen know no Boost. Quoted includes are paths from ROOT.
# Usage: cmake -DROOT=<directory> -P layering.cmake
cmake_minimum_required(VERSION 3.25)

set(layers shared/util shared/proto shared/net data-gen server client tests)
set(allowed_shared/util shared/util)
set(allowed_shared/proto shared/proto ${allowed_shared/util})
set(allowed_shared/net shared/net ${allowed_shared/proto})
set(allowed_data-gen data-gen ${allowed_shared/util})
set(allowed_server server data-gen ${allowed_shared/net})
set(allowed_client client data-gen ${allowed_shared/net})
set(allowed_tests ${layers})
set(without_boost shared/util shared/proto data-gen)

# The layer that a path from ROOT belongs to; empty where it belongs to none.
function(layer_of path out)
  set(${out} "" PARENT_SCOPE)
  foreach(layer IN LISTS layers)
    if(path MATCHES "^${layer}/")
      set(${out} ${layer} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

set(faults "")
set(files 0)
foreach(layer IN LISTS layers)
  file(GLOB_RECURSE sources RELATIVE ${ROOT}
    ${ROOT}/${layer}/*.cpp ${ROOT}/${layer}/*.hpp ${ROOT}/${layer}/*.h)
  foreach(source IN LISTS sources)
    math(EXPR files "${files} + 1")
    file(STRINGS ${ROOT}/${source} includes REGEX "^[ \t]*#[ \t]*include")
    foreach(line IN LISTS includes)
      if(line MATCHES "include[ \t]*\"([^\"]+)\"")
        set(included ${CMAKE_MATCH_1})
        layer_of(${included} target)
        if(NOT EXISTS ${ROOT}/${included})
          string(APPEND faults "${source}: \"${included}\" is no path from the root\n")
        elseif(NOT target IN_LIST allowed_${layer})
          string(APPEND faults "${source}: ${layer} must not include \"${included}\"\n")
        endif()
      elseif(line MATCHES "include[ \t]*<boost/" AND layer IN_LIST without_boost)
        string(APPEND faults "${source}: ${layer} must not include Boost\n")
      endif()
    endforeach()
  endforeach()
endforeach()

if(files EQUAL 0)
  message(FATAL_ERROR "no sources below ROOT=${ROOT}")
elseif(faults)
  message(FATAL_ERROR "layers are broken:\n${faults}")
endif()
message(STATUS "${files} files keep to their layers")
