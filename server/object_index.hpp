#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/object_record.hpp"

namespace mocks3::server {

/// Objects by key, in unsigned byte order, with the calls of a std::map that a bucket needs.
/// Neighbours lie together in blocks: to find a key touches few cache lines, and to list a page
/// few pieces of memory. Every change invalidates iterators.
class ObjectIndex {
 public:
  using value_type = std::pair<std::string, ObjectRecord>;
  static constexpr size_t kMaxBlock = 64;

 private:
  using Block = std::vector<value_type>;
  /// Each block by a key that is not greater than those in it and greater than those before it.
  /// The first stands at the empty key and is always there; no other is ever empty.
  using Blocks = std::map<std::string, Block, std::less<>>;

  template <class BlockIterator>
  class Cursor {
   public:
    Cursor(BlockIterator block, BlockIterator end, size_t at) : block_(block), end_(end), at_(at) {
      skip_end();
    }
    template <class Other>
    Cursor(const Cursor<Other>& other) : block_(other.block_), end_(other.end_), at_(other.at_) {}

    /// REQUIRES not to change the key.
    auto& operator*() const { return block_->second[at_]; }
    auto* operator->() const { return &block_->second[at_]; }
    Cursor& operator++() {
      ++at_;
      skip_end();
      return *this;
    }
    bool operator==(const Cursor& other) const {
      return block_ == other.block_ && at_ == other.at_;
    }

   private:
    template <class>
    friend class Cursor;
    friend class ObjectIndex;

    void skip_end() {
      if (block_ == end_ || at_ < block_->second.size()) return;
      ++block_;
      at_ = 0;
    }

    BlockIterator block_, end_;
    size_t at_;
  };

 public:
  using iterator = Cursor<Blocks::iterator>;
  using const_iterator = Cursor<Blocks::const_iterator>;

  ObjectIndex();

  bool empty() const { return begin() == end(); }
  size_t blocks() const { return blocks_.size(); }  ///< what memory goes by
  const_iterator begin() const { return {blocks_.begin(), blocks_.end(), 0}; }
  const_iterator end() const { return {blocks_.end(), blocks_.end(), 0}; }
  iterator end() { return {blocks_.end(), blocks_.end(), 0}; }

  const_iterator find(std::string_view key) const;
  iterator find(std::string_view key);
  /// The first that is not less, and the first that is greater.
  const_iterator lower_bound(std::string_view key) const;
  const_iterator upper_bound(std::string_view key) const;

  /// REQUIRES that the key is not there.
  void insert(std::string_view key, const ObjectRecord& record);
  void erase(iterator at);

 private:
  Blocks blocks_;
};

}  // namespace mocks3::server
