#include "suite/commands/bisection.hpp"

#include <filesystem>
#include <sstream>

#include "suite/base/errors.hpp"
#include "suite/commands/compared_sides.hpp"
#include "suite/commands/percent_option.hpp"
#include "suite/launch/shell_text.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;

// What a step of a bisection hands on to its comparison.
std::string options_of_a_step(const CompareArguments& arguments) {
  std::string options;
  const auto add = [&options](const std::string& option, const std::string& value) {
    options += " " + option + " " + shell_quoted(value);
  };
  for (const auto& setting : arguments.overrides.settings) add("--set", setting);
  for (const auto& constraint : arguments.overrides.constraints) add("--constraint", constraint);
  if (arguments.overrides.quick) options += " --quick";
  if (!arguments.threshold.empty())
    add("--threshold", std::to_string(percent_option("--threshold", arguments.threshold, PercentBound::kFromZero)));
  if (!arguments.launch.data.empty()) add("--data", fs::absolute(arguments.launch.data).string());
  std::ostringstream minutes;
  minutes << arguments.looks.minutes;
  add("--minutes", minutes.str());
  return options;
}

}  // namespace

void print_bisection(const CompareArguments& arguments, std::ostream& out) {
  const auto dots = arguments.bisect.find("..");
  const auto good = arguments.bisect.substr(0, dots);
  const auto bad = dots == std::string::npos ? "" : arguments.bisect.substr(dots + 2);
  if (good.empty() || bad.empty() || arguments.base.empty() || arguments.what.size() != 1)
    throw UsageError("compare: --bisect GOOD..BAD needs two commits, --base (a build of GOOD) and one EXPERIMENT");
  const auto base = fs::absolute(arguments.base).lexically_normal();
  if (base == fs::absolute("build").lexically_normal())
    throw UsageError(
        "compare: --bisect builds every commit into ./build: --base must be another folder, for example ../before/build");
  const auto side = compared_side(side_folder::kBase, "--base", arguments.base);
  if (!side.settings.empty()) throw UsageError("compare: --bisect needs a build's folder as --base");
  const auto step = "./bootstrap.sh build >bisect.log 2>&1 || exit 125; out=$(mktemp -d); " +
                    shell_quoted((base / "bin" / "ddpbench").string()) + " compare --base " + shell_quoted(base.string()) +
                    " --new build " + shell_quoted(arguments.what.front()) + options_of_a_step(arguments) +
                    " --costs-only --until settled --require-verdict --out $out/compare; code=$?; "
                    "if grep -q ,REGRESSION, $out/compare/comparison.csv; then exit 1; fi; [ $code -eq 0 ] || exit 125";
  out << "git bisect start " << shell_quoted(bad) << ' ' << shell_quoted(good) << '\n'
      << "git bisect run sh -c " << shell_quoted(step) << '\n'
      << "git bisect reset\n"
      << std::flush;
}

}  // namespace ddpbench
