#pragma once
#include <cstdint>

#include "suite/formats/image_files.hpp"
#include "workloads/data/epoch_batches.hpp"
#include "workloads/data/image_transform.hpp"

namespace ddpbench {

// Makes batches of floats from a set of images. There is one per cursor, shared by its workers: fill() is thread-safe.
class BatchFiller {
 public:
  BatchFiller(const ImageFiles& images, const ImageTransform& transform, PixelOrder order, bool augment)
      : images_(images), transform_(transform), order_(order), augment_(augment) {}

  // Fills `input` with the floats of share.count images, `target` with as many labels. Throws as ImageFiles::read does.
  void fill(const BatchShare& share, float* input, std::int64_t* target) const {
    ImageRecord record;
    const auto values = images_.shape().bytes();
    for (std::int64_t i = 0; i < share.count; ++i) {
      const auto image = images_.read(share.image(i), record);
      const auto crop = augment_ ? crop_from(share.random_word(i)) : Crop();
      transform_.write(image.pixels, crop, order_, input + i * values);
      target[i] = image.label;
    }
  }

 private:
  const ImageFiles& images_;
  const ImageTransform& transform_;
  PixelOrder order_;
  bool augment_;
};

}  // namespace ddpbench
