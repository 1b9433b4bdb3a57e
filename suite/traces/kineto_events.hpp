#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suite/traces/trace.hpp"

namespace ddpbench {

// Takes a Chrome trace as it is parsed, key by key, and adds its events to a Trace. What it does not know it passes over.
class KinetoEvents : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit KinetoEvents(Trace& trace) : trace_(trace) {}

  bool null() override { return true; }
  bool boolean(bool value) override;
  bool number_integer(number_integer_t value) override;
  bool number_unsigned(number_unsigned_t value) override;
  bool number_float(number_float_t value, const string_t& token) override;
  bool string(string_t& value) override;
  bool binary(binary_t& /*value*/) override { return true; }
  bool start_object(std::size_t /*count*/) override;
  bool key(string_t& name) override;
  bool end_object() override;
  bool start_array(std::size_t /*count*/) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string& token, const nlohmann::json::exception& error) override;

  bool has_events_list() const { return events_depth_ != 0; }
  bool is_of_ddpbench() const { return is_of_ddpbench_; }
  const std::string& mistake() const { return mistake_; }  // of the text as JSON; "": none

 private:
  // What is known of the event that is being read.
  struct Draft {
    std::string name, category, pid, tid, type;
    std::int64_t begin = 0, duration = 0, correlation = 0, elements = 0, shape_elements = 0;
    std::int64_t allocated = -1, reserved = 0, device_type = 0, device_id = -1;  // of memory; allocated below 0: not there
    char kind = ' ';                                                             // X: has a length; i: an instant
    bool has_times = false;
  };
  enum class Field { kNone, kCorrelation, kElements, kType, kShapes, kShapeType, kAllocated, kReserved, kDeviceType, kDeviceId };

  bool in_event() const { return events_depth_ != 0 && depth_ == events_depth_ + 1; }
  bool in_arguments() const { return events_depth_ != 0 && depth_ > events_depth_ + 1 && is_in_arguments_; }
  bool number(std::int64_t value, std::int64_t nanoseconds);
  void add_event();
  void add_memory();

  Trace& trace_;
  Draft draft_;
  Field field_ = Field::kNone;  // of the event's arguments
  std::size_t depth_ = 0, events_depth_ = 0;
  std::string key_, section_;  // of the event or section; the root's last key
  std::int64_t product_ = 0;
  bool is_in_arguments_ = false, is_of_ddpbench_ = false;
  std::string mistake_;
};

}  // namespace ddpbench
