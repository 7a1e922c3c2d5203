package antonym

// listed holds words that exclude each other when one stands in the other's place:
// antonyms, and the two ends of a relation.
const listed = `
	increase decrease, raise lower, rise fall, rise drop, rose fell, rose dropped, rose declined, rise decline, grew shrank, grew fell, enter left, entered left,
	came went, came left, arrived left, allowed banned, permit ban, legalise ban, legalize ban, greater less, greater smaller,
	greater fewer, higher less, over under, gave received, opened shut, began ended, began stopped, began finished, hired fired, grow shrink, gain lose, win lose, won lost, victory defeat,
	accept reject, accept refuse, approve reject, allow forbid, allow ban, allow prevent, permit forbid, permit prohibit,
	agree disagree, support oppose, love hate, like hate, like dislike, confirm deny, admit deny, attack defend, begin end,
	start end, start stop, start finish, begin finish, open close, open shut, enter leave, arrive leave, arrive depart,
	join leave, hire fire, appoint dismiss, buy sell, bought sold, lend borrow, lent borrowed, give take, gave took, send
	receive, sent received, import export, create destroy, build demolish, built destroyed, born died, birth death, live die,
	alive dead, to from, into from, all some, every some, many few, much little, accelerate slow, strengthen weaken, improve worsen, improve deteriorate, cause prevent, include exclude,
	activate inhibit, stimulate inhibit, induce suppress, promote inhibit, promote demote, enable disable, connect
	disconnect, attach detach, ascend descend, attract repel, praise blame, praise criticize, remember forget, pass fail, succeed
	fail, success failure, push pull, save spend, expand contract, encourage discourage, unite divide, married divorced, marry
	divorce, teach learn, taught learned, ask answer, before after, above below, over under, north south, east west, northern
	southern, eastern western, left right, inside outside, internal external, inner outer, early late, earlier later, first last,
	more less, most least, more fewer, maximum minimum, high low, higher lower, highest lowest, large small, larger smaller,
	largest smallest, big small, bigger smaller, biggest smallest, long short, longest shortest, old young, older younger,
	oldest youngest, old new, oldest newest, fast slow, good bad, better worse, best worst, rich poor, strong weak, hot
	cold, hotter colder, true false, yes no, right wrong, positive negative, male female, man woman, men women, boy girl, king
	queen, prince princess, actor actress, husband wife, father mother, son daughter, brother sister, uncle aunt, nephew niece,
	parent child, parents children, ancestor descendant, teacher student, employer employee, doctor patient,
	owner tenant, landlord tenant, buyer seller, winner loser, predecessor successor, precede follow, precede succeed,
	cause effect, guest host, home away, public private, guilty innocent, legal illegal, present absent, always never, all
	none, upstream downstream, upper lower, top bottom, front back, full empty, light dark, black white, hard soft, easy
	difficult, safe dangerous, war peace, day night, morning evening, summer winter, spring autumn, cathode anode`
