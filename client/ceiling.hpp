#pragma once
#include <chrono>
#include <cstdint>

#include "shared/util/result.hpp"

namespace mocks3::client {

enum class Direction { put, get };  ///< put: client to server; get: server to client

/// Bytes per second of a raw TCP socket pair on this machine's loopback: `streams` senders that
/// write 256 KiB blocks and as many receivers, a thread each. For put the receiver drops bytes in
/// the kernel (recv with MSG_TRUNC), for get it reads them into a buffer, as a client must.
Result<double> raw_ceiling(Direction direction, size_t streams, std::chrono::milliseconds time);

}  // namespace mocks3::client
