#include "suite/store/linear_json.hpp"

#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/base/printable.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kDeepest = 64;  // a run's environment has six

// nlohmann calls it with each value in turn (its SAX interface).
class LinearBuilder : public nlohmann::json_sax<Json> {
 public:
  explicit LinearBuilder(std::string what) : what_(std::move(what)) {}
  Json take() { return std::move(root_); }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*elements*/) override { return open(Json::object()); }
  bool start_array(std::size_t /*elements*/) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (!open_.back().keys.insert(name).second)
      throw UsageError(what_ + " has the key " + printable(name) + " twice: the folder is damaged");
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/, const nlohmann::detail::exception& /*why*/) override {
    return false;
  }

 private:
  // A pointer to an open value stays valid: only what is innermost grows.
  struct Open {
    Json* json;
    std::unordered_set<std::string> keys;
  };

  Json* put(Json&& value) {
    if (open_.empty()) return &(root_ = std::move(value));
    auto& parent = *open_.back().json;
    if (parent.is_array()) return &parent.get_ref<Json::array_t&>().emplace_back(std::move(value));
    // The list below the map: its own emplace would look for the key once more.
    auto& members = static_cast<Json::object_t::Container&>(parent.get_ref<Json::object_t&>());
    return &members.emplace_back(std::move(key_), std::move(value)).second;
  }
  bool add(Json&& value) { return put(std::move(value)) != nullptr; }
  bool open(Json&& empty) {
    if (open_.size() == kDeepest) {
      throw UsageError(what_ + " is nested more than " + std::to_string(kDeepest) + " levels deep: the folder is damaged");
    }
    open_.push_back({put(std::move(empty)), {}});
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string what_, key_;
  Json root_;
  std::vector<Open> open_;
};

}  // namespace

nlohmann::ordered_json parse_ordered_json(const std::string& text, const std::string& what) {
  LinearBuilder builder(what);
  if (!Json::sax_parse(text, &builder)) throw UsageError(what + " is not JSON: the folder is damaged");
  return builder.take();
}

}  // namespace ddpbench
