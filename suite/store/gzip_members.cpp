#include "suite/store/gzip_members.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include "suite/base/durable_file.hpp"

namespace ddpbench {
namespace {

constexpr int kGzipWrapper = 15 + 16;  // zlib: largest window, gzip header and trailer
constexpr int kMemoryLevel = 8;        // zlib's default
constexpr int kFastest = 1;            // samples are digits: level 6 takes four times as long for a tenth less
constexpr std::size_t kChunkBytes = std::size_t{1} << 16;

class Deflater {
 public:
  Deflater() {
    if (deflateInit2(&stream_, kFastest, Z_DEFLATED, kGzipWrapper, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw Error("zlib cannot start (out of memory)");
    }
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  // Feeds a piece of at most kChunkBytes and hands on what comes out.
  template <class Sink>
  void feed(std::string_view piece, bool last, const Sink& sink) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));  // zlib's interface predates const
    stream_.avail_in = static_cast<uInt>(piece.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      sink(std::string_view(buffer_.data(), buffer_.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
  }

 private:
  z_stream stream_{};
  std::vector<char> buffer_ = std::vector<char>(kChunkBytes);
};

std::int64_t current_offset(const FileDescriptor& file) { return ::lseek(file.number(), 0, SEEK_CUR); }

void cut_at(const FileDescriptor& file, const std::string& path, std::int64_t bytes) {
  if (::ftruncate(file.number(), bytes) != 0) throw file_error("cannot write", path, errno);
  if (::lseek(file.number(), 0, SEEK_END) < 0) throw file_error("cannot write", path, errno);
}

}  // namespace

std::int64_t append_gzip_member(const std::string& path, std::int64_t committed_bytes, std::string_view text) {
  const auto file = open_file(path, O_WRONLY | O_CREAT);
  cut_at(file, path, committed_bytes);
  Deflater deflater;
  std::size_t fed = 0;
  do {
    const auto piece = text.substr(fed, kChunkBytes);
    fed += piece.size();
    deflater.feed(piece, fed == text.size(), [&](std::string_view bytes) { write_all(file, bytes, path); });
  } while (fed < text.size());
  sync_file(file, path);
  return current_offset(file);
}

struct GzipMemberReader::State {
  State(const std::string& file_path, std::int64_t end, std::int64_t begin)
      : path(file_path), file(open_regular_file(file_path)), unread_bytes(end - begin), read_bytes(begin) {
    if (::lseek(file.number(), begin, SEEK_SET) != begin) throw file_error("cannot read", path, errno);
    if (inflateInit2(&stream, kGzipWrapper) != Z_OK) throw Error("zlib cannot start (out of memory)");
  }
  ~State() { inflateEnd(&stream); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  bool refill() {
    const auto wanted = std::min<std::int64_t>(unread_bytes, static_cast<std::int64_t>(input.size()));
    const auto got = wanted == 0 ? 0 : ::read(file.number(), input.data(), static_cast<std::size_t>(wanted));
    if (got < 0) throw file_error("cannot read", path, errno);
    unread_bytes -= got;
    read_bytes += got;
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(got);
    return got > 0;
  }
  Error damaged(const char* how) const {
    return Error(path + ": the gzip member at byte " + std::to_string(member_begin) + " " + how);
  }
  // Samples pack to a third; what packs to a 64th and is large is made to fill the memory.
  void require_rows() const {
    constexpr uLong kAlwaysRead = uLong{256} << 20, kLargestRatio = 64;
    if (stream.total_out <= std::max(kAlwaysRead, kLargestRatio * stream.total_in)) return;
    throw damaged("unpacks to more than 64 times its size, which no samples do");
  }
  // One call of inflate; true at the member's end.
  bool inflate_some(std::string& text) {
    stream.next_out = reinterpret_cast<Bytef*>(output.data());
    stream.avail_out = static_cast<uInt>(output.size());
    const int answer = inflate(&stream, Z_NO_FLUSH);
    if (answer != Z_OK && answer != Z_STREAM_END && answer != Z_BUF_ERROR) {
      throw damaged(stream.msg != nullptr ? stream.msg : "is not gzip");
    }
    require_rows();
    text.append(output.data(), output.size() - stream.avail_out);
    return answer == Z_STREAM_END;
  }

  std::string path;
  FileDescriptor file;
  std::int64_t unread_bytes;
  std::int64_t read_bytes;  // where the next read begins in the file
  std::int64_t member_begin = 0;
  std::vector<char> input = std::vector<char>(kChunkBytes);
  std::vector<char> output = std::vector<char>(kChunkBytes);
  z_stream stream{};
};

GzipMemberReader::GzipMemberReader(const std::string& path, std::int64_t committed_bytes, std::int64_t begin)
    : state_(std::make_unique<State>(path, committed_bytes, begin)) {}

GzipMemberReader::~GzipMemberReader() = default;

std::int64_t GzipMemberReader::end_offset() const { return state_->read_bytes - state_->stream.avail_in; }

bool GzipMemberReader::next(std::string& text) {
  auto& state = *state_;
  state.member_begin = end_offset();
  if (state.stream.avail_in == 0 && !state.refill()) return false;
  inflateReset(&state.stream);
  while (!state.inflate_some(text)) {
    if (state.stream.avail_in == 0 && state.stream.avail_out != 0 && !state.refill()) throw state.damaged("is cut");
  }
  return true;
}

}  // namespace ddpbench
