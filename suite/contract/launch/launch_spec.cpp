#include "suite/contract/launch/launch_spec.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <variant>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/field_text.hpp"

namespace ddpbench {
namespace {

// One flag of the worker. `write` gives a value per use of the flag: none where the field has its default.
struct Flag {
  std::string name;
  std::string help;
  std::function<std::vector<std::string>(const LaunchSpec&)> write;
  std::function<void(const std::string&, LaunchSpec&)> read;
};

// "--ranks-per-node" of "ranks_per_node".
std::string flag_name(std::string_view field) {
  std::string flag = "--" + std::string(field);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string purpose_help() {
  std::vector<std::string> all;
  for (const auto& entry : purposes()) all.push_back(std::string(entry.name) + ": " + std::string(entry.help));
  return join(all, "; ");
}

// The fields that are a launch's own: all that is no axis, no key of the protocol and no option.
struct Field {
  const char* name;
  std::variant<std::string LaunchSpec::*, std::int64_t LaunchSpec::*, std::vector<std::string> LaunchSpec::*> member;
  std::string help;
};
const std::array kFields{
    Field{"launch_id", &LaunchSpec::launch_id, "name of this launch in every file"},
    Field{"cell_id", &LaunchSpec::cell_id, "name of the cell that this launch repeats"},
    Field{"repetition", &LaunchSpec::repetition, "which launch of its cell this is, from 0"},
    Field{"seed", &LaunchSpec::seed, "weights, shuffling and order of arms"},
    Field{"arms", &LaunchSpec::arms, "comma-separated; the reference `raw` among them"},
    Field{"purpose", &LaunchSpec::purpose, purpose_help()},
    Field{"cases", &LaunchSpec::cases, "of purpose collectives, comma-separated: all_reduce:4096"},
    Field{"profiler", &LaunchSpec::profiler, "of purpose profile: kineto or nsys"},
    Field{"profile_steps", &LaunchSpec::profile_steps, "of purpose profile: FIRST..LAST of each arm's steps (11..20)"},
    Field{"profile_schedule", &LaunchSpec::profile_schedule,
          "of profiler kineto, in place of profile_steps: WAIT/WARMUP/ACTIVE/REPEAT, as in 1/1/3/2"},
    Field{"profile_ranks", &LaunchSpec::profile_ranks, "of purpose profile, comma-separated: ranks that record (all)"},
    Field{"profile_with", &LaunchSpec::profile_with, "of profiler kineto, comma-separated: shapes, memory, stacks"},
    Field{"data", &LaunchSpec::data, "folder with the data set's binary files"},
    Field{"part_dir", &LaunchSpec::part_dir, "folder that takes this launch's part files; made where it is not there"},
};

std::string as_text(const std::vector<std::string>& words) { return join(words, ","); }
template <class Value>
std::string as_text(const Value& value) {
  return field_text(value);
}

bool read_text(const std::string& text, std::vector<std::string>& words) {
  words = split(text, ',');
  return true;
}
template <class Value>
bool read_text(const std::string& text, Value& value) {
  return read_field(text, value);
}

Flag flag_of(const Field& field) {
  const auto write = [&field](const LaunchSpec& spec) -> std::vector<std::string> {
    return std::visit(
        [&](auto member) -> std::vector<std::string> {
          if (spec.*member == LaunchSpec{}.*member) return {};
          return {as_text(spec.*member)};
        },
        field.member);
  };
  const auto read = [&field](const std::string& text, LaunchSpec& spec) {
    const bool is_read = std::visit([&](auto member) { return read_text(text, spec.*member); }, field.member);
    if (!is_read) throw UsageError(std::string(field.name) + ": must be an integer, not '" + text + "'");
  };
  return {flag_name(field.name), field.help, write, read};
}

Flag flag_of(const StandardAxis& axis) {
  const auto write = [&axis](const LaunchSpec& spec) -> std::vector<std::string> {
    if (is_default(axis, spec)) return {};
    return {text_of(axis, spec)};
  };
  return {flag_name(axis.name), axis.help, write, [&axis](const auto& text, LaunchSpec& spec) { set_axis(axis, text, spec); }};
}

Flag flag_of(const ProtocolField& field) {
  const auto write = [&field](const LaunchSpec& spec) -> std::vector<std::string> {
    if (is_default(field, spec.protocol)) return {};
    return {text_of(field, spec.protocol)};
  };
  const auto read = [&field](const std::string& text, LaunchSpec& spec) { set_field(field, text, spec.protocol); };
  return {flag_name(field.key), help_of(field), write, read};
}

Flag flag_of(const OptionGroupEntry& group) {
  const auto which = group.group;
  const auto write = [which](const LaunchSpec& spec) {
    std::vector<std::string> values;
    for (const auto& [name, value] : spec.options[which]) values.push_back(name + "=" + value);
    return values;
  };
  const auto flag = flag_name(std::string(group.name) + "_option");
  const auto read = [which, flag](const std::string& text, LaunchSpec& spec) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) throw UsageError(flag + " takes name=value, not '" + text + "'");
    spec.options[which][text.substr(0, equals)] = text.substr(equals + 1);
  };
  return {flag, "name=value, may be repeated", write, read};
}

Flag flag_of(const OwnCodeKind& kind) {
  const auto flag = flag_name(kind.feature);
  const auto form = std::string("NAME=") + kind.form;
  const auto write = [&kind](const LaunchSpec& spec) {
    std::vector<std::string> values;
    const auto found = spec.own_code.find(kind.feature);
    if (found == spec.own_code.end()) return values;
    for (const auto& [name, where] : found->second) values.push_back(name + "=" + where);
    return values;
  };
  const auto read = [&kind, flag, form](const std::string& text, LaunchSpec& spec) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) throw UsageError(flag + " takes " + form + ", not '" + text + "'");
    spec.own_code[kind.feature][text.substr(0, equals)] = text.substr(equals + 1);
  };
  return {flag, form + ", may be repeated", write, read};
}

std::vector<Flag> all_flags() {
  std::vector<Flag> flags;
  for (const auto& field : kFields) flags.push_back(flag_of(field));
  for (const auto& axis : standard_axes()) flags.push_back(flag_of(axis));
  for (const auto& field : protocol_fields()) {
    if (field.reader == ProtocolReader::kRanks) flags.push_back(flag_of(field));
  }
  for (const auto& group : kOptionGroups) flags.push_back(flag_of(group));
  for (const auto& kind : kOwnCodeKinds) flags.push_back(flag_of(kind));
  return flags;
}

const std::vector<Flag>& flags() {
  static const auto all = all_flags();
  return all;
}

}  // namespace

std::vector<std::string> to_tokens(const LaunchSpec& spec) {
  std::vector<std::string> tokens;
  for (const auto& flag : flags()) {
    for (auto& value : flag.write(spec)) {
      tokens.push_back(flag.name);
      tokens.push_back(std::move(value));
    }
  }
  return tokens;
}

LaunchSpec launch_spec_from_tokens(const std::vector<std::string>& tokens) {
  LaunchSpec spec;
  for (std::size_t i = 0; i < tokens.size(); i += 2) {
    const auto flag = std::find_if(flags().begin(), flags().end(), [&](const Flag& f) { return tokens[i] == f.name; });
    if (flag == flags().end()) throw UsageError("unknown option '" + tokens[i] + "' (see --help)");
    if (i + 1 == tokens.size()) throw UsageError("option '" + tokens[i] + "' needs a value");
    flag->read(tokens[i + 1], spec);
  }
  return spec;
}

std::string launch_spec_help() {
  std::string text;
  for (const auto& flag : flags()) {
    std::string line = "  " + flag.name;
    line.resize(std::max<std::size_t>(line.size() + 2, 28), ' ');
    text += line + flag.help + "\n";
  }
  return text;
}

}  // namespace ddpbench
