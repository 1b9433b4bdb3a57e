#pragma once
#include <set>
#include <string>
#include <vector>

#include "suite/contract/vocabulary/arm_facts.hpp"
#include "suite/plan/experiment.hpp"
#include "suite/plan/mistakes.hpp"
#include "suite/plan/option_rules.hpp"
#include "suite/plan/setting_checker.hpp"
#include "suite/plan/setting_list.hpp"

namespace ddpbench {

// Turns settings into an experiment and says what is wrong with them. Lives for one call of parse_experiment.
class ExperimentReader {
 public:
  ExperimentReader(const std::string& origin, const Vocabulary& vocabulary, SettingList& settings, Mistakes& mistakes)
      : origin_(origin), vocabulary_(vocabulary), settings_(settings), mistakes_(mistakes), checker_(mistakes) {}

  // Reads the experiment; what is wrong goes to the Mistakes.
  Experiment read(const std::vector<std::string>& further_constraints);

 private:
  using Rules = std::vector<OptionEntry>;  // a value must satisfy all of them
  struct PlacedText {
    std::string where;
    std::string text;
  };

  void read_name();
  void read_arms();
  bool all_arms_have_modules() const;
  void require_references(const Setting& setting);
  void read_standard_axes();
  void read_protocol();
  void find_option_rules();
  std::vector<std::string> chosen(const OptionGroupEntry& group) const;
  void read_options(const OptionGroupEntry& group);
  bool is_of_a_replaced_entry(const OptionGroupEntry& group, const Setting& setting) const;
  void read_option_axes();
  Rules rules_of_axis(const Setting& setting);
  void add_unknown_axis(const Setting& setting);
  std::vector<PlacedText> take_constraints();
  void read_constraints(const std::vector<PlacedText>& constraints);
  std::string constraint_of(const Setting& setting, const char* what);
  void read_arms_where();
  void read_extra_where();
  std::string arm_of(const Setting& setting);
  void check_contradiction();
  void check_cell_count();
  void check_constraint_work(double cells);
  void report_unknown();

  const std::vector<std::string>& names_on(const std::string& axis) const;

  const std::string& origin_;
  const Vocabulary& vocabulary_;
  SettingList& settings_;
  Mistakes& mistakes_;
  SettingChecker checker_;
  PerOptionGroup<OptionRules> option_rules_;
  std::set<std::string> overridden_;  // axes that the command line gave
  bool arms_are_overridden_ = false;
  Experiment experiment_;
  double constraint_terms_ = 0;  // of all constraints
};

}  // namespace ddpbench
