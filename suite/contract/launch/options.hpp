#pragma once
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace ddpbench {

// Holds options by name, as text. Copies share one map until one of them is changed: a plan has 100,000 cells and a handful of
// maps.
class Options {
 public:
  using Map = std::map<std::string, std::string>;

  Options() : map_(no_options()) {}
  // Converts from a map, and to one.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Options(Map map) : map_(std::make_shared<Map>(std::move(map))) {}
  Options(std::initializer_list<Map::value_type> options) : Options(Map(options)) {}

  operator const Map&() const { return *map_; }  // NOLINT(google-explicit-constructor)
  Map::const_iterator begin() const { return map_->begin(); }
  Map::const_iterator end() const { return map_->end(); }
  Map::const_iterator find(const std::string& name) const { return map_->find(name); }
  std::size_t count(const std::string& name) const { return map_->count(name); }
  const std::string& at(const std::string& name) const { return map_->at(name); }
  bool empty() const { return map_->empty(); }

  std::string& operator[](const std::string& name) {
    if (map_.use_count() > 1) map_ = std::make_shared<Map>(*map_);
    return (*map_)[name];
  }

  friend bool operator==(const Options& a, const Options& b) { return *a.map_ == *b.map_; }

 private:
  static const std::shared_ptr<Map>& no_options() {
    static const auto none = std::make_shared<Map>();  // shared by all that are empty, so that nobody writes to it
    return none;
  }

  std::shared_ptr<Map> map_;
};

// Returns the value of `name` in a column `options`, "stem=imagenet;data=cifar"; "" where it is not there.
inline std::string option_value(const std::string& options, const std::string& name) {
  const auto wanted = ";" + name + "=";
  const auto text = ";" + options;
  const auto at = text.find(wanted);
  if (at == std::string::npos) return "";
  const auto begin = at + wanted.size();
  return text.substr(begin, text.find(';', begin) - begin);
}

}  // namespace ddpbench
