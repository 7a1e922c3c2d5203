package slot

import "strings"

// nicknames gives the first names that a common short form stands for.
var nicknames = func() map[string][]string {
	m := map[string][]string{}
	for line := range strings.SplitSeq(`william=bill,billy,will,willy,liam
robert=bob,bobby,rob,robbie,bert
richard=rick,ricky,dick,rich
james=jim,jimmy,jamie
john=jack,johnny
joseph=joe,joey
thomas=tom,tommy
michael=mike,mick,mickey
david=dave,davy
edward=ed,eddie,ted,ned
charles=charlie,chuck
henry=harry,hank
george=georgie
daniel=dan,danny
matthew=matt
andrew=andy,drew
anthony=tony
antony=tony
christopher=chris,kit
nicholas=nick,nicky
samuel=sam,sammy
benjamin=ben,benny
alexander=alex,sandy
alexandra=alex,sandra
lawrence=larry
gerald=gerry,jerry
frederick=fred,freddie
albert=al,bert
patrick=pat,paddy
peter=pete
philip=phil
stephen=steve
steven=steve
timothy=tim
kenneth=ken,kenny
ronald=ron,ronnie
donald=don,donnie
gregory=greg
jeffrey=jeff
geoffrey=geoff
walter=walt
francis=frank,frankie
franklin=frank
elizabeth=liz,lizzie,beth,betty,eliza
margaret=maggie,meg,peggy
katherine=kate,katie,kathy
catherine=kate,cathy,katie
jennifer=jen,jenny
jessica=jess,jessie
rebecca=becky
susan=sue,susie
deborah=debbie,deb
barbara=barb
patricia=pat,patty,tricia
victoria=vicky,tori
christine=chris,tina
amanda=mandy
abigail=abby
samantha=sam
dorothy=dot,dolly
eleanor=ellie,nell`, "\n") {
		name, short, _ := strings.Cut(line, "=")
		for s := range strings.SplitSeq(short, ",") {
			m[s] = append(m[s], name)
		}
	}
	return m
}()

// nicknamed reports whether one of the words is a short form of the other, or
// both are short forms of one name.
func nicknamed(a, b string) bool {
	for _, x := range nicknames[a] {
		if x == b {
			return true
		}
		for _, y := range nicknames[b] {
			if x == y {
				return true
			}
		}
	}
	for _, y := range nicknames[b] {
		if y == a {
			return true
		}
	}
	return false
}

// letter reports whether token j is a capital A or I that names one of several
// ("Plant A", "World War I"), where it could be a word: it goes on a name, and no
// further name follows.
func (f *finder) letter(j int) bool {
	w := f.word(j)
	if w != "a" && w != "i" || j == 0 || f.used[j] || f.toks[j].kind != wordTok || f.toks[j-1].kind != wordTok || f.glued(j) {
		return false
	}
	if c := f.text[f.toks[j].Start]; c != 'A' && c != 'I' {
		return false
	}
	if w == "i" && f.kind(j+1) == wordTok && !auxiliaries[f.word(j+1)] {
		return false
	}
	return j+1 >= len(f.toks) || !startsUpper(f.text[f.toks[j+1].Start:])
}
