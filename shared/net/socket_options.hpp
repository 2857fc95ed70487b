#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace mocks3 {

/// Set on every data connection, server's and client's, once it is connected: TCP_NODELAY on; and
/// where the peer is this machine and the system's congestion control is BBR, Reno instead (tcp(7),
/// TCP_CONGESTION). BBR paces what it sends by a timer: on loopback, where nothing can be congested,
/// that halves the rate. Failures are ignored: the peer may be gone already, and the next read says
/// so.
void tune_connection(int fd);

/// Drops up to `bytes` received bytes in the kernel, without copying them (recv with MSG_TRUNC on
/// a TCP socket). Gives what was dropped, 0 at the end of the stream, or -errno. Waits
/// where nothing is there, unless the socket is non-blocking: then -EAGAIN.
int64_t discard_received(int fd, uint64_t bytes);

/// A low-water mark for streams of payload: fewer wakeups move the same bytes. Measured on loopback
/// with 2 connections: 1.3 times the rate of 256 KiB. It is at most half of Linux's default limit
/// of a receive buffer (6 MiB), so that the window stays open above it.
inline constexpr size_t kBulkLowWaterBytes = size_t{1} << 20;

/// From now on the socket counts as readable once `bytes` are there, or the end of the stream
/// (SO_RCVLOWAT, socket(7)).
void set_receive_low_water(int fd, size_t bytes);

/// Bytes received and not yet read.
uint64_t queued_bytes(int fd);

}  // namespace mocks3
