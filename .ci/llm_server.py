"""Serves one GGUF model over llama.cpp's HTTP API until its standard input ends.

Started by .ci/llm-server, which installs what it needs. The port opens before
the model is loaded: until then the server answers 503.
"""

import argparse
import os
import sys

import xllamacpp


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--model", required=True, help="GGUF file")
    args.add_argument("--port", type=int, required=True)
    args.add_argument("--name", default="local", help="the model's name in replies")
    args.add_argument("--context", type=int, default=2048, help="tokens of the window, of all slots together")
    args.add_argument("--slots", type=int, default=1, help="requests at a time")
    args.add_argument("--threads", type=int, default=2)
    args.add_argument("--key", default="", help="the API key that requests must bear")
    o = args.parse_args()

    p = xllamacpp.CommonParams()
    p.model.path = o.model
    p.model_alias = {o.name}
    p.hostnames = ["127.0.0.1"]
    p.port = o.port
    p.n_ctx = o.context
    p.n_parallel = o.slots
    p.cpuparams.n_threads = o.threads
    p.cpuparams_batch.n_threads = o.threads
    p.cache_ram_mib = 0
    p.warmup = False
    p.ui = False
    if o.key:
        p.api_keys = [o.key]
    server = xllamacpp.Server(p)  # returns when the model is loaded
    print("serving", server.listening_address, file=sys.stderr, flush=True)

    # Whoever started it holds the other end: no server outlives its test.
    sys.stdin.buffer.read()
    os._exit(0)


main()
