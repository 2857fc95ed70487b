#pragma once
#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "server/handlers.hpp"
#include "server/metrics.hpp"
#include "server/options.hpp"
#include "server/store.hpp"

namespace mocks3::server {

/// A server without sockets: requests go from their head, through the operation's parser, to the
/// handler, and a body is handed to the sink as the session would.
struct HandlerFixture {
  using Headers = std::vector<std::pair<std::string, std::string>>;

  struct Request {
    std::string method, target;
    Headers headers = {};
    std::string body = {};
    std::vector<std::pair<std::string, std::string>> trailers = {};
    /// Stands for a body of that many bytes that nobody has to hold.
    std::optional<uint64_t> pretended_bytes = {};
    bool http_chunked = false;
    bool without_length = false;
  };

  explicit HandlerFixture(Options chosen = {})
      : options(std::move(chosen)), store(options.strict_buckets) {}

  Options options;
  Store store;
  Metrics metrics{2};
  UnixMillis now{1'767'323'045'678};  // 2026-01-02T03:04:05.678Z
  bool answered_from_head = false;    ///< the latest request needed no body

  Reply send(const Request& request) {
    // Everything a handler sees is gone before the sink is finished, as in a session.
    auto sent = std::make_unique<Request>(request);
    auto head = std::make_unique<RequestHead>(head_of(*sent));
    auto parsed = std::make_unique<S3Result<S3Request>>(parse_s3_request(*head, options.domains));
    if (!*parsed) {
      return error_reply(parsed->error(), request.target, "ID", request.method == "HEAD");
    }
    auto server = std::make_unique<HandlerContext>(HandlerContext{options, store, metrics});
    Plan plan = handle(*server, RequestContext{*head, **parsed, "ID", now});
    answered_from_head = std::holds_alternative<Reply>(plan);
    if (answered_from_head) return std::get<Reply>(std::move(plan));
    parsed.reset();
    head.reset();
    sent.reset();
    server.reset();
    return finish(std::get<Sink>(plan), request);
  }

  static RequestHead head_of(const Request& request) {
    RequestHead head;
    head.method = request.method;
    head.target = request.target;
    head.headers.push_back({"Host", "localhost:8080"});
    for (const auto& [name, value] : request.headers) head.headers.push_back({name, value});
    head.http_chunked = request.http_chunked;
    if (!request.http_chunked && !request.without_length) {
      head.content_length = request.pretended_bytes.value_or(request.body.size());
    }
    return head;
  }

  static Reply finish(const Sink& sink, const Request& request) {
    ReceivedBody body;
    body.payload_bytes = request.pretended_bytes.value_or(request.body.size());
    CHECK(body.payload_bytes <= sink.limit);
    if (sink.kind == Sink::Kind::collect) body.text = request.body;
    body.trailers = request.trailers;
    return sink.finish(std::move(body));
  }

  Reply get(const std::string& target, const Headers& headers = {}) {
    return send({.method = "GET", .target = target, .headers = headers});
  }
  Reply head(const std::string& target, const Headers& headers = {}) {
    return send({.method = "HEAD", .target = target, .headers = headers});
  }
  Reply put(const std::string& target, uint64_t bytes, const Headers& headers = {}) {
    return send({.method = "PUT", .target = target, .headers = headers, .pretended_bytes = bytes});
  }
  Reply post(const std::string& target, const std::string& body, const Headers& headers = {}) {
    return send({.method = "POST", .target = target, .headers = headers, .body = body});
  }
  Reply del(const std::string& target, const Headers& headers = {}) {
    return send({.method = "DELETE", .target = target, .headers = headers});
  }
};

/// All values of a response header, names in the case sent, joined by '|'.
inline std::string header_of(const Reply& reply, const std::string& name) {
  std::string found;
  const std::string wire(reply.headers.wire());
  for (size_t at = 0; at < wire.size();) {
    const size_t end = wire.find("\r\n", at);
    const std::string line = wire.substr(at, end - at);
    if (line.starts_with(name + ": ")) {
      if (!found.empty()) found += '|';
      found += line.substr(name.size() + 2);
    }
    at = end + 2;
  }
  return found;
}
inline std::string text_of(const Reply& reply) {
  const auto* text = std::get_if<std::string>(&reply.body);
  return text ? *text : std::string();
}
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
inline bool contains(const Reply& reply, const std::string& part) {
  return contains(text_of(reply), part);
}
/// What stands in each element of that name, in order.
inline std::vector<std::string> elements(const Reply& reply, const std::string& name) {
  std::vector<std::string> found;
  const std::string xml = text_of(reply), open = "<" + name + ">", close = "</" + name + ">";
  for (size_t at = xml.find(open); at != std::string::npos; at = xml.find(open, at)) {
    at += open.size();
    found.push_back(xml.substr(at, xml.find(close, at) - at));
  }
  return found;
}
inline std::string element(const Reply& reply, const std::string& name) {
  const auto found = elements(reply, name);
  return found.empty() ? "(absent)" : found.front();
}
inline uint64_t generated_bytes(const Reply& reply) {
  const auto* body = std::get_if<GeneratedBody>(&reply.body);
  return body ? body->length : 0;
}

}  // namespace mocks3::server
