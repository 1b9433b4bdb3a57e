#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <typeindex>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

class Findings;

// Makes a finding. One that others than its table need has a specialisation, declared where its type is.
template <class Finding>
Finding make_finding(const Findings& findings);

// Gives the samples, the overhead table and what follows from them. Each finding is made once, when it is first asked for, be it by a
// table, by the answer or by another finding. Threads may ask at the same time.
class Findings {
 public:
  // Both must stay.
  Findings(const Study& of_study, const std::vector<OverheadRow>& of_overhead) : study(of_study), overhead(of_overhead) {}

  const Study& study;
  const std::vector<OverheadRow>& overhead;

  template <class Finding>
  const Finding& get() const {
    auto& made = made_of(typeid(Finding));
    std::call_once(made.once, [&] { made.finding = std::make_shared<const Finding>(make_finding<Finding>(*this)); });
    return *static_cast<const Finding*>(made.finding.get());
  }
  template <class Row>
  const std::vector<Row>& rows() const {
    return get<std::vector<Row>>();
  }

 private:
  struct Made {
    std::once_flag once;
    std::shared_ptr<const void> finding;
  };
  Made& made_of(std::type_index type) const {
    const std::scoped_lock lock(mutex_);
    return made_[type];
  }

  mutable std::mutex mutex_;
  mutable std::map<std::type_index, Made> made_;
};

}  // namespace ddpbench
