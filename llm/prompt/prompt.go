// Package prompt holds prompts as plain, versioned values: a system message,
// worked examples and a request with slots. A caller can read each prompt of
// this module, change it, and see in the results which one was used.
//
// Texts that come from outside (a context, an answer, a document) go into a
// prompt between marks of their own that do not occur in them, so that no text
// can close its own fence. A model may still follow what a text says: a fence
// makes clear what is data, it does not make a model obey. Whoever reads the
// reply must therefore take nothing for an answer that is not in the form that
// was asked for, and the packages of this module do so (docs/prompts.md).
//
// The package is not a template language: a slot is replaced once, and nothing
// in its value is looked at.
package prompt

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/kgeval/kgeval/llm"
)

// Prompt is a request to a language model with slots, written {{name}}. The
// zero Prompt is none.
type Prompt struct {
	// Name and Version name the prompt in results. The version changes with
	// every change of the words.
	Name, Version string
	// System is the system message; empty for none. It has no slots.
	System string
	// Examples are worked examples; each becomes a turn of the user and one of
	// the assistant before the request.
	Examples []Example
	// User is the request.
	User string
}

// Example is one worked example.
type Example struct {
	// Slots are the values for the slots of Prompt.User.
	Slots Slots
	// Reply is the ideal reply.
	Reply string
}

// Slots are the values of a prompt's slots by name.
type Slots map[string]Slot

// Slot is the value of one slot.
type Slot struct {
	intro  string
	texts  []string
	titles []string // of FencedAll, parallel to texts
	fenced bool
}

// Plain is a value that stands as it is. It is for words of the program's own,
// never for text from outside.
func Plain(text string) Slot { return Slot{texts: []string{text}} }

// Fenced is a text from outside, set between marks that do not occur in it.
func Fenced(text string) Slot { return Slot{texts: []string{text}, fenced: true} }

// FencedAfter is Fenced with a line of the program's own before it. Without any
// text the slot is empty, line and marks too.
func FencedAfter(intro, text string) Slot {
	if text == "" {
		return Slot{fenced: true}
	}
	return Slot{intro: intro, texts: []string{text}, fenced: true}
}

// FencedAll is several texts, each between marks and under a title of the
// program's own: title(i) is that of the i-th.
func FencedAll(title func(i int) string, texts ...string) Slot {
	s := Slot{texts: slices.Clone(texts), fenced: true}
	for i := range texts {
		s.titles = append(s.titles, title(i))
	}
	return s
}

// ID names the prompt with its version and the beginning of a hash over all its
// words: a prompt that was changed without a new version has another ID.
func (p Prompt) ID() string {
	h := sha256.New()
	part := func(s string) { fmt.Fprintf(h, "%d:", len(s)); io.WriteString(h, s) }
	part(p.System)
	part(p.User)
	for _, e := range p.Examples {
		part(e.Reply)
		names := make([]string, 0, len(e.Slots))
		for n := range e.Slots {
			names = append(names, n)
		}
		slices.Sort(names)
		for _, n := range names {
			s := e.Slots[n]
			part(n)
			part(s.intro)
			for i, t := range s.texts {
				part(s.title(i))
				part(t)
			}
			part(strconv.FormatBool(s.fenced))
		}
	}
	return p.Name + "/" + p.Version + "#" + hex.EncodeToString(h.Sum(nil))[:8]
}

// Zero reports whether p has no request, and so is no prompt.
func (p Prompt) Zero() bool { return p.User == "" }

// Check reports what makes p unusable for a caller that gives the named slots,
// of which the first is the text without which the prompt would ask nothing: a
// prompt without name, version or that slot, or with a slot that nobody fills.
func (p Prompt) Check(slots ...string) error {
	switch {
	case p.Name == "" || p.Version == "":
		return fmt.Errorf("prompt %q: a prompt needs a name and a version, they go into results", p.Name)
	case len(slots) > 0 && !strings.Contains(p.User, "{{"+slots[0]+"}}"):
		return fmt.Errorf("prompt %s: the request has no slot {{%s}}", p.Name, slots[0])
	}
	for _, name := range names(p.User) {
		if !slices.Contains(slots, name) {
			return fmt.Errorf("prompt %s: unknown slot {{%s}}; there are %s", p.Name, name, strings.Join(slots, ", "))
		}
	}
	return nil
}

// Messages returns the conversation that asks p with the given values. A slot
// of the request without a value is an error. The same values give the same
// messages, so that caches and recordings work.
func (p Prompt) Messages(values Slots) ([]llm.Message, error) {
	var out []llm.Message
	if p.System != "" {
		out = append(out, llm.Message{Role: llm.System, Text: p.System})
	}
	for i, e := range p.Examples {
		user, err := fill(p.User, e.Slots, true)
		if err != nil {
			return nil, fmt.Errorf("prompt %s: example %d: %w", p.Name, i+1, err)
		}
		out = append(out, llm.Message{Role: llm.User, Text: user}, llm.Message{Role: llm.Assistant, Text: e.Reply})
	}
	user, err := fill(p.User, values, false)
	if err != nil {
		return nil, fmt.Errorf("prompt %s: %w", p.Name, err)
	}
	return append(out, llm.Message{Role: llm.User, Text: user}), nil
}

// names returns the names of the slots of a template, in order.
func names(template string) []string {
	var out []string
	for {
		_, rest, ok := strings.Cut(template, "{{")
		if !ok {
			return out
		}
		name, after, ok := strings.Cut(rest, "}}")
		if !ok {
			return out
		}
		out = append(out, name)
		template = after
	}
}

// fill replaces the slots of a template in one pass. Slots of an example that are
// not given are empty.
func fill(template string, values Slots, example bool) (string, error) {
	mark := fence(values)
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(template, "{{")
		b.WriteString(before)
		if !ok {
			return b.String(), nil
		}
		name, after, ok := strings.Cut(rest, "}}")
		if !ok {
			b.WriteString("{{" + rest)
			return b.String(), nil
		}
		v, given := values[name]
		if !given && !example {
			return "", fmt.Errorf("no value for the slot {{%s}}", name)
		}
		v.write(&b, mark)
		template = after
	}
}

func (s Slot) title(i int) string {
	if i < len(s.titles) {
		return s.titles[i]
	}
	return s.intro
}

func (s Slot) write(b *strings.Builder, mark string) {
	for i, text := range s.texts {
		if !s.fenced {
			b.WriteString(text)
			continue
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		if t := s.title(i); t != "" {
			b.WriteString(t + "\n")
		}
		b.WriteString("<" + mark + ">\n" + text + "\n</" + mark + ">")
	}
}

// fence returns a mark that occurs in none of the values: a hash over them, made
// anew as long as one of them has it. A writer who knows the method still can't
// write a text that holds its own mark.
func fence(values Slots) string {
	h := sha256.New()
	all := make([]string, 0, len(values))
	for n := range values {
		all = append(all, n)
	}
	slices.Sort(all)
	for _, n := range all {
		fmt.Fprintf(h, "%d:%s%d:", len(n), n, len(values[n].texts))
		for _, t := range values[n].texts {
			fmt.Fprintf(h, "%d:", len(t))
			io.WriteString(h, t)
		}
	}
	sum := hex.EncodeToString(h.Sum(nil))
	for turn := 0; ; turn++ {
		mark := "data-" + sum[:6]
		free := true
		for _, n := range all {
			free = free && !slices.ContainsFunc(values[n].texts, func(t string) bool { return strings.Contains(t, mark) })
		}
		if free {
			return mark
		}
		next := sha256.Sum256([]byte(sum + strconv.Itoa(turn)))
		sum = hex.EncodeToString(next[:])
	}
}
