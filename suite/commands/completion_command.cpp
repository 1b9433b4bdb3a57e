#include <array>
#include <iostream>
#include <memory>

#include "suite/commands/commands.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/launch/installation.hpp"
#include "suite/plan/find_experiment.hpp"
#include "suite/plan/list_text.hpp"

namespace ddpbench {
namespace {

struct Shell {
  const char* name;
  const char* before;   // what makes it understand bash's completions
  const char* install;  // the line for the user's start file
};

constexpr std::array kShells{
    Shell{"bash", "", "source <(ddpbench completion bash)    # in ~/.bashrc"},
    Shell{"zsh", "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n",
          "source <(ddpbench completion zsh)    # in ~/.zshrc"},
};

constexpr const char* kBegin = R"(_ddpbench() {
  local word=${COMP_WORDS[COMP_CWORD]} chosen=${COMP_WORDS[1]} known match files=yes
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then chosen=""; fi
  case $chosen in
)";

// An option, or one of the words that stand in its place, or a file.
constexpr const char* kEnd = R"(    *) known="" ;;
  esac
  case $word,$chosen in -* | *, | *,list | *,completion) files=no ;; esac
  while IFS= read -r match; do COMPREPLY+=("$match"); done < <(
    compgen -W "$known" -- "$word"
    if [[ $files == yes ]]; then compgen -f -- "$word"; fi
  )
  if [[ $files == yes ]] && type compopt >/dev/null 2>&1; then compopt -o filenames 2>/dev/null; fi
}
complete -F _ddpbench ddpbench
)";

std::vector<std::string> long_options(const CLI::App& app) {
  std::vector<std::string> found;
  for (const auto* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) found.push_back("--" + name);
  }
  return found;
}

// By the name of the argument in the command's help.
std::vector<std::string> words_for(const CLI::Option& positional) {
  if (positional.get_name() == "EXPERIMENT") return shipped_experiments(find_installation().share.string());
  if (positional.get_name() == "SECTION") return list_sections();
  if (positional.get_name() != "SHELL") return {};
  std::vector<std::string> shells;
  for (const auto& shell : kShells) shells.emplace_back(shell.name);
  return shells;
}

std::string case_of(const std::string& command, const std::vector<std::string>& words) {
  std::string line = "    \"" + command + "\") known=\"";
  for (const auto& word : words) line += (&word == &words.front() ? "" : " ") + word;
  return line + "\" ;;\n";
}

std::string cases() {
  std::vector<std::string> names{"--help", "--version"};
  std::string text;
  for (const auto& command : commands()) {
    CLI::App app("", command.name);
    command.declare(app);
    auto words = long_options(app);
    for (const auto* sub : app.get_subcommands(nullptr)) words.push_back(sub->get_name());
    for (const auto* option : app.get_options()) {
      const auto known = option->get_positional() ? words_for(*option) : std::vector<std::string>();
      words.insert(words.end(), known.begin(), known.end());
    }
    text += case_of(command.name, words);
    names.emplace_back(command.name);
  }
  return case_of("", names) + text;
}

ExitCode print_completion(const std::string& name) {
  const auto& shell = find_entry(kShells, "shell", name);
  std::cout << "# " << shell.install << "\n" << shell.before << kBegin << cases() << kEnd;
  return ExitCode::kDone;
}

CommandAction declare_completion(CLI::App& app) {
  const auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash or zsh")->required();
  return [shell] { return print_completion(*shell); };
}

}  // namespace

CommandEntry completion_command() {
  return {"completion",
          "Prints a completion script for bash or zsh: commands, options, experiments",
          "To install it, copy the first line of its output into ~/.bashrc or ~/.zshrc.",
          "ddpbench completion bash",
          "0 done; 2 a mistake in the command",
          declare_completion};
}

}  // namespace ddpbench
