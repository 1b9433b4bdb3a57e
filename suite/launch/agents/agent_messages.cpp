#include "suite/launch/agents/agent_messages.hpp"

#include <cstddef>
#include <string_view>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

// Takes the words of a message in turn.
class Reader {
 public:
  explicit Reader(const Words& words) : words_(words) {}

  const std::string& text() {
    if (next_ >= words_.size()) throw Error("a message of the launch that ends too early");
    return words_[next_++];
  }

  template <class Number>
  Number number() {
    const auto value = parse_number<Number>(text());
    if (!value) throw Error("a message of the launch with a word that is no number");
    return *value;
  }

  template <class Read>
  void list(Read read) {
    for (auto left = number<std::size_t>(); left > 0; --left) read();
  }

  void end() const {
    if (next_ != words_.size()) throw Error("a message of the launch that is too long");
  }

 private:
  const Words& words_;
  std::size_t next_ = 0;
};

template <class Number>
std::string text_of(Number number) {
  return shortest_text(number);
}

void append_numbers(Words& words, const std::vector<int>& numbers) {
  words.push_back(text_of(numbers.size()));
  for (const int number : numbers) words.push_back(text_of(number));
}

std::vector<int> numbers_from(Reader& reader) {
  std::vector<int> numbers;
  reader.list([&] { numbers.push_back(reader.number<int>()); });
  return numbers;
}

void append_layout(Words& words, const NodeLayout& layout) {
  words.push_back(text_of(layout.cores.size()));
  for (const auto& core : layout.cores)
    words.insert(words.end(), {text_of(core.memory_node), text_of(core.physical), text_of(core.number)});
  append_numbers(words, layout.gpu_memory);
}

NodeLayout layout_from(Reader& reader) {
  NodeLayout layout;
  reader.list([&] {
    auto& core = layout.cores.emplace_back();
    core.memory_node = reader.number<int>();
    core.physical = reader.number<int>();
    core.number = reader.number<int>();
  });
  layout.gpu_memory = numbers_from(reader);
  return layout;
}

}  // namespace

Words joined(Words begin, const Words& rest) {
  begin.insert(begin.end(), rest.begin(), rest.end());
  return begin;
}

Words to_message(const AgentHello& hello) {
  Words words{text_of(hello.rank), text_of(hello.world_size), text_of(hello.local_rank), hello.host,
              hello.address,       text_of(hello.port)};
  append_layout(words, hello.layout);
  return words;
}

AgentHello hello_from(const Words& words) {
  Reader reader(words);
  AgentHello hello;
  hello.rank = reader.number<std::int64_t>();
  hello.world_size = reader.number<std::int64_t>();
  hello.local_rank = reader.number<std::int64_t>();
  hello.host = reader.text();
  hello.address = reader.text();
  hello.port = reader.number<std::uint16_t>();
  hello.layout = layout_from(reader);
  reader.end();
  return hello;
}

Words to_message(const AgentStart& start) {
  Words words{text_of(start.tokens.size())};
  words.insert(words.end(), start.tokens.begin(), start.tokens.end());
  words.push_back(text_of(start.environment.size()));
  for (const auto& [name, value] : start.environment) words.insert(words.end(), {name, value});
  append_numbers(words, start.cores);
  words.insert(words.end(), {start.folder, start.part_dir, start.mark});
  words.push_back(text_of(start.look_seconds));
  words.push_back(text_of(start.patience_seconds));
  return words;
}

AgentStart start_from(const Words& words) {
  Reader reader(words);
  AgentStart start;
  reader.list([&] { start.tokens.push_back(reader.text()); });
  reader.list([&] {
    const auto name = reader.text();
    start.environment[name] = reader.text();
  });
  start.cores = numbers_from(reader);
  start.folder = reader.text();
  start.part_dir = reader.text();
  start.mark = reader.text();
  start.look_seconds = reader.number<double>();
  start.patience_seconds = reader.number<double>();
  reader.end();
  return start;
}

Words to_message(const ProcessActivity& activity) {
  return {text_of(static_cast<int>(activity.runs)),
          text_of(static_cast<int>(activity.is_stopped)),
          text_of(activity.cpu_seconds),
          text_of(activity.page_faults),
          text_of(activity.bytes_read),
          text_of(activity.phase_changes),
          text_of(activity.super_blocks),
          text_of(index_of(activity.phase)),
          text_of(static_cast<std::int32_t>(activity.start_up)),
          text_of(activity.waits_ms),
          text_of(activity.collectives),
          text_of(activity.collective_bytes),
          text_of(static_cast<int>(activity.collective)),
          activity.arm};
}

ProcessActivity activity_from(const Words& words) {
  Reader reader(words);
  ProcessActivity activity;
  activity.runs = reader.number<int>() != 0;
  activity.is_stopped = reader.number<int>() != 0;
  activity.cpu_seconds = reader.number<double>();
  activity.page_faults = reader.number<double>();
  activity.bytes_read = reader.number<double>();
  activity.phase_changes = reader.number<std::int64_t>();
  activity.super_blocks = reader.number<std::int64_t>();
  activity.phase = static_cast<Phase>(reader.number<std::size_t>());
  activity.start_up = static_cast<StartUp>(reader.number<std::int32_t>());
  activity.waits_ms = reader.number<std::int64_t>();
  activity.collectives = reader.number<std::int64_t>();
  activity.collective_bytes = reader.number<std::int64_t>();
  activity.collective = static_cast<CollectiveKind>(reader.number<int>());
  activity.arm = reader.text();
  reader.end();
  return activity;
}

}  // namespace ddpbench
