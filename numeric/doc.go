// Package numeric verifies the numbers of a text against its sources, exactly:
// counts, shares, measures and money with their units, dates, times of day,
// ranks and results. A number is supported where a source states it of the same
// thing, in whatever form ("21", "twenty-one", "3.5 million" for 3,482,112, "3
// miles" for 4.8 km), or where it follows from what a source states by a sum, a
// difference, a ratio, a share, a change in percent or the time between two
// dates; it is contradicted where a source states another number of the same
// thing; otherwise it is not found. Every finding names the place in the source
// and how the two were compared ("120 - 100 = 20").
//
// Values are rationals (math/big); no equality is decided in floating point.
// Which sentence is about the same thing is judged by shared words, by rule: no
// model, no dictionary, no network.
//
// It reads English number words, units and months; the form of digits (1,234.5
// or 1.234,5) is an option. It is not a checker of whole claims: a claim whose
// numbers are all supported may be wrong in its words, and a number that is not
// found may be true. It knows no rates of exchange and no calendars but the
// Gregorian.
package numeric
