package nlp

import (
	"fmt"
	"testing"
)

func ExampleDeclarative() {
	fmt.Println(Declarative("Does aspirin lower fever?", "Yes."))
	fmt.Println(Declarative("Who wrote it?", "Mary Shelley"))
	// Output:
	// Aspirin lowers fever. true
	// Mary Shelley wrote it. true
}

func TestDeclarative(t *testing.T) {
	a := analyzer(t)
	cases := []struct{ question, answer, want string }{
		// Yes and no.
		{"Does aspirin lower fever?", "No.", "Aspirin does not lower fever."},
		{"Did the old mill burn down in 1912?", "Yes", "The old mill burned down in 1912."},
		{"Do penguins live in the Arctic?", "No", "Penguins do not live in the Arctic."},
		{"Is Graz the capital of Styria?", "Yes, it is.", "Graz is the capital of Styria."},
		{"Was the bridge closed?", "It wasn't.", "The bridge was not closed."},
		{"Can ostriches fly?", "no", "Ostriches cannot fly."},
		{"Has the council approved the plan?", "Yes!", "The council has approved the plan."},
		{"Didn't she win the prize?", "Yes.", "She won the prize."},
		{"Are there lions in Peru?", "No.", "There are not lions in Peru."},
		{"According to the text, did he go home?", "Yes.", "He went home."},
		{"In 1990, did the firm sell the mine?", "No.", "In 1990, the firm did not sell the mine."},
		{"Will the trial last 14 days?", "Yes, it will.", "The trial will last 14 days."},
		{"Did Brill, the paper firm, buy the mill in 2018?", "yes", "Brill, the paper firm, bought the mill in 2018."},
		{"Do the children's books help small readers?", "No", "The children's books do not help small readers."},
		{"Did the law that passed in May help farmers?", "Yes", "The law that passed in May helped farmers."},
		{"Is wild garlic soup with cream served cold in summer?", "No", "Wild garlic soup with cream is not served cold in summer."},
		{"Are farmers loyal members of the union?", "Yes", "Farmers are loyal members of the union."},
		{"Does land use policy affect the price of bread?", "Yes", "Land use policy affects the price of bread."},
		{"Crops in dry regions: does mulch raise the yield?", "No", "Mulch does not raise the yield."},
		{"Are the nurses meeting the needs of families?", "No", "The nurses are not meeting the needs of families."},
		{"Is soup cooked with cream a good starter?", "Yes", "Soup cooked with cream is a good starter."},
		{"Is the price different for pupils taught at home?", "No", "The price is not different for pupils taught at home."},
		// Who, what and which as subject.
		{"Who founded the company?", "Ida Berg", "Ida Berg founded the company."},
		{"What caused the fire?", "a broken lamp", "A broken lamp caused the fire."},
		{"Which team won the cup?", "The Rovers.", "The Rovers won the cup."},
		{"How many people died?", "12", "12 people died."},
		{"Who has won the race?", "Bo", "Bo has won the race."},
		{"Who was elected mayor?", "Ana Ruiz", "Ana Ruiz was elected mayor."},
		// As attribute.
		{"Who is the mayor of Graz?", "Elke Kahr", "Elke Kahr is the mayor of Graz."},
		{"What is the capital of Styria?", "Graz", "The capital of Styria is Graz."},
		{"Who was Ida Berg?", "a chemist", "Ida Berg was a chemist."},
		{"How old is the tower?", "300 years", "The tower is 300 years old."},
		{"What colour is the door?", "red", "The door is red."},
		// As object.
		{"Who did Bo marry?", "Ana", "Bo married Ana."},
		{"What did Marie win in 1903?", "the Nobel Prize", "Marie won the Nobel Prize in 1903."},
		{"How many books did she write?", "seven", "She wrote seven books."},
		{"Who did he work with?", "Ada", "He worked with Ada."},
		{"Which river does the bridge cross?", "the Mur", "The bridge crosses the Mur."},
		// Place, time, cause, manner.
		{"Where does the queen live?", "London", "The queen lives in London."},
		{"Where was Ida born?", "in a small village", "Ida was born in a small village."},
		{"When was the bridge built?", "1932", "The bridge was built in 1932."},
		{"When did the shop open?", "5 March 2001", "The shop opened on 5 March 2001."},
		{"What year did the war end?", "1945", "The war ended in 1945."},
		{"In which year did the war end?", "1945", "The war ended in 1945."},
		{"What time does the train leave?", "5 p.m.", "The train leaves at 5 p.m."},
		{"Which is older, the mill or the dam?", "the mill", "The mill is older."},
		{"Why did the plant close?", "because it lost money", "The plant closed because it lost money."},
		{"How did she travel?", "by train", "She traveled by train."},
		{"How long did the siege last?", "two years", "The siege lasted two years."},
	}
	for _, c := range cases {
		if got, ok := a.Declarative(c.question, c.answer); !ok || got != c.want {
			t.Errorf("%q %q:\n got %q %v\nwant %q", c.question, c.answer, got, ok, c.want)
		}
	}
}

func TestDeclarativeIsUnsure(t *testing.T) {
	a := analyzer(t)
	cases := [][2]string{
		{"Does aspirin lower fever?", "I don't know."},
		{"Does aspirin lower fever?", "Maybe."},
		{"Does aspirin lower fever?", "Aspirin lowers fever in most patients."},
		{"Who wrote it?", "Yes."},
		{"Who wrote it?", ""},
		{"", "Yes."},
		{"?", "Yes."},
		{"Who wrote it?", "The book was written by Mary Shelley."},
		{"Tell me about the mine", "It closed."},
		{"Is it red or blue?", "Yes."},
		{"What does it do?", "fly"},
		{"Mulch in dry regions: does it raise the yield?", "Yes"},
		{"Why did it close?", "1990"},
		{"Who wrote it?", "Mary. She did."},
		{"a\x00\xff?", "\xff"},
	}
	for _, c := range cases {
		if got, ok := a.Declarative(c[0], c[1]); ok {
			t.Errorf("%q %q: %q", c[0], c[1], got)
		}
	}
}

func FuzzDeclarative(f *testing.F) {
	f.Add("Does aspirin lower fever?", "Yes.")
	f.Add("In which year did the war end?", "1945")
	f.Add("How many", "n't")
	f.Add("Who is n't?", "x")
	a := analyzer(f)
	f.Fuzz(func(t *testing.T, question, answer string) {
		s, ok := a.Declarative(question, answer)
		if ok != (s != "") {
			t.Fatalf("%q, %v", s, ok)
		}
	})
}
