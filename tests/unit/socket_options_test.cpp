#include "shared/net/socket_options.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <thread>

using namespace mocks3;

namespace {

struct TcpPair {
  int a = -1, b = -1;
  TcpPair() {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    REQUIRE(bind(listener, reinterpret_cast<sockaddr*>(&address), length) == 0);
    REQUIRE(listen(listener, 1) == 0);
    REQUIRE(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) == 0);
    a = socket(AF_INET, SOCK_STREAM, 0);
    REQUIRE(connect(a, reinterpret_cast<sockaddr*>(&address), length) == 0);
    b = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
    REQUIRE(b >= 0);
    close(listener);
  }
  ~TcpPair() {
    close(a);
    close(b);
  }
};

}  // namespace

TEST_CASE("a tuned connection sends small writes at once") {
  TcpPair pair;
  tune_connection(pair.b);
  int on = 0;
  socklen_t length = sizeof on;
  REQUIRE(getsockopt(pair.b, IPPROTO_TCP, TCP_NODELAY, &on, &length) == 0);
  CHECK(on != 0);
}

TEST_CASE("a tuned connection to this machine is not paced") {
  TcpPair pair;
  const auto congestion_control = [&pair] {
    char name[16] = {};
    socklen_t length = sizeof name;
    REQUIRE(getsockopt(pair.b, IPPROTO_TCP, TCP_CONGESTION, name, &length) == 0);
    return std::string(name);
  };
  const std::string before = congestion_control();
  tune_connection(pair.b);
  CHECK(congestion_control() == (before == "bbr" ? "reno" : before));

  if (setsockopt(pair.b, IPPROTO_TCP, TCP_CONGESTION, "bbr", 3) != 0) {
    MESSAGE("this kernel has no bbr for us: only the system's own choice was looked at");
    return;
  }
  tune_connection(pair.b);
  CHECK(congestion_control() == "reno");
}

TEST_CASE("discarding takes exactly the bytes asked for and leaves the rest") {
  TcpPair pair;
  CHECK(discard_received(pair.b, 10) == -EAGAIN);
  REQUIRE(write(pair.a, "0123456789", 10) == 10);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(discard_received(pair.b, 7) == 7);
  char rest[8] = {};
  CHECK(read(pair.b, rest, sizeof rest) == 3);
  CHECK(std::string(rest, 3) == "789");
  shutdown(pair.a, SHUT_WR);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(discard_received(pair.b, 1) == 0);
}

TEST_CASE("with a low-water mark a socket is readable only once that much is there, or the end") {
  TcpPair pair;
  const auto readable = [&pair] {
    pollfd waiting{pair.b, POLLIN, 0};
    return poll(&waiting, 1, 20) == 1;
  };
  set_receive_low_water(pair.b, 100);
  const std::string bytes(60, 'x');
  REQUIRE(write(pair.a, bytes.data(), 60) == 60);
  CHECK_FALSE(readable());
  CHECK(queued_bytes(pair.b) == 60);
  REQUIRE(write(pair.a, bytes.data(), 60) == 60);
  CHECK(readable());
  CHECK(discard_received(pair.b, 60) == 60);
  CHECK_FALSE(readable());
  shutdown(pair.a, SHUT_WR);
  CHECK(readable());
}
