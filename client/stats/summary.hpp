#pragma once
#include <vector>

#include "client/report/result_row.hpp"

namespace mocks3::client {

/// Median; 0 for no values.
double median(std::vector<double> values);

/// Median with its distribution-free confidence interval by order statistics (coverage at least
/// 95 %, exact binomial) where there are 6 values or more; with fewer the smallest and largest.
Summary summarize(std::vector<double> values);

/// (high - low) / median: 0.3 is a spread of 30 %. 0 where the median is 0.
double spread(const Summary& summary);

}  // namespace mocks3::client
