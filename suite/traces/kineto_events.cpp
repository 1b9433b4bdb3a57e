#include "suite/traces/kineto_events.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "suite/base/numbers.hpp"
#include "suite/contract/json_error_text.hpp"
#include "suite/traces/kineto_reader.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kTimeLimit = std::numeric_limits<std::int64_t>::max() / 4;

// Microseconds with decimals -> nanoseconds: by its digits, as a double has too few for an epoch's. -1: no time.
std::int64_t nanoseconds_of(std::string_view token, double value) {
  constexpr std::size_t kDecimals = 3;
  const auto point = token.find('.');
  const auto digits = token.substr(0, point);
  const bool is_plain = point != std::string_view::npos && token.find_first_of("-eE") == std::string_view::npos;
  const auto whole = is_plain ? parse_number<std::int64_t>(digits) : std::nullopt;
  if (!whole || *whole > kTimeLimit / 1000) {
    const auto rounded = std::round(value * 1000);
    return std::abs(rounded) < static_cast<double>(kTimeLimit) ? static_cast<std::int64_t>(rounded) : -1;
  }
  std::int64_t parts = 0;
  for (std::size_t i = point + 1; i <= point + kDecimals; ++i) parts = parts * 10 + (i < token.size() ? token[i] - '0' : 0);
  return *whole * 1000 + parts;
}

// Kineto's category, also as releases before 2.0 wrote it.
constexpr std::array kCategories{
    std::pair{"cpu_op", EventKind::kOperation},   std::pair{"user_annotation", EventKind::kRange},
    std::pair{"kernel", EventKind::kKernel},      std::pair{"cuda_runtime", EventKind::kCall},
    std::pair{"cuda_driver", EventKind::kCall},   std::pair{"gpu_memcpy", EventKind::kCopy},
    std::pair{"gpu_memset", EventKind::kCopy},    std::pair{"hip_runtime", EventKind::kCall},
    std::pair{"Operator", EventKind::kOperation}, std::pair{"Kernel", EventKind::kKernel},
    std::pair{"Runtime", EventKind::kCall},       std::pair{"Memcpy", EventKind::kCopy},
    std::pair{"Memset", EventKind::kCopy},
};

// Of sizes; 0 beyond those of any memory, and of negative ones.
std::int64_t product_of(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 50;
  return a <= 0 || b <= 0 || a > kLargest / b ? 0 : a * b;
}

// Of c10::DeviceType: "cpu", "cuda:0"; of one without a name here "device 20:0".
std::string device_name(std::int64_t type, std::int64_t index) {
  constexpr std::array kNames{std::pair{0, "cpu"}, std::pair{1, "cuda"}, std::pair{6, "hip"}, std::pair{12, "xpu"}};
  const auto* const known = std::find_if(kNames.begin(), kNames.end(), [&](const auto& one) { return one.first == type; });
  const auto name = known != kNames.end() ? std::string(known->second) : "device " + std::to_string(type);
  return index < 0 ? name : name + ":" + std::to_string(index);
}

}  // namespace

std::int64_t element_bytes(std::string_view type) {
  constexpr std::array kTypes{
      std::pair{"float", 4},       std::pair{"double", 8},   std::pair{"c10::Half", 2}, std::pair{"c10::BFloat16", 2},
      std::pair{"long int", 8},    std::pair{"int", 4},      std::pair{"short int", 2}, std::pair{"unsigned char", 1},
      std::pair{"signed char", 1}, std::pair{"bool", 1},     std::pair{"Float", 4},     std::pair{"Double", 8},
      std::pair{"Half", 2},        std::pair{"BFloat16", 2}, std::pair{"Long", 8},      std::pair{"Int", 4},
      std::pair{"Short", 2},       std::pair{"Byte", 1},     std::pair{"Char", 1},      std::pair{"Bool", 1},
  };
  for (const auto& [name, bytes] : kTypes) {
    if (type == name) return bytes;
  }
  return 0;
}

bool KinetoEvents::boolean(bool value) {
  if (depth_ == 2 && section_ == "ddpbench" && key_ == "knows_all_host_memory") trace_.knows_all_host_memory = value;
  return true;
}

bool KinetoEvents::number_integer(number_integer_t value) {
  return number(value, value >= 0 && value < kTimeLimit / 1000 ? value * 1000 : -1);
}

bool KinetoEvents::number_unsigned(number_unsigned_t value) {
  constexpr auto kMost = static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max());
  return number_integer(static_cast<number_integer_t>(std::min(value, kMost)));
}

bool KinetoEvents::number_float(number_float_t value, const string_t& token) {
  const bool is_small = std::abs(value) < 1e15;
  return number(is_small ? static_cast<std::int64_t>(value) : 0, nanoseconds_of(token, value));
}

bool KinetoEvents::number(std::int64_t value, std::int64_t nanoseconds) {
  if (in_event()) {
    if (key_ == "ts") {
      draft_.begin = nanoseconds;
      draft_.has_times = true;
    } else if (key_ == "dur") {
      draft_.duration = nanoseconds;
    } else if (key_ == "pid") {
      draft_.pid = std::to_string(value);
    } else if (key_ == "tid") {
      draft_.tid = std::to_string(value);
    }
  } else if (in_arguments()) {
    if (field_ == Field::kCorrelation) draft_.correlation = value;
    if (field_ == Field::kElements) draft_.elements = value;
    if (field_ == Field::kAllocated) draft_.allocated = value;
    if (field_ == Field::kReserved) draft_.reserved = value;
    if (field_ == Field::kDeviceType) draft_.device_type = value;
    if (field_ == Field::kDeviceId) draft_.device_id = value;
    if (field_ == Field::kShapes) product_ = product_of(product_ < 0 ? 1 : product_, value);
  } else if (depth_ == 2 && section_ == "distributedInfo" && key_ == "rank" && value >= 0 && value <= 1'000'000'000) {
    trace_.rank = static_cast<int>(value);
  }
  return true;
}

bool KinetoEvents::string(string_t& value) {
  if (in_event()) {
    if (key_ == "name")
      draft_.name = std::move(value);
    else if (key_ == "cat")
      draft_.category = std::move(value);
    else if (key_ == "ph")
      draft_.kind = value.size() == 1 ? value.front() : ' ';
    else if (key_ == "pid")
      draft_.pid = std::move(value);
    else if (key_ == "tid")
      draft_.tid = std::move(value);
  } else if (in_arguments()) {
    if (field_ == Field::kType || (field_ == Field::kShapeType && draft_.type.empty())) draft_.type = std::move(value);
  } else if (depth_ == 2 && section_ == "ddpbench" && key_ == "launch_id") {
    trace_.launch = std::move(value);
  }
  return true;
}

bool KinetoEvents::start_object(std::size_t /*count*/) {
  ++depth_;
  if (in_event()) draft_ = {};
  if (depth_ == 2 && section_ == "ddpbench") is_of_ddpbench_ = true;
  if (events_depth_ != 0 && depth_ == events_depth_ + 2) is_in_arguments_ = key_ == "args";
  return true;
}

bool KinetoEvents::key(string_t& name) {
  if (depth_ == 1) section_ = name;
  if (in_event() || depth_ == 2) key_ = name;
  if (events_depth_ == 0 || depth_ != events_depth_ + 2 || !is_in_arguments_) return true;
  field_ = name == "correlation"       ? Field::kCorrelation
           : name == "In msg nelems"   ? Field::kElements
           : name == "dtype"           ? Field::kType
           : name == "Input Dims"      ? Field::kShapes
           : name == "Input type"      ? Field::kShapeType
           : name == "Total Allocated" ? Field::kAllocated
           : name == "Total Reserved"  ? Field::kReserved
           : name == "Device Type"     ? Field::kDeviceType
           : name == "Device Id"       ? Field::kDeviceId
                                       : Field::kNone;
  return true;
}

bool KinetoEvents::end_object() {
  if (in_event() && draft_.kind == 'X' && draft_.has_times) add_event();
  if (in_event() && draft_.kind == 'i' && draft_.has_times && draft_.name == "[memory]") add_memory();
  --depth_;
  return true;
}

bool KinetoEvents::start_array(std::size_t /*count*/) {
  ++depth_;
  if (events_depth_ == 0 && (depth_ == 1 || (depth_ == 2 && section_ == "traceEvents"))) events_depth_ = depth_;
  product_ = -1;  // of no numbers
  return true;
}

bool KinetoEvents::end_array() {
  if (in_arguments() && field_ == Field::kShapes && product_ > 0)
    draft_.shape_elements = std::min(draft_.shape_elements + product_, std::int64_t{1} << 50);
  product_ = -1;
  if (depth_ == events_depth_) events_depth_ = std::numeric_limits<std::size_t>::max() / 2;  // over; there is no second one
  --depth_;
  return true;
}

bool KinetoEvents::parse_error(std::size_t /*position*/, const std::string& /*token*/, const nlohmann::json::exception& error) {
  mistake_ = json_error_text(error);
  return false;
}

void KinetoEvents::add_event() {
  const auto* const known =
      std::find_if(kCategories.begin(), kCategories.end(), [&](const auto& one) { return draft_.category == one.first; });
  constexpr std::int64_t kLongest = 30LL * 24 * 3600 * 1'000'000'000;  // nothing lasts a month
  if (known == kCategories.end() || draft_.duration < 0 || draft_.duration > kLongest || draft_.begin < 0) return;
  Event event;
  event.kind = known->second;
  std::string_view name = draft_.name;
  if (event.kind == EventKind::kRange || event.kind == EventKind::kOperation) {
    const auto kind = kind_of_range(name);
    if (event.kind == EventKind::kRange || kind == EventKind::kCollective) event.kind = kind;
  }
  if (event.kind == EventKind::kKernel && is_collective_kernel(name)) event.kind = EventKind::kCollectiveKernel;
  if (event.kind == EventKind::kCollective || event.kind == EventKind::kCollectiveKernel)
    event.value = product_of(draft_.elements > 0 ? draft_.elements : draft_.shape_elements, element_bytes(draft_.type));
  constexpr std::string_view kPhaseMark = "ddpbench:";
  if (event.kind == EventKind::kRange && name.starts_with(kPhaseMark)) {
    if (const auto phase = phase_place(name.substr(kPhaseMark.size()))) {
      event.kind = EventKind::kPhase;
      event.value = *phase;
      is_of_ddpbench_ = true;
    }
  }
  is_of_ddpbench_ = is_of_ddpbench_ || name == "measure@ddpbench";
  event.begin = draft_.begin;
  event.end = draft_.begin + draft_.duration;
  event.name = trace_.names.id(name);
  event.thread = trace_.threads.id(draft_.pid + "/" + draft_.tid);
  event.correlation = static_cast<std::uint32_t>(draft_.correlation);
  trace_.events.push_back(event);
}

void KinetoEvents::add_memory() {
  if (draft_.begin < 0 || draft_.allocated < 0 || draft_.reserved < 0) return;
  constexpr std::uint32_t kMostDevices = 64;  // of a damaged trace each event may name another
  const auto device = trace_.devices.id(device_name(draft_.device_type, draft_.device_id));
  if (device < kMostDevices) trace_.memory.push_back({draft_.begin, draft_.allocated, draft_.reserved, device});
}

}  // namespace ddpbench
