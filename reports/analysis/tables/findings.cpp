#include "reports/analysis/tables/findings.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <string>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

std::string type_name(std::type_index type) {
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(type.name(), nullptr, nullptr, nullptr), &std::free);
  return name == nullptr ? type.name() : name.get();
}

}  // namespace

thread_local const Findings::Maker* Findings::maker_ = nullptr;

Findings::Maker::Maker(const Findings& findings_made, std::type_index type_made)
    : findings(findings_made), type(type_made), outer_(maker_) {
  maker_ = this;
}

Findings::Maker::~Maker() { maker_ = outer_; }

Findings::Made& Findings::ask_for(std::type_index type) const {
  const std::scoped_lock lock(mutex_);
  if (maker_ != nullptr && &maker_->findings == this) {
    const auto circle = chain(type, maker_->type);
    if (!circle.empty()) {
      auto text = type_name(maker_->type);
      for (const auto& one : circle) text += " asks for " + type_name(one);
      throw Error("findings ask each other in a circle: " + text);
    }
    made_[maker_->type].asked_for.insert(type);
  }
  return made_[type];
}

std::vector<std::type_index> Findings::chain(std::type_index from, std::type_index to) const {
  if (from == to) return {from};
  for (const auto& next : made_[from].asked_for) {
    auto rest = chain(next, to);
    if (rest.empty()) continue;
    rest.insert(rest.begin(), from);
    return rest;
  }
  return {};
}

}  // namespace ddpbench
