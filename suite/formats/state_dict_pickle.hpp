#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

// Says where the values of one entry of a state_dict lie: in the storage record `key` of its file, in elements.
struct StoredTensor {
  std::string name;
  std::string storage_type;  // "FloatStorage", "LongStorage", ...
  std::string key;
  std::int64_t elements = 0;  // of the whole storage
  std::int64_t offset = 0;
  std::vector<std::int64_t> sizes, strides;
};

// Reads what the pickle (protocol 2, `data.pkl` in the file) of torch.save(module.state_dict()) or of any other dictionary of
// tensors says, in its order. LibTorch's own reader drops the OrderedDict that a state_dict is. Knows tensors, parameters and
// dictionaries and nothing else: no code runs. Throws UsageError for anything more, or less.
std::vector<StoredTensor> read_state_dict_pickle(std::string_view pickle);

}  // namespace ddpbench
