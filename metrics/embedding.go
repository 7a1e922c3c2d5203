package metrics

import (
	"context"
	"fmt"
	"math"

	"github.com/kgeval/kgeval/embed"
)

// TextPair is two texts to compare.
type TextPair struct {
	Reference, Candidate string
}

// Cosines returns the cosine of the embeddings of each pair's texts, in order and in
// [-1,1]. Each distinct text is embedded once, all in one call. The error is the
// embedder's, or that of embed.Check where it broke its contract.
func Cosines(ctx context.Context, e embed.Embedder, pairs []TextPair) ([]float64, error) {
	texts, place := distinct(pairs)
	vectors, err := e.Embed(ctx, texts)
	if err == nil {
		err = embed.Check(texts, vectors)
	}
	if err != nil {
		return nil, fmt.Errorf("metrics: embedder %s: %w", e.ID(), err)
	}
	out := make([]float64, len(pairs))
	for i, p := range pairs {
		out[i] = embed.Cosine(vectors[place[p.Reference]], vectors[place[p.Candidate]])
	}
	return out, nil
}

// distinct returns the texts of pairs, each once, and the place of each.
func distinct(pairs []TextPair) (texts []string, place map[string]int) {
	place = make(map[string]int, 2*len(pairs))
	for _, p := range pairs {
		for _, t := range [...]string{p.Reference, p.Candidate} {
			if _, ok := place[t]; !ok {
				place[t] = len(texts)
				texts = append(texts, t)
			}
		}
	}
	return texts, place
}

// Tokens is a text as an encoder sees it.
type Tokens struct {
	// IDs names the tokens by their numbers in the encoder's vocabulary.
	IDs []int32
	// States holds the encoder's vector of each token in its place, all of one
	// length and finite. They need not have unit norm.
	States [][]float32
	// First and End are the tokens of the text itself, [First, End); those outside
	// are special ones that the encoder adds at the ends.
	First, End int
}

// TokenEmbedder is an encoder that tells the states of a text's tokens.
//
// EmbedTokens returns the tokens of each text, in order. A text does not depend on
// the others of the call. A text without any content has First = End. A text that is
// longer than the encoder reads is cut. Any failure fails the call. Implementations
// must be safe for concurrent use.
type TokenEmbedder interface {
	EmbedTokens(ctx context.Context, texts []string) ([]Tokens, error)

	// ID names the model and its version, for results.
	ID() string
}

// bertBlock bounds the pairs whose states are held at a time.
const bertBlock = 64

// BERTScore compares the tokens of each pair's texts by an encoder's states (T. Zhang
// et al., "BERTScore: Evaluating Text Generation with BERT", ICLR 2020, section 3):
// recall is the mean, over the reference's tokens, of the largest cosine with a token
// of the candidate; precision the same the other way round. Special tokens have no
// weight of their own but can be another's nearest, as in the published code. weights,
// by token ID, are what IDF returns; nil weighs all tokens the same. An ID that is not
// in weights has weights[Unseen], and if all tokens of a text weigh nothing, they weigh
// the same.
//
// Precision and Recall are in [-1,1] and, with a trained encoder, mostly over 0.5:
// compare them with each other, not with other measures. F1 is 0 unless both are
// positive. A text without content has the zero Score. Results are in the order of
// pairs; a pair does not depend on the others. The error is the encoder's, or says how
// it broke its contract.
func BERTScore(ctx context.Context, e TokenEmbedder, pairs []TextPair, weights map[int32]float64) ([]Score, error) {
	out := make([]Score, 0, len(pairs))
	err := eachTokens(ctx, e, pairs, func(reference, candidate Tokens) {
		out = append(out, match(reference, candidate, weights))
	})
	if err != nil {
		return nil, err
	}
	return out, ctx.Err()
}

// TokenMatch holds, for each token of the content of two texts, the largest cosine in
// [-1,1] of its state with that of a token of the other text: what BERTScore without
// weights is the mean of. It tells which words of one text the other has nothing for.
// Both are empty where a text has no content.
type TokenMatch struct {
	Reference, Candidate []float64
}

// TokenMatches returns the matches of the tokens of each pair's texts, in the order of
// pairs. Errors are those of BERTScore.
func TokenMatches(ctx context.Context, e TokenEmbedder, pairs []TextPair) ([]TokenMatch, error) {
	out := make([]TokenMatch, 0, len(pairs))
	err := eachTokens(ctx, e, pairs, func(reference, candidate Tokens) {
		if reference.First == reference.End || candidate.First == candidate.End {
			out = append(out, TokenMatch{})
			return
		}
		r, c := nearest(reference, candidate)
		out = append(out, TokenMatch{r[reference.First:reference.End], c[candidate.First:candidate.End]})
	})
	if err != nil {
		return nil, err
	}
	return out, ctx.Err()
}

// Score is BERTScore without weights of the texts whose tokens m matches.
func (m TokenMatch) Score() Score {
	if len(m.Reference) == 0 || len(m.Candidate) == 0 {
		return Score{}
	}
	bound := func(x []float64) float64 { return min(1, max(-1, mean(x))) }
	return bertScore(bound(m.Candidate), bound(m.Reference))
}

// eachTokens calls f with the encoded texts of each pair, in order.
func eachTokens(ctx context.Context, e TokenEmbedder, pairs []TextPair, f func(reference, candidate Tokens)) error {
	for start := 0; start < len(pairs); start += bertBlock {
		block := pairs[start:min(start+bertBlock, len(pairs))]
		texts, place := distinct(block)
		tokens, err := encode(ctx, e, texts)
		if err != nil {
			return err
		}
		for _, p := range block {
			if err := ctx.Err(); err != nil {
				return err
			}
			f(tokens[place[p.Reference]], tokens[place[p.Candidate]])
		}
	}
	return nil
}

// Unseen is the key under which IDF gives the weight of tokens that no text has.
const Unseen int32 = -1

// IDF returns the weights of tokens for BERTScore, log((N+1)/(n+1)) for a token in n
// of N texts, mostly the references of a data set. Special tokens count as the others.
func IDF(ctx context.Context, e TokenEmbedder, texts []string) (map[int32]float64, error) {
	in := map[int32]int{}
	for start := 0; start < len(texts); start += bertBlock {
		tokens, err := encode(ctx, e, texts[start:min(start+bertBlock, len(texts))])
		if err != nil {
			return nil, err
		}
		for _, t := range tokens {
			seen := map[int32]bool{}
			for _, id := range t.IDs {
				if !seen[id] {
					seen[id] = true
					in[id]++
				}
			}
		}
	}
	n := float64(len(texts))
	out := map[int32]float64{Unseen: math.Log(n + 1)}
	for id, k := range in {
		out[id] = math.Log((n + 1) / float64(k+1))
	}
	return out, nil
}

// encode asks e and checks its answer. The states come back with unit norm.
func encode(ctx context.Context, e TokenEmbedder, texts []string) ([]Tokens, error) {
	tokens, err := e.EmbedTokens(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("metrics: encoder %s: %w", e.ID(), err)
	}
	if len(tokens) != len(texts) {
		return nil, fmt.Errorf("metrics: encoder %s gave the tokens of %d texts for %d", e.ID(), len(tokens), len(texts))
	}
	out := make([]Tokens, len(tokens))
	width := -1
	for i, t := range tokens {
		if len(t.IDs) != len(t.States) || t.First < 0 || t.First > t.End || t.End > len(t.IDs) {
			return nil, fmt.Errorf("metrics: encoder %s, text %d: %d ids, %d states, content from %d to %d",
				e.ID(), i, len(t.IDs), len(t.States), t.First, t.End)
		}
		unit := make([][]float32, len(t.States))
		for k, s := range t.States {
			if width < 0 {
				width = len(s)
			}
			v := append([]float32(nil), s...)
			if len(v) != width || !embed.Normalize(v) {
				return nil, fmt.Errorf("metrics: encoder %s, text %d: the state of token %d is zero, not finite, or has length %d instead of %d",
					e.ID(), i, k, len(v), width)
			}
			unit[k] = v
		}
		t.States = unit
		out[i] = t
	}
	return out, nil
}

// match is BERTScore of two texts with states of unit norm.
func match(reference, candidate Tokens, weights map[int32]float64) Score {
	if reference.First == reference.End || candidate.First == candidate.End {
		return Score{}
	}
	r, c := nearest(reference, candidate)
	return bertScore(weighted(candidate, c, weights), weighted(reference, r, weights))
}

func bertScore(precision, recall float64) Score {
	s := Score{Precision: precision, Recall: recall}
	if s.Precision > 0 && s.Recall > 0 {
		s.F1 = 2 * s.Precision * s.Recall / (s.Precision + s.Recall)
	}
	return s
}

// nearest returns, for each token of either text, the largest cosine with one of the
// other; states have unit norm.
func nearest(reference, candidate Tokens) (ofReference, ofCandidate []float64) {
	ofReference, ofCandidate = make([]float64, len(reference.IDs)), make([]float64, len(candidate.IDs))
	for _, list := range [...][]float64{ofReference, ofCandidate} {
		for i := range list {
			list[i] = -1
		}
	}
	for i, a := range reference.States {
		for j, b := range candidate.States {
			var c float64
			for k, x := range a {
				c += float64(x) * float64(b[k])
			}
			c = min(1, max(-1, c))
			ofReference[i] = max(ofReference[i], c)
			ofCandidate[j] = max(ofCandidate[j], c)
		}
	}
	return ofReference, ofCandidate
}

// weighted is the mean of values over the content of t.
func weighted(t Tokens, values []float64, weights map[int32]float64) float64 {
	var sum, total, plain float64
	for i := t.First; i < t.End; i++ {
		w := 1.0
		if weights != nil {
			known := false
			if w, known = weights[t.IDs[i]]; !known {
				w = weights[Unseen]
			}
		}
		sum += w * values[i]
		total += w
		plain += values[i]
	}
	if !(total > 0) {
		return plain / float64(t.End-t.First)
	}
	return min(1, max(-1, sum/total))
}
