#include "reports/analysis/phrases/number_phrases.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>

#include "suite/base/not_measured.hpp"

namespace ddpbench {
namespace {

// The power of ten of the first digit, once rounded: 99.96 with three digits is 100.
int magnitude(double value, int digits) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*e", digits - 1, value);
  return std::atoi(std::strchr(buffer.data(), 'e') + 1);
}

std::string fixed(const char* format, double value, int digits) {
  constexpr int kMostDecimals = 6;
  std::array<char, 400> buffer{};  // the largest double has 309 digits before its point
  std::snprintf(buffer.data(), buffer.size(), format, std::clamp(digits - 1 - magnitude(value, digits), 0, kMostDecimals), value);
  return buffer.data();
}

struct Unit {
  double per_us;
  const char* name;
};
constexpr Unit kMicroseconds{1, " us"};
constexpr Unit kMilliseconds{1e-3, " ms"};

Unit unit_for(double us) { return std::fabs(us) >= 1e3 ? kMilliseconds : kMicroseconds; }
Unit unit_for(double lo_us, double hi_us) { return unit_for(std::fmax(std::fabs(lo_us), std::fabs(hi_us))); }

constexpr int kMostTableDigits = 3;

// Each with as few digits, two at least, as tell most of them apart.
template <class TextOf>
std::vector<std::string> apart(const std::vector<double>& values, int most_digits, const TextOf& text_of) {
  constexpr int kFewestDigits = 2;
  std::vector<std::string> best;
  std::size_t most = 0;
  for (int digits = kFewestDigits; digits <= most_digits && most < values.size(); ++digits) {
    std::vector<std::string> texts;
    for (const auto value : values) texts.push_back(text_of(value, digits));
    const auto apart = std::set(texts.begin(), texts.end()).size();
    if (apart <= most) continue;
    most = apart;
    best = std::move(texts);
  }
  return best;
}

}  // namespace

std::string number_text(double value, int digits) { return std::isfinite(value) ? fixed("%.*f", value, digits) : "?"; }

std::string signed_text(double value, int digits) { return std::isfinite(value) ? fixed("%+.*f", value, digits) : "?"; }

std::string interval_text(double lo, double hi) { return "[" + signed_text(lo) + ", " + signed_text(hi) + "]"; }

std::string p_text(double p) {
  constexpr double kSmallest = 1e-4;
  return p < kSmallest ? "< 0.0001" : "= " + number_text(p, 2);
}

std::string duration_text(double seconds) {
  if (seconds >= 1) return number_text(seconds) + " s";
  if (seconds >= 1e-3) return number_text(1e3 * seconds) + " ms";
  return number_text(1e6 * seconds) + " us";
}

std::string short_duration_text(double us) {
  constexpr int kDigits = 2;
  const double size = std::fabs(us);
  if (size >= 1e6) return number_text(1e-6 * us, kDigits) + " s";
  if (size >= 1e3) return number_text(1e-3 * us, kDigits) + " ms";
  return number_text(us, kDigits) + " us";
}

std::vector<std::string> numbers_apart(const std::vector<double>& values) {
  constexpr int kMostDigits = 6;
  return apart(values, kMostDigits, [](double value, int digits) { return value == 0 ? "0" : number_text(value, digits); });
}

Figures durations_apart(const std::vector<double>& us) {
  constexpr double kFarApart = 100;  // in one unit the smaller one would be 0.0032
  double largest = 0, smallest = HUGE_VAL;
  for (const auto value : us) {
    largest = std::fmax(largest, std::fabs(value));
    if (value != 0) smallest = std::fmin(smallest, std::fabs(value));
  }
  if (largest > kFarApart * smallest) {
    std::vector<std::string> texts;
    for (const auto value : us) texts.push_back(value == 0 ? "0" : short_duration_text(value));
    return {texts, ""};
  }
  const auto unit = largest >= 1e6 ? Unit{1e-6, " s"} : unit_for(largest);
  std::vector<double> scaled;
  for (const auto value : us) scaled.push_back(unit.per_us * value);
  return {numbers_apart(scaled), unit.name};
}

std::string count_phrase(double count) {
  const double size = std::fabs(count);
  if (!std::isfinite(count)) return number_text(count);
  if (size >= 1e9) return number_text(1e-9 * count) + " billion";
  if (size >= 1e6) return number_text(1e-6 * count) + " million";
  return size >= 1e4 ? number_text(1e-3 * count) + " thousand" : std::to_string(std::llround(count));
}

std::string minutes_text(double minutes) { return minutes_text(minutes, kNotMeasured, kNotMeasured); }

std::string minutes_text(double minutes, double lo, double hi) {
  constexpr int kDigits = 2;
  const bool in_seconds = minutes < 1, in_minutes = minutes < 120;
  const double unit = in_seconds ? 1.0 / 60 : in_minutes ? 1 : 60;  // minutes
  const auto text = [&](double value) { return number_text(value / unit, kDigits); };
  const auto said = text(minutes) + (in_seconds ? " s" : in_minutes ? " minutes" : " hours");
  return std::isfinite(lo) && std::isfinite(hi) ? said + " [" + text(lo) + ", " + text(hi) + "]" : said;
}

std::string plain_text(double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.6g", value);
  return buffer.data();
}

bool is_tellable(double value, double lo, double hi) { return value > 0 && 2 * lo >= value && hi <= 2 * value; }

std::string us_interval_text(double lo_us, double hi_us) {
  const auto unit = unit_for(lo_us, hi_us);
  return interval_text(unit.per_us * lo_us, unit.per_us * hi_us) + unit.name;
}

std::string estimate_phrase(double us, double lo_us, double hi_us) {
  const auto unit = unit_for(lo_us, hi_us);
  const auto told = apart({unit.per_us * us, unit.per_us * lo_us, unit.per_us * hi_us}, kMostTableDigits, signed_text);
  return told[0] + unit.name + " [" + told[1] + ", " + told[2] + "]";
}

std::string margin_text(double us) {
  const auto unit = unit_for(us);
  const auto text = number_text(unit.per_us * us, 2);
  return "±" + (text.ends_with(".0") ? text.substr(0, text.size() - 2) : text) + unit.name;
}

std::string sentences_of(const std::vector<std::string>& phrases) {
  std::string text;
  for (const auto& phrase : phrases) {
    if (phrase.empty()) continue;
    if (!text.empty()) text += ' ';
    text += static_cast<char>(std::toupper(static_cast<unsigned char>(phrase.front())));
    text += phrase.substr(1) + ".";
  }
  return text;
}

}  // namespace ddpbench
