package reply

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/kgeval/kgeval/llm"
)

// Verdict is what a model says of one claim.
type Verdict string

// The verdicts.
const (
	Supported    Verdict = "supported"
	Contradicted Verdict = "contradicted"
	// NotStated: the text says neither the claim nor its opposite.
	NotStated Verdict = "not stated"
	// NotSupported: not supported, and the reply does not say which of the two
	// above.
	NotSupported Verdict = "not supported"
)

// words are the labels that are read, in small letters with blanks. Anything else
// is no verdict: "not entailed, I think" is neither of its words.
var words = map[string]Verdict{
	"supported": Supported, "support": Supported, "supports": Supported, "entailed": Supported, "entailment": Supported, "entails": Supported,
	"yes": Supported, "true": Supported, "consistent": Supported, "correct": Supported,

	"contradicted": Contradicted, "contradiction": Contradicted, "contradicts": Contradicted, "refuted": Contradicted, "refutes": Contradicted,
	"false": Contradicted, "denied": Contradicted,

	"not stated": NotStated, "not mentioned": NotStated, "neutral": NotStated, "unknown": NotStated, "not enough info": NotStated,
	"not enough information": NotStated, "nei": NotStated, "unclear": NotStated, "unverifiable": NotStated, "no evidence": NotStated,

	"not supported": NotSupported, "unsupported": NotSupported, "no": NotSupported, "not entailed": NotSupported, "inconsistent": NotSupported,
	"not entailment": NotSupported, "incorrect": NotSupported,
}

// Keys of a record.
var (
	idKeys      = map[string]bool{"id": true, "claim_id": true, "claim": true, "claimid": true, "number": true, "no": true, "index": true, "n": true, "key": true, "triple_id": true}
	verdictKeys = map[string]bool{"verdict": true, "label": true, "answer": true, "result": true, "judgment": true, "judgement": true, "classification": true, "status": true, "decision": true, "entailment": true, "value": true}
)

// Verdicts are the verdicts of one reply, by the number of the claim.
type Verdicts struct {
	// Of has the claims that got exactly one verdict.
	Of map[int]Verdict
	// Missing are the numbers asked for that did not, ascending.
	Missing []int
}

// ReadVerdicts reads verdicts on the claims numbered 1 to n. They are joined by
// number, never by position; only where one claim was asked about may the reply
// leave the number out. Read are
//
//   - lists of objects with a number ("id", "claim") and a label ("verdict",
//     "label"), of pairs (1, "supported"), and objects {"1": "supported"}, in any
//     wrapping, or one on each line;
//   - without brackets: lines "1: supported", "1. supported", "| 1 | supported |".
//
// A label counts only as a whole and only from the closed set of words; any other
// is dropped, as is a number that was not asked about. A claim with two different
// labels has none. A reply without one usable verdict is an *Error.
func ReadVerdicts(r llm.Response, n int) (Verdicts, Report, error) {
	var rep Report
	text, bad := open(r, &rep)
	if bad != nil {
		return missing(nil, n), rep, bad
	}
	j := jury{rep: &rep, n: n, of: make(map[int]Verdict), clash: make(map[int]bool)}
	j.read(text, r)
	for id := range j.clash {
		delete(j.of, id)
	}
	out := missing(j.of, n)
	if len(j.of) == 0 {
		err := nothing(r.Text, text, &rep)
		switch {
		case len(j.clash) > 0:
			err.Kind, err.Detail = ErrAmbiguous, "different verdicts on one claim"
		case len(rep.Dropped) > 0 && err.Kind == ErrUnreadable:
			err.Detail = rep.Dropped[0].Reason + ": " + rep.Dropped[0].Raw
		}
		return out, rep, err
	}
	return out, rep, nil
}

func missing(of map[int]Verdict, n int) Verdicts {
	v := Verdicts{Of: of}
	if of == nil {
		v.Of = map[int]Verdict{}
	}
	for id := 1; id <= n; id++ {
		if _, ok := of[id]; !ok {
			v.Missing = append(v.Missing, id)
		}
	}
	return v
}

// jury collects the verdicts of one reply.
type jury struct {
	rep   *Report
	n     int
	of    map[int]Verdict
	clash map[int]bool
	got   bool
}

func (j *jury) read(text string, r llm.Response) {
	parts := []region{{text: text}}
	if f, ok := strict(text); ok {
		j.walk(f.value, f.src, 0)
		return
	}
	if f := fences(text); len(f) > 0 {
		parts = append(f, parts...)
	} else if f := tagged(text); len(f) > 0 {
		parts = append(f, parts...)
	}
	for _, part := range parts {
		for _, f := range values(part.text, j.rep) {
			if f.cut && r.Stop != llm.StopEnd {
				j.rep.Truncated = true
			}
			j.walk(f.value, f.src, 0)
		}
		if !j.got {
			j.lines(part.text, r.Stop == llm.StopLength)
		}
		if j.got {
			return
		}
	}
}

// walk reads all verdicts of v.
func (j *jury) walk(v value, src string, depth int) {
	raw := func() string { return src[v.at:v.end] }
	switch v.kind {
	case listValue:
		if len(v.items) == 2 && v.items[0].scalar() && v.items[1].scalar() {
			if id, ok := number(v.items[0]); ok {
				j.give(id, v.items[1], raw())
				return
			}
		}
		for _, it := range v.items {
			if !it.scalar() {
				j.walk(it, src, depth)
				continue
			}
			j.alone(it, src)
		}
	case objectValue:
		j.object(v, src, depth)
	case stringValue:
		if s := strings.TrimSpace(v.text); depth < 3 && s != "" && (s[0] == '[' || s[0] == '{') {
			j.rep.repaired("data inside a string")
			for _, f := range values(s, j.rep) {
				j.walk(f.value, s, depth+1)
			}
			return
		}
		j.alone(v, src)
	}
}

// alone reads a label without a number, which is enough for one claim.
func (j *jury) alone(v value, src string) {
	raw := src[v.at:v.end]
	if v.kind == numberValue || v.kind == nullValue {
		return
	}
	if j.n != 1 {
		j.rep.drop(raw, "a verdict without a number")
		return
	}
	j.give(1, v, raw)
}

func (j *jury) object(v value, src string, depth int) {
	raw := src[v.at:v.end]
	var id *value
	var label *value
	for i, k := range v.keys {
		key := strings.ToLower(strings.Join(strings.FieldsFunc(k, func(r rune) bool { return r == ' ' || r == '-' || r == '_' }), "_"))
		it := &v.items[i]
		switch {
		case idKeys[key] && it.scalar() && id == nil:
			if _, ok := number(*it); ok || key != "claim" {
				id = it
			}
		case verdictKeys[key] && it.scalar() && label == nil:
			label = it
		case key == "supported" && it.kind == boolValue && label == nil:
			// "supported": false does not say which.
			l := *it
			l.kind, l.text = stringValue, map[bool]string{true: "supported", false: "not supported"}[strings.EqualFold(it.text, "true")]
			label = &l
		}
	}
	switch {
	case label != nil && id != nil:
		n, ok := number(*id)
		if !ok {
			j.rep.drop(raw, "not the number of a claim")
			return
		}
		j.give(n, *label, raw)
		return
	case label != nil && j.n == 1:
		j.give(1, *label, raw)
		return
	}
	for i, k := range v.keys {
		it := v.items[i]
		n, isID := number(value{kind: stringValue, text: k})
		switch {
		case isID && it.scalar():
			j.give(n, it, src[it.at:it.end])
		case isID && it.kind == objectValue:
			for x, key := range it.keys {
				if verdictKeys[strings.ToLower(key)] && it.items[x].scalar() {
					j.give(n, it.items[x], src[it.at:it.end])
				}
			}
		case !it.scalar():
			j.walk(it, src, depth)
		case label == nil && it.kind == stringValue && strings.HasPrefix(strings.TrimSpace(it.text), "[") || strings.HasPrefix(strings.TrimSpace(it.text), "{"):
			j.walk(it, src, depth)
		}
	}
	if label != nil {
		j.rep.drop(raw, "a verdict without a number")
	}
}

// give takes a verdict on the claim with a number.
func (j *jury) give(id int, label value, raw string) {
	if label.cut && label.quote != 0 {
		j.rep.drop(raw, reasonCut)
		return
	}
	v, ok := word(label.text)
	switch {
	case label.kind == nullValue || label.kind == numberValue || !ok:
		j.rep.drop(raw, "not a verdict")
		return
	case id < 1 || id > j.n:
		j.rep.drop(raw, "a claim that was not asked about")
		return
	}
	j.got = true
	if was, ok := j.of[id]; ok {
		if was == v {
			j.rep.drop(raw, reasonRepeated)
		} else {
			j.clash[id] = true
			j.rep.drop(raw, "another verdict on the same claim")
		}
		return
	}
	j.of[id] = v
}

// word reads a label.
func word(s string) (Verdict, bool) {
	s = strings.ToLower(strings.Trim(strings.TrimSpace(s), "*_`\"'.!<>[]()"))
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '_' || r == '-' || r == '\t' }), " ")
	v, ok := words[s]
	return v, ok
}

var claimNumber = regexp.MustCompile(`^(?i:claim|statement|triple|fact|hypothesis|text|id|no\.?|nr\.?|c|t)?[ #_.-]*(\d{1,7})$`)

// number reads the number of a claim: 3, "3", "#3", "claim 3".
func number(v value) (int, bool) {
	if v.kind != numberValue && v.kind != stringValue {
		return 0, false
	}
	m := claimNumber.FindStringSubmatch(strings.Trim(v.text, " \t*_[]()"))
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return n, err == nil
}

// verdictLine is a line with a number and a label.
var verdictLine = regexp.MustCompile(`^\W*?(?i:(?:claim|statement|triple|fact|hypothesis|id|no\.?)\s*[=:#]?\s*)?[#\[(]?(\d{1,7})[\])]?\s*(?:[:.,)|=–-]|->|=>|→)+\s*(?i:(?:verdict|label|answer)\s*[=:]\s*)?([^|]*?)\s*\|?\s*$`)

var bareLabel = regexp.MustCompile(`^\W*(?i:(?:verdict|label|answer)\s*[=:]\s*)?([A-Za-z _*-]+?)[.!*\s]*$`)

// lines reads lines without brackets. A label must be all that follows the number.
func (j *jury) lines(text string, cut bool) {
	all := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range all {
		if len(line) > 500 || !strings.ContainsAny(line, "0123456789") {
			continue
		}
		m := verdictLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		id, err := strconv.Atoi(m[1])
		if err != nil {
			continue
		}
		if cut && i == len(all)-1 {
			j.rep.drop(line, reasonCut)
			j.rep.Truncated = true
			continue
		}
		had := len(j.of)
		j.give(id, value{kind: stringValue, text: m[2]}, line)
		if len(j.of) > had {
			j.rep.repaired("verdicts as text")
		}
	}
	if !j.got && j.n == 1 && len(all) == 1 && !cut {
		if m := bareLabel.FindStringSubmatch(head(all[0], 200)); m != nil && len(all[0]) < 200 {
			if v, ok := word(m[1]); ok {
				j.rep.repaired("verdicts as text")
				j.got = true
				j.of[1] = v
				return
			}
		}
		j.rep.drop(all[0], "not a verdict")
	}
}

// String says the verdicts in the order of their numbers, for messages.
func (v Verdicts) String() string {
	var b strings.Builder
	for id := 1; id <= len(v.Of)+len(v.Missing); id++ {
		if x, ok := v.Of[id]; ok {
			fmt.Fprintf(&b, "%d %s; ", id, x)
		} else {
			fmt.Fprintf(&b, "%d -; ", id)
		}
	}
	return strings.TrimSuffix(b.String(), "; ")
}
