#pragma once
// The one way into LibTorch for our code, and the precompiled header: torch.h takes 18 s a file without it.
#include <torch/torch.h>
