#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Reads the options of a workload or strategy as they stand in a launch, by type. Each throws UsageError where the option is
// missing or not of the type: possible only where a worker is started by hand, for plans are checked.
class OptionValues {
 public:
  explicit OptionValues(const std::map<std::string, std::string>& values) : values_(values) {}

  const std::string& text(const std::string& name) const;
  std::int64_t integer(const std::string& name) const;
  double number(const std::string& name) const;
  bool is_on(const std::string& name) const;

  // Returns `where_default` for the word `default`, where the value follows from others: bucket_cap_mb, learning_rate.
  double number_or(const std::string& name, double where_default) const;

 private:
  const std::map<std::string, std::string>& values_;
};

// Returns every option at its default.
std::map<std::string, std::string> default_values(const std::vector<OptionEntry>& options);

}  // namespace ddpbench
