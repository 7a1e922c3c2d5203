package cli

import (
	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/segment"
)

// figureRow is one number of an output; see claim.Figure.
type figureRow struct {
	Text     string        `json:"text"`
	Span     segment.Span  `json:"span"`
	Verdict  claim.Verdict `json:"verdict"`
	Computed bool          `json:"computed,omitempty"`
	How      string        `json:"how,omitempty"`
	Evidence []evidenceRow `json:"evidence"`
	Claims   []int         `json:"claims"`
}

func figureRows(s kgeval.Sample, r claim.Result, u offsetUnit) []figureRow {
	rows := []figureRow{}
	for _, f := range r.MapSpans(u.sample(s)).Figures {
		row := figureRow{f.Text, f.Span, f.Verdict, f.Computed, f.How, []evidenceRow{}, f.Claims}
		for _, e := range f.Evidence {
			row.Evidence = append(row.Evidence, evidenceRow{e.Source, e.Index, e.Span, e.Role})
		}
		rows = append(rows, row)
	}
	return rows
}
