// Package experiment measures how models use their contexts, over a data set: a run
// asks every model every question at every temperature, turns the answers into graphs,
// and scores them (CUS with GoldSim and CtxSim, the taxonomy TAU, the verdict of
// grapheval). It is the pipeline of "Do LLMs Understand Context? A Knowledge
// Graph-Based Evaluation Framework", made to survive.
//
// What a run finds goes into a log, a file of JSON lines that is only ever appended to
// and whose lines carry checksums. A run that is killed goes on where it stopped when
// it is started again: what is finished is never asked again. Start does the work, Read
// returns what a log holds, Summarize the table of it, and Compare the difference of two
// logs beyond noise.
//
// It is not for serving: it runs over a fixed list of items and ends. It knows no
// concrete model; see Answerer and Options for the parts, and package kgeval for those
// that run offline. One process writes a log at a time.
package experiment

import (
	"encoding/json"
	"time"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/cus"
	"github.com/kgeval/kgeval/kg"
	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/tau"
)

// Format and Version name the log's form. Version counts changes that an older reader
// would misread.
const (
	Format  = "kgeval.run"
	Version = 1
)

// Header is the first line of a log: everything that changes a result.
type Header struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	// Name is what people call the run.
	Name string `json:"name,omitempty"`
	// Settings are all the values that results depend on, by names such as
	// "data.sum", "models.small.id", "prompt", "scoring.embedder" and "library". A log is
	// gone on with only while all of them are the same.
	Settings map[string]string `json:"settings"`
	// Models are in the order of the configuration, Temperatures ascending.
	Models       []string  `json:"models"`
	Temperatures []float64 `json:"temperatures"`
	Repeats      int       `json:"repeats"`
	// Items is how many items the run has, Tasks how many answers it is to have.
	Items int `json:"items"`
	Tasks int `json:"tasks"`
	// Started is when the log was begun.
	Started time.Time `json:"started"`
}

// Item is one question with what answers are held against.
type Item struct {
	ID string `json:"id"`
	// Place is where the item stands in the data, from 0.
	Place int `json:"place"`
	// Group names what items share that are not independent; see cus.Item.
	Group    string         `json:"group,omitempty"`
	Question string         `json:"question"`
	Sources  []claim.Source `json:"sources"`
	Gold     string         `json:"gold,omitempty"`
	// GoldGraph and ContextGraph are what the extractor made of Gold and Sources.
	GoldGraph    *kg.Graph `json:"gold_graph"`
	ContextGraph *kg.Graph `json:"context_graph"`
}

// Task names one answer: the item, the model by its name in the configuration, the
// temperature, and the repeat, from 0. Models that draw nothing (an extractive baseline)
// have tasks of temperature and repeat 0 alone.
type Task struct {
	Item        string  `json:"item"`
	Model       string  `json:"model"`
	Temperature float64 `json:"temperature"`
	Repeat      int     `json:"repeat"`
}

// Answer is what a model said.
type Answer struct {
	Task
	Text string `json:"text"`
	// Backend is the model as the server that answered names it.
	Backend string    `json:"backend,omitempty"`
	Usage   llm.Usage `json:"usage"`
	// Cost is in the currency of the prices.
	Cost float64 `json:"cost"`
	// Estimated says that the server told no usage, and a token was taken for four bytes.
	Estimated bool `json:"estimated,omitempty"`
	// Seconds is how long the answer took.
	Seconds float64   `json:"seconds"`
	At      time.Time `json:"at"`
}

// Score is what was found in an answer. Numbers are in [0,1].
type Score struct {
	Task
	CUS     float64 `json:"cus"`
	GoldSim float64 `json:"gold_sim"`
	CtxSim  float64 `json:"ctx_sim"`
	// Degenerate names what has nothing to compare; the three numbers then mean nothing
	// and enter no mean. See cus.Score.
	Degenerate cus.Side `json:"degenerate,omitempty"`
	// Fallback says that texts were compared as whole sentences, as one gave no graph.
	Fallback bool `json:"fallback,omitempty"`

	// Graph is the answer's.
	Graph *kg.Graph `json:"graph"`
	// Gold says how the answer departs from the gold answer. Context says it of the
	// context, without what only the context has: that is no fault of an answer.
	Gold    Findings `json:"gold,omitempty"`
	Context Findings `json:"context,omitempty"`

	// Check is the verdict on the answer against its sources, with claims, spans and
	// evidence; nil where the run does not check.
	Check *claim.Result `json:"check,omitempty"`
}

// Counted reports whether the similarities enter means.
func (s Score) Counted() bool { return s.Degenerate == "" }

// Findings are those of a tau.Report.
type Findings []tau.Finding

type findingJSON struct {
	Class      tau.Class  `json:"class"`
	Reference  *kg.Triple `json:"reference,omitempty"`
	Answer     *kg.Triple `json:"answer,omitempty"`
	Opposite   bool       `json:"opposite,omitempty"`
	Similarity float64    `json:"similarity"`
}

// MarshalJSON writes an array of objects; the triple that a finding does not have is
// left out.
func (f Findings) MarshalJSON() ([]byte, error) {
	out := make([]findingJSON, len(f))
	for i, x := range f {
		out[i] = findingJSON{Class: x.Class, Opposite: x.Opposite, Similarity: x.Similarity}
		if x.Reference != (kg.Triple{}) {
			out[i].Reference = &x.Reference
		}
		if x.Answer != (kg.Triple{}) {
			out[i].Answer = &x.Answer
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Findings) UnmarshalJSON(b []byte) error {
	var in []findingJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*f = nil
	for _, x := range in {
		y := tau.Finding{Class: x.Class, Opposite: x.Opposite, Similarity: x.Similarity}
		if x.Reference != nil {
			y.Reference = *x.Reference
		}
		if x.Answer != nil {
			y.Answer = *x.Answer
		}
		*f = append(*f, y)
	}
	return nil
}

// Stage is a step of a task.
type Stage string

// The stages.
const (
	// StageAnswer: asking the model.
	StageAnswer Stage = "answer"
	// StageScore: making the answer's graph and holding it against the item.
	StageScore Stage = "score"
)

// Failure is why a task has no answer, or no score. It stays until the task is tried
// again (Options.RetryFailed).
type Failure struct {
	Task
	Stage Stage `json:"stage"`
	// Kind is a word for counting, such as "truncated" (see llm.Kind), or "other".
	Kind  string `json:"kind"`
	Error string `json:"error"`
	// Usage and Cost are what a cut reply used all the same.
	Usage llm.Usage `json:"usage"`
	Cost  float64   `json:"cost,omitempty"`
	At    time.Time `json:"at"`
}

// Record is all that a log says of a task. An answer that could not be scored has
// Answer and Failure.
type Record struct {
	Task
	Answer  *Answer
	Score   *Score
	Failure *Failure
}

// Run is what a log holds, as plain values.
type Run struct {
	Header Header
	// Items are those that were begun, by their places.
	Items []Item
	// Records are those of the tasks that were begun: by model in the header's order,
	// then by temperature, then by repeat, then in the order of Items.
	Records []Record
	// Torn says that the last line was not finished; it is not counted.
	Torn bool
}

// Item returns the item with an ID, and whether it is there. It looks at all of them; make
// a map for many.
func (r *Run) Item(id string) (Item, bool) {
	for _, i := range r.Items {
		if i.ID == id {
			return i, true
		}
	}
	return Item{}, false
}

// Open is how many tasks have neither a score nor a failure.
func (r *Run) Open() int {
	done := 0
	for _, x := range r.Records {
		if x.Score != nil || x.Failure != nil {
			done++
		}
	}
	return r.Header.Tasks - done
}
