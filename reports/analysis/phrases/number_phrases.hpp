#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace ddpbench {

// These write numbers as a person reads them, with so many significant digits and no exponent; "?" where nothing was measured.
std::string number_text(double value, int digits = 3);           // 1310, 1.31, 0.0013
std::string signed_text(double value, int digits = 2);           // "+0.3"
std::string plain_text(double value);                            // a setting: "2", "0.5"
std::string interval_text(double lo, double hi);                 // "[-0.4, +0.3]"
std::string p_text(double p);                                    // "= 0.020", "< 0.0001"
std::string duration_text(double seconds);                       // "1.31 s", "4.20 ms", "310 us"
std::string short_duration_text(double us);                      // of microseconds: "1.3 s", "413 ms", "39 us", "0.12 us"
std::string count_phrase(double count);                          // "1.23 million", "12.3 thousand", "-940"
std::string minutes_text(double minutes);                        // "40 s", "37 minutes", "14 hours"
std::string minutes_text(double minutes, double lo, double hi);  // "37 minutes [35, 40]"; without bounds as above

// Holds figures of one sentence, in one unit and with as many digits, two at least, as tell those apart that differ: "1.06",
// "0.986" and "1.14" of " ms". Where one duration is a hundred times another, each has its own unit, and `unit` is "".
struct Figures {
  std::vector<std::string> texts;
  std::string unit;
};
// Writes durations, given in microseconds, as such figures.
Figures durations_apart(const std::vector<double>& us);
// Writes numbers without a unit alike, with six digits at most.
std::vector<std::string> numbers_apart(const std::vector<double>& values);

// Says whether a figure tells more than its interval: no bound is more than twice or less than half of it. Else the bounds are
// told alone.
bool is_tellable(double value, double lo, double hi);

// Makes sentences: {"one launch", "no controls"} -> "One launch. No controls."; "" of none.
std::string sentences_of(const std::vector<std::string>& phrases);

// These write microseconds, in ms from 1,000 on.
std::string us_interval_text(double lo_us, double hi_us);            // "[-0.4, +0.3] us", "[-31, +52] ms"
std::string estimate_phrase(double us, double lo_us, double hi_us);  // "+1.6 us [+1.2, +2.0]"
std::string margin_text(double us);                                  // "±2 us", "±6.6 ms"

}  // namespace ddpbench
