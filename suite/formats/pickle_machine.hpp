#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ddpbench {

struct PickleValue;

// Holds the members of a tuple or list, or keys and values of a dictionary by turns.
using PickleItems = std::vector<PickleValue>;

// Holds one object of a pickle. The machine owns what it refers to: objects may nest as deep as they like and hold themselves,
// and are freed without recursion. A text is a piece of the pickle: a copy costs nothing, however often the pickle asks for one.
struct PickleValue {
  enum class Kind : std::uint8_t { kOther, kNumber, kText, kGlobal, kTuple, kList, kDictionary, kObject };
  Kind kind = Kind::kOther;  // kOther: None, a floating-point number
  std::int64_t number = 0;   // True and False are 1 and 0; of an object: which one, as the reader that made it counts
  std::string_view text =
      {};  // bytes and texts; a global's as in the pickle, "module\nname"; of an object: its sort; a reader's own in others
  PickleItems* items =
      nullptr;  // of tuples, lists and dictionaries (key, value, key, value, ...), shared as references are in Python
};

// Runs the program that a pickle of protocol 2 is, on a stack (Python's pickletools lists its instructions). It runs no code:
// what the pickle calls is looked at by the reader that is derived from it, which knows a few functions and refuses all others.
// One per pickle.
class PickleMachine {
 public:
  using Kind = PickleValue::Kind;

  // Takes the pickle, which must outlive it. `is` stands in messages: "not a state_dict of tensors".
  PickleMachine(std::string_view pickle, std::string is) : rest_(pickle), is_(std::move(is)) {}
  PickleMachine(const PickleMachine&) = delete;
  PickleMachine& operator=(const PickleMachine&) = delete;
  virtual ~PickleMachine() = default;

  // Returns a value that refers to what this machine and the pickle hold. Throws UsageError for a pickle that is cut, or holds
  // what nobody knows.
  PickleValue run();

  [[noreturn]] void refuse(const std::string& what) const;               // throws UsageError: `what`, and `is`
  const PickleValue& expect(const PickleValue& value, Kind kind) const;  // refuses another kind
  // Returns the member of a tuple at `place`, from 0; refuses what has none.
  const PickleValue& argument(const PickleValue& tuple, std::size_t place) const;
  // Returns the members of a tuple of numbers, at most 64 (LibTorch's largest number of dimensions).
  std::vector<std::int64_t> numbers(const PickleValue& tuple) const;

 protected:
  // Gives the result of a call of `global` ("module\nname"); calls unknown() for what is not known.
  virtual PickleValue called(std::string_view global, const PickleValue& arguments) = 0;
  // Gives what lies outside the pickle under that id; refuses where a reader does not say otherwise.
  virtual PickleValue outside(const PickleValue& id);
  // Takes the attributes of an object, which say nothing here but where a reader says otherwise.
  virtual void set_state(const PickleValue& object, const PickleValue& state);

  PickleValue new_dictionary();
  [[noreturn]] void unknown(std::string_view global) const;

 private:
  bool step(unsigned char instruction);
  std::string_view take(std::int64_t size);
  std::int64_t integer(std::int64_t size);
  std::int64_t long_integer();
  void push_text(std::int64_t length_bytes);
  void push_items(Kind kind, std::size_t begin);
  void push_global();
  void reduce();
  void build();
  void add_items(Kind kind, std::size_t begin);
  std::size_t depth(std::size_t count) const;
  const PickleValue& top() const { return stack_[depth(1)]; }
  PickleValue pop();
  std::size_t pop_mark();
  const PickleValue& remembered(std::int64_t place) const;
  PickleItems cut(std::size_t begin);

  std::string_view rest_;
  std::string is_;
  std::vector<PickleValue> stack_;
  std::vector<std::size_t> marks_;
  std::map<std::int64_t, PickleValue> memo_;
  std::deque<PickleItems> items_;
};

}  // namespace ddpbench
