#include "workloads/formats/state_dict_pickle.hpp"

#include <deque>
#include <map>
#include <set>
#include <utility>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

enum class Kind : std::uint8_t { kOther, kNumber, kText, kGlobal, kTuple, kDictionary, kStorage, kTensor };

struct Value;
using Items = std::vector<Value>;

// One object of the pickle. What it refers to is the machine's: objects may nest as deep as they like and hold themselves, and are freed
// without recursion. A text is a piece of the pickle: a copy costs nothing, however often the pickle asks for one.
struct Value {
  Kind kind = Kind::kOther;
  std::int64_t number = 0;
  std::string_view text = {};  // a global's as in the pickle, "module\nname"
  Items* items = nullptr;      // of tuples and dictionaries (key, value, key, value, ...), shared as references are in Python
  const StoredTensor* tensor = nullptr;
};

Value number(std::int64_t value) { return {.kind = Kind::kNumber, .number = value}; }

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
  constexpr std::size_t kMaxDimensions = 64;  // LibTorch's own
  const auto& items = *expect(tuple, Kind::kTuple).items;
  if (items.size() > kMaxDimensions) refuse("holds a tensor of " + std::to_string(items.size()) + " dimensions");
  std::vector<std::int64_t> values;
  for (const auto& item : items) values.push_back(expect(item, Kind::kNumber).number);
  return values;
}

// Copied for each tensor that asks for it.
std::string short_name(std::string_view text) {
  constexpr std::size_t kMaxBytes = 200;
  if (text.size() > kMaxBytes) refuse("holds a name of " + std::to_string(text.size()) + " bytes");
  return std::string(text);
}

// ("storage", torch.FloatStorage, key, location, elements)
StoredTensor stored(const Value& tuple) {
  StoredTensor tensor;
  const auto type = expect(argument(tuple, 1), Kind::kGlobal).text;
  tensor.storage_type = short_name(type.substr(type.find_last_of(".\n") + 1));
  tensor.key = short_name(expect(argument(tuple, 2), Kind::kText).text);
  tensor.elements = expect(argument(tuple, 4), Kind::kNumber).number;
  return tensor;
}

// (storage, offset, sizes, strides, requires_grad, hooks)
StoredTensor rebuilt_tensor(const Value& arguments) {
  StoredTensor tensor = *expect(argument(arguments, 0), Kind::kStorage).tensor;
  tensor.offset = expect(argument(arguments, 1), Kind::kNumber).number;
  tensor.sizes = numbers(argument(arguments, 2));
  tensor.strides = numbers(argument(arguments, 3));
  return tensor;
}

std::string with_dot(std::string_view global) {
  std::string name(global);
  const auto end_of_module = name.find('\n');
  if (end_of_module != std::string::npos) name[end_of_module] = '.';
  return name;
}

// The stack machine that a pickle is a program for (Python's pickletools lists its instructions). One per pickle.
class Machine {
 public:
  explicit Machine(std::string_view pickle) : rest_(pickle) {}

  // What it returns refers to what this machine holds.
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
      case '}': push_dictionary(); break;
      case 's': set_items(depth(2)); break;
      case 'u': set_items(pop_mark()); break;
      case 'K': stack_.push_back(number(integer(1))); break;
      case 'M': stack_.push_back(number(integer(2))); break;
      case 'J': stack_.push_back(number(static_cast<std::int32_t>(integer(4)))); break;
      case 0x8a: stack_.push_back(number(long_integer())); break;
      case 'X': stack_.push_back({.kind = Kind::kText, .text = take(integer(4))}); break;
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
      case 'Q': push_tensor(Kind::kStorage, stored(pop())); break;
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

  // A module's line and a name's.
  void push_global() {
    const auto end_of_module = rest_.find('\n');
    const auto end = end_of_module == std::string_view::npos ? end_of_module : rest_.find('\n', end_of_module + 1);
    if (end == std::string_view::npos) refuse("ends in the middle of a name");
    stack_.push_back({.kind = Kind::kGlobal, .text = take(static_cast<std::int64_t>(end))});
    take(1);
  }
  void push_dictionary() { stack_.push_back({.kind = Kind::kDictionary, .items = &items_.emplace_back()}); }
  void push_tensor(Kind kind, StoredTensor tensor) {
    stack_.push_back({.kind = kind, .tensor = &tensors_.emplace_back(std::move(tensor))});
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

  Items cut(std::size_t begin) {
    const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(begin);
    Items items(from, stack_.end());
    stack_.erase(from, stack_.end());
    return items;
  }
  void push_tuple(std::size_t begin) {
    auto& items = items_.emplace_back(cut(begin));
    stack_.push_back({.kind = Kind::kTuple, .items = &items});
  }
  void set_items(std::size_t begin) {
    const auto items = cut(begin);
    auto& into = *expect(top(), Kind::kDictionary).items;
    into.insert(into.end(), items.begin(), items.end());
  }

  // A call. Three are known.
  void reduce() {
    const auto arguments = pop();
    const auto global = expect(pop(), Kind::kGlobal).text;
    if (global == "collections\nOrderedDict") return push_dictionary();
    if (global == "torch._utils\n_rebuild_tensor_v2") return push_tensor(Kind::kTensor, rebuilt_tensor(arguments));
    if (global != "torch._utils\n_rebuild_parameter") refuse("holds " + with_dot(global));
    stack_.push_back(expect(argument(arguments, 0), Kind::kTensor));
  }

  std::string_view rest_;
  std::vector<Value> stack_;
  std::vector<std::size_t> marks_;
  std::map<std::int64_t, Value> memo_;
  std::deque<Items> items_;
  std::deque<StoredTensor> tensors_;
};

}  // namespace

std::vector<StoredTensor> read_state_dict_pickle(std::string_view pickle) {
  Machine machine(pickle);
  const auto content = machine.run();
  if (content.kind != Kind::kDictionary) refuse("holds something else than a dictionary");
  std::vector<StoredTensor> tensors;
  std::set<std::string_view> names;
  for (std::size_t i = 0; i + 1 < content.items->size(); i += 2) {
    const auto &name = (*content.items)[i], &value = (*content.items)[i + 1];
    if (name.kind != Kind::kText) refuse("holds a key that is not a name");
    if (!names.insert(name.text).second) refuse("holds " + std::string(name.text) + " twice");
    if (value.kind != Kind::kTensor) refuse("holds something else than a tensor as " + std::string(name.text));
    tensors.push_back(*value.tensor);
    tensors.back().name = name.text;
  }
  return tensors;
}

}  // namespace ddpbench
