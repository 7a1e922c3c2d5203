package weights

import _ "embed" // for the file below

//go:embed entailment.kgw
var entailment string

// Entailment returns entailment.kgw: the entailment model of nli/builtin, all of it
// that is not in Words. docs/models/ says what it was trained on.
func Entailment() string { return entailment }
