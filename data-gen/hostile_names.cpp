#include "data-gen/hostile_names.hpp"

#include <array>
#include <string_view>

namespace mocks3 {
namespace {

constexpr std::array<std::string_view, 63> kShortNames{
    "plain",
    // Spaces
    "with space", "two  spaces", " leading space", "trailing space ",
    "folder with space/file with space",
    // What URLs and shells give a meaning
    "plus+sign", "percent%", "looks%20encoded", "looks%2Fencoded", "looks%25encoded",
    "bad%zzescape", "ampersand&name=value", "hash#mark", "question?mark", "equals=sign",
    "semi;colon", "co:lon", "com,ma", "at@sign", "dollar$HOME", "star*", "brackets[0-9]",
    "braces{a,b}", "round(brackets)", "pipe|name", "caret^", "tilde~", "~", "exclamation!mark",
    "back`tick`", "single'quote", "double\"quote", "back\\slash", "<xml>&amp;</xml>", "]]>",
    // What tools take for flags, hidden files or parents
    "-", "-leading-dash", "--help", ".hidden", "...", "..two-dots", "trailing-dot.", "folder./file",
    "-folder/-file",
    // Order: '-' < '.' < '/' as bytes, but not as folders
    "order/a-b", "order/a.b", "order/a/b", "case/name", "case/NAME",
    // Unicode
    "caf\xc3\xa9",    // e with acute, one code point
    "cafe\xcc\x81x",  // e and a combining acute
    "cafe\xcc\x81",
    "\xc3\x9cnic\xc3\xb6"
    "de",
    "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e",          // Japanese
    "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d",              // right to left
    "\xf0\x9f\x98\x80",                              // 4 bytes
    "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb",  // with a joiner
    "\xf0\x9d\x94\x98/\xf0\x9d\x94\xab",             // folder and file of 4 bytes
    "zero\xe2\x80\x8bwidth", "no-break\xc2\xa0space", "\xef\xac\x81-ligature",
    "\xef\xbd\x86ullwidth",  // sorts behind 4-byte characters in UTF-16, before them in UTF-8
};

std::string repeated(std::string_view text, size_t times) {
  std::string result;
  while (times-- > 0) result += text;
  return result;
}

std::string nested_folders(size_t depth) {
  std::string path;
  for (size_t level = 0; level < depth; ++level) path += "d" + std::to_string(level) + '/';
  return path;
}

}  // namespace

std::vector<std::string> hostile_names() {
  std::vector<std::string> names(kShortNames.begin(), kShortNames.end());
  names.push_back(repeated("n", 255));
  names.push_back(repeated("\xe6\x97\xa5", 84));  // 252 bytes, three times as long when escaped
  names.push_back("%" + repeated(" +", 110));
  names.push_back(nested_folders(64) + "deep");
  names.push_back("long/" + repeated(repeated("p", 199) + "/", 4) + repeated("q", 190));
  return names;
}

}  // namespace mocks3
