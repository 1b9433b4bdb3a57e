#include "suite/formats/pickle_machine.hpp"

#include <utility>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

PickleValue number(std::int64_t value) { return {.kind = PickleValue::Kind::kNumber, .number = value}; }

}  // namespace

void PickleMachine::refuse(const std::string& what) const { throw UsageError(what + ", not " + is_); }

void PickleMachine::unknown(std::string_view global) const {
  std::string name(global);
  const auto end_of_module = name.find('\n');
  if (end_of_module != std::string::npos) name[end_of_module] = '.';
  refuse("holds " + name);
}

const PickleValue& PickleMachine::expect(const PickleValue& value, Kind kind) const {
  if (value.kind != kind) refuse("holds an object of an unknown layout");
  return value;
}

const PickleValue& PickleMachine::argument(const PickleValue& tuple, std::size_t place) const {
  if (expect(tuple, Kind::kTuple).items->size() <= place) refuse("holds an object with too few arguments");
  return (*tuple.items)[place];
}

std::vector<std::int64_t> PickleMachine::numbers(const PickleValue& tuple) const {
  constexpr std::size_t kMaxDimensions = 64;
  const auto& items = *expect(tuple, Kind::kTuple).items;
  if (items.size() > kMaxDimensions) refuse("holds a tensor of " + std::to_string(items.size()) + " dimensions");
  std::vector<std::int64_t> values;
  for (const auto& item : items) values.push_back(expect(item, Kind::kNumber).number);
  return values;
}

PickleValue PickleMachine::outside(const PickleValue& /*id*/) { refuse("refers to something outside"); }

void PickleMachine::set_state(const PickleValue& /*object*/, const PickleValue& /*state*/) {}

PickleValue PickleMachine::run() {
  while (step(static_cast<unsigned char>(take(1).front()))) continue;
  return pop();
}

bool PickleMachine::step(unsigned char instruction) {
  switch (instruction) {
    case 0x80: take(1); break;  // protocol
    case '.': return false;
    case '(': marks_.push_back(stack_.size()); break;
    case ')': push_items(Kind::kTuple, stack_.size()); break;
    case 't': push_items(Kind::kTuple, pop_mark()); break;
    case 0x85: push_items(Kind::kTuple, depth(1)); break;
    case 0x86: push_items(Kind::kTuple, depth(2)); break;
    case 0x87: push_items(Kind::kTuple, depth(3)); break;
    case ']': push_items(Kind::kList, stack_.size()); break;
    case 'a': add_items(Kind::kList, depth(1)); break;
    case 'e': add_items(Kind::kList, pop_mark()); break;
    case '}': push_items(Kind::kDictionary, stack_.size()); break;
    case 's': add_items(Kind::kDictionary, depth(2)); break;
    case 'u': add_items(Kind::kDictionary, pop_mark()); break;
    case 'K': stack_.push_back(number(integer(1))); break;
    case 'M': stack_.push_back(number(integer(2))); break;
    case 'J': stack_.push_back(number(static_cast<std::int32_t>(integer(4)))); break;
    case 0x88: stack_.push_back(number(1)); break;
    case 0x89: stack_.push_back(number(0)); break;
    case 0x8a: stack_.push_back(number(long_integer())); break;
    case 'U': push_text(1); break;
    case 'T':
    case 'X': push_text(4); break;
    case 'N': stack_.emplace_back(); break;
    case 'G': take(8), stack_.emplace_back(); break;
    case 'c': push_global(); break;
    case 'q': memo_[integer(1)] = top(); break;
    case 'r': memo_[integer(4)] = top(); break;
    case 'h': stack_.push_back(remembered(integer(1))); break;
    case 'j': stack_.push_back(remembered(integer(4))); break;
    case 'Q': stack_.push_back(outside(pop())); break;
    case 'R':
    case 0x81: reduce(); break;  // a function, or a class's __new__
    case 'b': build(); break;
    default: refuse("holds pickle instruction " + std::to_string(instruction));
  }
  return true;
}

std::string_view PickleMachine::take(std::int64_t size) {
  if (size < 0 || static_cast<std::size_t>(size) > rest_.size()) refuse("ends in the middle of an object");
  const auto bytes = rest_.substr(0, static_cast<std::size_t>(size));
  rest_.remove_prefix(bytes.size());
  return bytes;
}

// Little endian, unsigned.
std::int64_t PickleMachine::integer(std::int64_t size) {
  std::uint64_t value = 0;
  int shift = 0;
  for (const char byte : take(size)) value |= std::uint64_t{static_cast<unsigned char>(byte)} << std::exchange(shift, shift + 8);
  return static_cast<std::int64_t>(value);
}

// Two's complement of as many bytes as it needs.
std::int64_t PickleMachine::long_integer() {
  const auto size = integer(1);
  if (size > 8) refuse("holds a number above 64 bit");
  const auto value = static_cast<std::uint64_t>(integer(size));
  if (size == 0 || size == 8) return static_cast<std::int64_t>(value);
  const auto sign = std::uint64_t{1} << (8 * size - 1);
  return static_cast<std::int64_t>(value ^ sign) - static_cast<std::int64_t>(sign);
}

void PickleMachine::push_text(std::int64_t length_bytes) {
  stack_.push_back({.kind = Kind::kText, .text = take(integer(length_bytes))});
}

// A module's line and a name's.
void PickleMachine::push_global() {
  const auto end_of_module = rest_.find('\n');
  const auto end = end_of_module == std::string_view::npos ? end_of_module : rest_.find('\n', end_of_module + 1);
  if (end == std::string_view::npos) refuse("ends in the middle of a name");
  stack_.push_back({.kind = Kind::kGlobal, .text = take(static_cast<std::int64_t>(end))});
  take(1);
}

PickleValue PickleMachine::new_dictionary() { return {.kind = Kind::kDictionary, .items = &items_.emplace_back()}; }

void PickleMachine::push_items(Kind kind, std::size_t begin) {
  auto& items = items_.emplace_back(cut(begin));
  stack_.push_back({.kind = kind, .items = &items});
}

void PickleMachine::add_items(Kind kind, std::size_t begin) {
  const auto items = cut(begin);
  auto& into = *expect(top(), kind).items;
  into.insert(into.end(), items.begin(), items.end());
}

void PickleMachine::reduce() {
  const auto arguments = pop();
  const auto global = expect(pop(), Kind::kGlobal).text;
  stack_.push_back(called(global, arguments));
}

void PickleMachine::build() {
  const auto state = pop();
  set_state(top(), state);
}

std::size_t PickleMachine::depth(std::size_t count) const {
  if (stack_.size() < count) refuse("takes more objects than it made");
  return stack_.size() - count;
}

PickleValue PickleMachine::pop() {
  auto value = top();
  stack_.pop_back();
  return value;
}

std::size_t PickleMachine::pop_mark() {
  if (marks_.empty() || marks_.back() > stack_.size()) refuse("ends a list that it did not begin");
  const auto mark = marks_.back();
  marks_.pop_back();
  return mark;
}

const PickleValue& PickleMachine::remembered(std::int64_t place) const {
  const auto found = memo_.find(place);
  if (found == memo_.end()) refuse("takes an object that it did not make");
  return found->second;
}

PickleItems PickleMachine::cut(std::size_t begin) {
  const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(begin);
  PickleItems items(from, stack_.end());
  stack_.erase(from, stack_.end());
  return items;
}

}  // namespace ddpbench
