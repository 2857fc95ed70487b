#include "client/sweep/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>

#include "client/interrupt.hpp"
#include "client/sweep/cell.hpp"
#include "client/sweep/monitor.hpp"
#include "client/sweep/rows.hpp"
#include "shared/util/units.hpp"

namespace mocks3::client {
namespace {

size_t host_cores() { return std::max(1U, std::thread::hardware_concurrency()); }

std::string outcome_text(const Repeat& repeat) {
  switch (repeat.outcome) {
    case Repeat::Outcome::good:
      return fmt::format("{:.0f} MiB/s in {:.2f} s",
                         static_cast<double>(repeat.bytes) / static_cast<double>(kMiB) /
                             std::max(repeat.seconds, 1e-9),
                         repeat.seconds);
    case Repeat::Outcome::invalid:
      return "INVALID: " + repeat.why;
    case Repeat::Outcome::failed:
      return repeat.details.empty() ? "failed: " + repeat.why : "failed";
    case Repeat::Outcome::interrupted:
      break;
  }
  return "interrupted";
}

bool finished_badly(const std::vector<Repeat>& repeats) {
  return !repeats.empty() && repeats.back().outcome == Repeat::Outcome::failed;
}

}  // namespace

Sweep::Seconds Sweep::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

Status Sweep::run(RunReport& report) {
  start_ = std::chrono::steady_clock::now();
  repeats_.resize(plan_.cells.size());
  if (!target_.private_server) {
    if (Status prepared = prepare_objects(); !prepared) {
      remove_objects(report);
      return prepared;
    }
  }
  measure_ceilings(true, report);
  run_rounds(report);
  if (!interrupted()) measure_ceilings(false, report);
  remove_objects(report);
  report.partial = interrupted();
  add_rows(report);
  return ok_status();
}

/// Uploads what the downloads read; without downloads one empty object, to prove that it can.
Status Sweep::prepare_objects() {
  std::map<std::string, uint64_t> objects;
  for (const Cell& cell : plan_.cells) {
    if (cell.op != Direction::get) continue;
    const auto names = file_names(cell.files);
    const auto ranges = split_files(cell.files.count, cell.parts());
    for (size_t part = 0; part < ranges.size(); ++part) {
      for (uint64_t i = 0; i < ranges[part].count; ++i) {
        objects[get_prefix(plan_, cell, part) + "/" + names[ranges[part].first + i]] =
            cell.files.size_bytes;
      }
    }
  }
  if (objects.empty()) objects[plan_.prefix + "/probe"] = 0;
  std::map<uint64_t, std::vector<std::string>> keys_by_size;
  uint64_t bytes = 0;
  for (const auto& [key, size] : objects) {
    keys_by_size[size].push_back(key);
    bytes += size;
  }
  progress_.say(fmt::format("uploading {} object(s), {}, for the downloads, below {}/{}",
                            objects.size(), format_size(bytes), plan_.bucket, plan_.prefix));
  for (const auto& [size, keys] : keys_by_size) {
    if (Status uploaded = upload(keys, size); !uploaded) return uploaded;
  }
  return ok_status();
}

Status Sweep::upload(const std::vector<std::string>& keys, uint64_t size) {
  LoadSpec spec;
  spec.op = Direction::put;
  spec.endpoint = target_.endpoint;
  spec.bucket = plan_.bucket;
  spec.threads = host_cores();
  for (const std::string& key : keys) spec.objects.push_back({key, size});
  uploaded_.insert(uploaded_.end(), keys.begin(), keys.end());
  LoadProgress progress;
  const auto result = run_load(spec, progress);
  if (!result) return result.error();
  if (result->interrupted) return Error{"interrupted before anything was measured"};
  if (!result->errors.empty()) return Error{"cannot upload to the server: " + result->first_error};
  return ok_status();
}

void Sweep::remove_objects(RunReport& report) {
  if (uploaded_.empty()) return;
  if (Status deleted = delete_objects(target_.endpoint, plan_.bucket, uploaded_); !deleted) {
    report.notes.push_back(fmt::format("Objects below {}/{} were left on the server: {}",
                                       plan_.bucket, plan_.prefix, deleted.error().message));
  }
}

bool Sweep::ceilings_wanted() const { return is_loopback(target_.endpoint); }

void Sweep::measure_ceilings(bool before, RunReport& report) {
  if (!ceilings_wanted()) return;
  const Seconds began = elapsed();
  progress_.say(
      fmt::format("measuring the raw ceiling {} the rounds", before ? "before" : "after"));
  for (const Direction direction : plan_.directions()) {
    for (const size_t streams : plan_.thread_counts()) {
      const auto rate = raw_ceiling(direction, streams, plan_.ceiling_time);
      if (interrupted()) return;  // cut short
      if (!rate) {
        report.notes.push_back("Warning: " + rate.error().message);
        continue;
      }
      const std::string op = direction == Direction::put ? "put" : "get";
      const auto known = std::find_if(
          report.ceilings.begin(), report.ceilings.end(),
          [&](const CeilingPair& pair) { return pair.op == op && pair.streams == streams; });
      if (known == report.ceilings.end()) {
        report.ceilings.push_back({op, streams, *rate, 0});
      } else {
        known->after_bytes_per_s = *rate;
      }
    }
  }
  if (before) ceilings_took_ = elapsed() - began;
}

bool Sweep::round_fits() const {
  if (!plan_.budget || rounds_done_ == 0) return true;
  const Seconds end = elapsed() + slowest_round_ + ceilings_took_;
  return end <= static_cast<double>(plan_.budget->count());
}

void Sweep::run_rounds(RunReport& report) {
  Monitor monitor(progress_, target_.endpoint, target_.server_stats);
  rounds_began_ = elapsed();
  while (rounds_done_ < plan_.rounds && !interrupted() && round_fits()) {
    const Seconds began = elapsed();
    if (!run_round(rounds_done_, monitor)) break;
    slowest_round_ = std::max(slowest_round_, elapsed() - began);
    ++rounds_done_;
  }
  report.samples = monitor.take_samples();
  if (rounds_done_ < plan_.rounds && !interrupted()) {
    report.notes.push_back(
        fmt::format("{} of {} rounds were run: another would have ended after the {} s that this "
                    "run may take.",
                    rounds_done_, plan_.rounds, plan_.budget->count()));
  }
}

/// False where it was interrupted.
bool Sweep::run_round(size_t round, Monitor& monitor) {
  const CellContext context{
      plan_, target_.endpoint, target_.server_stats, !target_.private_server, workspace_, monitor};
  const size_t cells = plan_.cells.size();
  size_t done = round * cells;
  for (const size_t index : round_order(cells, plan_.seed, round)) {
    const Cell& cell = plan_.cells[index];
    ++done;
    if (interrupted()) return false;
    if (finished_badly(repeats_[index])) continue;
    progress_.begin(done, plan_.rounds * cells, plan_.label(cell));
    monitor.set_time_left(time_left(done - 1));
    Repeat repeat = run_cell(context, cell, round);
    progress_.end(outcome_text(repeat));
    for (const std::string& line : repeat.details) progress_.say("  " + line);
    if (repeat.outcome == Repeat::Outcome::interrupted) return false;
    repeats_[index].push_back(std::move(repeat));
  }
  return true;
}

std::optional<Sweep::Seconds> Sweep::time_left(size_t done) const {
  if (done == 0) return std::nullopt;
  const Seconds each = (elapsed() - rounds_began_) / static_cast<double>(done);
  const Seconds left =
      each * static_cast<double>(plan_.rounds * plan_.cells.size() - done) + ceilings_took_;
  if (!plan_.budget) return left;
  return std::min(left, std::max(0.0, static_cast<double>(plan_.budget->count()) - elapsed()));
}

double Sweep::ceiling_of(const Cell& cell, const RunReport& report) const {
  for (const CeilingPair& pair : report.ceilings) {
    if (pair.op == cell.op_name() && pair.streams == cell.threads) return pair.mean();
  }
  return 0;
}

void Sweep::add_rows(RunReport& report) const {
  for (size_t i = 0; i < plan_.cells.size(); ++i) {
    if (repeats_[i].empty()) continue;
    report.rows.push_back(make_row(plan_, plan_.cells[i], repeats_[i],
                                   ceiling_of(plan_.cells[i], report), host_cores()));
  }
  auto notes = row_notes(plan_, repeats_, host_cores(), is_loopback(target_.endpoint));
  report.notes.insert(report.notes.end(), notes.begin(), notes.end());
}

}  // namespace mocks3::client
