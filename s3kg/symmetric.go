package s3kg

import (
	"strings"

	"github.com/kgeval/kgeval/kg"
)

// Symmetric is the default of Options.Symmetric: it reports whether a relation is
// one that holds in both directions whenever it holds in one ("is married to",
// "shares a border with", "sibling"), from a short list of English relations.
func Symmetric(relation string) bool {
	var kept []string
	for _, w := range strings.Fields(strings.ToLower(readable(relation))) {
		if !be[w] && !fillers[w] {
			kept = append(kept, w)
		}
	}
	return symmetric[strings.Join(kept, " ")]
}

var (
	fillers   = words(`a an the not no also still now currently longer formerly once`)
	symmetric = phrases(`married to, spouse, spouse of, sibling, sibling of, twin of, cousin of, relative, relative of, related to,
		friend of, friends with, partner of, colleague of, classmate of, roommate of, engaged to, divorced from, allied with,
		ally of, at war with, neighbour of, neighbor of, next to, adjacent to, borders, bordering, shares border with,
		share border with, border with, diplomatic relation, diplomatic relations with, same as, equal to, identical to,
		equivalent to, similar to, different from, synonym of, antonym of, opposite of, twinned with, twinned administrative body,
		sister city, sister city of, collaborates with, collaborated with, collaborator of, met with, interacts with,
		intersects, intersects with, parallel to, perpendicular to, co-author of, coauthor of`)
)

// phrases reads "a b, c".
func phrases(list string) map[string]bool {
	m := map[string]bool{}
	for p := range strings.SplitSeq(list, ",") {
		m[strings.Join(strings.Fields(p), " ")] = true
	}
	return m
}

// identifies reports whether a triple says of a definite thing what it is ("the
// capital of Germany", "is", "Berlin"): that is the same as saying of the other
// that it is this thing.
func identifies(t kg.Triple) bool {
	definite := func(s string) bool { return len(s) > 4 && strings.EqualFold(s[:4], "the ") }
	w := strings.Fields(strings.ToLower(t.Relation))
	return len(w) == 1 && (w[0] == "is" || w[0] == "was" || w[0] == "are" || w[0] == "were") &&
		definite(t.Head) && !definite(t.Tail) && isName(strings.Fields(t.Tail)) && t.Tail != ""
}
