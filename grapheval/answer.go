package grapheval

import (
	"errors"
	"strings"

	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

// ErrNoStatement says that a bare "yes" or "no" could not be turned into a
// statement with its question, so that there is nothing to judge.
var ErrNoStatement = errors.New("the answer says nothing without its question, and no statement could be made of the two")

const (
	// maxAnswerWords is how long an output may be to count as a short answer.
	maxAnswerWords = 8
	// maxMentionWords is how long it may be to count as a mention, with no
	// statement made of it: beyond that it is likely a sentence.
	maxMentionWords = 4
)

// answered is what a short answer claims.
type answered struct {
	claims []claim.Claim
	note   claim.Note
}

// answer handles outputs that are no sentence ("Yes.", "1998", "柿子"): with a
// question and an Answerer they are checked as the statement that the two make;
// otherwise an answer that stands in a source as it is counts as supported by
// it. It returns false for everything else.
func (p *Prepared) answer(s claim.Sample, sentences []segment.Span, checkable []bool, statements int) (answered, bool) {
	if len(sentences) != 1 {
		return answered{}, false
	}
	at := sentences[0]
	text := at.Of(s.Output)
	polar := polarAnswer(text)
	asked := !claim.Blank(s.Question)
	if asked && p.checker.opts.Answerer != nil {
		if a, ok := p.reply(s.Question, text, at); ok {
			return a, true
		}
	}
	if !polar && (statements > 0 || !checkable[0] || len(segment.Words(text)) > maxAnswerWords) {
		return answered{}, false
	}
	c := claim.Claim{Text: text, Whole: true, Spans: []segment.Span{at}, Sentence: at}
	if a := p.checker.opts.Answerer; a != nil && asked {
		if st, ok := a.Statement(s.Question, text); ok && !claim.Blank(st) {
			c.Text = st
			return answered{[]claim.Claim{c}, claim.Note{Kind: claim.NoteAnswer, Detail: "checked as the statement that question and answer make: " + st}}, true
		}
	}
	if e, ok := p.mention(text, polar); ok && len(segment.Words(text)) <= maxMentionWords {
		c.Verdict, c.Support = claim.Supported, 1
		c.Evidence = []claim.Evidence{e}
		c.Windows = len(p.windows)
		return answered{[]claim.Claim{c}, claim.Note{Kind: claim.NoteAnswer, Detail: "a short answer that stands in the sources as it is"}}, true
	}
	if polar && asked {
		c.Verdict, c.PInconsistent, c.Err = claim.Unknown, 1, ErrNoStatement
		return answered{[]claim.Claim{c}, claim.Note{Kind: claim.NoteAnswer, Detail: ErrNoStatement.Error()}}, true
	}
	return answered{}, false
}

// mention finds the first source that holds the answer between word borders, or
// for a bare yes or no, that is nothing but it. Case and closing punctuation do
// not count.
func (p *Prepared) mention(text string, polar bool) (claim.Evidence, bool) {
	core := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(text), ".!。！"))
	if core == "" {
		return claim.Evidence{}, false
	}
	for i, src := range p.sources {
		whole := strings.TrimSpace(src.Text)
		same := strings.EqualFold(strings.TrimRight(whole, ".!。！"), core)
		var place segment.Span
		switch {
		case same:
			k := strings.Index(src.Text, whole)
			place = segment.Span{Start: k, End: k + len(whole)}
		case polar:
			continue
		default:
			k := findWord(src.Text, core)
			if k < 0 {
				continue
			}
			place = segment.Span{Start: k, End: k + len(core)}
		}
		return claim.Evidence{Source: src.Name(i), Index: i, Span: place, Role: claim.Supports, Text: place.Of(src.Text)}, true
	}
	return claim.Evidence{}, false
}
