#include "harness/ranks/mpi/mpi_reductions.hpp"

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using How = c10d::ReduceOp::RedOpType;

struct Add {
  static float of(float a, float b) { return a + b; }
  static __m256 of(__m256 a, __m256 b) __attribute__((target("avx2"))) { return _mm256_add_ps(a, b); }
};
struct Multiply {
  static float of(float a, float b) { return a * b; }
  static __m256 of(__m256 a, __m256 b) __attribute__((target("avx2"))) { return _mm256_mul_ps(a, b); }
};
// As std::min and std::max: with a NaN among them both forms return the first operand.
struct Least {
  static float of(float a, float b) { return b < a ? b : a; }
  static __m256 of(__m256 a, __m256 b) __attribute__((target("avx2"))) { return _mm256_min_ps(b, a); }
};
struct Most {
  static float of(float a, float b) { return a < b ? b : a; }
  static __m256 of(__m256 a, __m256 b) __attribute__((target("avx2"))) { return _mm256_max_ps(b, a); }
};

constexpr int kLanes = 8;

struct HalfLanes {
  using Number = c10::Half;
  static __m256 load(const Number* from) __attribute__((target("avx2,f16c"))) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  }
  static void store(Number* to, __m256 values) __attribute__((target("avx2,f16c"))) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT));
  }
};

struct BFloat16Lanes {
  using Number = c10::BFloat16;
  static __m256 load(const Number* from) __attribute__((target("avx2,f16c"))) {
    const auto raw = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(raw), 16));
  }
  // Half of the last place is added, and one less where the place before it is even; what is no number stays none.
  static void store(Number* to, __m256 values) __attribute__((target("avx2,f16c"))) {
    const auto bits = _mm256_castps_si256(values);
    const auto odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const auto rounded = _mm256_srli_epi32(_mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff))), 16);
    const auto no_number = _mm256_castps_si256(_mm256_cmp_ps(values, values, _CMP_UNORD_Q));
    const auto chosen = _mm256_blendv_epi8(rounded, _mm256_set1_epi32(0x7fc0), no_number);
    const auto packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(chosen, chosen), 0x08);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(packed));
  }
};

template <class Lanes, class Operation>
__attribute__((target("avx2,f16c"))) int reduce_lanes(const typename Lanes::Number* in, typename Lanes::Number* inout,
                                                      int count) {
  int i = 0;
  for (; i + kLanes <= count; i += kLanes) Lanes::store(inout + i, Operation::of(Lanes::load(inout + i), Lanes::load(in + i)));
  return i;
}

bool has_lanes() {
  static const bool has = __builtin_cpu_supports("avx2");  // no core has it without F16C
  return has;
}

// MPI_User_function, MPI 3.1 §5.9.5.
template <class Lanes, class Operation>
void reduce(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  using Number = typename Lanes::Number;
  const auto* from = static_cast<const Number*>(in);
  auto* to = static_cast<Number*>(inout);
  int i = has_lanes() ? reduce_lanes<Lanes, Operation>(from, to, *count) : 0;
  for (; i < *count; ++i) to[i] = static_cast<Number>(Operation::of(static_cast<float>(to[i]), static_cast<float>(from[i])));
}

template <class Lanes>
MPI_Op made_operation(How how) {
  MPI_User_function* function = nullptr;
  if (how == How::SUM || how == How::AVG) function = reduce<Lanes, Add>;
  if (how == How::PRODUCT) function = reduce<Lanes, Multiply>;
  if (how == How::MIN) function = reduce<Lanes, Least>;
  if (how == How::MAX) function = reduce<Lanes, Most>;
  MPI_Op operation = MPI_OP_NULL;
  constexpr int kCommutes = 1;
  if (function != nullptr) MPI_Op_create(function, kCommutes, &operation);
  return operation;
}

// Each made once; MPI has them until it ends.
template <class Lanes>
MPI_Op own_operation(How how) {
  static std::array<MPI_Op, How::UNUSED> made = [] {
    std::array<MPI_Op, How::UNUSED> operations{};
    for (std::size_t i = 0; i < operations.size(); ++i) operations[i] = made_operation<Lanes>(static_cast<How>(i));
    return operations;
  }();
  return made[how];
}

MPI_Op operation_of(How how) {
  switch (how) {
    case How::SUM:
    case How::AVG: return MPI_SUM;
    case How::PRODUCT: return MPI_PROD;
    case How::MIN: return MPI_MIN;
    case How::MAX: return MPI_MAX;
    case How::BAND: return MPI_BAND;
    case How::BOR: return MPI_BOR;
    case How::BXOR: return MPI_BXOR;
    default: return MPI_OP_NULL;
  }
}

// A truth is a byte of 0 or 1: sums and maxima are "any", products and minima "all".
MPI_Op operation_of_truths(How how) {
  if (how == How::SUM || how == How::MAX || how == How::BOR) return MPI_BOR;
  if (how == How::PRODUCT || how == How::MIN || how == How::BAND) return MPI_BAND;
  return how == How::BXOR ? MPI_BXOR : MPI_OP_NULL;
}

MPI_Datatype type_of(at::ScalarType type) {
  switch (type) {
    case at::kFloat: return MPI_FLOAT;
    case at::kDouble: return MPI_DOUBLE;
    case at::kLong: return MPI_INT64_T;
    case at::kInt: return MPI_INT32_T;
    case at::kShort: return MPI_INT16_T;
    case at::kChar: return MPI_INT8_T;
    case at::kByte:
    case at::kBool: return MPI_UINT8_T;
    case at::kHalf:
    case at::kBFloat16: return MPI_UINT16_T;
    default: return MPI_DATATYPE_NULL;
  }
}

bool is_of_bits(How how) { return how == How::BAND || how == How::BOR || how == How::BXOR; }

}  // namespace

MpiReduction mpi_reduction(How how, at::ScalarType type) {
  MpiReduction found{type_of(type), MPI_OP_NULL};
  if (type == at::kHalf) {
    found.operation = own_operation<HalfLanes>(how);
  } else if (type == at::kBFloat16) {
    found.operation = own_operation<BFloat16Lanes>(how);
  } else if (type == at::kBool) {
    found.operation = operation_of_truths(how);
  } else if (!(c10::isFloatingType(type) && is_of_bits(how))) {
    found.operation = operation_of(how);
  }
  if (found.type == MPI_DATATYPE_NULL || found.operation == MPI_OP_NULL) {
    throw UsageError(std::string("backend mpi cannot reduce ") + c10::toString(type) +
                     " in that way (it sums, multiplies, takes means, " +
                     "minima and maxima of all numbers, and bits of whole ones)");
  }
  return found;
}

}  // namespace ddpbench
