package numeric_test

import (
	"context"
	"testing"

	"github.com/kgeval/kgeval/numeric"
)

func TestCheckOneClaim(t *testing.T) {
	for _, c := range []struct {
		claim, source string
		want          numeric.Verdict
	}{
		// Forms of one number.
		{"The ferry carried twenty-one passengers.", "The ferry carried 21 passengers.", numeric.Supported},
		{"The ferry carried 22 passengers.", "The ferry carried twenty-one passengers.", numeric.Contradicted},
		{"About 3.5 million people live in the region.", "The region had 3,482,112 inhabitants; people live in the region on farms.", numeric.Supported},
		{"The mill sold a dozen looms.", "The mill sold 12 looms.", numeric.Supported},
		{"Half of the members voted.", "50% of the members voted.", numeric.Supported},
		{"Two thirds of the voters agreed.", "67 percent of the voters agreed.", numeric.Supported},
		{"One in five children read daily.", "20 per cent of children read daily.", numeric.Supported},
		{"The deal cost $3bn.", "The deal cost $3,000 million.", numeric.Supported},
		{"The deal cost $3 million.", "The deal cost $3 billion.", numeric.Contradicted},
		{"The deal cost £3 million.", "The deal cost $3 million.", numeric.Contradicted},
		// Units.
		{"The path is 3 miles long.", "The path is 4.8 km long.", numeric.Supported},
		{"The path is 5 miles long.", "The path is 4.8 km long.", numeric.Contradicted},
		{"It reached 68 degrees Fahrenheit in the hall.", "The hall reached 20 °C.", numeric.Supported},
		{"The tank holds 10 gallons.", "The tank holds 38 litres.", numeric.Supported},
		{"The farm covers 100 acres.", "The farm covers 40 hectares.", numeric.Supported},
		{"The film lasts two hours.", "The film lasts 120 minutes.", numeric.Supported},
		{"The race took 2 hours and 30 minutes.", "The race took 150 minutes.", numeric.Supported},
		{"The car reached 100 miles per hour.", "The car reached 161 km/h.", numeric.Supported},
		// Bounds.
		{"More than 100 houses burned.", "120 houses burned.", numeric.Supported},
		{"More than 100 houses burned.", "90 houses burned.", numeric.Contradicted},
		{"At least 5 boats sank.", "At most 4 boats sank.", numeric.Contradicted},
		{"Between 5 and 10 boats sank.", "7 boats sank.", numeric.Supported},
		{"100 houses burned.", "More than 100 houses burned.", numeric.NotFound},
		// Dates.
		{"The bridge opened in 1995.", "The bridge opened on 3 May 1995.", numeric.Supported},
		{"The bridge opened in 1996.", "The bridge opened on 3 May 1995.", numeric.Contradicted},
		{"The bridge opened in the 1990s.", "The bridge opened in 1995.", numeric.Supported},
		{"The bridge was built in the 19th century.", "The bridge was built in 1874.", numeric.Supported},
		{"The bridge was built in the 18th century.", "The bridge was built in 1874.", numeric.Contradicted},
		{"The war lasted from 1990 to 1995.", "The war lasted from 1990 to 1994.", numeric.Contradicted},
		// Computed.
		{"Sales rose by 20%.", "Sales rose from 100 units to 120 units.", numeric.Supported},
		{"Sales rose by 30%.", "Sales rose from 100 units to 120 units.", numeric.Contradicted},
		{"Sales rose by 20 units.", "Sales rose from 100 units to 120 units.", numeric.Supported},
		{"The vans and cars sold totalled 21 altogether.", "The dealer sold 14 vans and 7 cars.", numeric.Supported},
		{"Output doubled at the plant.", "Output at the plant grew from 40 tonnes to 80 tonnes.", numeric.Supported},
		{"The trip took two days.", "The trip took from 3 May 2019 to 5 May 2019.", numeric.Supported},
		{"She ruled for 14 years.", "She ruled from 1980 to 1994.", numeric.Supported},
		{"She ruled for 24 years.", "She ruled from 1980 to 1994.", numeric.Contradicted},
		// About something else.
		{"The library has 40 desks.", "The museum has 12 guards.", numeric.NotFound},
		{"Ann owns 3 dogs.", "Bob Miller owns 5 cats.", numeric.NotFound},
		{"The crash left 15 dead.", "The crash left 12 dead and 15 injured.", numeric.Contradicted},
		{"The crash left 12 dead and 15 injured.", "The crash left 12 dead and 15 injured.", numeric.Supported},
	} {
		fs, err := numeric.Check(context.Background(), c.claim, c.source, numeric.Options{})
		if err != nil {
			t.Fatal(err)
		}
		worst := numeric.Supported
		if len(fs) == 0 {
			worst = "no number"
		}
		for _, f := range fs {
			t.Logf("%s: %q %s: %s", c.claim, f.Quantity.Text, f.Verdict, f.How)
			if f.Verdict == numeric.Contradicted || f.Verdict == numeric.NotFound && worst == numeric.Supported {
				worst = f.Verdict
			}
		}
		if worst != c.want {
			t.Errorf("%q by %q: %s, want %s", c.claim, c.source, worst, c.want)
		}
	}
}
