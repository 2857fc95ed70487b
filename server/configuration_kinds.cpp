#include "server/configuration_kinds.hpp"

#include <algorithm>
#include <iterator>

#include "server/configuration_checks.hpp"

namespace mocks3::server {
namespace {

constexpr std::string_view kOnOrOff = "Enabled|Disabled";
constexpr std::string_view kBoolean = "true|false|TRUE|FALSE";

constexpr XmlRule kAbac[] = {{"Status", kOnOrOff}};
constexpr XmlRule kAccelerate[] = {{"Status", "Enabled|Suspended"}};
constexpr XmlRule kAnalytics[] = {{"Id"}, {"StorageClassAnalysis"}};
constexpr XmlRule kCors[] = {
    {.path = "CORSRule", .most = 100}, {"CORSRule/AllowedMethod"}, {"CORSRule/AllowedOrigin"}};
constexpr XmlRule kEncryption[] = {
    {"Rule"},
    {"Rule/ApplyServerSideEncryptionByDefault/SSEAlgorithm", "AES256|aws:kms|aws:kms:dsse"},
    {"Rule/BucketKeyEnabled", kBoolean, false}};
constexpr XmlRule kInventory[] = {{"Id"},
                                  {"IsEnabled", kBoolean},
                                  {"Destination"},
                                  {"Destination/S3BucketDestination"},
                                  {"Destination/S3BucketDestination/Bucket"},
                                  {"Destination/S3BucketDestination/Format", "CSV|ORC|Parquet"},
                                  {"IncludedObjectVersions", "All|Current"},
                                  {"Schedule"},
                                  {"Schedule/Frequency", "Daily|Weekly"}};
constexpr XmlRule kLifecycle[] = {{.path = "Rule", .most = 1000},
                                  {"Rule/Status", kOnOrOff},
                                  {.path = "Rule/ID", .required = false, .generated = true}};
constexpr XmlRule kLogging[] = {{"LoggingEnabled/TargetBucket"}, {"LoggingEnabled/TargetPrefix"}};
constexpr XmlRule kMetrics[] = {{"Id"}};
constexpr XmlRule kNotification[] = {
    {"TopicConfiguration/Topic"},         {"TopicConfiguration/Event"},
    {"QueueConfiguration/Queue"},         {"QueueConfiguration/Event"},
    {"CloudFunctionConfiguration/Event"},
};
constexpr XmlRule kObjectLock[] = {
    {"ObjectLockEnabled", "Enabled"},
    {"Rule/DefaultRetention"},
    {"Rule/DefaultRetention/Mode", "GOVERNANCE|COMPLIANCE"},
};
constexpr XmlRule kOwnership[] = {
    {"Rule"},
    {"Rule/ObjectOwnership", "BucketOwnerEnforced|BucketOwnerPreferred|ObjectWriter"},
};
constexpr XmlRule kPublicAccess[] = {
    {"BlockPublicAcls", kBoolean, false},
    {"IgnorePublicAcls", kBoolean, false},
    {"BlockPublicPolicy", kBoolean, false},
    {"RestrictPublicBuckets", kBoolean, false},
};
constexpr XmlRule kReplication[] = {{"Role"},
                                    {"Rule"},
                                    {"Rule/Status", kOnOrOff},
                                    {"Rule/Destination"},
                                    {"Rule/Destination/Bucket"}};
constexpr XmlRule kRequestPayment[] = {{"Payer", "BucketOwner|Requester"}};
constexpr XmlRule kTiering[] = {{"Id"},
                                {"Status", kOnOrOff},
                                {"Tiering"},
                                {"Tiering/AccessTier", "ARCHIVE_ACCESS|DEEP_ARCHIVE_ACCESS"},
                                {"Tiering/Days"}};
constexpr XmlRule kWebsite[] = {{"IndexDocument/Suffix"},
                                {"ErrorDocument/Key"},
                                {"RedirectAllRequestsTo/HostName"},
                                {"RoutingRules/RoutingRule/Redirect"}};

constexpr char kPrivateAccess[] =
    "<BlockPublicAcls>true</BlockPublicAcls><IgnorePublicAcls>true</IgnorePublicAcls>"
    "<BlockPublicPolicy>true</BlockPublicPolicy>"
    "<RestrictPublicBuckets>true</RestrictPublicBuckets>";
constexpr char kSseS3[] =
    "<Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256</SSEAlgorithm>"
    "</ApplyServerSideEncryptionByDefault><BucketKeyEnabled>false</BucketKeyEnabled></Rule>";

constexpr ConfigurationKind kKinds[] = {
    {.name = "abac",
     .root = "AbacStatus",
     .get = S3Op::GetBucketAbac,
     .put = S3Op::PutBucketAbac,
     .del = kNoOperation,
     .initial = "<Status>Disabled</Status>",
     .rules = kAbac},
    {.name = "accelerate",
     .root = "AccelerateConfiguration",
     .get = S3Op::GetBucketAccelerateConfiguration,
     .put = S3Op::PutBucketAccelerateConfiguration,
     .del = kNoOperation,
     .initial = "",
     .rules = kAccelerate},
    {.name = "analytics",
     .root = "AnalyticsConfiguration",
     .get = S3Op::GetBucketAnalyticsConfiguration,
     .put = S3Op::PutBucketAnalyticsConfiguration,
     .del = S3Op::DeleteBucketAnalyticsConfiguration,
     .list = S3Op::ListBucketAnalyticsConfigurations,
     .list_root = "ListBucketAnalyticsConfigurationResult",
     .rules = kAnalytics},
    {.name = "cors",
     .root = "CORSConfiguration",
     .get = S3Op::GetBucketCors,
     .put = S3Op::PutBucketCors,
     .del = S3Op::DeleteBucketCors,
     .missing = S3Code::NoSuchCORSConfiguration,
     .rules = kCors,
     .check = check_cors},
    {.name = "encryption",
     .root = "ServerSideEncryptionConfiguration",
     .get = S3Op::GetBucketEncryption,
     .put = S3Op::PutBucketEncryption,
     .del = S3Op::DeleteBucketEncryption,
     .initial = kSseS3,
     .rules = kEncryption},
    {.name = "intelligent-tiering",
     .root = "IntelligentTieringConfiguration",
     .get = S3Op::GetBucketIntelligentTieringConfiguration,
     .put = S3Op::PutBucketIntelligentTieringConfiguration,
     .del = S3Op::DeleteBucketIntelligentTieringConfiguration,
     .list = S3Op::ListBucketIntelligentTieringConfigurations,
     .list_root = "ListBucketIntelligentTieringConfigurationsOutput",
     .rules = kTiering},
    {.name = "inventory",
     .root = "InventoryConfiguration",
     .get = S3Op::GetBucketInventoryConfiguration,
     .put = S3Op::PutBucketInventoryConfiguration,
     .del = S3Op::DeleteBucketInventoryConfiguration,
     .list = S3Op::ListBucketInventoryConfigurations,
     .list_root = "ListInventoryConfigurationsResult",
     .rules = kInventory},
    {.name = "lifecycle",
     .root = "LifecycleConfiguration",
     .get = S3Op::GetBucketLifecycleConfiguration,
     .put = S3Op::PutBucketLifecycleConfiguration,
     .del = S3Op::DeleteBucketLifecycle,
     .missing = S3Code::NoSuchLifecycleConfiguration,
     .rules = kLifecycle,
     .check = check_lifecycle,
     .header = "x-amz-transition-default-minimum-object-size",
     .header_value = "all_storage_classes_128K"},
    {.name = "logging",
     .root = "BucketLoggingStatus",
     .get = S3Op::GetBucketLogging,
     .put = S3Op::PutBucketLogging,
     .del = kNoOperation,
     .initial = "",
     .rules = kLogging},
    {.name = "metadataConfiguration",
     .root = "",
     .get = S3Op::GetBucketMetadataConfiguration,
     .put = kNoOperation,
     .del = kNoOperation,
     .missing = S3Code::MetadataConfigurationNotFound},
    {.name = "metadataTable",
     .root = "",
     .get = S3Op::GetBucketMetadataTableConfiguration,
     .put = kNoOperation,
     .del = kNoOperation,
     .missing = S3Code::MetadataConfigurationNotFound},
    {.name = "metrics",
     .root = "MetricsConfiguration",
     .get = S3Op::GetBucketMetricsConfiguration,
     .put = S3Op::PutBucketMetricsConfiguration,
     .del = S3Op::DeleteBucketMetricsConfiguration,
     .list = S3Op::ListBucketMetricsConfigurations,
     .list_root = "ListMetricsConfigurationsResult",
     .rules = kMetrics},
    {.name = "notification",
     .root = "NotificationConfiguration",
     .get = S3Op::GetBucketNotificationConfiguration,
     .put = S3Op::PutBucketNotificationConfiguration,
     .del = kNoOperation,
     .initial = "",
     .rules = kNotification},
    {.name = "object-lock",
     .root = "ObjectLockConfiguration",
     .get = S3Op::GetObjectLockConfiguration,
     .put = S3Op::PutObjectLockConfiguration,
     .del = kNoOperation,
     .missing = S3Code::ObjectLockConfigurationNotFoundError,
     .rules = kObjectLock,
     .check = check_object_lock},
    {.name = "ownershipControls",
     .root = "OwnershipControls",
     .get = S3Op::GetBucketOwnershipControls,
     .put = S3Op::PutBucketOwnershipControls,
     .del = S3Op::DeleteBucketOwnershipControls,
     .initial = "<Rule><ObjectOwnership>BucketOwnerEnforced</ObjectOwnership></Rule>",
     .missing = S3Code::OwnershipControlsNotFoundError,
     .rules = kOwnership},
    {.name = "policy",
     .root = "",
     .get = S3Op::GetBucketPolicy,
     .put = S3Op::PutBucketPolicy,
     .del = S3Op::DeleteBucketPolicy,
     .missing = S3Code::NoSuchBucketPolicy,
     .check = check_policy},
    {.name = "publicAccessBlock",
     .root = "PublicAccessBlockConfiguration",
     .get = S3Op::GetPublicAccessBlock,
     .put = S3Op::PutPublicAccessBlock,
     .del = S3Op::DeletePublicAccessBlock,
     .initial = kPrivateAccess,
     .missing = S3Code::NoSuchPublicAccessBlockConfiguration,
     .rules = kPublicAccess},
    {.name = "replication",
     .root = "ReplicationConfiguration",
     .get = S3Op::GetBucketReplication,
     .put = S3Op::PutBucketReplication,
     .del = S3Op::DeleteBucketReplication,
     .missing = S3Code::ReplicationConfigurationNotFoundError,
     .rules = kReplication,
     .check = check_replication},
    {.name = "requestPayment",
     .root = "RequestPaymentConfiguration",
     .get = S3Op::GetBucketRequestPayment,
     .put = S3Op::PutBucketRequestPayment,
     .del = kNoOperation,
     .initial = "<Payer>BucketOwner</Payer>",
     .rules = kRequestPayment},
    {.name = "tagging",
     .root = "Tagging",
     .get = S3Op::GetBucketTagging,
     .put = S3Op::PutBucketTagging,
     .del = S3Op::DeleteBucketTagging,
     .missing = S3Code::NoSuchTagSet,
     .check = check_bucket_tags},
    {.name = "versioning",
     .root = "VersioningConfiguration",
     .get = S3Op::GetBucketVersioning,
     .put = S3Op::PutBucketVersioning,
     .del = kNoOperation,
     .initial = "",
     .check = check_versioning},
    {.name = "website",
     .root = "WebsiteConfiguration",
     .get = S3Op::GetBucketWebsite,
     .put = S3Op::PutBucketWebsite,
     .del = S3Op::DeleteBucketWebsite,
     .missing = S3Code::NoSuchWebsiteConfiguration,
     .rules = kWebsite},
};

}  // namespace

const ConfigurationKind* find_configuration_kind(S3Op op) {
  if (op == kNoOperation) return nullptr;
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds), [op](const auto& kind) {
    return op == kind.get || op == kind.put || op == kind.del || op == kind.list;
  });
  return found == std::end(kKinds) ? nullptr : found;
}

}  // namespace mocks3::server
