#pragma once
#include <array>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <string>

#include "server/input_buffer.hpp"
#include "server/reply.hpp"
#include "server/worker.hpp"
#include "shared/net/http_head.hpp"
#include "shared/proto/body_decoder.hpp"

namespace mocks3::server {

/// One connection from accept to close: reads request heads, asks handlers what to do, moves the
/// bytes, sends replies. `Stream` is PlainStream or another type with its members. Runs on its
/// worker's thread.
template <class Stream>
class Session {
 public:
  Session(Worker& worker, Stream stream, uint64_t connection_id);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  boost::asio::awaitable<void> run();

 private:
  using Flag = boost::asio::awaitable<bool>;
  using Parts = std::array<iovec, 1 + ObjectBytes::kMaxGather>;

  // Each gives false where the connection is of no more use.
  Flag read_head();
  Flag receive(Sink& sink, Reply& reply);
  Flag receive_more(uint64_t discardable);
  Flag send(const Reply& reply);
  Flag send_continue();
  Flag drain_request();
  boost::asio::awaitable<void> linger();

  void begin_request();
  Plan plan_request();
  void set_low_water(uint64_t discardable);
  bool take_buffered(const Sink& sink);
  S3Error body_fault() const;
  Reply refuse(const S3Error& error);
  size_t gather(const GeneratedBody* made, uint64_t sent, Parts& parts);
  void account_in(uint64_t n);
  void account_out(uint64_t n, uint64_t head_left);
  void finish_request(const Reply& reply, bool completed);

  Worker& worker_;
  Stream stream_;
  Connection connection_;
  InputBuffer input_;
  RequestHead head_;
  HeadResult head_result_;
  BodyDecoder decoder_{BodyFraming{}};
  ReceivedBody received_;
  std::string request_id_;
  std::string resource_;  ///< path of the request, for errors
  std::string out_;       ///< reply head, and its text
  RequestRecord record_;
  UnixMillis now_;
  uint64_t request_count_ = 0;
  uint64_t last_discard_bytes_ = 0;
  size_t low_water_bytes_ = 1;   ///< in force on the socket
  uint64_t last_run_bytes_ = 0;  ///< length of the latest run of payload, to size reads by
  bool is_head_ = false;         ///< the method is HEAD: replies have no body
  bool keep_alive_ = false;
  bool continue_due_ = false;  ///< Expect: 100-continue was sent and not answered
};

}  // namespace mocks3::server
