package slot

import "strings"

// opposites are common pairs of words of which one excludes the other, in
// their dictionary forms. A slash joins words that share their opposites.
var opposites = func() map[string][]string {
	m := map[string][]string{}
	for pair := range strings.SplitSeq(oppositePairs, ",") {
		a, b, ok := strings.Cut(strings.TrimSpace(pair), "-")
		if !ok {
			continue
		}
		for x := range strings.SplitSeq(a, "/") {
			for y := range strings.SplitSeq(b, "/") {
				m[x] = append(m[x], y)
				m[y] = append(m[y], x)
			}
		}
	}
	return m
}()

const oppositePairs = `increase/rise/grow/raise/climb/soar/gain-decrease/fall/drop/decline/reduce/lower/shrink/diminish/plunge/lessen,
accept-reject/refuse/decline,allow/permit-forbid/prohibit/ban/prevent,approve-reject/disapprove/veto,admit-deny,
agree-disagree/refuse,appear-disappear/vanish,arrive-depart/leave,enter-leave/exit,attack-defend/retreat,
begin/start/commence/launch-end/finish/stop/cease/conclude/halt,open-close/shut,build/construct-destroy/demolish,create-destroy,
buy/purchase-sell,acquire-sell/lose,borrow-lend,win-lose,beat/defeat-lose,pass-fail,succeed-fail,
come-go,arrive-go,push-pull,give-take,love/like/enjoy-hate/dislike/detest,
remember-forget,find-lose,join-leave/quit,hire/employ/recruit-fire/dismiss/sack,appoint-dismiss/sack,
live/survive-die/perish,kill-save/rescue,save-spend/waste,help-hinder/harm/hurt,support/back-oppose,praise-criticise/criticize/condemn,
confirm-deny/refute,prove-disprove/refute,encourage-discourage,include-exclude/omit,improve-worsen/deteriorate,
strengthen-weaken,expand-contract/shrink,extend-shorten,connect-disconnect,attach-detach,lock-unlock,load-unload,
cover-uncover,hide-reveal/show,dress-undress,pack-unpack,tie-untie,ascend-descend,advance-retreat,
laugh-cry,sleep-wake,sit-stand,stay/remain-leave/go,arrest-release/free,imprison-release/free,convict-acquit,
punish-reward/pardon,demand-supply,import-export,inhale-exhale,import-export,invest-divest,
lead-follow,speed-slow,accelerate-decelerate/slow,heat-cool,freeze-melt/thaw,fill-empty,
activate-deactivate,enable-disable,install-uninstall,encrypt-decrypt,inflate-deflate,obey-disobey,trust-distrust,
respect-disrespect,continue-stop/discontinue,keep-discard/lose,marry-divorce,unite-divide/separate,merge-split,
float-sink,attract-repel,maximise/maximize-minimise/minimize,simplify-complicate,
good-bad/poor/evil,great-terrible/small,better-worse,best-worst,big/large/huge/giant-small/little/tiny,tall-short,long-short/brief,
high-low,wide/broad-narrow,thick-thin,fat-thin,heavy-light,strong-weak,hard-soft/easy,difficult-easy/simple,
fast/quick/rapid-slow,early-late,young-old/elderly,new-old,modern-ancient/old,hot-cold,warm-cool,wet-dry,clean-dirty,
full-empty,rich/wealthy-poor,cheap/inexpensive-expensive/costly,happy/glad-sad/unhappy/miserable,
alive-dead,living-dead,safe-dangerous/unsafe,healthy-sick/ill/unhealthy,true-false/untrue,right-wrong/left,correct-incorrect/wrong,
possible-impossible,legal-illegal/unlawful,guilty-innocent,present-absent,public-private,male-female,
man-woman,boy-girl,father-mother,son-daughter,brother-sister,husband-wife,uncle-aunt,king-queen,
awake-asleep,bright-dark/dim,light-dark,black-white,loud/noisy-quiet/silent,open-closed,
positive-negative,major-minor,maximum-minimum,upper-lower,inner-outer,internal-external,
northern-southern,eastern-western,north-south,east-west,left-right,top-bottom,front-back/rear,
first-last,former-latter,same-different,similar-different/dissimilar,equal-unequal,common/frequent-rare/uncommon,
popular-unpopular,famous-unknown,known-unknown,visible-invisible/hidden,active-inactive/passive,
voluntary-compulsory/mandatory/involuntary,optional-mandatory/compulsory/required,temporary-permanent,
domestic-foreign,local-global/foreign,urban-rural,natural-artificial,raw-cooked,ripe-unripe,fresh-stale,
sharp-blunt/dull,smooth-rough,deep-shallow,near/close-far/distant,tight-loose,straight-crooked/curved,
single-married,complete-incomplete/partial,successful-unsuccessful,able-unable,willing-unwilling/reluctant,
certain-uncertain,likely-unlikely,effective-ineffective,efficient-inefficient,accurate-inaccurate,
adequate-inadequate,sufficient-insufficient,significant-insignificant/negligible,important-unimportant/trivial,
relevant-irrelevant,dependent-independent,direct-indirect,formal-informal,regular-irregular,
rational-irrational,responsible-irresponsible,mature-immature,mortal-immortal,moral-immoral,polite-impolite/rude,
patient-impatient,perfect-imperfect,pure-impure,consistent-inconsistent,sane-insane,stable-unstable,
reversible-irreversible,replaceable-irreplaceable,honest-dishonest,loyal-disloyal,
friend-enemy/foe,ally-enemy,victory/win-defeat/loss,success-failure,profit-loss,gain-loss,benefit-harm/drawback,
advantage-disadvantage,strength-weakness,beginning/start-end/ending,birth-death,life-death,war-peace,
day-night,morning-evening,summer-winter,entrance-exit,arrival-departure,majority-minority,
increase-decrease/reduction/decline,growth-decline,presence-absence,guilt-innocence,truth-lie/falsehood,
always-never,often/frequently-rarely/seldom/never,everywhere-nowhere,inside/indoors-outside/outdoors,indoor-outdoor,
above/over-below/under/beneath,before-after,up-down,on-off,in-out,forward-backward/backwards,upstairs-downstairs,
together-apart/separately,quickly/rapidly-slowly,loudly-quietly/softly,easily-hardly,more-less/fewer,most-least,
many-few,everybody/everyone-nobody,everything-nothing,all-none,with-without,yes-no,
convex-concave,benign-malignant,acute-chronic,toxic-harmless,harmful-harmless/beneficial,fatal/deadly/lethal-harmless,
acidic-alkaline,soluble-insoluble,conductive-insulating,edible-inedible/poisonous,literate-illiterate,
plaintiff-defendant,buyer-seller,teacher-student/pupil,employer-employee,landlord-tenant,winner-loser,attacker-defender,
ancestor-descendant,predator-prey,liability-asset,debit-credit,debt-asset,income-expense,surplus-deficit,
vote-abstain,overestimate-underestimate,upgrade-downgrade,promote-demote,boost-cut,cut-raise/increase,
tighten-loosen/ease,worsen-ease/improve,escalate-ease,settle-dispute,withdraw-deposit/advance,resign-stay,
open-closed,online-offline,liquid-solid,optimistic-pessimistic,generous-stingy/mean,brave-cowardly,
proud-ashamed,calm-nervous/anxious,lazy-hardworking/diligent,cruel-kind,selfish-unselfish/generous,humble-arrogant`

// alternatives are closed classes of which a thing is one at a time.
var alternatives = func() map[string]int {
	m := map[string]int{}
	for i, line := range strings.Split(`red blue green yellow orange purple pink brown black white grey
spring summer autumn winter
north south east west northeast northwest southeast southwest
northern southern eastern western
gold silver bronze
wooden metal plastic glass leather cotton
breakfast lunch dinner
monthly weekly daily yearly hourly
solid liquid gaseous
single married divorced widowed
primary secondary tertiary
herbivore carnivore omnivore`, "\n") {
		for w := range strings.FieldsSeq(line) {
			m[w] = i + 1
		}
	}
	return m
}()

// Opposite reports whether of the words a and b, lower case and in dictionary
// form, one excludes the other: opposites ("rise" and "fall", "happy" and
// "unhappy", "smoking" and "non-smoking") and alternatives of one closed class
// ("red" and "blue", "spring" and "autumn"). It is symmetric; a word has no
// opposite in itself.
func Opposite(a, b string) bool {
	if a == b {
		return false
	}
	if g := alternatives[a]; g > 0 && g == alternatives[b] {
		return true
	}
	for _, x := range opposites[a] {
		if x == b {
			return true
		}
	}
	return negates(a, b) || negates(b, a)
}

// negates reports whether a is b with a prefix that denies it.
func negates(a, b string) bool {
	if len(b) < 4 {
		return false
	}
	rest, ok := strings.CutPrefix(a, "un")
	if !ok {
		rest, ok = strings.CutPrefix(a, "non")
		rest = strings.TrimPrefix(rest, "-")
	}
	return ok && rest == b
}
