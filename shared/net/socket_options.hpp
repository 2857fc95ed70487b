#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace mocks3 {

/// Set on every data connection, server's and client's: TCP_NODELAY on. Failures are ignored: the
/// peer may be gone already, and the next read says so.
void tune_connection(int fd);

/// Drops up to `bytes` received bytes in the kernel, without copying them (recv with MSG_TRUNC on
/// a TCP socket). Gives what was dropped, 0 at the end of the stream, or -errno. Waits
/// where nothing is there, unless the socket is non-blocking: then -EAGAIN.
int64_t discard_received(int fd, uint64_t bytes);

/// From now on the socket counts as readable once `bytes` are there, or the end of the stream
/// (SO_RCVLOWAT, socket(7)).
void set_receive_low_water(int fd, size_t bytes);

/// Bytes received and not yet read.
uint64_t queued_bytes(int fd);

}  // namespace mocks3
