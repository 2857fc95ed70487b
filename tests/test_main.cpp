#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#if defined(__SANITIZE_THREAD__)
/// Received bytes are dropped by recv(fd, nullptr, n, MSG_TRUNC), for which ThreadSanitizer notes a
/// write of n bytes at address 0: two threads that drop bytes seem to race for them.
extern "C" const char* __tsan_default_suppressions() { return "race_top:recv\n"; }
#endif
