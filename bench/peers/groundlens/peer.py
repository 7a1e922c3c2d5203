"""Verdicts of groundlens on the numbers of claims, for `kgeval bench numbers --peer`.

Reads JSON objects, one a line, with "context" and "claim"; writes one a line with
"verdicts": what its exact numeric verifier says of each number that it finds in the
claim (supported, contradicted, unsupported). A claim in which it finds none gives [].
"""

import json
import sys
import tempfile

import groundlens


def main():
    with tempfile.TemporaryDirectory() as records:
        verifier = groundlens.Verifier(sink=groundlens.sinks.jsonl(records))
        for line in sys.stdin:
            row = json.loads(line)
            record = verifier.check(answer=row["claim"], passages=[row["context"]])
            verdicts = [e.result for e in record.evidence if e.verifier_id == "groundlens.numeric"]
            print(json.dumps({"verdicts": verdicts}), flush=True)


if __name__ == "__main__":
    main()
