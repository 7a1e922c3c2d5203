package segment

import "strings"

// The lists hold lower-cased words without their last full stop. They are read
// only. Of common abbreviations some never end a sentence, since something has
// to follow them, and some may.

func words(lists ...string) map[string]bool {
	m := map[string]bool{}
	for _, l := range lists {
		for _, w := range strings.Fields(l) {
			m[w] = true
		}
	}
	return m
}

var (
	// neverEnds: titles and links, which have their word after them.
	neverEnds = words(`mr mrs ms mx messrs mme mlle dr drs prof rev revd fr hon pres gov lt col gen maj capt cpt
		cmdr adm sgt cpl pvt sen rep reps sens supt insp det atty msgr sr. st ste mt mts ft
		e.g i.e eg ie cf viz vs v approx ca c incl excl esp aka a.k.a resp ed. eds transl trans
		gens lts cols profs dir amb sec'y mgr`)

	// numbered: these hold the sentence together only if a number follows.
	numbered = words(`no nos nr p pp fig figs eq eqs eqn sec sect ch chap vol vols art arts para pt pts tab ex
		app ref refs op var bk col cl sched par ver v act sc lot ln stat`)

	// mayEnd: these stand both inside sentences and at their ends.
	mayEnd = words(`inc ltd co corp llc plc bros cos assn assoc dept div est govt intl natl mfg univ inst
		jr sr esq etc al ed ave blvd rd hwy sq bldg apt tel ext min max hr hrs wk yr yrs mo lb lbs oz ft in mi
		km cm mm kg mg sec secs mins mph kph gal qt temp avg vol fig dist pop est bn mn tn
		ala ariz ark calif colo conn del fla ga ill ind kan ky la mass md mich minn miss mont neb nev okla ore
		pa penn tenn tex vt va wash wis wyo ont que b.c d.c u.s u.k u.n e.u a.m p.m ph.d m.d b.a m.a
		b.sc m.sc ll.b ll.m d.phil n.y l.a u.s.a u.s.s.r r.i.p g.m.b.h gmbh cie s.a n.v
		mon tue tues wed thu thur thurs fri sat sun`)

	monthAbbreviations = words(`jan feb mar apr jun jul aug sep sept oct nov dec`)

	// starters: words in lower case that often start a sentence and are seldom a
	// part of a name.
	starters = words(`the a an this that these those it its he she they we you i his her their our your my
		there here in on at by for from with without after before during while when where what who why how which
		and but or nor so yet if as because although though since until unless however moreover furthermore
		therefore thus hence meanwhile instead also then now once still another other some many most all both
		each every no not none one two three several few such only even just according despite in to of as
		is are was were did does do has have had can could should would may might let please yes
		it's he's she's they're we're i'm i've that's there's what's don't nobody everyone someone
		overall additionally finally first second third next last later today yesterday tomorrow
		researchers scientists police officials people critics`)

	// shortWords: words of up to three letters that end sentences; a stop after
	// another short word may belong to an abbreviation.
	shortWords = words(`it he she him her his me us we you i up in on off out of to too so no not go do did is
		was are be by one two six ten all any few new old own now men man boy day way war law job car bus dog cat
		end top cup win won ran run got get put say see saw use try pay buy let led met sit set cut hit eat ate
		age air arm art bed big bit box bad boss city sea sun sky sex tax tea ten ten far fun gas gun hot ice ill
		key kid lie lot low mad map mom dad son odd oil per pop raw red sad sat six ship spy tip toy via war wet
		why yes yet you die died fan fee fit fix fly gap god hat ink jet lab leg lip log net pen pet pig pot`)
)
