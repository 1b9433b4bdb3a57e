#include "suite/base/library_errors.hpp"

#include <sys/resource.h>
#include <sys/statvfs.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <vector>

#include "suite/base/control_groups.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

struct KnownText {
  std::string_view part;  // of what PyTorch 2.7 to 2.11, Python 3.11 and libstdc++ say
  std::string (*meaning)(const std::string& root);
  bool is_all = false;  // nothing stands beside it
};

struct Room {
  std::uint64_t all = 0, left = 0;  // KiB
};

std::optional<Room> shared_memory(const std::string& root) {
  struct statvfs memory {};
  if (::statvfs((root + "/dev/shm").c_str(), &memory) != 0) return std::nullopt;
  return Room{memory.f_blocks * memory.f_frsize / 1024, memory.f_bavail * memory.f_frsize / 1024};
}

// Of a text that speaks of it. Those who filled it may have gone by now.
std::string full_shared_memory(const std::string& root) {
  const auto room = shared_memory(root);
  return "/dev/shm is full" + (room ? " (it has " + std::to_string(room->all) + " KiB)" : "") +
         ", through which the workers of a DataLoader hand over batches: num_workers=0, or a larger /dev/shm";
}

// Of a text that may mean a disk.
std::string perhaps_shared_memory(const std::string& root) {
  const auto room = shared_memory(root);
  return room && room->left < 1024 ? full_shared_memory(root) : "";
}

// "ulimit -v is 390 MiB", in `unit` bytes; "" where there is no such limit.
std::string limit_phrase(decltype(RLIMIT_AS) limit, const char* option, std::uint64_t unit, const char* unit_name) {
  rlimit own{};
  if (::getrlimit(limit, &own) != 0 || own.rlim_cur == RLIM_INFINITY) return "";
  return std::string("ulimit ") + option + " is " + std::to_string(own.rlim_cur / unit) + unit_name;
}

// Names this process's limit, which children inherit.
std::string memory_limit(const std::string& /*root*/) {
  constexpr std::uint64_t kMib = std::uint64_t{1} << 20;
  for (const auto& words : {limit_phrase(RLIMIT_AS, "-v", kMib, " MiB"), limit_phrase(RLIMIT_DATA, "-d", kMib, " MiB")})
    if (!words.empty()) return "there is no more memory within its limit (" + words + ")";
  return "";
}

std::string open_files_limit(const std::string& /*root*/) {
  const auto words = limit_phrase(RLIMIT_NOFILE, "-n", 1, "");
  return words.empty() ? "" : "a limit on open files is reached (" + words + ")";
}

const std::array kKnown{
    KnownText{"Expected to have finished reduction in the prior iteration",
              [](const std::string&) {
                return std::string("parameters of the model take no part in the loss: --set find_unused_parameters=true");
              }},
    KnownText{"Expected more than 1 value per channel when training",
              [](const std::string&) {
                return std::string("batch normalisation has one value per channel only: a larger batch_size_per_rank");
              }},
    KnownText{"unable to allocate shared memory(shm)", full_shared_memory},
    KnownText{"unable to write to file </torch_", full_shared_memory},
    KnownText{"out of shared memory", full_shared_memory},
    KnownText{"No space left on device", perhaps_shared_memory},
    KnownText{"Resource temporarily unavailable", process_limit_phrase,
              true},  // std::thread; of a socket it means something else
    KnownText{"[Errno 11] Resource temporarily unavailable", process_limit_phrase},
    KnownText{"can't start new thread", process_limit_phrase},
    KnownText{"std::bad_alloc", memory_limit},
    KnownText{"out of memory", memory_limit, true},
    KnownText{kNoMoreMemory, memory_limit},
    KnownText{"annot allocate memory", memory_limit},
    KnownText{"Too many open files in system", [](const std::string&) { return std::string(); }},  // no limit of ours
    KnownText{"Too many open files", open_files_limit},
};

}  // namespace

std::string process_limit_phrase(const std::string& root) {
  std::vector<std::string> limits;
  for (const auto& folder : control_group_folders("pids", root)) {
    std::string limit;
    if (limits.empty() && std::ifstream(folder + "/pids.max") >> limit && limit != "max")
      limits.push_back("pids.max of its control group is " + limit);
  }
  rlimit own{};
  if (root.empty() && ::getrlimit(RLIMIT_NPROC, &own) == 0 && own.rlim_cur != RLIM_INFINITY)
    limits.push_back("ulimit -u is " + std::to_string(own.rlim_cur));
  return "a limit on processes and threads is reached" + (limits.empty() ? "" : " (" + join(limits, ", ") + ")");
}

std::string explain_library_error(std::string_view library_text, const std::string& root) {
  for (const auto& known : kKnown) {
    if (known.is_all ? library_text == known.part : library_text.find(known.part) != std::string_view::npos)
      return known.meaning(root);
  }
  return "";
}

}  // namespace ddpbench
