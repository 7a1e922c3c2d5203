package nlp

import "strings"

// relatives resolves whose, which and that after the noun that they explain.
func (r *resolver) relatives(si int, ms []mention) {
	s := r.d.Sentences[si]
	for k := s.First + 1; k < s.End; k++ {
		if t := r.d.Tokens[k]; t.Tag == "WP" || t.Tag == "WDT" || t.Tag == "WP$" {
			r.relativeAt(ms, k)
		}
	}
}

// relativeAt sets the reference of the relative pronoun at token k.
func (r *resolver) relativeAt(ms []mention, k int) {
	i := r.antecedent(ms, k)
	if i < 0 {
		return
	}
	d := r.d
	switch c := ms[i]; {
	case c.name >= 0:
		n := d.Names[c.name]
		d.References[k] = Reference{First: n.First, End: n.End}
	case c.pronoun:
		if p, ok := d.References[c.head]; ok {
			d.References[k] = p
		}
	default:
		d.References[k] = plainReference(d, c)
	}
}

// plainReference is the mention without a "whose" that it starts with.
func plainReference(d *Document, m mention) Reference {
	if d.Tokens[m.first].Tag == "WP$" && m.end-m.first > 1 {
		return Reference{First: m.first + 1, End: m.end}
	}
	return Reference{First: m.first, End: m.end}
}

// antecedent returns the position in ms of the mention that ends where the
// relative pronoun at token k begins, or, where that cannot be meant, of the one
// that it is a part of ("a man from Graz who"); -1 if there is none.
func (r *resolver) antecedent(ms []mention, k int) int {
	d := r.d
	lw := strings.ToLower(d.Tokens[k].Text)
	if lw == "what" || strings.HasSuffix(lw, "ever") {
		return -1
	}
	j := k
	if p := at(d.Tokens, j-1); p.Tag == "IN" || p.Tag == "TO" {
		j--
	}
	if at(d.Tokens, j-1).Tag == "," {
		j--
	}
	if at(d.Tokens, j-1).Tag == ")" {
		for b := j - 1; b > 0 && b > j-12; b-- {
			if d.Tokens[b].Tag == "(" {
				j = b
				break
			}
		}
	}
	for range 3 {
		found := -1
		for i := len(ms) - 1; i >= 0 && ms[i].end >= j; i-- {
			if ms[i].end == j && ms[i].role != possessor && !ms[i].relative && !(ms[i].pronoun && lw == "which") {
				found = i
				break
			}
		}
		if found < 0 {
			return -1
		}
		c := ms[found]
		cl := c.class
		if c.entity >= 0 {
			cl = r.entities[c.entity].class
		}
		fits := true
		switch lw {
		case "who", "whom":
			fits = cl != thing && cl != moment
			if p := strings.ToLower(at(d.Tokens, c.first-1).Text); cl == unknownClass && (p == "from" || p == "in" || p == "at" || p == "near") {
				fits = false // "a man from Graz who"
			}
		case "which":
			fits = cl != person
		}
		if fits {
			return found
		}
		// Over the preposition to the phrase before.
		j = c.first - 1
		if at(d.Tokens, j).Tag != "IN" {
			return -1
		}
	}
	return -1
}
