"""One of PyTorch's own ranks: python_rank.py REQUESTS RENDEZVOUS RANK WORLD_SIZE

Does the requests of a JSON list as parity_program does.
"""

import json
import sys
import traceback
from pathlib import Path

import python_training
import torch
import torch.distributed as dist


def answer(request, rank):
    try:
        torch.save(python_training.train(request, rank), request["results"].format(rank=rank))
    except RuntimeError as error:
        return {"error": "Error", "text": f"{error}\n{traceback.format_exc()}"}
    return {}


def main(requests, rendezvous, rank, world_size):
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=int(rank), world_size=int(world_size))
    done = [answer(request, int(rank)) for request in json.loads(Path(requests).read_text())]
    Path(f"{rendezvous}.answers.{rank}").write_text(json.dumps(done))
    dist.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
