package s3kg

import "strings"

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
