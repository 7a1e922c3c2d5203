package report

import _ "embed"

//go:embed report.css
var css string

// CSS returns the style sheet of the fragments, to be put into a <style>
// element or a file once a page. Every rule is about elements in a fragment (its
// classes begin with "kg"); colours are custom properties of the class "kg" and
// can be set anew. It follows the reader's choice of light or dark; a page with
// a choice of its own sets data-theme="light" or "dark" on its root element.
func CSS() string { return css }
