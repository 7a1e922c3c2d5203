// Package segment cuts text into sentences, words and windows, always by byte
// offsets into the caller's own string, and converts those offsets into runes
// and UTF-16 units.
package segment
