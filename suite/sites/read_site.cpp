#include "suite/sites/read_site.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <sstream>
#include <variant>

#include "suite/base/durable_file.hpp"
#include "suite/base/nearest.hpp"
#include "suite/base/printable.hpp"
#include "suite/contract/toml_bounds.hpp"
#include "suite/plan/find_experiment.hpp"
#include "suite/plan/message_text.hpp"
#include "suite/plan/mistakes.hpp"
#include "suite/sites/batch_systems.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxBytes = 1 << 20;  // a page is usual

template <class Object>
struct Field {
  const char* key;  // "node.gpus": gpus under [node]
  std::variant<std::string Object::*, std::int64_t Object::*, double Object::*, std::vector<std::string> Object::*> member;
  bool is_required;
  const char* help;
};

const std::vector<Field<Site>>& fields() {
  static const std::vector<Field<Site>> kFields{
      {"description", &Site::description, true, "the cluster and its nodes, in a line"},
      {"batch_system", &Site::batch_system, true, "slurm or pbs"},
      {"launcher", &Site::launcher, true, "what starts the ranks in a job: srun, mpirun, pbsdsh, …"},
      {"resources", &Site::resources, true, "options of the batch system that say how much a job needs"},
      {"directives", &Site::directives, false, "its other options: partition, constraint, queue, …"},
      {"account", &Site::account, false, "its option that says who pays, with {account}; without it none is asked"},
      {"setup", &Site::setup, false, "lines of shell before the run: modules, variables"},
      {"collect", &Site::collect, false,
       "options of a small job that makes the report when the others have ended; without it there is none"},
      {"data", &Site::data, false, "folder of data sets, as the shell reads it; without it the usual places"},
      {"node.gpus", &Site::node_gpus, true, "GPUs of a node; 0: none, or not known"},
      {"node.cores", &Site::node_cores, false, "physical cores of a node"},
      {"node.memory_gib", &Site::node_memory_gib, false, "memory of a node"},
      {"node.gpu", &Site::gpu, false, "the GPU's name"},
      {"node.gpu_sm", &Site::gpu_sm, false, "its compute capability, 70 is 7.0"},
      {"node.gpu_memory_gib", &Site::gpu_memory_gib, false, "memory of a GPU"},
      {"limits.nodes", &Site::most_nodes, false, "most nodes of a job"},
      {"limits.hours", &Site::most_hours, false, "longest time of a job"},
      {"price.gpu_hour", &Site::price_per_gpu_hour, false, "what an hour of one GPU costs"},
      {"price.unit", &Site::price_unit, false, "its unit: EUR, SU, …"},
  };
  return kFields;
}

const std::vector<Field<QualityOfService>>& quality_fields() {
  using Q = QualityOfService;
  static const std::vector<Field<Q>> kFields{
      {"name", &Q::name, true, "as the batch system calls it"},
      {"hours", &Q::hours, false, "longest time of a job"},
      {"gpus", &Q::gpus, false, "most GPUs of a job"},
      {"jobs", &Q::jobs, false, "most jobs of a user at a time"},
  };
  return kFields;
}

constexpr const char* kQualities = "qos";

const char* type_text(const std::string& /*type*/) { return "text"; }
const char* type_text(std::int64_t /*type*/) { return "a whole number, 0 or more"; }
const char* type_text(double /*type*/) { return "a number, 0 or more"; }
const char* type_text(const std::vector<std::string>& /*type*/) { return "a list of texts"; }

bool take(const toml::node& node, std::string& member) {
  if (const auto* text = node.as_string()) member = text->get();
  return node.is_string();
}
bool take(const toml::node& node, std::int64_t& member) {
  if (const auto* number = node.as_integer()) member = number->get();
  return node.is_integer() && member >= 0;
}
bool take(const toml::node& node, double& member) {
  member = node.value<double>().value_or(-1);
  return node.is_number() && member >= 0;
}
bool take(const toml::node& node, std::vector<std::string>& member) {
  const auto* list = node.as_array();
  if (list == nullptr) return false;
  for (const auto& element : *list) {
    if (!element.is_string()) return false;
    member.push_back(element.as_string()->get());
  }
  return true;
}

template <class Object>
std::vector<std::string> keys_of(const std::vector<Field<Object>>& fields) {
  std::vector<std::string> keys;
  for (const auto& field : fields) keys.emplace_back(field.key);
  return keys;
}

class SiteReader {
 public:
  explicit SiteReader(std::string origin) : origin_(std::move(origin)) {}

  Site read(toml::table file) {
    Site site;
    site.name = fs::path(origin_).stem().string();
    site.origin = origin_;
    read_qualities(file, site);
    file.erase(kQualities);
    read_table(file, fields(), site);
    check_batch_system(site);
    for (const auto* options : {&site.directives, &site.resources, &site.collect}) {
      for (const auto& option : *options) check_option(option);
    }
    check_option(site.account, {"account"});
    if (!site.account.empty() && site.account.find("{account}") == std::string::npos)
      add("account", "must hold {account}, in whose place the name stands");
    mistakes_.throw_if_any();
    return site;
  }

 private:
  void add(const std::string& key, const std::string& why) { mistakes_.add(origin_ + ": " + within_ + key + ": " + why); }

  template <class Object>
  void read_table(const toml::table& table, const std::vector<Field<Object>>& known, Object& object) {
    for (const auto& [name, node] : table) {
      const std::string key(name.str());
      const auto* section = node.as_table();
      if (section == nullptr || !is_section(key, known)) {
        read_field(key, node, known, object);
        continue;
      }
      for (const auto& [inner, value] : *section) read_field(key + "." + std::string(inner.str()), value, known, object);
    }
    for (const auto& field : known) {
      if (field.is_required && !table.at_path(field.key)) add(field.key, std::string("is missing: ") + field.help);
    }
  }

  template <class Object>
  static bool is_section(const std::string& key, const std::vector<Field<Object>>& known) {
    return std::any_of(known.begin(), known.end(),
                       [&](const auto& field) { return std::string_view(field.key).starts_with(key + "."); });
  }

  template <class Object>
  void read_field(const std::string& key, const toml::node& node, const std::vector<Field<Object>>& known, Object& object) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& field) { return field.key == key; });
    if (found == known.end()) return add_unknown(key, keys_of(known));
    std::visit(
        [&](auto member) {
          if (!take(node, object.*member)) add(key, std::string("must be ") + type_text(object.*member));
          require_printable(key, object.*member);
        },
        found->member);
  }

  // All of a site's texts stand in scripts or on the terminal.
  void require_printable(const std::string& key, const std::string& text) {
    if (!is_printable_line(text)) add(key, "'" + shown(text) + "': must be a single line of printable characters");
  }
  void require_printable(const std::string& key, const std::vector<std::string>& texts) {
    for (const auto& text : texts) require_printable(key, text);
  }
  template <class Number>
  void require_printable(const std::string& /*key*/, Number /*number*/) {}

  void add_unknown(const std::string& key, const std::vector<std::string>& known) {
    add(shown(key), "is no key of a site (known: " + listed(known) + ")" + did_you_mean(known, key));
  }

  void read_qualities(const toml::table& file, Site& site) {
    const auto* node = file.get(kQualities);
    if (node == nullptr) return;
    const auto* list = node->as_array();
    if (list == nullptr || !list->is_homogeneous(toml::node_type::table))
      return add(kQualities, "must be written as tables, [[qos]]");
    within_ = std::string(kQualities) + ".";
    for (const auto& element : *list) {
      QualityOfService quality;
      read_table(*element.as_table(), quality_fields(), quality);
      check_option(quality.name, {});
      site.qualities.push_back(std::move(quality));
    }
    within_.clear();
  }

  void check_batch_system(const Site& site) {
    if (site.batch_system.empty()) return;
    std::vector<std::string> names;
    for (const auto& system : batch_systems()) names.emplace_back(system.name);
    if (std::find(names.begin(), names.end(), site.batch_system) == names.end())
      add("batch_system", "'" + shown(site.batch_system) + "': must be " + listed(names));
  }

  void check_option(const std::string& option) {
    std::vector<std::string> names;
    for (const auto& placeholder : placeholders()) names.emplace_back(placeholder.name);
    check_option(option, names);
  }

  void check_option(const std::string& option, const std::vector<std::string>& legal) {
    for (auto begin = option.find('{'); begin != std::string::npos; begin = option.find('{', begin + 1)) {
      const auto end = option.find('}', begin);
      const auto name = option.substr(begin + 1, end == std::string::npos ? end : end - begin - 1);
      if (end == std::string::npos || std::find(legal.begin(), legal.end(), name) == legal.end())
        add("option '" + shown(option) + "'", "{" + shown(name) + "} is not known (known: " + listed(legal) + ")");
    }
  }

  std::string origin_;
  std::string within_;  // "qos." while its tables are read
  Mistakes mistakes_;
};

template <class Object>
void append_schema(std::ostringstream& text, const std::vector<Field<Object>>& known, const std::string& section) {
  for (const auto& field : known) {
    const auto type = std::visit(
        [](auto member) {
          Object object;
          return type_text(object.*member);
        },
        field.member);
    text << section << field.key << ": " << type << (field.is_required ? ", required" : "") << ": " << field.help << "\n";
  }
}

}  // namespace

Site read_site(const std::string& toml_text, const std::string& origin) {
  require_bounded_toml(toml_text, origin);
  try {
    return SiteReader(origin).read(toml::parse(toml_text, origin));
  } catch (const toml::parse_error& error) {
    throw UsageError(origin + ":" + std::to_string(error.source().begin.line) + ": not TOML: " + shown(error.description(), 300));
  }
}

Site find_site(const std::string& name_or_path, const fs::path& folder) {
  const auto names = site_names(folder);
  const bool is_name = std::find(names.begin(), names.end(), name_or_path) != names.end();
  const auto path = is_name ? (folder / (name_or_path + ".toml")).string() : name_or_path;
  std::error_code unreadable;
  if (is_name || fs::is_regular_file(path, unreadable)) {
    try {
      return read_site(read_file(path, kMaxBytes), path);
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      throw UsageError("--site " + shown(name_or_path) + ": " + shown(error.what(), 500));
    }
  }
  throw UsageError("--site '" + shown(name_or_path) + "' is no file and no known site: must be a TOML file or one of " +
                   listed(names) + did_you_mean(names, name_or_path));
}

std::vector<std::string> site_names(const fs::path& folder) { return names_of_toml_files(folder); }

std::string site_schema_text() {
  std::ostringstream text;
  append_schema(text, fields(), "");
  append_schema(text, quality_fields(), std::string(kQualities) + ".");
  return text.str();
}

}  // namespace ddpbench
