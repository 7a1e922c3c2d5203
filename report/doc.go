// Package report shows what was found to people: a check as an HTML fragment,
// as a page or in a terminal, a knowledge graph as a drawing, and two graphs
// beside each other with their differences.
//
// Fragments hold no script and load nothing. They look plain without a style
// sheet and well with the one that CSS returns, in light and in dark pages, on
// paper, and for readers who tell no red from green: what is wrong is underlined
// in a way of its own, drawn in a dash of its own, and said in words. Whatever
// stands in a text or a graph is escaped.
//
// The package depends on the standard library and on what it shows, so that a
// service can import it. It judges nothing (see grapheval and tau), and it makes
// no report of a whole run: that is the command "kgeval report".
package report
