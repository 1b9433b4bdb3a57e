#include "harness/api/torch.hpp"
