#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "suite/contract/vocabulary/vocabulary.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {

// Describes an experiment, a launcher, a site or a table: what the vocabulary does not hold.
struct ListedEntry {
  std::string name;
  std::string help;
  std::string why_not;  // not empty: not possible here
  std::vector<OptionEntry> options{};
};

// Holds all that `ddpbench list` can show.
struct ListSources {
  const Vocabulary& vocabulary;
  const Availability& availability;
  std::vector<ListedEntry> launchers;
  std::vector<ListedEntry> sites;
  std::vector<ListedEntry> tables{};
  std::vector<ListedEntry> experiments{};
};

// Returns the sections of `ddpbench list` in their order: experiments, arms, features, …
std::vector<std::string> list_sections();

// Writes one section with what its entries are, for people; where `section` is empty the names in all sections. Throws UsageError
// naming the legal sections.
std::string list_text(const ListSources& sources, const std::string& section);

// Returns the same for programs, everything where `section` is empty: {"probed": bool, "arms": [{"name", "help", "available":
// true, false or null (not probed), "why_not", "options": […]}], …}. Throws the same.
nlohmann::ordered_json list_json(const ListSources& sources, const std::string& section);

}  // namespace ddpbench
