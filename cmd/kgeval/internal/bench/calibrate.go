package bench

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/kgeval/kgeval/calibrate"
)

// MatchPairs returns the labelled pairs of labels and facts that bench labels uses, at
// most limit of each unit and label (0: all), drawn by the seed.
func MatchPairs(dir string, limit int, seed uint64) ([]calibrate.Pair, error) {
	entities, relations, facts, err := labelPairs(dir, seed)
	if err != nil {
		return nil, err
	}
	var out []calibrate.Pair
	for _, u := range []struct {
		unit  calibrate.Unit
		pairs []labelPair
	}{{calibrate.Entity, entities}, {calibrate.Relation, relations}, {calibrate.Triple, facts}} {
		random := rand.New(rand.NewPCG(seed, 0))
		random.Shuffle(len(u.pairs), func(i, j int) { u.pairs[i], u.pairs[j] = u.pairs[j], u.pairs[i] })
		taken := map[bool]int{}
		for _, p := range u.pairs {
			if limit > 0 && taken[p.same] == limit {
				continue
			}
			taken[p.same]++
			out = append(out, calibrate.Pair{A: p.a, B: p.b, Same: p.same, Unit: u.unit, Group: strconv.Itoa(p.text)})
		}
	}
	return out, nil
}

// LabelledOutputs returns the outputs of the half of the documents that bench check
// fits to, at most limit of each set (0: all), drawn by the seed. Sets that are not
// there are left out; none at all is ErrNoData. sets names those that are there.
func LabelledOutputs(dir string, limit int, seed uint64) (outputs []calibrate.Output, sets []string, err error) {
	for _, set := range groundingSets {
		rows, err := set.read(dir)
		if errors.Is(err, ErrNoData) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		rows = slices.DeleteFunc(rows, func(r groundingRow) bool { return !inHalf("fit", r.context) })
		random := rand.New(rand.NewPCG(seed, 0))
		random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		if limit > 0 && len(rows) > limit {
			rows = rows[:limit]
		}
		for _, r := range rows {
			outputs = append(outputs, calibrate.Output{Source: r.context, Text: r.output, Consistent: r.consistent, Set: set.name})
		}
		sets = append(sets, set.name)
	}
	if len(outputs) == 0 {
		return nil, nil, fmt.Errorf("%w: no set of grounding/ (set KGEVAL_DATA to the folder that holds it)", ErrNoData)
	}
	return outputs, sets, nil
}
