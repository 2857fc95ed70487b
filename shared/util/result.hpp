#pragma once
#include <string>
#include <utility>
#include <variant>

namespace mocks3 {

/// What went wrong and what to do about it, in one line for a person.
struct Error {
  std::string message;
};

/// A value or an error. Callers test before they take: `if (!r) return r.error();`.
template <class T, class E = Error>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(E error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  /// REQUIRES ok().
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  /// REQUIRES !ok().
  const E& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, E> state_;
};

/// Result of something done for its effect.
using Status = Result<std::monostate>;
inline Status ok_status() { return std::monostate{}; }

}  // namespace mocks3
