#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <typeindex>
#include <vector>

#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

class Findings;

// Makes a finding. One that others than its table need has a specialisation, declared where its type is.
template <class Finding>
Finding make_finding(const Findings& findings);

// Gives the samples, the overhead table and what follows from them. Each finding is made once, when it is first asked for, be it
// by a table, by the answer or by another finding. Threads may ask at the same time. Findings that ask each other in a circle
// would wait for each other without end: the one that closes it throws Error, which names them.
class Findings {
 public:
  // Both must stay.
  Findings(const Study& of_study, const std::vector<OverheadRow>& of_overhead) : study(of_study), overhead(of_overhead) {}

  const Study& study;
  const std::vector<OverheadRow>& overhead;

  // Asks in the thread that makes the finding: what another thread asks on its behalf is in no circle that is found.
  template <class Finding>
  const Finding& get() const {
    auto& made = ask_for(typeid(Finding));
    const std::scoped_lock lock(made.mutex);
    if (made.finding == nullptr) {
      const Maker maker(*this, typeid(Finding));
      made.finding = std::make_shared<const Finding>(make_finding<Finding>(*this));
    }
    return *static_cast<const Finding*>(made.finding.get());
  }
  template <class Row>
  const std::vector<Row>& rows() const {
    return get<std::vector<Row>>();
  }

 private:
  struct Made {
    std::mutex mutex;                     // held while the finding is made
    std::shared_ptr<const void> finding;  // null: not made yet
    std::set<std::type_index> asked_for;  // by what makes it
  };
  // Notes what this thread makes, while it lives.
  class Maker {
   public:
    Maker(const Findings& findings, std::type_index type);
    ~Maker();
    Maker(const Maker&) = delete;
    Maker& operator=(const Maker&) = delete;

    const Findings& findings;
    const std::type_index type;

   private:
    const Maker* outer_;
  };

  // Notes that what this thread makes asks for `type`. Throws Error where that closes a circle.
  Made& ask_for(std::type_index type) const;
  // Returns `from` and what leads from it to `to`, each asked for by the one before; empty where nothing does.
  std::vector<std::type_index> chain(std::type_index from, std::type_index to) const;

  static thread_local const Maker* maker_;
  mutable std::mutex mutex_;
  mutable std::map<std::type_index, Made> made_;
};

}  // namespace ddpbench
