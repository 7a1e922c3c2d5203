package kgeval_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/kgeval/kgeval"

// room is the place of a package in the house: it imports lower floors, and on
// its own floor only what beside names.
type room struct {
	floor  int
	beside []string
}

// The floors of the house (docs/design.md). A new package gets a line here.
var house = map[string]room{
	"segment":  {floor: 0},
	"weights":  {floor: 0}, // a module of its own
	"kg":       {floor: 0, beside: []string{"segment"}},
	"nlp":      {floor: 0, beside: []string{"segment"}},
	"numeric":  {floor: 0, beside: []string{"segment"}},
	"nlp/slot": {floor: 0, beside: []string{"segment", "nlp"}},

	"internal/bert/kernel":     {floor: 0},
	"internal/bert/kernel/gen": {floor: 0},
	"internal/bert":            {floor: 1},

	"internal/edit":             {floor: 0},
	"internal/language":         {floor: 1},
	"internal/assign":           {floor: 1},
	"internal/antonym":          {floor: 0},
	"internal/mark":             {floor: 2},
	"internal/draw":             {floor: 3},
	"kg/gonumkg":                {floor: 1},
	"wl":                        {floor: 1},
	"embed":                     {floor: 1},
	"nli":                       {floor: 1},
	"llm":                       {floor: 1},
	"llm/llmtest":               {floor: 1, beside: []string{"llm"}},
	"llm/cache/boltcache":       {floor: 1},
	"llm/slogtrace":             {floor: 1, beside: []string{"llm"}},
	"llm/usage":                 {floor: 1, beside: []string{"llm"}},
	"llm/cassette":              {floor: 1, beside: []string{"llm"}},
	"llm/cache":                 {floor: 1, beside: []string{"llm"}},
	"llm/limit":                 {floor: 1, beside: []string{"llm"}},
	"llm/retry":                 {floor: 1, beside: []string{"llm"}},
	"internal/llmhttp":          {floor: 1, beside: []string{"llm"}},
	"llm/openai":                {floor: 2},
	"internal/realserver/suite": {floor: 4},
	"internal/llmfault":         {floor: 2},
	"internal/reply":            {floor: 1, beside: []string{"llm"}},
	"llm/prompt":                {floor: 1, beside: []string{"llm"}},
	"llm/answer":                {floor: 2},
	"kg/llmkg":                  {floor: 2},
	"nli/llmjudge":              {floor: 2},

	"internal/realserver": {floor: 0},
	"claim":               {floor: 1},
	"metrics":             {floor: 1, beside: []string{"embed"}},

	"s3kg":                {floor: 2},
	"kg/openie":           {floor: 2},
	"kg/perturb":          {floor: 2},
	"embed/hashed":        {floor: 2},
	"embed/builtin":       {floor: 2},
	"embed/openai":        {floor: 2, beside: []string{"internal/embedhttp"}},
	"embed/ollama":        {floor: 2, beside: []string{"internal/embedhttp"}},
	"internal/embedhttp":  {floor: 2},
	"internal/embedfault": {floor: 5},
	"nli/lexical":         {floor: 2},
	"nli/builtin":         {floor: 2},
	"nli/combined":        {floor: 3},
	"graphcorrect/rules":  {floor: 2},

	"grapheval":    {floor: 3},
	"graphcorrect": {floor: 3},
	"tau":          {floor: 3},
	"cus":          {floor: 3},

	"":               {floor: 4},
	"kgtest/conform": {floor: 4},
	"calibrate":      {floor: 4},
	"report":         {floor: 4},
	"dataset":        {floor: 4},
	"experiment":     {floor: 4, beside: []string{"dataset"}},

	"kgtest": {floor: 5},

	"examples/quickstart": {floor: 6},
	"examples/extending":  {floor: 6},
	"examples/test":       {floor: 6},
	"training/annotate":   {floor: 6},
	"training/claims":     {floor: 6},
	"examples/evaluate":   {floor: 6},
	"examples/guard":      {floor: 6},
	"examples/compare":    {floor: 6},
	"examples/correct":    {floor: 6},
	"examples/openai":     {floor: 6},
	"examples/record":     {floor: 6},
}

// light are the packages that stay free of language models' data, numerical
// libraries and clients: an importer of one of them gets the standard library
// and golang.org/x/{text,sync}, and nothing else.
var light = []string{
	"segment", "numeric", "kg", "wl", "embed", "nli", "llm", "claim", "metrics", "s3kg", "grapheval", "graphcorrect", "tau", "cus", "report",
	"llm/llmtest", "llm/retry", "llm/limit", "llm/cache", "llm/cassette", "llm/usage", "llm/slogtrace",
}

type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string
}

func goList(t *testing.T, args ...string) []listed {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Standard,Imports,Deps"}, args...)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, stderr.String())
	}
	var all []listed
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// inHouse returns the name of a package of the root module, such as
// "kg/openie" ("" for the root), and whether it is one.
func inHouse(path string) (string, bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}

func TestEachPackageImportsOnlyLowerFloors(t *testing.T) {
	for _, p := range goList(t, "./...") {
		name, _ := inHouse(p.ImportPath)
		here, ok := house[name]
		if !ok {
			t.Errorf("package %s has no floor: give it one in house (house_test.go) and in docs/design.md", p.ImportPath)
			continue
		}
		for _, imp := range p.Imports {
			other, ours := inHouse(imp)
			if !ours {
				continue
			}
			there, ok := house[other]
			switch {
			case !ok: // reported above
			case there.floor > here.floor:
				t.Errorf("%s (floor %d) imports %s upstairs (floor %d)", p.ImportPath, here.floor, imp, there.floor)
			case there.floor == here.floor && !slices.Contains(here.beside, other):
				t.Errorf("%s imports %s beside it on floor %d", p.ImportPath, imp, here.floor)
			}
		}
	}
}

func TestLightPackagesReachNothingHeavy(t *testing.T) {
	allowed := []string{module, "golang.org/x/text", "golang.org/x/sync"}
	standard := map[string]bool{}
	var paths []string
	for _, name := range light {
		paths = append(paths, "./"+name)
	}
	for _, p := range goList(t, append([]string{"-deps"}, paths...)...) {
		if p.Standard {
			standard[p.ImportPath] = true
		}
	}
	// internal/assign and the like are ours; what they reach is in Deps too.
	for _, p := range goList(t, paths...) {
		for _, dep := range p.Deps {
			if standard[dep] {
				if dep == "net/http" {
					t.Errorf("%s reaches net/http: a client belongs into a package of its own", p.ImportPath)
				}
				continue
			}
			if !slices.ContainsFunc(allowed, func(a string) bool { return dep == a || strings.HasPrefix(dep, a+"/") }) {
				t.Errorf("%s reaches %s", p.ImportPath, dep)
			}
		}
	}
}

// Who brings models of their own carries none of ours.
func TestWithoutBuiltInModelsNoWeights(t *testing.T) {
	heavy := []string{module + "/weights", module + "/embed/builtin", module + "/nli/builtin", module + "/internal/bert"}
	free := []string{"./embed/hashed", "./nli/lexical", "./graphcorrect/rules", "./kg/openie", "./nlp", "./kg/gonumkg"}
	for _, name := range light {
		free = append(free, "./"+name)
	}
	for _, p := range goList(t, free...) {
		for _, dep := range heavy {
			if slices.ContainsFunc(p.Deps, func(d string) bool { return d == dep || strings.HasPrefix(d, dep+"/") }) {
				t.Errorf("%s reaches %s", p.ImportPath, dep)
			}
		}
	}
}

// bbolt is for those who keep replies on disk.
func TestOnlyBoltcacheReachesBbolt(t *testing.T) {
	for _, p := range goList(t, "./...") {
		name, _ := inHouse(p.ImportPath)
		if slices.Contains(p.Deps, "go.etcd.io/bbolt") != (name == "llm/cache/boltcache") {
			t.Errorf("%s: reaching bbolt is for llm/cache/boltcache", p.ImportPath)
		}
	}
}

// One import of the root package must neither open a connection nor need cgo.
func TestOfflineReachesNoNetwork(t *testing.T) {
	for _, p := range goList(t, ".") {
		for _, dep := range []string{"net", "net/http", "runtime/cgo", "os/exec"} {
			if slices.Contains(p.Deps, dep) {
				t.Errorf("package kgeval reaches %s", dep)
			}
		}
	}
}
