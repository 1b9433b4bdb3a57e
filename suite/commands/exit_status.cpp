#include "suite/commands/exit_status.hpp"

#include <sstream>
#include <string>

#include "suite/base/errors.hpp"
#include "suite/contract/exit_code.hpp"

namespace ddpbench {
namespace {

ExitCode told(const std::exception& error, ExitCode code, std::ostream& messages) {
  std::istringstream lines(error.what());
  for (std::string line; std::getline(lines, line);) messages << "ddpbench: " << line << '\n';
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
  } catch (const Stopped& error) {
    return told(error, ExitCode::kStopped, messages);
  } catch (const Error& error) {
    return told(error, ExitCode::kDoneWithFailures, messages);
  } catch (const std::exception& error) {
    return told(error, ExitCode::kCouldNotRun, messages);
  }
}

}  // namespace ddpbench
