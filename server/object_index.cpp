#include "server/object_index.hpp"

#include <algorithm>
#include <iterator>

namespace mocks3::server {

namespace {

/// The block that `key` is in or belongs to.
template <class Blocks>
auto block_for(Blocks& blocks, std::string_view key) {
  return std::prev(blocks.upper_bound(key));
}

template <class Block>
size_t place_in(const Block& block, std::string_view key) {
  const auto less = [](const auto& entry, std::string_view k) { return entry.first < k; };
  return static_cast<size_t>(std::lower_bound(block.begin(), block.end(), key, less) -
                             block.begin());
}

template <class Block>
auto at(Block& block, size_t place) {
  return block.begin() + static_cast<std::ptrdiff_t>(place);
}

}  // namespace

ObjectIndex::ObjectIndex() { blocks_.try_emplace(std::string()); }

ObjectIndex::const_iterator ObjectIndex::lower_bound(std::string_view key) const {
  const auto block = block_for(blocks_, key);
  return {block, blocks_.end(), place_in(block->second, key)};
}

ObjectIndex::const_iterator ObjectIndex::upper_bound(std::string_view key) const {
  const_iterator found = lower_bound(key);
  if (found != end() && found->first == key) ++found;
  return found;
}

ObjectIndex::const_iterator ObjectIndex::find(std::string_view key) const {
  const const_iterator found = lower_bound(key);
  return found != end() && found->first == key ? found : end();
}

ObjectIndex::iterator ObjectIndex::find(std::string_view key) {
  const auto block = block_for(blocks_, key);
  const size_t place = place_in(block->second, key);
  const bool there = place < block->second.size() && block->second[place].first == key;
  return there ? iterator(block, blocks_.end(), place) : end();
}

void ObjectIndex::insert(std::string_view key, const ObjectRecord& record) {
  const auto found = block_for(blocks_, key);
  Block* block = &found->second;
  size_t place = place_in(*block, key);
  if (block->size() == kMaxBlock) {
    // Keys that come in order leave full blocks behind; others leave two halves.
    const auto behind = std::next(found);
    const bool in_order =
        place == kMaxBlock && (behind == blocks_.end() || behind->second.size() == kMaxBlock);
    const size_t half = in_order ? kMaxBlock : kMaxBlock / 2;
    Block upper(std::make_move_iterator(at(*block, half)), std::make_move_iterator(block->end()));
    block->erase(at(*block, half), block->end());
    std::string first(upper.empty() ? key : std::string_view(upper.front().first));
    const auto next = blocks_.emplace_hint(behind, std::move(first), std::move(upper));
    if (place > half || place == kMaxBlock) {
      block = &next->second;
      place -= half;
    }
  }
  block->emplace(at(*block, place), key, record);
}

void ObjectIndex::erase(iterator gone) {
  const auto block = gone.block_;
  block->second.erase(at(block->second, gone.at_));
  if (block->second.empty() && block != blocks_.begin()) {
    blocks_.erase(block);
    return;
  }
  // Blocks that have lost most of their objects are joined, so that none is kept for a few.
  const auto next = std::next(block);
  if (next == blocks_.end()) return;
  if (!block->second.empty() && block->second.size() + next->second.size() > kMaxBlock / 2) return;
  block->second.insert(block->second.end(), std::make_move_iterator(next->second.begin()),
                       std::make_move_iterator(next->second.end()));
  blocks_.erase(next);
}

}  // namespace mocks3::server
