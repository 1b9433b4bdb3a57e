#pragma once
#include <map>
#include <optional>
#include <string>

#include "suite/contract/processes/stream_message.hpp"

namespace ddpbench {

// The names of what a store is asked for; the first word of a request.
namespace store_verb {
inline constexpr const char* kSet = "set";                 // key, value
inline constexpr const char* kGet = "get";                 // key -> value, once it is there
inline constexpr const char* kWait = "wait";               // keys, once all are there
inline constexpr const char* kCheck = "check";             // keys -> "1" or "0", at once
inline constexpr const char* kAdd = "add";                 // key, number -> their sum, in digits
inline constexpr const char* kDelete = "delete";           // key -> "1" where it was there
inline constexpr const char* kCompareSet = "compare_set";  // key, expected, desired -> what holds afterwards
inline constexpr const char* kCount = "count";             // -> how many keys
}  // namespace store_verb

// Holds the values of the ranks' store and answers requests. Knows nothing of processes.
class StoreValues {
 public:
  // Answers a request; nullopt where it waits for a value that is not there yet. Throws Error for what is no request.
  std::optional<Words> answer(const Words& request);

  using Values = std::map<std::string, std::string>;

 private:
  Values values_;
};

}  // namespace ddpbench
