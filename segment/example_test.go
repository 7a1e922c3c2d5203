package segment_test

import (
	"errors"
	"fmt"

	"github.com/kgeval/kgeval/segment"
)

func ExampleSentences() {
	text := "Dr. Li paid $3.5 million. \"Too much!\" he said.\n- ropes\n- tents"
	for _, s := range segment.Sentences(text) {
		fmt.Printf("%v %q\n", s, s.Of(text))
	}
	// Output:
	// [0:25) "Dr. Li paid $3.5 million."
	// [26:46) "\"Too much!\" he said."
	// [47:54) "- ropes"
	// [55:62) "- tents"
}

func ExampleWords() {
	text := "She didn't pay 1,000.50 €."
	for _, w := range segment.Words(text) {
		fmt.Println(w.Of(text))
	}
	// Output:
	// She
	// didn't
	// pay
	// 1,000.50
}

func ExampleOffsets() {
	o := segment.NewOffsets("a😀é")
	fmt.Println(o.Rune(5), o.UTF16(5), o.FromUTF16(3))
	// Output:
	// 2 3 5
}

func ExampleCheckUTF8() {
	var bad *segment.InvalidUTF8Error
	if err := segment.CheckUTF8("ab\xffc"); errors.As(err, &bad) {
		fmt.Println(bad.Offset, segment.RepairUTF8("ab\xffc"))
	}
	// Output:
	// 2 ab�c
}
