#pragma once
// Includes LibTorch, for all of our code, and is the precompiled header: torch.h takes 18 s a file without it.
#include <torch/torch.h>
