#include "workloads/formats/state_dict_pickle.hpp"

#include <map>
#include <memory>
#include <utility>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

enum class Kind : std::uint8_t { kOther, kNumber, kText, kGlobal, kTuple, kDictionary, kStorage, kTensor };

// One object of the pickle. Tuples and dictionaries (key, value, key, value, ...) share their items, as references do in Python.
struct Value {
  Kind kind = Kind::kOther;
  std::int64_t number = 0;
  std::string text = {};  // a global's as "module.name"
  std::shared_ptr<std::vector<Value>> items = {};
  std::shared_ptr<StoredTensor> tensor = {};
};

Value number(std::int64_t value) { return {.kind = Kind::kNumber, .number = value}; }
Value dictionary() { return {.kind = Kind::kDictionary, .items = std::make_shared<std::vector<Value>>()}; }

[[noreturn]] void refuse(const std::string& what) { throw UsageError(what + ", not a state_dict of tensors"); }

const Value& expect(const Value& value, Kind kind) {
  if (value.kind != kind) refuse("holds an object put together otherwise than tensors are");
  return value;
}

const Value& argument(const Value& tuple, std::size_t place) {
  if (expect(tuple, Kind::kTuple).items->size() <= place) refuse("holds an object with too few arguments");
  return (*tuple.items)[place];
}

std::vector<std::int64_t> numbers(const Value& tuple) {
  std::vector<std::int64_t> values;
  for (const auto& item : *expect(tuple, Kind::kTuple).items) values.push_back(expect(item, Kind::kNumber).number);
  return values;
}

// ("storage", torch.FloatStorage, key, location, elements)
Value stored(const Value& tuple) {
  auto tensor = std::make_shared<StoredTensor>();
  const auto& type = expect(argument(tuple, 1), Kind::kGlobal).text;
  tensor->storage_type = type.substr(type.rfind('.') + 1);
  tensor->key = expect(argument(tuple, 2), Kind::kText).text;
  tensor->elements = expect(argument(tuple, 4), Kind::kNumber).number;
  return {.kind = Kind::kStorage, .tensor = tensor};
}

// (storage, offset, sizes, strides, requires_grad, hooks)
Value rebuilt_tensor(const Value& arguments) {
  auto tensor = std::make_shared<StoredTensor>(*expect(argument(arguments, 0), Kind::kStorage).tensor);
  tensor->offset = expect(argument(arguments, 1), Kind::kNumber).number;
  tensor->sizes = numbers(argument(arguments, 2));
  tensor->strides = numbers(argument(arguments, 3));
  return {.kind = Kind::kTensor, .tensor = tensor};
}

Value made_by(const std::string& global, const Value& arguments) {
  if (global == "collections.OrderedDict") return dictionary();
  if (global == "torch._utils._rebuild_tensor_v2") return rebuilt_tensor(arguments);
  if (global == "torch._utils._rebuild_parameter") return expect(argument(arguments, 0), Kind::kTensor);
  refuse("holds " + global);
}

// The stack machine that a pickle is a program for (Python's pickletools lists its instructions). One per pickle.
class Machine {
 public:
  explicit Machine(std::string_view pickle) : rest_(pickle) {}

  Value run() {
    while (step(static_cast<unsigned char>(take(1).front()))) continue;
    return pop();
  }

 private:
  bool step(unsigned char instruction) {
    switch (instruction) {
      case 0x80: take(1); break;  // protocol
      case '.': return false;
      case '(': marks_.push_back(stack_.size()); break;
      case ')': push_tuple(stack_.size()); break;
      case 't': push_tuple(pop_mark()); break;
      case 0x85: push_tuple(depth(1)); break;
      case 0x86: push_tuple(depth(2)); break;
      case 0x87: push_tuple(depth(3)); break;
      case '}': stack_.push_back(dictionary()); break;
      case 's': set_items(depth(2)); break;
      case 'u': set_items(pop_mark()); break;
      case 'K': stack_.push_back(number(integer(1))); break;
      case 'M': stack_.push_back(number(integer(2))); break;
      case 'J': stack_.push_back(number(static_cast<std::int32_t>(integer(4)))); break;
      case 0x8a: stack_.push_back(number(long_integer())); break;
      case 'X': stack_.push_back({.kind = Kind::kText, .text = std::string(take(integer(4)))}); break;
      case 'N':
      case 0x88:
      case 0x89:
      case ']': stack_.emplace_back(); break;           // None, True, False, []: of no use here
      case 'G': take(8), stack_.emplace_back(); break;  // a floating-point number, likewise
      case 'c': push_global(); break;
      case 'q': memo_[integer(1)] = top(); break;
      case 'r': memo_[integer(4)] = top(); break;
      case 'h': stack_.push_back(remembered(integer(1))); break;
      case 'j': stack_.push_back(remembered(integer(4))); break;
      case 'Q': stack_.push_back(stored(pop())); break;
      case 'R': reduce(); break;
      case 'b': pop(); break;  // attributes of an object: a state_dict's _metadata, which says nothing of tensors
      default: refuse("holds pickle instruction " + std::to_string(instruction));
    }
    return true;
  }

  std::string_view take(std::int64_t size) {
    if (size < 0 || static_cast<std::size_t>(size) > rest_.size()) refuse("ends in the middle of an object");
    const auto bytes = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(bytes.size());
    return bytes;
  }

  // Little endian, unsigned.
  std::int64_t integer(std::int64_t size) {
    std::uint64_t value = 0;
    int shift = 0;
    for (const char byte : take(size))
      value |= std::uint64_t{static_cast<unsigned char>(byte)} << std::exchange(shift, shift + 8);
    return static_cast<std::int64_t>(value);
  }

  // Two's complement of as many bytes as it needs.
  std::int64_t long_integer() {
    const auto size = integer(1);
    if (size > 8) refuse("holds a number above 64 bit");
    const auto value = static_cast<std::uint64_t>(integer(size));
    if (size == 0 || size == 8) return static_cast<std::int64_t>(value);
    const auto sign = std::uint64_t{1} << (8 * size - 1);
    return static_cast<std::int64_t>(value ^ sign) - static_cast<std::int64_t>(sign);
  }

  std::string line() {
    const auto end = rest_.find('\n');
    if (end == std::string_view::npos) refuse("ends in the middle of a name");
    const std::string text(take(static_cast<std::int64_t>(end)));
    take(1);
    return text;
  }

  void push_global() {
    const auto module = line();
    stack_.push_back({.kind = Kind::kGlobal, .text = module + "." + line()});
  }

  std::size_t depth(std::size_t count) const {
    if (stack_.size() < count) refuse("takes more objects than it made");
    return stack_.size() - count;
  }
  const Value& top() const { return stack_[depth(1)]; }
  Value pop() {
    auto value = top();
    stack_.pop_back();
    return value;
  }
  std::size_t pop_mark() {
    if (marks_.empty() || marks_.back() > stack_.size()) refuse("ends a list that it did not begin");
    const auto mark = marks_.back();
    marks_.pop_back();
    return mark;
  }
  const Value& remembered(std::int64_t place) const {
    const auto found = memo_.find(place);
    if (found == memo_.end()) refuse("takes an object that it did not make");
    return found->second;
  }

  std::vector<Value> cut(std::size_t begin) {
    const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::vector<Value> items(from, stack_.end());
    stack_.erase(from, stack_.end());
    return items;
  }
  void push_tuple(std::size_t begin) {
    auto items = std::make_shared<std::vector<Value>>(cut(begin));
    stack_.push_back({.kind = Kind::kTuple, .items = std::move(items)});
  }
  void set_items(std::size_t begin) {
    const auto items = cut(begin);
    auto& into = *expect(top(), Kind::kDictionary).items;
    into.insert(into.end(), items.begin(), items.end());
  }
  void reduce() {
    const auto arguments = pop();
    const auto global = expect(pop(), Kind::kGlobal).text;
    stack_.push_back(made_by(global, arguments));
  }

  std::string_view rest_;
  std::vector<Value> stack_;
  std::vector<std::size_t> marks_;
  std::map<std::int64_t, Value> memo_;
};

}  // namespace

std::vector<StoredTensor> read_state_dict_pickle(std::string_view pickle) {
  const auto content = Machine(pickle).run();
  if (content.kind != Kind::kDictionary) refuse("holds something else than a dictionary");
  std::vector<StoredTensor> tensors;
  for (std::size_t i = 0; i + 1 < content.items->size(); i += 2) {
    const auto &name = (*content.items)[i], &value = (*content.items)[i + 1];
    if (name.kind != Kind::kText) refuse("holds a key that is not a name");
    if (value.kind != Kind::kTensor) refuse("holds something else than a tensor as " + name.text);
    tensors.push_back(*value.tensor);
    tensors.back().name = name.text;
  }
  return tensors;
}

}  // namespace ddpbench
