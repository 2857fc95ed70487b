#pragma once
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "client/engine/load.hpp"

namespace mocks3::client {

/// An object that travels in parts, over any of the connections.
struct Transfer {
  const ObjectTask* task = nullptr;
  uint32_t parts = 0;
  std::string upload_id;           ///< of a PUT; set before its parts are handed out
  std::vector<std::string> etags;  ///< of a PUT's parts; complete once all are done

  // The queue's own.
  uint32_t next = 0;  ///< first part not handed out
  uint32_t out = 0;   ///< parts under way
  uint32_t done = 0;
  bool failed = false;
};
using TransferPtr = std::shared_ptr<Transfer>;

/// What a connection is to do next.
struct Job {
  enum class Kind {
    finished,  ///< nothing, ever again
    wait,      ///< nothing yet: an upload is being created that may have parts to share
    whole,     ///< the object in one request
    create,    ///< CreateMultipartUpload, then created()
    part,      ///< bytes [offset, offset + length) of the transfer, then part_done()
  };
  Kind kind = Kind::finished;
  const ObjectTask* task = nullptr;
  TransferPtr transfer;
  uint32_t part = 0;  ///< from 0
  uint64_t offset = 0, length = 0;
};

/// After a part: what its connection has to do for the object.
enum class NextStep { none, complete, abort, object_done };

struct OpenUpload {
  std::string key;
  std::string upload_id;
};

/// Shares the objects of a load and their parts out over all connections of all threads. Objects
/// are begun in order, round and round where a limit is set; parts of objects already begun go
/// first. A limit in bytes or time stops new work, never work that was handed out: an object is
/// begun while fewer than `max_bytes` were, and in duration mode no part is handed out after the
/// end. Thread-safe. The LoadSpec must outlive it.
class WorkQueue {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit WorkQueue(const LoadSpec& spec);

  /// Sets the time from which the duration counts. REQUIRES that take() was not called before.
  void start(TimePoint now);
  Job take(TimePoint now);

  void created(const TransferPtr& transfer, std::string upload_id);
  void not_created(const TransferPtr& transfer);
  /// `etag`: nothing where the part failed; the object's other parts are then not begun.
  NextStep part_done(Transfer& transfer, uint32_t part, std::optional<std::string> etag);
  /// The upload was completed or aborted, and needs no clearing away.
  void closed(const TransferPtr& transfer);

  /// No more work for anybody.
  void stop();
  /// Uploads begun and neither completed nor aborted; ask when all connections are done.
  std::vector<OpenUpload> open_uploads() const;

 private:
  bool may_begin_object() const;
  Job begin_object();
  Job hand_out_part();
  uint32_t parts_of(const ObjectTask& task) const;

  const LoadSpec& spec_;
  mutable std::mutex mutex_;
  std::optional<TimePoint> deadline_;
  bool stopped_ = false;
  bool endless_;  ///< a limit other than the number of objects is set
  uint64_t objects_begun_ = 0;
  uint64_t bytes_begun_ = 0;
  size_t being_created_ = 0;
  std::deque<TransferPtr> shareable_;        ///< with parts left to hand out
  std::unordered_set<TransferPtr> uploads_;  ///< created on the server
};

}  // namespace mocks3::client
