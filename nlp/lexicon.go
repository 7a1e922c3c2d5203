package nlp

import "strings"

// Gender says what third-person pronouns a person goes by in the text or, as a
// guess, by the custom of the name.
type Gender uint8

// The genders that pronouns tell apart.
const (
	UnknownGender Gender = iota
	Masculine
	Feminine
)

// String returns "unknown", "masculine" or "feminine".
func (g Gender) String() string {
	switch g {
	case Masculine:
		return "masculine"
	case Feminine:
		return "feminine"
	}
	return "unknown"
}

// givenNames are given names that are common in English text, each with the
// gender of most of its bearers; names common to both have UnknownGender. It is
// a guess for agreement with pronouns, and what a text says goes before it.
var givenNames = nameList()

func nameList() map[string]Gender {
	m := map[string]Gender{}
	for g, list := range map[Gender]string{Masculine: masculineNames, Feminine: feminineNames, UnknownGender: sharedNames} {
		for _, w := range strings.Fields(list) {
			if old, ok := m[w]; ok && old != g {
				m[w] = UnknownGender
			} else {
				m[w] = g
			}
		}
	}
	return m
}

func givenName(lower string) bool { _, ok := givenNames[lower]; return ok }

const masculineNames = `bo aaron abdul abdullah abraham adam adolf adrian ahmad ahmed aidan akira al alan albert alberto
alec alejandro alessandro alexander alexandre alexei alfonso alfred ali alistair allan allen alvin amir amos anders
andre andreas andrei andrew andrey andy angelo angus anthony antoine anton antonio archibald archie ari armand arnold
arthur arturo austin axel barack barnaby barney barry bart bartholomew basil ben benedict benjamin bernard bernardo
bernd bert bertrand bill billy bjorn bob bobby boris brad bradley brandon brendan brent brett brian bruce bruno
bryan bryce buddy burt byron caleb callum calvin carl carlo carlos cecil cedric cesar chad charles charlie
chester chris christian christoph christopher chuck clarence clark claude claudio clayton clement cliff clifford clint
clinton clive clyde colin connor conor conrad cornelius craig curtis cyril cyrus dale damian damien damon
dan daniel daniele danny dario darius darrell darren darryl daryl dave david davis dean declan denis dennis denzel
derek dermot desmond dexter dick diego dieter dietrich dimitri dirk dmitri dmitry dominic dominique don donald donny
doug douglas drew duncan dustin dwayne dwight dylan earl ed eddie edgar edmond edmund eduardo edward edwin
elias elijah eliot elliot elliott elmer elon elton elvis emil emile emilio emmanuel enrico enrique enzo eric erich
erik ernest ernesto ernie ernst ethan eugene evan ezra fabian fabio federico felipe felix ferdinand fernando
fidel finn fitzgerald floyd francesco francisco franco francois frank frankie franklin franz fred freddie
freddy frederic frederick fredrik friedrich fritz gabriel gareth garrett garry garth gary gaston gavin gene geoff
geoffrey george georges gerald gerard gerhard gerry giacomo gilbert giles gino giorgio giovanni giuseppe glen glenn
godfrey gordon graeme graham grant greg gregg gregor gregory guillaume guillermo gunther gus gustav gustavo guy
hans harald hank hannibal harold haroun harris harrison harry harvey hassan hector heinrich heinz helmut henri henrik henry
herbert herman hermann hideo hiro hiroshi homer horace horatio howard hubert hugh hugo humphrey hussein ian ibrahim
ignacio igor imran isaac isaiah ismail ivan ivar ivo jack jackson jacob jacques jaime jake jamal james jamie jan
jared jarvis jason javier jay jean jeff jefferson jeffery jeffrey jens jeremiah jeremy jerome jerry jim jimmy
joachim joao joaquin joe joel joey johan johann johannes john johnny jon jonah jonas jonathan jordan jorge jose
josef joseph josh joshua juan judah jules julian julien julio julius jurgen justin kareem karl keanu keith
ken kenji kenneth kenny kent kevin khalid kieran kirk klaus kobe konrad konstantin kris kurt kyle lachlan
lamar lance larry lars laurence laurent lawrence leif len lenny leo leon leonard leonardo leonid leopold leroy
levi lewis liam lionel lloyd logan lorenzo lou louis luc luca lucas lucian luciano ludwig luigi luis luiz lukas luke
luther lyle lyndon magnus mahmoud malcolm manfred manuel marc marcel marcello marco marcos marcus mariano mario
mark marlon marshall martin marvin mason mathieu matt matteo matthew matthias maurice mauricio max maximilian
maxwell mehmet melvin merlin michael michel miguel mikael mike mikhail milan miles milo milton mitch mitchell
mohamed mohammad mohammed moritz morris mortimer moses muhammad murray mustafa nathan nathaniel neal ned neil
nelson neville niall nicholas nick nicolai nicolas nigel nikita nikolai nikolaus nils noah noel norbert norman olaf
oleg oliver olivier omar orlando orson oscar oskar osman oswald otis otto owen pablo paddy paolo pascal patrick
patrik paul paulo pavel pedro percy perry pete peter petr phil philip philipp philippe phillip pierre pietro
piotr prince quentin quincy rafael rahul raj rajesh ralph ramon randall randolph randy raoul raphael rashid raul
ravi ray raymond reginald reinhard rene reuben rex reza rhys ricardo riccardo richard rick ricky rob robbie
robert roberto robin rod roderick rodney rodrigo roger roland rolf roman romeo ron ronald ronaldo ronnie rory
ross roy ruben rudolf rudolph rudy rufus rupert russ russell ryan salman salvador salvatore sam samuel sanjay santiago
saul scott sean sebastian serge sergei sergey sergio seth shane shaun sheldon sherlock sherman sid sidney siegfried
sigmund silvio simon sinclair solomon spencer stan stanley stefan stefano stephan stephen steve steven stewart
stuart sven sylvester tarek tariq ted terence terrence terry theo theodor theodore thiago thierry thomas
tim timothy tito titus tobias toby todd tom tomas tommy tony travis trevor tristan troy tyler tyrone ulrich umberto
uri valentin vernon victor viktor vijay vince vincent vincenzo virgil vito vlad vladimir wade wallace wally walt
walter warren warwick wayne wendell werner wesley wilbur wilfred wilhelm willem william willie wilson winston wladimir
wolfgang woody xavier yasser yuri yusuf yves zachary zoltan
albrecht alfredo amit arjun arun ashok bela benito boyd brock bryant byeong cameron carter casper chandler chet
cody colm cory dallas damien darcy deepak derrick dinesh donovan edison eamon eli elvin emerson ethelred
faisal farhan fergus franck gideon giulio godwin gopal graydon guido gregorio hamish harlan harun heath hernan
hiram irving jacopo jermaine jett jody jozef karim keanu kofi krishna lemuel lester lleyton lucius
lorne mack maksim manish marek marius matthieu mick miroslav moe monty nasser nikola niko norm odin ollie
oskar otmar pasquale perceval pervez piers prakash preston quinn ramesh reed reggie rocco rohan roscoe sanjeev
scipio shawn silas slobodan stephane suresh tadeusz tariq terrance thaddeus theodoric ulysses vasily vikram
vinod wallis waldo wilf yitzhak zachariah zeke`

const feminineNames = `abigail ada adela adele adriana agatha agnes aileen aisha alana alessandra alexandra alexis
alice alicia alina alison allison alma amanda amber amelia amelie amina amy ana anastasia andrea angela angelica
angelina angie anita ann anna annabel annabelle anne annette annie antonia april ariana ariel arlene astrid aubrey
audrey aurora ava barbara bea beatrice beatrix becky belinda bella bernadette bertha beryl bessie beth bethany betsy
betty beulah beverley beverly bianca billie blanche bonnie brenda brianna bridget brigitte britney brittany brooke
camila camilla camille candace candice cara carla carly carmen carol carole carolina caroline carolyn carrie
cassandra catarina caterina catherine cathy cecilia celeste celia celine charlene charlotte chelsea cher cheryl chloe
christa christie christina christine christy chrissie cindy claire clara clarissa claudette claudia clementine
cleopatra colette colleen connie constance consuelo cora cordelia corinne courtney crystal cynthia daisy dana danielle daphne
darlene dawn deanna debbie deborah debra deirdre delia della delores denise diana diane dianne dina dolly
dolores donna dora doreen doris dorothea dorothy edith edna edwina effie eileen elaine eleanor elena eleonora
elisa elisabeth elise eliza elizabeth ella ellen elsa elsie elvira emilia emily emma enid erica erika erin esmeralda
estelle esther ethel etta eugenia eugenie eunice eva evangeline eve evelyn faith fatima fay faye felicia felicity
fern fiona flora florence frances francesca francine freda freya frida gabriela gabriella gabrielle gail gemma
genevieve georgia georgina geraldine germaine gertrude gilda gillian gina ginger giovanna giulia gisele gladys glenda gloria
grace greta gretchen guinevere gwen gwendolyn gwyneth hannah harriet hattie hazel heather heidi helen helena
helene helga henrietta hermione hilary hilda hillary holly honor hope ida ilse imogen ina indira ines inga ingrid
irene irina iris irma isabel isabella isabelle isla isolde ivana ivy jackie jacqueline jacquelyn jana jane janet janice
janine jasmine jeanette jeanne jenna jennie jennifer jenny jessica jessie jill jillian joan joann
joanna joanne jocelyn jodie johanna josephine joy joyce juana juanita judith judy julia juliana julianne julie
juliet juliette june justine kaitlyn kamala kara karen karin karina karla kate katharina katharine katherine kathleen
kathryn kathy katie katrina katy kay kayla keira kelly kendra kerry kiara kimberly kirsten kirsty kitty kristen
kristin kristina kylie lacey lana lara latoya laura lauren laurie lavinia leah leila lena leonora leslie leticia
libby lidia lila lilian liliana lillian lily linda lindsay lindsey lisa lise livia liz liza lizzie lois lola lora
loretta lorna lorraine lottie louisa louise lucia luciana lucille lucinda lucy luisa lulu lydia lynda lynette lynn lynne
mabel madeleine madeline madonna mae magdalena maggie maisie mandy marcella marcia margaret margarita margery
margot marguerite maria mariah mariam marian mariana marianne marie mariella marilyn marina marion marisa marissa
marjorie marlene marsha martha martina mary matilda maud maude maura maureen mavis maxine maya megan melanie
melinda melissa mercedes meredith meryl mia michaela michele michelle mildred millicent millie mimi mina minnie
mira miranda miriam molly mona monica monique muriel myra myrtle nadia nadine nancy naomi natalia natalie
natasha nellie nettie nicola nicole nina nora noreen norma octavia odette olga olive olivia opal ophelia
pamela pandora pat patience patricia patsy patti patty paula paulette pauline pearl peggy penelope penny
petra philippa phoebe phyllis pippa polly portia priscilla priya prudence rachael rachel ramona rebecca regina
renata renee rhoda rhonda rihanna rita roberta rochelle rosa rosalia rosalie rosalind rosanna rose roseanne rosemary
rosie rowena roxanne ruby ruth sabrina sadie sally salma samantha sandra sara sarah sasha savannah scarlett selena
selma serena shakira shannon sharon sheena sheila shelley sherry shirley sienna sierra sigrid silvia simone sofia
sondra sonia sonja sonya sophia sophie stacey stella stephanie sue susan susanna susannah susanne susie suzanne
suzy sybil sylvia sylvie tabitha tamara tammy tania tanya tara tatiana teresa terri tess tessa thelma
theresa therese tiffany tilda tina toni tracey tracy tricia trina trisha trudy ursula valentina valeria valerie
vanessa vera verity veronica vicki vicky victoria viola violet virginia vivian vivien vivienne wanda wendy whitney
wilhelmina willa wilma winifred winnie xena yasmin yoko yolanda yvette yvonne zara zelda zoe zora zsa
adelaide aimee aishwarya alanis alba aliyah alyssa amalia ananya anjali anneliese annika anoushka antoinette
arabella aretha ashanti augusta benazir beyonce bettina birgit briony calista carina carlotta cassie charity
charmaine chiara clarice clio concetta coretta cressida dagmar delilah demi desdemona dido dinah dominica dorothée
ekaterina electra elinor elspeth esme eudora fanny farah florrie françoise gayle georgette ginny glynis
hanna hatshepsut hedda hester honora hortense ilona imelda iolanthe ivanka jasmin jemima jerrie jolie josie kamila
katarina katharina kelsey kiera kimberley krystal ksenia lakshmi larissa latifa leanne lenore leona lilith liv
lorelei lucrezia lupita mahalia malala malia marcy marge margie mariel marla marlee marta mathilda mathilde maeve
mei melody mercy milla minerva moira morgana myrna nanette natalya nell neve nichole nicolette oprah orla
paige paloma pascale persephone philomena radha rani reba regan rosamund roisin ronda rosalyn rosetta roslyn sandy
saskia shania shelly shobha simona sinead siobhan solange soraya stefanie stephania steffi sunita svetlana
tabatha tallulah tamsin theodora tonya twyla uma una valentine vashti verna vesna viviana wilhelmine xiomara
yelena yulia zainab zeinab zelma zuleika`

const sharedNames = `alex angel ashley avery bailey bobbie blair blake carey carmel casey chance charley chen corey
dakota devon drew eden elliott emery evelyn finley francis frankie glenn hayden harper hunter jackie jamie jan
jean jess jesse jessie jo jody jordan kai kelly kerry kim kit lane lee leigh leslie logan lou lynn
mackenzie madison marion max meredith mel micah morgan nicky nico noel pat parker payton peyton phoenix quinn
rene reese riley robbie robin rory rowan sam sandy sasha shannon sidney skyler stacy sydney taylor terry
toni tracy vivian wei wen yu yan yuki rohan ari kerry lauren nour noor`

// personTitles stand before a person's name. The gender is what the title says.
var personTitles = titleList()

func titleList() map[string]Gender {
	m := map[string]Gender{}
	for g, list := range map[Gender]string{
		Masculine: `mr mister sir lord king prince duke baron count emperor father brother uncle monsieur herr señor
			senor don sheikh sultan pope friar messrs earl tsar shah mr. st. fr. fr`,
		Feminine: `mrs ms miss mrs. ms. lady dame queen princess duchess baroness countess empress sister aunt madame
			madam frau señora senora doña mother mme mlle tsarina miss.`,
		UnknownGender: `dr dr. prof prof. professor doctor president minister senator sen sen. rep rep. congressman
			congresswoman governor gov gov. mayor general gen gen. colonel col col. captain capt capt. major maj maj.
			lieutenant lt lt. sergeant sgt sgt. judge justice rev rev. reverend bishop archbishop cardinal chancellor
			secretary ambassador admiral commander officer detective inspector coach chief director chairman chairwoman
			marshal saint agent cpl. cpl pvt pvt. hon hon. rabbi imam premier commissioner constable superintendent
			speaker attorney`,
	} {
		for _, w := range strings.Fields(list) {
			m[w] = g
		}
	}
	return m
}

// genderNouns are nouns that say the gender of whom they name.
var genderNouns = func() map[string]Gender {
	m := map[string]Gender{}
	for w := range set(`man boy gentleman guy father dad son brother husband uncle nephew grandfather grandson king prince
		duke lord actor waiter policeman fireman businessman chairman salesman spokesman congressman sportsman monk
		priest widower bachelor boyfriend groom bridegroom stepfather stepson godfather fisherman craftsman nobleman
		cowboy heir host hero emperor fellow lad statesman footballer batsman baron earl clergyman frontman half-brother`) {
		m[w] = Masculine
	}
	for w := range set(`woman girl lady mother mom mum daughter sister wife aunt niece grandmother granddaughter queen
		princess duchess actress waitress policewoman businesswoman chairwoman saleswoman spokeswoman congresswoman
		nun widow girlfriend bride stepmother stepdaughter godmother heiress hostess heroine empress midwife
		ballerina baroness countess goddess mistress maid nurse housewife schoolgirl soprano sportswoman half-sister
		priestess seamstress mezzo-soprano`) {
		m[w] = Feminine
	}
	return m
}()

// personNouns are common nouns that name a person, whatever the gender.
var personNouns = set(`person people child baby kid friend colleague partner parent cousin twin sibling spouse fan
	player coach manager captain director producer writer author novelist poet journalist reporter editor critic
	singer musician composer pianist guitarist drummer artist painter sculptor photographer designer architect
	scientist physicist chemist biologist mathematician engineer inventor researcher professor teacher student pupil
	doctor physician surgeon nurse dentist patient psychologist psychiatrist lawyer attorney judge politician
	president minister senator governor mayor ambassador secretary chancellor officer soldier general colonel
	sergeant lieutenant commander pilot astronaut driver racer runner swimmer boxer wrestler golfer skater cyclist
	midfielder striker goalkeeper defender winger quarterback pitcher batter forward champion winner leader founder
	owner chief boss executive chairman chairperson spokesperson banker economist entrepreneur investor accountant
	farmer worker cook chef baker butcher clerk guard detective inspector agent spy thief killer murderer suspect
	victim witness prisoner neighbor neighbour guest visitor tourist refugee immigrant citizen resident voter
	candidate member employee employer assistant servant slave saint bishop priest cardinal pastor rabbi imam
	philosopher historian scholar activist comedian model dancer choreographer presenter broadcaster host
	character protagonist villain narrator lover successor predecessor rival opponent teammate classmate roommate
	teenager toddler infant adult male female native veteran rapper songwriter filmmaker screenwriter playwright
	nobel laureate sailor knight warrior wizard witch vampire ghost alien`)

// groupNouns are singular nouns for which text says both "it" and "they".
var groupNouns = set(`team band group company firm government committee family police crew staff party board club
	council army couple pair agency department organisation organization association union league ministry
	parliament congress senate court jury audience crowd public press media bank university school hospital
	corporation commission institute foundation charity bureau authority administration squad side duo trio gang
	tribe church population majority minority community`)

// places are countries, large cities and regions that are common in English
// text.
var places = set(`afghanistan albania algeria argentina armenia australia austria azerbaijan bahrain bangladesh belarus
	belgium bolivia bosnia brazil bulgaria cambodia cameroon canada chile china colombia croatia cuba cyprus
	denmark ecuador egypt england estonia ethiopia europe finland france gaza germany ghana greece guatemala haiti
	honduras hungary iceland india indonesia iran iraq ireland israel italy jamaica japan jordan kazakhstan kenya kosovo
	kuwait latvia lebanon libya lithuania luxembourg macedonia malaysia mali malta mexico moldova mongolia
	montenegro morocco mozambique myanmar namibia nepal netherlands nicaragua nigeria norway oman pakistan palestine
	panama paraguay peru philippines poland portugal qatar romania russia rwanda scotland senegal serbia
	singapore slovakia slovenia somalia spain sudan sweden switzerland syria taiwan tanzania thailand tibet tunisia
	turkey uganda ukraine uruguay uzbekistan venezuela vietnam wales yemen zambia zimbabwe africa asia america
	amsterdam athens atlanta auckland baghdad baltimore bangkok barcelona beijing beirut belfast belgrade berlin
	birmingham bogota bologna bombay bonn boston bristol brisbane brooklyn brussels bucharest budapest cairo
	calcutta calgary cambridge canberra cardiff chicago cologne copenhagen dallas damascus delhi denver detroit dubai
	dublin edinburgh florence frankfurt geneva genoa glasgow gothenburg hamburg hanoi havana helsinki hollywood
	houston hyderabad islamabad istanbul jakarta jerusalem johannesburg kabul karachi kiev kyiv kolkata lagos lahore leeds
	leicester leipzig lima lisbon liverpool london luxor lyon madrid manchester manhattan manila marseille melbourne memphis
	miami milan milwaukee minneapolis montreal moscow mumbai munich nairobi naples nashville newcastle norwich
	nottingham oakland osaka oslo ottawa oxford palermo paris perth philadelphia phoenix pittsburgh prague
	pretoria quebec rio rome rotterdam salzburg seattle seoul shanghai sheffield sofia southampton stockholm strasbourg
	stuttgart sydney tallinn tehran tokyo toronto tripoli tunis turin utrecht valencia vancouver venice vienna vilnius
	warsaw washington wellington winnipeg yorkshire zagreb zurich
	alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho illinois
	indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi missouri
	montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia wisconsin
	wyoming ontario alberta queensland tasmania bavaria saxony prussia sicily tuscany catalonia kashmir punjab
	u.s. u.k. usa uk uae britain york siberia yugoslavia crimea normandy cornwall kent essex sussex`)

// nationalities are adjectives of places that no ending shows.
var nationalities = set(`american african asian british english irish scottish welsh french german dutch greek swiss
	spanish danish swedish finnish polish turkish czech slovak thai iraqi pakistani israeli saudi kuwaiti european
	western eastern northern southern jewish muslim catholic protestant hindu buddhist roman latin arab russian
	italian canadian mexican indian korean cuban german chinese japanese`)

// organizationWords stand at the end (or start, before "of") of the names of
// organisations; placeWords of places.
var (
	organizationWords = set(`inc inc. ltd ltd. co co. corp corp. llc plc gmbh company corporation group bank university college
		school institute academy association society foundation agency ministry department bureau council committee
		commission party union league club fc f.c. united city rovers wanderers airlines airways records studios
		pictures press times post journal news magazine tribune orchestra band court parliament congress senate
		church army navy police hospital museum laboratory laboratories trust fund organization organisation federation
		office service services systems technologies industries motors partners holdings house network television
		radio channel theatre theater team brothers festival`)
	placeWords = set(`river lake mountain mountains mount island islands sea ocean bay street road avenue square park
		valley county district province state city town village airport station bridge castle palace tower hill hills
		beach desert forest canyon peninsula region republic kingdom prefecture harbor harbour gulf coast boulevard lane
		cemetery building plaza hall stadium arena airbase aerodrome monument memorial campus abbey cathedral`)
)
