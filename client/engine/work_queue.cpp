#include "client/engine/work_queue.hpp"

#include <algorithm>

namespace mocks3::client {

WorkQueue::WorkQueue(const LoadSpec& spec)
    : spec_(spec), endless_(spec.duration || spec.max_objects || spec.max_bytes) {}

void WorkQueue::start(TimePoint now) {
  const std::lock_guard lock(mutex_);
  if (spec_.duration)
    deadline_ = now + std::chrono::duration_cast<TimePoint::duration>(*spec_.duration);
}

Job WorkQueue::take(TimePoint now) {
  const std::lock_guard lock(mutex_);
  if (deadline_ && now >= *deadline_) stopped_ = true;
  if (stopped_) return {};
  if (!shareable_.empty()) return hand_out_part();
  if (may_begin_object()) return begin_object();
  Job job;
  if (being_created_ > 0) job.kind = Job::Kind::wait;
  return job;
}

bool WorkQueue::may_begin_object() const {
  if (spec_.objects.empty()) return false;
  if (!endless_) return objects_begun_ < spec_.objects.size();
  return objects_begun_ < spec_.max_objects.value_or(UINT64_MAX) &&
         bytes_begun_ < spec_.max_bytes.value_or(UINT64_MAX);
}

uint32_t WorkQueue::parts_of(const ObjectTask& task) const {
  if (task.size <= spec_.part_size) return 1;
  return static_cast<uint32_t>((task.size - 1) / spec_.part_size + 1);
}

Job WorkQueue::begin_object() {
  Job job;
  job.task = &spec_.objects[objects_begun_ % spec_.objects.size()];
  ++objects_begun_;
  bytes_begun_ += job.task->size;
  const uint32_t parts = parts_of(*job.task);
  if (parts == 1) {
    job.kind = Job::Kind::whole;
    job.length = job.task->size;
    return job;
  }
  job.transfer = std::make_shared<Transfer>();
  job.transfer->task = job.task;
  job.transfer->parts = parts;
  if (spec_.op == Direction::put) {
    ++being_created_;
    job.kind = Job::Kind::create;
    return job;
  }
  shareable_.push_back(job.transfer);
  return hand_out_part();
}

Job WorkQueue::hand_out_part() {
  Job job;
  job.kind = Job::Kind::part;
  job.transfer = shareable_.front();
  Transfer& transfer = *job.transfer;
  job.task = transfer.task;
  job.part = transfer.next++;
  ++transfer.out;
  job.offset = job.part * spec_.part_size;
  job.length = std::min(spec_.part_size, transfer.task->size - job.offset);
  if (transfer.next == transfer.parts) shareable_.pop_front();
  return job;
}

void WorkQueue::created(const TransferPtr& transfer, std::string upload_id) {
  const std::lock_guard lock(mutex_);
  --being_created_;
  transfer->upload_id = std::move(upload_id);
  transfer->etags.resize(transfer->parts);
  uploads_.insert(transfer);
  shareable_.push_back(transfer);
}

void WorkQueue::not_created(const TransferPtr& transfer) {
  const std::lock_guard lock(mutex_);
  --being_created_;
  transfer->failed = true;
}

NextStep WorkQueue::part_done(Transfer& transfer, uint32_t part, std::optional<std::string> etag) {
  const std::lock_guard lock(mutex_);
  --transfer.out;
  ++transfer.done;
  if (!etag) {
    transfer.failed = true;
    std::erase_if(shareable_, [&](const TransferPtr& other) { return other.get() == &transfer; });
  } else if (spec_.op == Direction::put) {
    transfer.etags[part] = std::move(*etag);
  }
  if (transfer.failed)
    return spec_.op == Direction::put && transfer.out == 0 ? NextStep::abort : NextStep::none;
  if (transfer.done < transfer.parts) return NextStep::none;
  return spec_.op == Direction::put ? NextStep::complete : NextStep::object_done;
}

void WorkQueue::closed(const TransferPtr& transfer) {
  const std::lock_guard lock(mutex_);
  uploads_.erase(transfer);
}

void WorkQueue::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
}

std::vector<OpenUpload> WorkQueue::open_uploads() const {
  const std::lock_guard lock(mutex_);
  std::vector<OpenUpload> uploads;
  for (const TransferPtr& transfer : uploads_)
    uploads.push_back({transfer->task->key, transfer->upload_id});
  return uploads;
}

}  // namespace mocks3::client
