#include "suite/contract/launch_spec.hpp"

#include <algorithm>
#include <array>
#include <variant>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/option_values.hpp"

namespace ddpbench {
namespace {

using Member = std::variant<std::string LaunchSpec::*, std::int64_t LaunchSpec::*, double LaunchSpec::*, bool LaunchSpec::*,
                            std::vector<std::string> LaunchSpec::*, Options LaunchSpec::*>;

struct Field {
  const char* flag;
  Member member;
  const char* help;
};

const std::array kFields{
    Field{"--launch-id", &LaunchSpec::launch_id, "name of this launch in every file"},
    Field{"--cell-id", &LaunchSpec::cell_id, "name of the cell that this launch repeats"},
    Field{"--workload", &LaunchSpec::workload, "model, data set, loss and optimizer"},
    Field{"--strategy", &LaunchSpec::strategy, "how replicas meet"},
    Field{"--backend", &LaunchSpec::backend, "collectives"},
    Field{"--precision", &LaunchSpec::precision, "number formats of the step"},
    Field{"--nodes", &LaunchSpec::nodes, "machines"},
    Field{"--ranks-per-node", &LaunchSpec::ranks_per_node, "processes on each machine"},
    Field{"--devices-per-rank", &LaunchSpec::devices_per_rank, "devices that one process drives"},
    Field{"--batch-size-per-rank", &LaunchSpec::batch_size_per_rank, "images per rank and step"},
    Field{"--repetition", &LaunchSpec::repetition, "which launch of its cell this is, from 0"},
    Field{"--arms", &LaunchSpec::arms, "comma-separated; the reference `raw` among them"},
    Field{"--block-steps", &LaunchSpec::block_steps, "timed steps of a block, after one discarded step"},
    Field{"--warmup-steps", &LaunchSpec::warmup_steps, "untimed steps per arm before the first block"},
    Field{"--max-seconds", &LaunchSpec::max_seconds, "measure until the first super-block's end past this"},
    Field{"--min-super-blocks", &LaunchSpec::min_super_blocks, "but at least this many super-blocks"},
    Field{"--max-super-blocks", &LaunchSpec::max_super_blocks, "and at most this many (0: no bound)"},
    Field{"--margin-percent", &LaunchSpec::margin_percent,
          "a verdict's margin m, share of the step; half-widths below m/4 end it"},
    Field{"--margin-us", &LaunchSpec::margin_us, "but never less than this, microseconds"},
    Field{"--injected-us", &LaunchSpec::injected_us,
          "delay of the positive controls, microseconds of thread CPU (of the device: `injected+on_device`)"},
    Field{"--hang-timeout-seconds", &LaunchSpec::hang_timeout_seconds, "a collective that takes longer fails the launch"},
    Field{"--threads-per-rank", &LaunchSpec::threads_per_rank, "intra-op threads"},
    Field{"--deterministic", &LaunchSpec::deterministic, "true: deterministic kernels only"},
    Field{"--cudnn-benchmark", &LaunchSpec::cudnn_benchmark, "true: cuDNN tries its algorithms and keeps the fastest"},
    Field{"--seed", &LaunchSpec::seed, "weights, shuffling and order of arms"},
    Field{"--data", &LaunchSpec::data, "folder with the data set's binary files"},
    Field{"--part-dir", &LaunchSpec::part_dir, "folder that takes this launch's part files; made where it is not there"},
    Field{"--workload-option", &LaunchSpec::workload_options, "name=value, may be repeated"},
    Field{"--strategy-option", &LaunchSpec::strategy_options, "name=value, may be repeated"},
};

template <class Number>
Number number_from(const std::string& flag, const std::string& text) {
  const auto value = parse_finite<Number>(text);
  if (!value) throw UsageError(flag + " takes a number, not '" + text + "'");
  return *value;
}

bool switch_from(const std::string& flag, const std::string& text) {
  if (text != "true" && text != "false") throw UsageError(flag + " takes true or false, not '" + text + "'");
  return text == "true";
}

struct TokenWriter {
  const LaunchSpec& spec;
  const char* flag;
  std::vector<std::string>& tokens;

  void push(std::string value) const {
    tokens.emplace_back(flag);
    tokens.push_back(std::move(value));
  }
  void operator()(std::string LaunchSpec::*member) const {
    if (spec.*member != LaunchSpec{}.*member) push(spec.*member);
  }
  void operator()(std::int64_t LaunchSpec::*member) const {
    if (spec.*member != LaunchSpec{}.*member) push(shortest_text(spec.*member));
  }
  void operator()(double LaunchSpec::*member) const {
    if (spec.*member != LaunchSpec{}.*member) push(shortest_text(spec.*member));
  }
  void operator()(bool LaunchSpec::*member) const {
    if (spec.*member != LaunchSpec{}.*member) push(spec.*member ? "true" : "false");
  }
  void operator()(std::vector<std::string> LaunchSpec::*member) const {
    if (!(spec.*member).empty()) push(join(spec.*member, ","));
  }
  void operator()(Options LaunchSpec::*member) const {
    for (const auto& [name, value] : spec.*member) push(name + "=" + value);
  }
};

struct TokenReader {
  LaunchSpec& spec;
  const std::string& flag;
  const std::string& value;

  void operator()(std::string LaunchSpec::*member) const { spec.*member = value; }
  void operator()(std::int64_t LaunchSpec::*member) const { spec.*member = number_from<std::int64_t>(flag, value); }
  void operator()(double LaunchSpec::*member) const { spec.*member = number_from<double>(flag, value); }
  void operator()(bool LaunchSpec::*member) const { spec.*member = switch_from(flag, value); }
  void operator()(std::vector<std::string> LaunchSpec::*member) const { spec.*member = split(value, ','); }
  void operator()(Options LaunchSpec::*member) const {
    const auto equals = value.find('=');
    if (equals == std::string::npos) throw UsageError(flag + " takes name=value, not '" + value + "'");
    (spec.*member)[value.substr(0, equals)] = value.substr(equals + 1);
  }
};

}  // namespace

std::int64_t LaunchSpec::images_per_step() const {
  const auto accumulate = strategy_options.count("accumulate") > 0 ? OptionValues(strategy_options).integer("accumulate") : 1;
  return world_size() * batch_size_per_rank * accumulate;
}

std::vector<std::string> to_tokens(const LaunchSpec& spec) {
  std::vector<std::string> tokens;
  for (const auto& field : kFields) std::visit(TokenWriter{spec, field.flag, tokens}, field.member);
  return tokens;
}

LaunchSpec launch_spec_from_tokens(const std::vector<std::string>& tokens) {
  LaunchSpec spec;
  for (std::size_t i = 0; i < tokens.size(); i += 2) {
    const auto field = std::find_if(kFields.begin(), kFields.end(), [&](const Field& f) { return tokens[i] == f.flag; });
    if (field == kFields.end()) throw UsageError("unknown option '" + tokens[i] + "' (see --help)");
    if (i + 1 == tokens.size()) throw UsageError("option '" + tokens[i] + "' needs a value");
    std::visit(TokenReader{spec, tokens[i], tokens[i + 1]}, field->member);
  }
  return spec;
}

std::string launch_spec_help() {
  std::string text;
  for (const auto& field : kFields) {
    std::string line = "  " + std::string(field.flag);
    line.resize(std::max<std::size_t>(line.size() + 2, 28), ' ');
    text += line + field.help + "\n";
  }
  return text;
}

}  // namespace ddpbench
