"""A loader as you have it for your training: put your own in its place."""

import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    """Makes up each sample as it is asked for, as one that reads and decodes files would."""

    def __len__(self):
        return 2048

    def __getitem__(self, number):
        image = torch.rand(3, 32, 32)
        return torch.nn.functional.avg_pool2d(image, 3, stride=1, padding=1), number % 10


def make_loader(batch_size):
    return DataLoader(Pictures(), batch_size=batch_size, shuffle=True, num_workers=1)
