package graphcorrect_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/kgeval/kgeval"
	"github.com/kgeval/kgeval/claim"
	"github.com/kgeval/kgeval/graphcorrect"
	"github.com/kgeval/kgeval/grapheval"
)

var _ graphcorrect.Checker = (*grapheval.Checker)(nil)

// The offline parts, together.
func TestOfflineCorrections(t *testing.T) {
	parts, err := kgeval.Offline()
	if err != nil {
		t.Fatal(err)
	}
	c, err := parts.Corrector(grapheval.Options{}, graphcorrect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, output, source, want string }{
		{"nothing wrong", "The mill in Lund has 12 rooms.", "The mill in Lund has 12 rooms and a garden.", "The mill in Lund has 12 rooms."},
		{"wrong name", "The mill was sold by Nora Field.", "In spring the mill was sold by Ida Holm.", "The mill was sold by Ida Holm."},
		{"wrong number", "The ferry carries 120 cars.", "The ferry carries 80 cars.", "The ferry carries 80 cars."},
		{"wrong year", "The fair opened in 1990 in Turku.", "The fair opened in 1995 in Turku.", "The fair opened in 1995 in Turku."},
		{"flipped negation", "Drug K lowered blood pressure.", "Drug K did not lower blood pressure.", "Drug K did not lower blood pressure."},
		{"two errors in one sentence", "Nora Field sold 45 boats in Turku.", "Ida Holm sold 54 boats in Turku.", "Ida Holm sold 54 boats in Turku."},
		{"a repeated name", "Anna met Karl in Rome. Anna sold the house to Karl.", "Anna met Karl in Rome. Anna sold the house to Ines.", "Anna met Karl in Rome. Anna sold the house to Ines."},
		{"letters beyond ASCII", "Das Café — „Zoë“ was opened by Renée Müller.", "The café Zoë was opened by Jürgen Weiß.", "Das Café — „Zoë“ was opened by Jürgen Weiß."},
		{"exchanged values", "Ines Holm lives in Lund. Karl Berg lives in Turku.", "Ines Holm lives in Turku. Karl Berg lives in Lund.", "Ines Holm lives in Turku. Karl Berg lives in Lund."},
		{"a slip repeated", "Rolf Tiene wrote the song. Rolf Tiene lives in Lund. Later Rolf Tiene sold the boat.", "Rolf Tiede wrote the song. Rolf Tiede lives in Lund. Later Rolf Tiede sold the boat.", "Rolf Tiede wrote the song. Rolf Tiede lives in Lund. Later Rolf Tiede sold the boat."},
		{"a true comparison", "Ines is taller than Karl.", "Karl is shorter than Ines.", "Ines is taller than Karl."},
		{"an invented fact is left", "The mill in Lund has 12 rooms. Its owner collects stamps.", "The mill in Lund has 12 rooms.", "The mill in Lund has 12 rooms. Its owner collects stamps."},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := c.Correct(context.Background(), claim.Sample{Sources: []claim.Source{{Text: test.source}}, Output: test.output})
			if err != nil {
				t.Fatal(err)
			}
			sound(t, test.output, got)
			if got.Text != test.want {
				t.Errorf("got  %q\nwant %q\nleft %+v", got.Text, test.want, got.Left)
			}
		})
	}
}

// Text that the checker repairs is corrected in its repaired form.
func TestRepairedText(t *testing.T) {
	parts, err := kgeval.Offline()
	if err != nil {
		t.Fatal(err)
	}
	c, err := parts.Corrector(grapheval.Options{Repair: true}, graphcorrect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Correct(context.Background(), claim.Sample{
		Sources: []claim.Source{{Text: "Caf\xe9s close early. The ferry carries 80 cars."}},
		Output:  "Caf\xe9s close early. The ferry carries 120 cars.",
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := "Caf\ufffds close early. The ferry carries 80 cars."; got.Text != want {
		t.Errorf("got %q, want %q", got.Text, want)
	}
	sound(t, "Caf\ufffds close early. The ferry carries 120 cars.", got)
}

func ExampleCorrector_Correct() {
	parts, err := kgeval.Offline()
	if err != nil {
		fmt.Println(err)
		return
	}
	corrector, err := parts.Corrector(grapheval.Options{}, graphcorrect.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := corrector.Correct(context.Background(), claim.Sample{
		Sources: []claim.Source{{Text: "The ferry carries 80 cars. It was not built in Turku."}},
		Output:  "The ferry carries 120 cars.",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Text)
	for _, e := range c.Edits {
		fmt.Printf("%q to %q, %s\n", e.Old, e.New, e.Reason)
	}
	// Output:
	// The ferry carries 80 cars.
	// "120" to "80", number: the source says "80"
}
