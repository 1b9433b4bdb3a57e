// The estimates as a program, for tests in another language: each line of standard input names one and gives its numbers
// ("t 0.95 1.5 2.25"), each line of standard output holds its results, all digits, in the order of the table below.
#include <array>
#include <charconv>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>

#include "suite/base/errors.hpp"
#include "suite/base/median.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/estimates/bootstrap.hpp"
#include "suite/estimates/estimate.hpp"
#include "suite/estimates/holm.hpp"
#include "suite/estimates/mean_difference.hpp"
#include "suite/estimates/signed_rank.hpp"
#include "suite/estimates/student_t.hpp"

namespace ddpbench {
namespace {

using Numbers = std::vector<double>;

Numbers bounds(const Estimate& estimate) { return {estimate.value, estimate.lo, estimate.hi}; }

// Leading parameters are taken off the series.
double take_first(Numbers& numbers) {
  const double first = numbers.front();
  numbers.erase(numbers.begin());
  return first;
}

Numbers print_hodges_lehmann(Numbers x) {
  const double confidence = take_first(x);
  return bounds(hodges_lehmann(x, confidence));
}

Numbers print_t(Numbers x) {
  const double confidence = take_first(x);
  auto results = bounds(t_interval(x, confidence));
  results.push_back(t_test_p(x));
  return results;
}

Numbers print_bootstrap_of_median(Numbers x) {
  Resampling resampling;
  resampling.seed = static_cast<std::uint32_t>(take_first(x));
  resampling.resamples = static_cast<int>(take_first(x));
  const double confidence = take_first(x);
  const auto statistic = [](std::span<double> sample) { return median({sample.begin(), sample.end()}); };
  return bounds(bootstrap_interval(x, statistic, resampling, confidence));
}

// The first number is how many of the rest are the sample; the others are the reference.
Numbers print_welch(Numbers x) {
  const double confidence = take_first(x);
  const auto count = static_cast<std::ptrdiff_t>(take_first(x));
  const Numbers sample(x.begin(), x.begin() + count);
  const Numbers reference(x.begin() + count, x.end());
  const auto difference = difference_of_means(sample, reference);
  auto results = bounds(difference.interval(confidence));
  results.insert(results.end(), {difference.p_above(0), difference.p_below(0), static_cast<double>(difference.degrees)});
  return results;
}

struct PrintEntry {
  const char* name;
  Numbers (*print)(Numbers numbers);
};
const std::array kPrints{
    PrintEntry{"hodges_lehmann", print_hodges_lehmann},  // confidence, x -> value, lo, hi
    PrintEntry{"welch", print_welch},                    // confidence, size, sample, reference -> value, lo, hi, p, p, degrees
    PrintEntry{"signed_rank", [](Numbers x) -> Numbers { return {signed_rank_p(x)}; }},
    PrintEntry{"t", print_t},  // confidence, x -> value, lo, hi, p
    PrintEntry{"t_tail", [](Numbers x) -> Numbers { return {two_sided_t_p(x.at(0), static_cast<int>(x.at(1)))}; }},
    PrintEntry{"holm", [](Numbers p) { return holm_adjusted(p); }},
    PrintEntry{"bootstrap_of_median", print_bootstrap_of_median},  // seed, resamples, confidence, x -> value, lo, hi
};

double number_of(const std::string& text) {
  double value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ptr != text.data() + text.size()) throw UsageError("not a number: " + text);
  return value;
}

void print_line(const std::string& line) {
  std::istringstream words(line);
  std::string name;
  words >> name;
  Numbers numbers;
  for (std::string word; words >> word;) numbers.push_back(number_of(word));
  const char* separator = "";
  for (const double result : find_entry(kPrints, "estimate", name).print(std::move(numbers))) {
    std::cout << std::exchange(separator, " ") << result;
  }
  std::cout << '\n';
}

}  // namespace
}  // namespace ddpbench

int main() {
  std::cout << std::setprecision(std::numeric_limits<double>::max_digits10);
  for (std::string line; std::getline(std::cin, line);) ddpbench::print_line(line);
}
