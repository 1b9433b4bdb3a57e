#include "harness/ranks/store_values.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

using Values = StoreValues::Values;
using Answer = std::optional<Words>;

bool all_there(const Values& values, const Words& request) {
  return std::all_of(request.begin() + 1, request.end(), [&](const auto& key) { return values.contains(key); });
}

std::int64_t whole_number(const std::string& text) {
  const auto number = parse_number<std::int64_t>(text);
  if (!number) throw Error("the rendezvous adds whole numbers only");
  return *number;
}

Answer set(Values& values, const Words& request) {
  values[request[1]] = request[2];
  return Words{};
}

Answer get(Values& values, const Words& request) {
  const auto found = values.find(request[1]);
  return found == values.end() ? Answer() : Answer(Words{found->second});
}

Answer wait(Values& values, const Words& request) { return all_there(values, request) ? Answer(Words{}) : Answer(); }

Answer check(Values& values, const Words& request) { return Words{all_there(values, request) ? "1" : "0"}; }

Answer add(Values& values, const Words& request) {
  const auto found = values.find(request[1]);
  const auto before = found == values.end() ? 0 : whole_number(found->second);
  auto sum = std::to_string(before + whole_number(request[2]));
  values[request[1]] = sum;
  return Words{std::move(sum)};
}

Answer remove(Values& values, const Words& request) { return Words{values.erase(request[1]) > 0 ? "1" : "0"}; }

// As c10d's own stores: what is missing is made where nothing was expected, and else answered with what was expected.
Answer compare_set(Values& values, const Words& request) {
  const auto& [key, expected, desired] = std::tie(request[1], request[2], request[3]);
  const auto found = values.find(key);
  const bool sets = found == values.end() ? expected.empty() : found->second == expected;
  if (sets) values[key] = desired;
  return Words{sets ? desired : found == values.end() ? expected : found->second};
}

Answer count(Values& values, const Words& /*request*/) { return Words{std::to_string(values.size())}; }

constexpr std::size_t kAnyNumber = SIZE_MAX;

struct Verb {
  std::string_view name;
  std::size_t words;  // of the request, its name among them
  Answer (*answer)(Values&, const Words&);
};
constexpr std::array kVerbs{Verb{store_verb::kSet, 3, set},
                            Verb{store_verb::kGet, 2, get},
                            Verb{store_verb::kWait, kAnyNumber, wait},
                            Verb{store_verb::kCheck, kAnyNumber, check},
                            Verb{store_verb::kAdd, 3, add},
                            Verb{store_verb::kDelete, 2, remove},
                            Verb{store_verb::kCompareSet, 4, compare_set},
                            Verb{store_verb::kCount, 1, count}};

}  // namespace

std::optional<Words> StoreValues::answer(const Words& request) {
  const auto fits = [&](const Verb& verb) {
    return !request.empty() && verb.name == request.front() && (verb.words == kAnyNumber || verb.words == request.size());
  };
  const auto verb = std::find_if(kVerbs.begin(), kVerbs.end(), fits);
  if (verb == kVerbs.end()) throw Error("the rendezvous does not know this request");
  return verb->answer(values_, request);
}

}  // namespace ddpbench
