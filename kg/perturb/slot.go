package perturb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kgeval/kgeval/nlp"
	"github.com/kgeval/kgeval/nlp/slot"
	"github.com/kgeval/kgeval/segment"
)

// The kinds of edits of Swaps: each makes one value of a text wrong and leaves
// everything else as it is.
const (
	// NameSwap puts another name into the place of one that the text has once.
	NameSwap TextKind = "name swap"
	// NumberSwap changes a number, in digits or in words, and keeps its way of writing.
	NumberSwap TextKind = "number swap"
	// DateSwap changes a year, a month or a day of the week.
	DateSwap TextKind = "date swap"
	// NegationSwap denies a verb, or takes its "not" out.
	NegationSwap TextKind = "negation swap"
)

// SwapKinds returns the kinds of Swaps, in a fixed order.
func SwapKinds() []TextKind { return []TextKind{NameSwap, NumberSwap, DateSwap, NegationSwap} }

// SwapOptions say how Swaps draws what it puts in.
type SwapOptions struct {
	Seed uint64
	// Kinds are the kinds of edits to make; nil means all of SwapKinds.
	Kinds []TextKind
	// Names are what NameSwap draws from; those of which the text has a word are
	// passed over. Without any there are no NameSwaps.
	Names []string
}

// Swaps returns an edit for each value of an English text that can be made
// wrong, in the order of the kinds and then of the text. Each stands alone: apply one with
// ApplyText. The error is the context's, or names an unknown kind.
func Swaps(ctx context.Context, a *nlp.Analyzer, text string, o SwapOptions) ([]TextEdit, error) {
	kinds := o.Kinds
	if kinds == nil {
		kinds = SwapKinds()
	}
	for _, k := range kinds {
		if !slices.Contains(SwapKinds(), k) {
			return nil, fmt.Errorf("perturb: unknown kind %q; the kinds are %q", k, SwapKinds())
		}
	}
	doc, err := a.Analyze(ctx, text)
	if err != nil {
		return nil, err
	}
	slots := slot.Find(text)
	var out []TextEdit
	for i, k := range SwapKinds() {
		if !slices.Contains(kinds, k) {
			continue
		}
		random := rand.New(rand.NewPCG(o.Seed, uint64(i)))
		add := func(s segment.Span, now string) {
			if old := s.Of(text); now != "" && now != old {
				out = append(out, TextEdit{Kind: k, Spans: []segment.Span{s}, Old: old, New: now})
			}
		}
		switch k {
		case NameSwap:
			nameSwaps(doc, slots, o.Names, random, add)
		case NumberSwap, DateSwap:
			for _, s := range slots {
				switch {
				case k == DateSwap && s.Kind == slot.Date:
					if at, now := otherDate(s, random); now != "" {
						add(at, now)
					}
				case k == NumberSwap && (s.Kind == slot.Number || s.Kind == slot.Percent || s.Kind == slot.Quantity):
					if at, now := otherNumber(s, random); now != "" {
						add(at, now)
					}
				}
			}
		case NegationSwap:
			negationSwaps(a, doc, add)
		}
	}
	return out, nil
}

// nameSwaps exchanges names that the text has once for names that it has not.
func nameSwaps(d *nlp.Document, slots []slot.Slot, names []string, random *rand.Rand, add func(segment.Span, string)) {
	var pool []string
	for _, n := range names {
		if strings.TrimSpace(n) == "" || !utf8.ValidString(n) || slices.Contains(pool, n) {
			continue
		}
		foreign := true
		for _, w := range segment.Words(n) {
			foreign = foreign && !strings.Contains(strings.ToLower(d.Text), strings.ToLower(w.Of(n)))
		}
		if foreign {
			pool = append(pool, n)
		}
	}
	if len(pool) == 0 {
		return
	}
	for _, n := range namesOf(d, nil) {
		if len(n.spans) != 1 {
			continue
		}
		i := slices.IndexFunc(slots, func(s slot.Slot) bool { return s.Kind == slot.Name && s.Span == n.spans[0] })
		if i < 0 {
			continue
		}
		once := 0
		for _, s := range slots {
			if s.Kind == slot.Name && slot.Compare(s, slots[i]).Compatible() {
				once++
			}
		}
		if once <= 1 {
			add(n.spans[0], pool[random.IntN(len(pool))])
		}
	}
}

var (
	numeralDigits = regexp.MustCompile(`[0-9]+`)
	numberWords   = strings.Fields("two three four five six seven eight nine ten eleven twelve")
	months        = strings.Fields("January February March April May June July August September October November December")
	weekdays      = strings.Fields("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
)

// otherNumber changes the first run of digits of a value, or its number word.
func otherNumber(s slot.Slot, random *rand.Rand) (segment.Span, string) {
	if at := numeralDigits.FindStringIndex(s.Text); at != nil {
		old := s.Text[at[0]:at[1]]
		n, err := strconv.Atoi(old)
		if err != nil || old[0] == '0' && len(old) > 1 {
			return segment.Span{}, ""
		}
		// As many digits as before, and no one: "1 person" would need more edits.
		low, high := 2, 9
		for range len(old) - 1 {
			low, high = max(10, low*10/2), high*10+9
		}
		now := n
		for tries := 0; tries < 50 && (now == n || n == 1); tries++ {
			now = low + random.IntN(high-low+1)
			if n == 1 {
				return segment.Span{}, ""
			}
		}
		return segment.Span{Start: s.Span.Start + at[0], End: s.Span.Start + at[1]}, strconv.Itoa(now)
	}
	for _, w := range segment.Words(s.Text) {
		k := slices.Index(numberWords, strings.ToLower(w.Of(s.Text)))
		if k < 0 {
			continue
		}
		now := numberWords[(k+1+random.IntN(len(numberWords)-1))%len(numberWords)]
		return w.Shift(s.Span.Start), likeCase(now, w.Of(s.Text))
	}
	return segment.Span{}, ""
}

// otherDate changes the year of a date, else its month, else its weekday.
func otherDate(s slot.Slot, random *rand.Rand) (segment.Span, string) {
	for _, at := range numeralDigits.FindAllStringIndex(s.Text, -1) {
		if at[1]-at[0] == 4 {
			year, _ := strconv.Atoi(s.Text[at[0]:at[1]])
			return segment.Span{Start: s.Span.Start + at[0], End: s.Span.Start + at[1]}, strconv.Itoa(year - 1 - random.IntN(9))
		}
	}
	for _, list := range [][]string{months, weekdays} {
		for _, w := range segment.Words(s.Text) {
			word := w.Of(s.Text)
			k := slices.IndexFunc(list, func(x string) bool { return strings.EqualFold(x, word) })
			if k >= 0 {
				return w.Shift(s.Span.Start), likeCase(list[(k+1+random.IntN(len(list)-1))%len(list)], word)
			}
		}
	}
	return segment.Span{}, ""
}

var beAndModals = map[string]bool{"is": true, "are": true, "was": true, "were": true, "has": true, "have": true, "had": true, "will": true, "would": true, "can": true, "could": true, "should": true, "must": true, "may": true, "might": true}

// negationSwaps denies finite verbs and affirms denied ones.
func negationSwaps(a *nlp.Analyzer, d *nlp.Document, add func(segment.Span, string)) {
	for i, t := range d.Tokens {
		low := strings.ToLower(t.Text)
		next, after := tokenAt(d, i+1), tokenAt(d, i+2)
		switch {
		case beAndModals[low] && (t.Tag == "VBZ" || t.Tag == "VBP" || t.Tag == "VBD" || t.Tag == "MD"):
			switch {
			case strings.EqualFold(next.Text, "not") && after.Text != "":
				add(segment.Span{Start: t.Start, End: after.Start}, t.Text+" ")
			case next.Text != "" && next.Text[0] != '\'' && !strings.EqualFold(next.Text, "n't") && next.Start > t.End && wordToken(next) &&
				!strings.EqualFold(next.Text, "no") && !strings.EqualFold(next.Text, "never") && (low != "can"):
				add(t.Span, t.Text+" not")
			}
		case (low == "did" || low == "does") && strings.EqualFold(next.Text, "not") && after.Tag == "VB":
			tag := map[string]string{"did": "VBD", "does": "VBZ"}[low]
			add(segment.Span{Start: t.Start, End: after.End}, a.VerbForm(after.Lemma, tag))
		case (t.Tag == "VBD" || t.Tag == "VBZ") && !beAndModals[low] && t.Lemma != "be" && t.Lemma != "have" && t.Lemma != "do" && i > 0 &&
			strings.HasPrefix(d.Tokens[i-1].Tag, "N") && t.Lemma != low && t.Text == low && a.VerbForm(t.Lemma, t.Tag) == low:
			add(t.Span, map[string]string{"VBD": "did not ", "VBZ": "does not "}[t.Tag]+t.Lemma)
		}
	}
}

func tokenAt(d *nlp.Document, i int) nlp.Token {
	if i < 0 || i >= len(d.Tokens) {
		return nlp.Token{}
	}
	return d.Tokens[i]
}
