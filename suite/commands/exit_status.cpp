#include "suite/commands/exit_status.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>

#include "suite/base/errors.hpp"
#include "suite/base/failure_text.hpp"
#include "suite/base/printable.hpp"
#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {
namespace {

// The whole line, or its two ends where it repeats more than anybody reads.
std::string bounded(const std::string& line) {
  constexpr std::size_t kHeadBytes = 2 << 10;
  constexpr std::size_t kTailBytes = 1 << 10;
  if (line.size() <= kHeadBytes + kTailBytes) return line;
  return printable(line, kHeadBytes) + printable(std::string_view(line).substr(line.size() - kTailBytes));
}

ExitCode told(const std::exception& error, ExitCode code, std::ostream& messages) {
  std::istringstream lines(failure_text(error));
  for (std::string line; std::getline(lines, line);) messages << "ddpbench: " << bounded(line) << '\n';
  messages << std::flush;
  return code;
}

}  // namespace

ExitCode guarded(const std::function<ExitCode()>& work, std::ostream& messages) {
  try {
    return work();
  } catch (const UsageError& error) {
    return told(error, ExitCode::kUsage, messages);
  } catch (const CannotRun& error) {
    return told(error, ExitCode::kCouldNotRun, messages);
  } catch (const StoppedError& error) {
    return told(error, ExitCode::kStopped, messages);
  } catch (const Error& error) {
    return told(error, ExitCode::kDoneWithFailures, messages);
  } catch (const std::filesystem::filesystem_error& error) {  // a path of the caller's that nobody foresaw
    return told(error, ExitCode::kUsage, messages);
  } catch (const nlohmann::json::exception& error) {  // likewise: a file
    return told(UsageError("a JSON file is not of this version: " + failure_text(error)), ExitCode::kUsage, messages);
  } catch (const std::exception& error) {
    return told(error, ExitCode::kCouldNotRun, messages);
  }
}

}  // namespace ddpbench
