package llmtest

import (
	"fmt"
	"reflect"

	"github.com/kgeval/kgeval/llm"
)

// Variants returns requests that differ from req in one place each, by the name
// of the place ("Temperature", "Messages[1].Text"). Every field of llm.Request
// is among them, those that a later version adds too: what tells requests apart
// (a cache, a recording) must tell all of these apart, from req and from each
// other. Some of them are not valid. It panics for a field of a kind that it
// can't change.
func Variants(req llm.Request) map[string]llm.Request {
	all := map[string]llm.Request{}
	vary(reflect.TypeFor[llm.Request](), "", func(change func(reflect.Value), place string) {
		r := req.Clone()
		change(reflect.ValueOf(&r).Elem())
		all[place] = r
	}, reflect.ValueOf(req))
	return all
}

// vary calls emit for each place within a value of type t; the change it hands
// on takes the whole value.
func vary(t reflect.Type, place string, emit func(change func(reflect.Value), place string), now reflect.Value) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			name := t.Field(i).Name
			if place != "" {
				name = place + "." + name
			}
			vary(t.Field(i).Type, name, func(change func(reflect.Value), place string) {
				emit(func(v reflect.Value) { change(v.Field(i)) }, place)
			}, now.Field(i))
		}
	case reflect.Pointer:
		if now.IsNil() {
			emit(func(v reflect.Value) { v.Set(reflect.New(t.Elem())) }, place+" set")
			return
		}
		emit(func(v reflect.Value) { v.SetZero() }, place+" unset")
		vary(t.Elem(), place, func(change func(reflect.Value), place string) {
			emit(func(v reflect.Value) { change(v.Elem()) }, place)
		}, now.Elem())
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 { // JSON
			emit(func(v reflect.Value) { v.SetBytes([]byte(string(v.Bytes()) + " ")) }, place)
			return
		}
		for i := range now.Len() {
			vary(t.Elem(), fmt.Sprintf("%s[%d]", place, i), func(change func(reflect.Value), place string) {
				emit(func(v reflect.Value) { change(v.Index(i)) }, place)
			}, now.Index(i))
		}
		emit(func(v reflect.Value) {
			last := reflect.New(t.Elem()).Elem()
			if v.Len() > 0 {
				last = v.Index(v.Len() - 1)
			}
			v.Set(reflect.Append(v, last))
		}, place+" longer")
		if now.Len() > 0 {
			emit(func(v reflect.Value) { v.SetLen(v.Len() - 1) }, place+" shorter")
		}
	case reflect.String:
		emit(func(v reflect.Value) {
			if v.Type() == reflect.TypeFor[llm.Role]() {
				other := map[string]string{string(llm.User): string(llm.Assistant), string(llm.System): string(llm.User)}
				if to, ok := other[v.String()]; ok {
					v.SetString(to)
					return
				}
			}
			v.SetString(v.String() + "?")
		}, place)
	case reflect.Int, reflect.Int64:
		emit(func(v reflect.Value) { v.SetInt(v.Int() + 1) }, place)
	case reflect.Float64:
		emit(func(v reflect.Value) { v.SetFloat(v.Float()/2 + 0.125) }, place)
	case reflect.Bool:
		emit(func(v reflect.Value) { v.SetBool(!v.Bool()) }, place)
	default:
		panic(fmt.Sprintf("llmtest.Variants: %s is a %v, which it does not know to change", place, t))
	}
}
