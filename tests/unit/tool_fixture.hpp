#pragma once
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "client/tools/tool.hpp"

namespace mocks3::client {

/// A directory with executables of the test's making, gone at the end.
class FakePath {
 public:
  FakePath() {
    char name[] = "/tmp/fake_path.XXXXXX";
    directory_ = mkdtemp(name);
  }
  ~FakePath() { std::filesystem::remove_all(directory_); }
  FakePath(const FakePath&) = delete;
  FakePath& operator=(const FakePath&) = delete;

  /// A script of /bin/sh.
  void add(const std::string& name, const std::string& body) const {
    const std::string path = directory_ + "/" + name;
    std::ofstream(path) << "#!/bin/sh\n" << body << "\n";
    chmod(path.c_str(), 0755);
  }
  const std::string& directory() const { return directory_; }

 private:
  std::string directory_;
};

inline ToolTransfer sample_transfer(Direction op) {
  ToolTransfer transfer;
  transfer.op = op;
  transfer.endpoint.host = "127.0.0.1";
  transfer.endpoint.port = 9000;
  transfer.endpoint.region = "eu-x-1";
  transfer.endpoint.credentials = {"key", "secret", ""};
  transfer.bucket = "bench";
  transfer.prefix = "a/b";
  transfer.directory = "/dev/shm/odd *[name]; $x";
  return transfer;
}

inline bool has(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

}  // namespace mocks3::client
