#include "suite/formats/state_dict_pickle.hpp"

#include <deque>
#include <set>
#include <utility>

#include "suite/formats/pickle_machine.hpp"

namespace ddpbench {
namespace {

constexpr std::string_view kStorage = "storage", kTensor = "tensor";  // sorts of objects

class StateDictPickle : public PickleMachine {
 public:
  explicit StateDictPickle(std::string_view pickle) : PickleMachine(pickle, "a state_dict of tensors") {}

  std::vector<StoredTensor> tensors() {
    const auto content = state_dict_in(run());
    std::vector<StoredTensor> found;
    std::set<std::string_view> names;
    for (std::size_t i = 0; i + 1 < content.items->size(); i += 2) {
      const auto &name = (*content.items)[i], &value = (*content.items)[i + 1];
      if (name.kind != Kind::kText) refuse("holds a key that is not a name");
      if (!names.insert(name.text).second) refuse("holds " + std::string(name.text) + " twice");
      require_known(value);
      if (!is_object(value, kTensor)) refuse("holds something else than a tensor as " + std::string(name.text));
      found.push_back(tensors_[static_cast<std::size_t>(value.number)]);
      found.back().name = name.text;
    }
    return found;
  }

 protected:
  // Three functions are known. What another one would make is a dictionary under its name: a checkpoint has much beside its
  // state_dict, and nothing of it is run or asked for.
  PickleValue called(std::string_view global, const PickleValue& arguments) override {
    if (global == "torch._utils\n_rebuild_tensor_v2") return object(kTensor, rebuilt_tensor(arguments));
    if (global == "torch._utils\n_rebuild_parameter") return expect_object(argument(arguments, 0), kTensor);
    auto made = new_dictionary();
    if (global != "collections\nOrderedDict") made.text = global;
    return made;
  }

  PickleValue outside(const PickleValue& id) override { return object(kStorage, stored(id)); }

 private:
  // Of a checkpoint the part of its model: Lightning's name for it, and that of many loops by hand.
  PickleValue state_dict_in(const PickleValue& content) const {
    require_known(content);
    if (content.kind != Kind::kDictionary) refuse("holds something else than a dictionary");
    for (const std::string_view wanted : {"state_dict", "model"}) {
      for (std::size_t i = 0; i + 1 < content.items->size(); i += 2) {
        const auto &name = (*content.items)[i], &value = (*content.items)[i + 1];
        if (name.kind != Kind::kText || name.text != wanted || value.kind != Kind::kDictionary) continue;
        require_known(value);
        return value;
      }
    }
    return content;
  }
  void require_known(const PickleValue& value) const {
    if (value.kind == Kind::kDictionary && !value.text.empty()) unknown(value.text);
  }
  static bool is_object(const PickleValue& value, std::string_view sort) {
    return value.kind == Kind::kObject && value.text == sort;
  }
  const PickleValue& expect_object(const PickleValue& value, std::string_view sort) const {
    if (!is_object(value, sort)) refuse("holds an object of an unknown layout");
    return value;
  }
  PickleValue object(std::string_view sort, StoredTensor tensor) {
    tensors_.push_back(std::move(tensor));
    return {.kind = Kind::kObject, .number = static_cast<std::int64_t>(tensors_.size()) - 1, .text = sort};
  }

  // Copied for each tensor that asks for it.
  std::string short_name(std::string_view text) const {
    constexpr std::size_t kMaxBytes = 200;
    if (text.size() > kMaxBytes) refuse("holds a name of " + std::to_string(text.size()) + " bytes");
    return std::string(text);
  }

  // ("storage", torch.FloatStorage, key, location, elements)
  StoredTensor stored(const PickleValue& tuple) const {
    StoredTensor tensor;
    const auto type = expect(argument(tuple, 1), Kind::kGlobal).text;
    tensor.storage_type = short_name(type.substr(type.find_last_of(".\n") + 1));
    tensor.key = short_name(expect(argument(tuple, 2), Kind::kText).text);
    tensor.elements = expect(argument(tuple, 4), Kind::kNumber).number;
    return tensor;
  }

  // (storage, offset, sizes, strides, requires_grad, hooks)
  StoredTensor rebuilt_tensor(const PickleValue& arguments) const {
    StoredTensor tensor = tensors_[static_cast<std::size_t>(expect_object(argument(arguments, 0), kStorage).number)];
    tensor.offset = expect(argument(arguments, 1), Kind::kNumber).number;
    tensor.sizes = numbers(argument(arguments, 2));
    tensor.strides = numbers(argument(arguments, 3));
    return tensor;
  }

  std::deque<StoredTensor> tensors_;  // and storages
};

}  // namespace

std::vector<StoredTensor> read_state_dict_pickle(std::string_view pickle) { return StateDictPickle(pickle).tensors(); }

}  // namespace ddpbench
