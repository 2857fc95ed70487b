#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "server/bucket_configurations.hpp"
#include "shared/proto/s3_error.hpp"
#include "shared/proto/s3_xml_configuration.hpp"

namespace mocks3::server {

// What S3 demands of a bucket's configuration beyond its schema. `document` was read; `kept` is
// what the bucket has otherwise. Nothing where it may be kept.
std::optional<S3Error> check_bucket_tags(const std::string& document, const BucketConfigurations&);
std::optional<S3Error> check_cors(const std::string& document, const BucketConfigurations&);
std::optional<S3Error> check_lifecycle(const std::string& document, const BucketConfigurations&);
std::optional<S3Error> check_object_lock(const std::string& document,
                                         const BucketConfigurations& kept);
std::optional<S3Error> check_policy(const std::string& document, const BucketConfigurations&);
std::optional<S3Error> check_replication(const std::string&, const BucketConfigurations& kept);
std::optional<S3Error> check_versioning(const std::string& document,
                                        const BucketConfigurations& kept);

/// Whether a policy that may be kept lets anybody in: a statement that allows every principal
/// something, without condition.
bool policy_is_public(std::string_view policy);

}  // namespace mocks3::server
