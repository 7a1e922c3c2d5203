package grapheval

import (
	"regexp"
	"strings"
)

// phrases are what sentences that state nothing look like in one language, over
// folded text (see fold).
type phrases struct {
	// alone matches the whole sentence.
	alone *regexp.Regexp
	// open matches the beginning of a sentence that states nothing unless it
	// turns.
	open *regexp.Regexp
	// greeting matches the beginning of a greeting, which may name someone.
	greeting *regexp.Regexp
	// meta matches a sentence that says what the sources do not say.
	meta *regexp.Regexp
	// negative are words of which a sentence that meta matches has at least one;
	// looking for them is much cheaper.
	negative []string
	// turn matches a word after which a statement may follow.
	turn *regexp.Regexp
}

func language(alone, open, greeting, meta, turn, negative string) phrases {
	return phrases{
		alone:    regexp.MustCompile(`^(?:` + alone + `)$`),
		open:     regexp.MustCompile(`^(?:` + open + `)`),
		greeting: regexp.MustCompile(`^(?:` + greeting + `)`),
		meta:     regexp.MustCompile(meta),
		turn:     regexp.MustCompile(turn),
		negative: strings.Split(negative, "|"),
	}
}

// polar is a bare yes or no.
var polar = regexp.MustCompile(`^(?:(?:yes|yeah|yep|no|nope)(?:,? (?:it|he|she|they|i|we|you|that|there) (?:is|was|are|were|does|do|did|has|have|had|can|could|will|would|should|must)(?:n't| not)?)?(?:,? (?:sir|please|indeed))?` +
	`|ja|nein|jawohl|doch|oui|non|si|sí|sì|sim|não|nee|nej|tak|nie|да|нет|evet|hayır|是|是的|对|不是|不|はい|いいえ|네|예|아니요|نعم|لا)$`)

// headingWord is a heading of one or two words that texts often have.
var headingWord = regexp.MustCompile(`^(?:(?:final |short |brief |executive )?(?:summary|answer|conclusion|conclusions|overview|introduction|background|context|details|notes?|references|sources|abstract|response|explanation)` +
	`|key (?:points|findings|facts|takeaways)|main points|zusammenfassung|antwort|fazit|einleitung|überblick|quellen|résumé|réponse|conclusion|introduction|resumen|respuesta|conclusión|resumo|resposta|conclusão|riassunto|risposta|conclusione|samenvatting|antwoord|conclusie|sammanfattning|podsumowanie|ответ|вывод|заключение|özet|sonuç|摘要|总结|答案|要約|回答|まとめ|요약|답변|결론|ملخص|الإجابة)$`)

const (
	enDoc = `(?:the |this |these |those |that |any |your |my |given |provided |supplied |available |retrieved |above |following |source |context )*` +
		`(?:documents?|texts?|contexts?|passages?|articles?|sources?|excerpts?|snippets?|paragraphs?|transcripts?|materials?|information|input|pages?|context information)` +
		`(?: (?:provided|given|above|supplied|available|here|you provided|you gave|i have|at hand))*`
	// enReport are names of sources that may also be what an output is about.
	enReport = `(?:the|this|that) (?:given |provided )?(?:report|story|study|paper|letter|e-?mail|interview|review|website|web page|post|book|chapter|section|note|notes|record|records|data|file|files|table|conversation|dialogue)`
	enSay    = `(?:say|state|mention|specify|indicate|tell|discuss|address|describe|reveal|explain|clarify|answer|provide|contain|include|give|offer|cover|disclose|name|list|note|have|define|identify)`
	enLead   = `(?:unfortunately|sorry|however|based on [^,]*|according to [^,]*|from [^,]*)`
	enNot    = `(?:do not|does not|did not|don't|doesn't|didn't|cannot|can't|never|fails? to|failed to)`
)

// phrasebook is ordered; the order does not matter to the result. It is read
// only.
var phrasebook = []phrases{
	// English
	language(
		`(?:hi|hello|hey|greetings|welcome|good (?:morning|afternoon|evening|day)|bye|goodbye|cheers|ok|okay|sure|sure thing|certainly|of course|absolutely|definitely|indeed|right|exactly|great|perfect|understood|got it|no problem|no worries|alright|all right|well|yes|no|yeah|nope|thanks|thank you|thank you very much|you're welcome|you are welcome|my pleasure|not at all|sorry|n/a|none|unknown|not available|not applicable|not specified|not stated|not mentioned|not provided|unanswerable|no answer|no information|no idea|good luck|have a (?:nice|great|good) day|take care|best regards|kind regards|regards|best|sincerely|yours (?:sincerely|truly|faithfully)|see you(?: later| soon| tomorrow)?|any ?time|you(?:'re| are) (?:very|most|quite|always) welcome|sounds good|(?:my|many|our) apologies|i apologi[sz]e|dunno|don't know|do not know|not (?:sure|certain)|unsure|unclear|no clue|(?:nobody|no one|no-one|who) (?:really |actually )?knows(?: (?:that|this|it|for (?:sure|certain)|yet))?|(?:this |that |it )?(?:is |was )?not (?:explicitly |directly |specifically |clearly )?(?:stated|mentioned|specified|given|provided|said|disclosed|described|discussed|answered|indicated|known)(?: (?:here|anywhere)| (?:in|by|within) `+enDoc+`)?|(?:is |was )?nowhere (?:to be found|stated|mentioned|specified)(?: (?:in|by) `+enDoc+`)?|(?:cannot|can't|could not) (?:be (?:determined|answered|known|verified|inferred)|say|tell)|(?:i'm |i am )?(?:glad|happy) (?:that )?(?:i|we) could (?:help|be of (?:help|assistance|service))|in summary|in conclusion|to summarize|to sum up|done)`+
			`(?:[,! ]+(?:there|all|everyone|again|friend|thanks|please|of course|sure))*`,
		`(?:i'm |i am |i was |we're |we are )?(?:so |very |really |terribly )?(?:sorry|afraid)(?:,| but| that| for|$)(?:,? but)?(?: i| we)? ?(?:cannot|can't|could not|couldn't|do not|don't|am not|'m not|am unable|was unable|$|the confusion|any|not)`+
			`|(?:unfortunately,? )?(?:i|we) (?:really |honestly |just |currently |simply |also )?(?:do not|don't|did not|didn't|cannot|can't|could not|couldn't) (?:really |currently |reliably |accurately |confidently )?(?:know|have (?:enough|sufficient|access|(?:any |specific |the |an |that |further )*(?:information|info|idea|data|details?|knowledge|answer|context|clue))|(?:find|answer|determine|tell|say|help|assist|provide|confirm|verify|see any|recall|comply|locate))\b`+
			`|(?:unfortunately,? )?(?:i am|i'm|we are|we're) (?:not (?:sure|certain|aware|able)|unsure|uncertain|unable)`+
			`|(?:unfortunately,? )?(?:i have|i've got|we have) no (?:idea|information|knowledge|data|way|clue|answer)`+
			`|(?:i'm|i am|we're|we are) (?:so |very )?(?:afraid|sorry)(?: to say)?(?: that|,? but|,)? (?:i|we) (?:cannot|can't|couldn't|could not|don't|do not|am unable|was unable|have no)\b`+
			`|(?:unfortunately,? )?(?:i|we) (?:was|were) (?:unable|not able) to (?:find|answer|determine|locate|say|confirm|verify)\b`+
			`|(?:i am|i'm) (?:just |only |merely )?an? (?:ai|language model|large language model|assistant|chatbot)\b`+
			`|i apologi[sz]e (?:for|if)\b`+
			`|as an? (?:ai|language model|large language model|assistant)\b`+
			`|(?:please )?(?:let me know|feel free|don't hesitate|do not hesitate)\b`+
			`|i(?:'d| would| will|'ll|'m| am)? ?(?:be )?(?:happy|glad|hope|pleased|love|here) (?:to (?:help|assist|answer|hear|provide|clarify|explain)|this (?:helps|answers|clarifies)|that (?:helps|answers|clarifies)|it helps|for you)`+
			`|(?:always )?(?:happy|glad|here|pleased) to (?:help|assist|answer|clarify)`+
			`|hope (?:this|that|it) helps`+
			`|(?:thanks|thank you)(?: so much| very much| a lot)? for (?:asking|your|the|reaching|waiting|sharing)`+
			`|(?:what a |that's a |that is a |this is a |a )?(?:great|good|excellent|interesting|fair) (?:question|point)\b`+
			`|(?:sure|certainly|of course|absolutely|ok|okay|yes)?[,!]? ?here(?: is| are|'s) (?:the|a|an|my|your|some|what) (?:short |brief |quick |concise )?(?:i (?:found|know|have)|summary|answer|overview|list|response|key points?|main points?|facts|details|explanation|breakdown)$`+
			`|(?:is there anything|if you have (?:any|more|further|other|additional)|if you need|if you'd like|if you would like|please (?:provide|share|give|clarify|ask|rephrase))\b`,
		`(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|thanks|thank you|welcome)\b`,
		`^(?:`+enLead+`,? )?`+enReport+` (?:also |simply |just |explicitly )?`+enNot+` (?:also |explicitly |directly |specifically |actually |clearly |further )*(?:say|state|mention|specify|indicate|tell|reveal|disclose|clarify)\b`+
			`|^(?:`+enLead+`,? )?`+enDoc+` (?:also |simply |just |explicitly )?`+enNot+` (?:also |explicitly |directly |specifically |actually |clearly |further )*`+enSay+`\b`+
			`|^(?:`+enLead+`,? )?(?:there is|there's|there are) (?:no|not enough|not any|insufficient)(?: \w+)? ?(?:information|mention|details?|context|answer)\b`+
			`|^(?:`+enLead+`,? )?(?:there is|there's|there are) (?:no|not enough|not any|insufficient|nothing)\b.*\b(?:in|within) `+enDoc+`$`+
			`|^(?:`+enLead+`,? )?(?:there is|there's) nothing (?:said |stated |mentioned )?(?:in|within) `+enDoc+` (?:about|on|regarding|concerning)\b`+
			`|^(?:`+enLead+`,? )?(?:this|that|it|the (?:question|answer|topic)) is (?:outside|beyond) the scope of `+enDoc+`$`+
			`|^(?:`+enLead+`,? )?`+enDoc+` (?:is|are|remains?) (?:silent|unclear|vague|not clear) (?:on|about|regarding|as to)\b`+
			`|^(?:`+enLead+`,? )?(?:the |this |that |such |an? )?(?:answer|question|information|it|this|that) (?:cannot|can't|could not|couldn't|can not) be (?:determined|answered|found|established|inferred|known|verified|confirmed)\b`+
			`|^(?:`+enLead+`,? )?(?:the |this |that |such )?(?:information|answer|details?)(?: is| are| was| were)(?: not|n't) (?:available|given|provided|known|stated|mentioned|specified|included|found)(?: (?:in|by|within|from) `+enDoc+`)?$`+
			`|^(?:none|neither|not one) of `+enDoc+` `+enSay+`s?\b|^(?:neither|no) (?:document|text|passage|source|article) `+enSay+`s?\b`+
			`|^(?:`+enLead+`,? )?nothing is (?:said|mentioned|stated|given) (?:about|on|regarding|in|here)\b`+
			`|^(?:`+enLead+`,? )?(?:it|this|that)(?: is not|'s not| isn't| was not| wasn't) (?:explicitly |directly )?(?:stated|specified|mentioned|given|said)\b`+
			`|^(?:`+enLead+`,? )?(?:it|this|that)(?: is|'s) (?:not (?:clear|known|possible to (?:say|tell|determine|answer|know))|unclear|unknown|impossible to (?:say|tell|determine|answer|know))(?: (?:from|in|based on|given) `+enDoc+`)?$`+
			`|(?:is|are|was|were)(?: not|n't) (?:explicitly |directly |specifically )?(?:mentioned|stated|specified|discussed|addressed|described|provided|given|answered|covered|included|contained) (?:in|by|within|anywhere in) `+enDoc+`$`+
			`|^(?:`+enLead+`,? )?(?:no|not enough|insufficient) (?:\w+ )?(?:information|details?|answer|mention|context)(?: (?:is|are|was|were|has been|can be|could be))? (?:given|provided|available|found|mentioned|stated)(?: here)?(?: (?:in|by|within|from) `+enDoc+`)?$`+
			`|^(?:`+enLead+`,? )?(?:no|not enough|insufficient) (?:\w+ )?(?:information|details?)(?: is| are) (?:given|provided|available) (?:about|on|regarding|concerning|for|to)\b`+
			`|^(?:based on|according to|from|given) `+enDoc+`,? (?:i|we|it is|it's|this) (?:cannot|can't|could not|couldn't|don't|do not|am unable|not possible|impossible|is not|isn't|can not)\b`+
			`|^(?:the|this|that|your) (?:question|answer) (?:cannot|can't|could not|can not|is not|isn't) (?:be )?(?:answered|determined|found|stated|given|mentioned|in)\b`,
		`\b(?:but|however|although|though|yet|nevertheless|still|instead|except|because)\b|;`,
		`n't|not|no |never|fail|nothing|insufficient|unclear|unknown|impossible|scope|silent|vague|none|neither`,
	),
	// German
	language(
		`(?:hallo|hi|guten (?:tag|morgen|abend)|servus|moin|tschüss|auf wiedersehen|danke|danke schön|vielen dank|bitte|bitte sehr|gern|gerne|gern geschehen|gerne geschehen|keine ursache|natürlich|selbstverständlich|klar|sicher|okay|ok|ja|nein|gut|verstanden|entschuldigung|unbekannt|keine angabe|keine angaben|keine ahnung|nicht bekannt|mit freundlichen grüßen|viele grüße)(?:[,! ]+(?:zusammen|allerseits|sehr))*`,
		`(?:leider )?(?:das |dies )?(?:ich )?weiß (?:ich )?(?:es |das )?(?:leider )?nicht|(?:leider )?(?:das |dazu |darauf |diese frage )?(?:kann ich|konnte ich|ich kann|ich konnte) (?:\S+ ){0,4}?(?:nicht|nichts|keine) (?:\S+ ){0,3}?(?:beantworten|sagen|bestimmen|finden|helfen|feststellen|ermitteln|geben)|(?:leider )?(?:dazu )?(?:habe ich|ich habe) (?:\S+ ){0,3}?(?:keine|keinen) (?:ahnung|information|informationen|angaben|antwort|zugriff|daten)|(?:leider )?(?:bin ich|ich bin) (?:mir )?(?:\S+ )?(?:nicht|un)(?: |)(?:sicher)|ich helfe (?:ihnen |dir )?(?:gern|gerne)|gerne? helfe ich|ich hoffe,? (?:das|dies|es) hilft|(?:das ist )?eine (?:gute|interessante) frage|(?:lassen sie|lass) (?:es )?mich wissen|wenn (?:sie|du) (?:noch |weitere )?fragen|vielen dank für|danke für|tut mir leid|es tut mir leid|als (?:ki|sprachmodell)|hier (?:ist|sind) (?:die|eine|meine) (?:kurze )?(?:zusammenfassung|antwort|übersicht|liste)`,
		`(?:hallo|hi|liebe[rs]?|guten (?:tag|morgen|abend)|danke|vielen dank)(?: |,|!|$)`,
		`(?:steht|stehen|findet sich|ist|wird|werden|sind|geht) (?:\S+ ){0,4}?(?:nicht|nichts|keine?) ?(?:\S+ ){0,3}?(?:im|in dem|in den|in der|aus dem|aus den) (?:\S+ )?(?:text|texten|dokument|dokumenten|kontext|quellen?|artikel|abschnitt|unterlagen)(?: (?:erwähnt|genannt|angegeben|enthalten|beantwortet|zu finden|hervor))?$|(?:der|das|die|den|dem) (?:\S+ )?(?:text|texte|dokumente?|kontext|quellen?|artikel|unterlagen) (?:sagt|sagen|nennt|nennen|erwähnt|erwähnen|enthält|enthalten|gibt|geben|macht|machen|beantwortet|beantworten) (?:\S+ ){0,5}?(?:nicht|nichts|keine?n?|keinerlei)\b|^(?:im|in dem|in den|in der) (?:\S+ )?(?:text|texten|dokument|dokumenten|kontext|quellen?|artikel|abschnitt|unterlagen) (?:steht|stehen|wird|werden|ist|sind|findet sich|gibt es) (?:\S+ ){0,4}?(?:nicht|nichts|keine?)\b|(?:leider )?(?:dazu|darüber|hierzu|hierüber) (?:gibt es|liegen|finden sich|steht|sagt|sagen) (?:\S+ ){0,3}?(?:keine?|nichts)|(?:leider )?(?:gibt es|liegen|finden sich|steht) (?:dazu|darüber|hierzu) (?:\S+ ){0,2}?(?:keine?|nichts)|(?:geht|gehen|lässt sich) (?:\S+ )?aus (?:dem|den|der) (?:\S+ )?(?:text|texten|dokument|dokumenten|kontext|quellen?|artikel|unterlagen) nicht (?:hervor|ableiten|entnehmen|beantworten)$|(?:wird|ist|sind) nicht (?:erwähnt|angegeben|genannt|bekannt)$`,
		`\b(?:aber|jedoch|allerdings|sondern|obwohl|doch|weil)(?:\s|$)|;`,
		`nicht|kein`,
	),
	// French
	language(
		`(?:bonjour|salut|bonsoir|merci|merci beaucoup|de rien|je vous en prie|avec plaisir|bien sûr|d'accord|certainement|oui|non|désolée?|inconnu|non précisé|au revoir|cordialement|aucune idée)(?: à tous)?`,
		`(?:désolée?,? (?:mais )?)?(?:malheureusement,? )?(?:je |nous )(?:ne |n')(?:\S+ )?(?:sais|peux|connais|trouve|dispose|savons|pouvons|disposons) (?:malheureusement )?(?:pas|aucune?|rien)|je ne suis pas (?:sûre?|certaine?|en mesure)|(?:je n'ai|nous n'avons) (?:pas|aucune?) (?:d'|de |assez d'|la )?(?:idée|informations?|réponse|accès|données)|je (?:suis|serais) (?:ravie?|heureux|heureuse|là) (?:de|pour) (?:vous )?aider|heureux de (?:vous )?aider|j'espère que (?:cela|ça)|n'hésitez pas|(?:c'est )?une (?:bonne|excellente) question|merci (?:pour|de) |voici (?:un|le|une|la) (?:bref )?(?:résumé|réponse|liste)$|en tant qu(?:'ia|e modèle)`,
		`(?:bonjour|salut|bonsoir|merci|chère?)(?: |,|!|$)`,
		`(?:le|la|les|ce|ces|cet) (?:\S+ )?(?:textes?|documents?|contextes?|articles?|sources?|passages?)(?: \S+)? (?:ne |n')(?:le |la |les |l'|en )?(?:\S+) (?:pas|rien|aucune?)|(?:n'est|ne sont|n'est) (?:pas )?(?:mentionnée?s?|précisée?s?|indiquée?s?|dit|dans)(?: \S+)* (?:textes?|documents?|contextes?|articles?|sources?)$|il n'y a (?:pas|aucune?) (?:d')?(?:assez d')?informations?|^aucune information n'est (?:donnée|fournie|disponible|mentionnée)`,
		`\b(?:mais|cependant|toutefois|pourtant|bien que|car)\b|;`,
		`pas|rien|aucun`,
	),
	// Spanish
	language(
		`¡?(?:hola|buenos días|buenas tardes|buenas noches|gracias|muchas gracias|de nada|con gusto|por supuesto|claro|vale|sí|no|lo siento|desconocido|adiós|saludos)(?: a todos)?`,
		`(?:lo siento,? (?:pero )?)?(?:lamentablemente,? |desafortunadamente,? )?(?:yo )?no (?:lo |la )?(?:sé|sabemos|puedo|podemos|encuentro|estoy segur[oa]|dispongo|(?:tengo|tenemos) (?:\S+ )?(?:información|idea|acceso|datos|respuesta))|¡?(?:con mucho gusto|encantad[oa] de ayudar|estoy aquí para ayudar|es un placer ayudar|feliz de ayudar)|espero que (?:esto|te|le)|no dudes? en |(?:es una |¡?qué )?(?:buena|excelente) pregunta|¡?(?:muchas )?gracias por |aquí (?:está|tienes|tiene) (?:un|el|una|la) (?:breve )?(?:resumen|respuesta|lista)$|como (?:ia|modelo de lenguaje)`,
		`¡?(?:hola|buenos días|buenas tardes|gracias|estimad[oa])(?: |,|!|$)`,
		`(?:el|la|los|las|este|estos) (?:\S+ )?(?:textos?|documentos?|contextos?|artículos?|fuentes?|pasajes?)(?: \S+)? no (?:lo |la |se )?(?:dicen?|mencionan?|indican?|especifican?|contienen?|proporcionan?|incluyen?|explican?|responden?)|no (?:se|está|aparece|hay) (?:\S+ ){0,3}?(?:en|sobre|información)(?: \S+)* (?:textos?|documentos?|contextos?|artículos?|fuentes?)$|no hay (?:suficiente )?información|no (?:se menciona|se indica|se especifica|está indicado)$`,
		`(?:^|\s)(?:pero|sin embargo|aunque|no obstante|sino|porque)(?:\s|$)|;`,
		`no `,
	),
	// Portuguese
	language(
		`(?:olá|oi|bom dia|boa tarde|boa noite|obrigad[oa]|muito obrigad[oa]|de nada|claro|com certeza|sim|não|desculpe|desconhecido|tchau)(?: a todos)?`,
		`(?:desculpe,? (?:mas )?|infelizmente,? |lamento,? )?(?:eu )?não (?:o )?(?:sei|sabemos|posso|podemos|consigo|encontrei|encontro|estou cert[oa]|disponho|(?:tenho|temos) (?:\S+ )?(?:informação|informações|ideia|acesso|dados|resposta))|(?:fico )?feliz em ajudar|é um prazer ajudar|espero que (?:isso|ajude)|não hesite em |(?:é uma |que )?(?:boa|ótima|excelente) pergunta|obrigad[oa] por |aqui está (?:um|o|uma|a) (?:breve )?(?:resumo|resposta|lista)$`,
		`(?:olá|oi|bom dia|boa tarde|obrigad[oa]|car[oa])(?: |,|!|$)`,
		`(?:o|a|os|as|este|estes) (?:\S+ )?(?:textos?|documentos?|contextos?|artigos?|fontes?)(?: \S+)? não (?:o |a |se )?(?:diz|dizem|mencionam?|indicam?|especificam?|contém|contêm|fornecem?|inclui|incluem)|não (?:é|está|há|foi) (?:\S+ ){0,3}?(?:no|nos|na|nas|informação|informações|mencionad[oa])(?: \S+)* ?(?:textos?|documentos?|contextos?|artigos?|fontes?)$|não há (?:informação|informações)`,
		`(?:^|\s)(?:mas|porém|contudo|entretanto|embora|porque)(?:\s|$)|;`,
		`não`,
	),
	// Italian
	language(
		`(?:ciao|salve|buongiorno|buonasera|grazie|grazie mille|prego|di niente|certo|certamente|naturalmente|va bene|sì|no|mi dispiace|sconosciuto|arrivederci)(?: a tutti)?`,
		`(?:mi dispiace,? (?:ma )?|purtroppo,? )?(?:io )?non (?:lo )?(?:so|sappiamo|posso|possiamo|sono (?:sicur[oa]|in grado)|trovo|dispongo|(?:ho|abbiamo) (?:\S+ )?(?:informazioni|idea|accesso|dati|risposta))(?: |$)|(?:sono )?(?:felice|lieto|lieta) di aiutar|spero che (?:questo|ti|le|sia)|non esitar?e? |(?:è una |che )?(?:bella|buona|ottima) domanda|grazie per |ecco (?:un|il|una|la) (?:breve )?(?:riassunto|risposta|lista)$`,
		`(?:ciao|salve|buongiorno|buonasera|grazie|gentile|car[oa])(?: |,|!|$)`,
		`(?:il|lo|la|i|gli|le|l'|questo|questi) ?(?:\S+ )?(?:test[oi]|document[oi]|contest[oi]|articol[oi]|font[ei])(?: \S+)? non (?:lo |la )?(?:dice|dicono|menziona|menzionano|indica|indicano|specifica|specificano|contiene|contengono|fornisce|forniscono|riporta|riportano)|non (?:è|sono|c'è|ci sono) (?:\S+ ){0,3}?(?:nel|nei|nella|nelle|informazioni|menzionat[oai])(?: \S+)* ?(?:test[oi]|document[oi]|contest[oi]|articol[oi]|font[ei])$|non ci sono informazioni`,
		`(?:^|\s)(?:ma|però|tuttavia|sebbene|perché)(?:\s|$)|;`,
		`non `,
	),
	// Dutch
	language(
		`(?:hallo|hoi|goedemorgen|goedemiddag|goedenavond|dank je|dank u|dankjewel|bedankt|graag gedaan|natuurlijk|zeker|ja|nee|oké|sorry|onbekend|tot ziens)(?: wel)?`,
		`(?:sorry,? (?:maar )?|helaas )?(?:dat )?(?:ik weet|weet ik) (?:\S+ ){0,2}?niet\b|(?:dat )?(?:ik kan|kan ik) (?:\S+ ){0,3}?(?:niet|geen) (?:\S+ ){0,2}?(?:beantwoorden|zeggen|vinden|helpen|bepalen|geven)|ik heb (?:\S+ ){0,2}?geen (?:idee|informatie|antwoord|toegang|gegevens)|ik ben (?:\S+ )?niet zeker|ik help (?:u |je )?graag|ik hoop dat (?:dit|het)|aarzel niet|laat het (?:me|mij) weten|(?:dat is |een )?(?:een )?goede vraag|bedankt voor|hier is (?:een|de|het) (?:korte )?(?:samenvatting|antwoord|lijst)$`,
		`(?:hallo|hoi|goede(?:morgen|middag|navond)|bedankt|beste)(?: |,|!|$)`,
		`(?:de|het|deze|dit) (?:\S+ )?(?:teksten?|tekst|documenten?|document|context|artikel|artikelen|bronnen?|bron) (?:zegt|zeggen|vermeldt|vermelden|noemt|noemen|bevat|bevatten|geeft|geven) (?:\S+ ){0,4}?(?:niet|niets|geen)\b|(?:staat|wordt|is|worden|staan) (?:\S+ ){0,2}?niet (?:\S+ ){0,2}?(?:in|vermeld|genoemd|bekend)(?: \S+)* ?(?:tekst|document|documenten|context|artikel|bronnen|vermeld|genoemd|bekend)$`,
		`(?:^|\s)(?:maar|echter|hoewel|omdat)(?:\s|$)|;`,
		`niet|geen`,
	),
	// Swedish
	language(
		`(?:hej|hallå|god morgon|god kväll|tack|tack så mycket|varsågod|självklart|javisst|visst|ja|nej|okej|förlåt|okänt|hej då)`,
		`(?:tyvärr,? |förlåt,? (?:men )?)?(?:det )?(?:jag vet|vet jag) (?:\S+ )?inte|(?:det )?(?:jag kan|kan jag) (?:\S+ ){0,2}?inte (?:\S+ ){0,2}?(?:svara|säga|avgöra|hitta|hjälpa)|jag har (?:\S+ )?(?:ingen|inga) (?:aning|information|uppgifter)|jag är (?:\S+ )?(?:inte säker|osäker)|jag hjälper gärna|jag hoppas att (?:det|detta)|tveka inte|(?:det är )?en bra fråga|tack för`,
		`(?:hej|god morgon|tack|kära)(?: |,|!|$)`,
		`(?:texten|texterna|dokumentet|dokumenten|kontexten|artikeln|källan|källorna) (?:\S+ )?(?:inte|ingen|inget|inga) ?|(?:står|nämns|framgår|anges) inte(?: (?:i|av) (?:texten|dokumentet|dokumenten|artikeln|källorna|källan))?$`,
		`(?:^|\s)(?:men|dock|fast|eftersom)(?:\s|$)|;`,
		`inte|ingen|inget|inga`,
	),
	// Polish
	language(
		`(?:cześć|dzień dobry|dobry wieczór|witam|dziękuję|dzięki|proszę|nie ma za co|oczywiście|jasne|tak|nie|przepraszam|nieznane|brak informacji|do widzenia)`,
		`(?:niestety,? |przepraszam,? (?:ale )?)?(?:ja )?nie (?:wiem|mogę (?:\S+ )?(?:odpowiedzieć|powiedzieć|pomóc|określić)|mam (?:\S+ )?(?:informacji|pojęcia|danych|dostępu)|jestem pewien|jestem pewna|potrafię|znalazłem|znalazłam)|chętnie pomogę|mam nadzieję,? że|(?:to )?dobre pytanie|dziękuję za`,
		`(?:cześć|dzień dobry|witam|dziękuję)(?: |,|!|$)`,
		`(?:tekst|teksty|dokument|dokumenty|kontekst|artykuł|źródło|źródła) nie (?:mówi|mówią|wspomina|wspominają|podaje|podają|zawiera|zawierają|wskazuje|określa)|(?:nie ma|nie jest|brak|nie podano|nie wspomniano)(?: \S+){0,5} (?:w|o) (?:tekście|tekstach|dokumencie|dokumentach|kontekście|artykule|źródłach|tym)$`,
		`(?:^|\s)(?:ale|jednak|chociaż|lecz|ponieważ)(?:\s|$)|;`,
		`nie|brak`,
	),
	// Russian
	language(
		`(?:привет|здравствуйте|здравствуй|добрый день|доброе утро|добрый вечер|спасибо|большое спасибо|пожалуйста|не за что|конечно|хорошо|да|нет|извините|простите|неизвестно|до свидания)`,
		`(?:к сожалению,? |извините,? (?:но )?)?(?:я )?(?:этого )?не (?:знаю|могу (?:\S+ ){0,2}?(?:ответить|сказать|помочь|определить)|уверен|уверена|располагаю|нашёл|нашел|нашла)|у меня нет (?:информации|данных|ответа)|(?:буду )?рада? помочь|надеюсь,? (?:это|что это) |(?:это )?хороший вопрос|спасибо за|как (?:ии|языковая модель)`,
		`(?:привет|здравствуйте|добрый день|спасибо|дорог(?:ой|ая))(?: |,|!|$)`,
		`(?:в|из) (?:\S+ )?(?:тексте|тексте|текста|документах|документе|документов|контексте|контекста|статье|статьи|источниках|источника|источников) (?:\S+ ){0,3}?(?:не |нет )|(?:текст|документы?|контекст|статья|источники?) не (?:говор|сообща|упомина|содерж|указыва|дают|дает|даёт)|не (?:указано|упоминается|сказано|говорится|сообщается)(?: в \S+(?: \S+)?)?$|нет (?:никакой )?информации`,
		`(?:^|\s)(?:но|однако|хотя|зато|потому)(?:\s|$)|;`,
		`не|нет`,
	),
	// Turkish
	language(
		`(?:merhaba|selam|günaydın|iyi (?:günler|akşamlar)|teşekkürler|teşekkür ederim|rica ederim|tabii|tabii ki|elbette|evet|hayır|tamam|üzgünüm|bilinmiyor|hoşça kal)`,
		`(?:üzgünüm,? (?:ama )?|maalesef,? )?(?:bunu )?(?:bilmiyorum|bilemiyorum|emin değilim|bilgim yok|cevap veremiyorum|yanıtlayamıyorum)|yardımcı olmaktan (?:mutluluk|memnuniyet)|umarım (?:bu )?yardımcı|(?:bu )?(?:iyi|güzel) bir soru`,
		`(?:merhaba|selam|günaydın|sayın|teşekkürler)(?: |,|!|$)`,
		`(?:metinde|belgede|belgelerde|bağlamda|makalede|kaynaklarda)(?: \S+){0,6} (?:yok|belirtilmemiş|belirtilmiyor|geçmiyor|bahsedilmiyor|yer almıyor|bulunmuyor|söylenmiyor|verilmemiş)(?:tir|tır)?$|(?:metin|belge|belgeler|kaynaklar)(?: \S+){0,4} (?:söylemiyor|belirtmiyor|içermiyor|bahsetmiyor)$`,
		`(?:^|\s)(?:ama|fakat|ancak|oysa|çünkü)(?:\s|$)|;`,
		`yok|mi|me`,
	),
	// Chinese
	language(
		`(?:你好|您好|大家好|早上好|晚上好|谢谢|谢谢你|謝謝|多谢|不客气|不客氣|没问题|沒問題|好的|当然|當然|是的|是|对|不是|抱歉|对不起|對不起|再见|未知|不详|很高兴(?:能)?(?:帮助|帮到|为)(?:你|您)?(?:服务)?|希望(?:这|這)?(?:对你|对您|能)?(?:有)?(?:所)?(?:帮助|帮到你|帮到您))`,
		`(?:抱歉|对不起|對不起|很遗憾|不好意思)?[，, ]*(?:但)?(?:我|我们)?(?:也)?(?:不知道|不清楚|无法(?:回答|确定|判断|提供|得知)|不确定|不太清楚|没有(?:相关)?(?:信息|资料)|不了解)|作为(?:一个)?(?:ai|人工智能|语言模型)|(?:这是)?(?:一个)?好问题|感谢您?的|如果您?(?:还)?有(?:其他|任何)`,
		`(?:你好|您好|谢谢)`,
		`(?:文档|文件|文本|文中|文章|上下文|原文|资料|材料|来源|提供的信息)(?:中|里|内)?(?:并|都|也|均)?(?:没有|没|未|并未|不)(?:有)?(?:明确)?(?:说|说明|提到|提及|提供|给出|包含|涉及|指出|写|记载|回答|相关)|(?:根据|基于|从)[^。]*(?:无法|不能|难以)(?:确定|判断|得知|回答|知道|看出)|没有(?:相关|足够)的?信息`,
		`但|不过|然而|可是|；|因为`,
		`没|沒|未|不|无法|难以`,
	),
	// Japanese
	language(
		`(?:こんにちは|こんばんは|おはようございます|ありがとう|ありがとうございます|どういたしまして|はい|いいえ|もちろん|もちろんです|承知しました|了解しました|わかりました|すみません|申し訳ありません|不明|不明です|(?:十分な)?情報(?:が|は)ありません|さようなら|お役に立てれば幸いです|喜んでお手伝いします)`,
		`(?:申し訳ありませんが|すみませんが|残念ながら)?[、, ]*(?:私(?:は|に)は?)?(?:それは|よく)?[、, ]*(?:わかりません|分かりません|知りません|存じません|お答えできません|回答できません|判断できません)|良い質問|いい質問|ご質問(?:ありがとう|いただき)|お手伝い(?:できて|します|いたします)`,
		`(?:こんにちは|ありがとう)`,
		`(?:文書|文章|テキスト|本文|資料|記事|文脈|コンテキスト|提供された情報)(?:の中)?(?:に|には|で|では|は|からは)[^。]*(?:書かれていません|記載されていません|記載がありません|言及されていません|述べられていません|ありません|含まれていません|わかりません|分かりません|触れられていません|示されていません)$`,
		`しかし|ですが、|けれど|が、|なぜなら`,
		`せん`,
	),
	// Korean
	language(
		`(?:안녕하세요|안녕|감사합니다|고맙습니다|천만에요|네|예|아니요|물론입니다|물론이죠|알겠습니다|죄송합니다|알 수 없음|도움이 되길 바랍니다|기꺼이 도와드리겠습니다)`,
		`(?:죄송하지만|아쉽게도|죄송합니다만)?[, ]*(?:저는 |제가 )?(?:잘 )?(?:모르겠습니다|모릅니다|몰라요|알 수 없습니다|답변할 수 없습니다|답할 수 없습니다|확실하지 않습니다)|좋은 질문|질문해 주셔서|도움이 필요하시면`,
		`(?:안녕하세요|감사합니다)`,
		`(?:문서|텍스트|본문|문맥|자료|기사|글|출처)(?:에는|에서는|에|에서|는|은)[^.]*(?:나와 있지 않습니다|언급되지 않았습니다|언급되어 있지 않습니다|없습니다|않습니다|명시되어 있지 않습니다|알 수 없습니다)$`,
		`하지만|그러나|지만 `,
		`습니다`,
	),
	// Arabic
	language(
		`(?:مرحبا|مرحباً|أهلا|أهلاً|السلام عليكم|صباح الخير|مساء الخير|شكرا|شكراً|شكرا لك|عفوا|عفواً|بالتأكيد|بالطبع|نعم|لا|حسنا|حسناً|آسف|غير معروف|مع السلامة)`,
		`(?:عذرا|عذراً|آسف|للأسف)?[،, ]*(?:لكن )?(?:أنا )?(?:لا أعرف|لا أعلم|لا أدري|لا يمكنني|لست متأكدا|لست متأكداً|ليس لدي|لا أستطيع)|يسعدني (?:أن أساعد|مساعدت)|آمل أن |سؤال جيد`,
		`(?:مرحبا|مرحباً|أهلا|أهلاً|شكرا|شكراً)(?: |،|$)`,
		`(?:النص|الوثائق|الوثيقة|المستندات|المستند|السياق|المقال|المصادر|المصدر) (?:لا|لم) (?:ي|ت)(?:ذكر|قول|حدد|شير|وضح|حتوي|تضمن|تناول)|(?:لم|لا) (?:يذكر|يُذكر|ترد|يرد)(?: \S+){0,4} (?:في|بالنص) ?(?:النص|الوثائق|المستند|السياق|المقال|المصادر)?$|لا توجد معلومات`,
		`(?:^|\s)(?:لكن|ولكن|غير أن|إلا أن|لأن)(?:\s|$)|؛`,
		`لا|لم`,
	),
	// What stands in or is left open by a text, with the text named first or not
	// at all, in the languages above.
	language(
		`(?:nicht|nirgends) (?:angegeben|erwähnt|genannt|bekannt|spezifiziert)(?: (?:im|in der|in den|in dem) (?:text|dokument|artikel|quellen?|kontext))?|(?:das )?weiß niemand|niemand weiß (?:es|das)`+
			`|non (?:précisée?|indiquée?|mentionnée?)(?: dans (?:le |la |les |l'|ce )\S+)?|(?:ce )?n'est pas (?:précisé|indiqué|mentionné|dit)|personne ne (?:le )?sait`+
			`|(?:no|sin) (?:especificad[oa]|indicad[oa]|mencionad[oa]|especificar|se sabe)(?: en (?:el |la |los |las )\S+)?|nadie (?:lo )?sabe`+
			`|não (?:especificad[oa]|indicad[oa]|mencionad[oa]|informad[oa]|se sabe)(?: n[oa]s? \S+)?|ninguém sabe`+
			`|non (?:specificat[oa]|indicat[oa]|menzionat[oa]|è (?:indicat[oa]|specificat[oa]|menzionat[oa]|dett[oa]|not[oa]|chiaro)|si sa|viene (?:indicat[oa]|specificat[oa]|menzionat[oa]|dett[oa]))|nessuno lo sa`+
			`|(?:niet|nergens) (?:vermeld|genoemd|bekend|aangegeven)(?: in (?:de |het )\S+)?|niemand weet (?:het|dat)|(?:ej|inte) (?:angivet|nämnt|känt)|ingen vet`+
			`|nie (?:podano|wspomniano|wiadomo|określono)|nikt nie wie|не (?:указано|известно|упоминается|сказано)|никто не знает|belirtilmemiş|kimse bilmiyor`,
		`$.`,
		`$.`,
		`^(?:nel|nello|nella|nei|nelle|nell') ?(?:\S+ )?(?:test[oi]|document[oi]|contest[oi]|articol[oi]|font[ei])(?: \S+)?,? (?:\S+ )?non (?:è|sono|viene|vengono|si|c'è|ci sono|lo)(?:\s|$)`+
			`|^dans (?:le |la |les |l'|ce |cet |ces )(?:\S+ )?(?:textes?|documents?|contextes?|articles?|sources?|passages?)(?: \S+)?,? (?:\S+ )?(?:ce |il |cela |rien |aucun \S+ )?(?:n'|ne )(?:est|sont|y a|dit|figure|le|la)\b.*\b(?:pas|rien|aucune?)\b`+
			`|^l'(?:article|extrait|auteur|énoncé) ne (?:le |la |l')?\S+ (?:pas|rien)\b`+
			`|^en (?:el |la |los |las |este )(?:\S+ )?(?:textos?|documentos?|contextos?|artículos?|fuentes?|pasajes?)(?: \S+)?,? (?:\S+ )?no (?:se|está|aparece|hay|lo|consta|figura)(?:\s|$)`+
			`|^n[oa]s? (?:\S+ )?(?:textos?|documentos?|contextos?|artigos?|fontes?)(?: \S+)?,? (?:\S+ )?não (?:é|está|há|foi|se|consta|diz)(?:\s|$)`+
			`|^in (?:de |het |deze |dit )(?:\S+ )?(?:teksten|tekst|documenten|document|context|artikel|bronnen|bron) (?:staat|wordt|worden|is|zijn) (?:\S+ ){0,3}?(?:niet|niets|geen|nergens)(?:\s|$)`+
			`|^(?:vermeldt|vermelden|zegt|zeggen|noemt|noemen|geeft|geven|bevat|bevatten) (?:de|het|deze|dit) (?:teksten|tekst|documenten|document|context|artikel|bronnen|bron) (?:\S+ ){0,3}?(?:niet|niets|geen)(?:\s|$)`+
			`|^i (?:\S+ )?(?:texten|texterna|dokumentet|dokumenten|artikeln|källan|källorna|sammanhanget) (?:står|nämns|sägs|framgår|anges|finns) (?:\S+ ){0,3}?(?:inte|inget|ingen|ej)(?:\s|$)`+
			`|^w (?:\S+ )?(?:tekście|tekstach|dokumencie|dokumentach|kontekście|artykule|źródłach|źródle) (?:\S+ )?(?:nie|brak)(?:\s|$)`,
		`(?:^|\s)(?:ma|però|tuttavia|mais|cependant|pero|sin embargo|mas|porém|maar|echter|men|dock|ale|jednak)(?:\s|$)|;`,
		`non|pas|rien|aucun|no |não|niet|geen|nergens|inte|inget|ingen|ej|nie|brak`,
	),
	// Greetings and not knowing in further languages.
	language(
		`(?:kia ora|tēnā koe|aloha|namaste|namaskar|salaam|salam|shalom|szia|sziasztok|helló|jó (?:napot|reggelt|estét)|ahoj|dobrý (?:den|večer)|bună(?: ziua| dimineața| seara)?|salut|hej|hei|heisann|moi|moikka|terve|hyvää (?:päivää|huomenta|iltaa)|tere|sveiki|labas|laba diena|labdien|zdravo|bok|dobar dan|здраво|здравейте|вітаю|привіт|добрий день|γεια(?: σας| σου)?|καλημέρα|καλησπέρα|שלום|नमस्ते|नमस्कार|สวัสดี(?:ครับ|ค่ะ)?|xin chào|chào bạn|halo|selamat (?:pagi|siang|sore|malam|datang)|habari|jambo|hujambo|sawubona|dia dhuit|kaixo|bon dia|kumusta|mabuhay|سلام|درود|হ্যালো|নমস্কার|வணக்கம்|ola|bon dia)`+
			`|(?:multumesc|mulțumesc|köszönöm|děkuji|děkuju|ďakujem|takk|tak|tusen takk|kiitos|aitäh|paldies|ačiū|hvala|хвала|благодаря|дякую|ευχαριστώ|תודה|धन्यवाद|ขอบคุณ|cảm ơn|terima kasih|asante|gràcies|eskerrik asko|salamat|ngā mihi)`+
			`|(?:îmi pare rău,? )?(?:dar )?(?:eu )?nu (?:știu|stiu|sunt sigur[ăa]?)|(?:sajnálom,? )?(?:de )?nem (?:tudom|vagyok biztos)|(?:bohužel,? )?(?:to )?(?:nevím|neviem)|(?:valitettavasti )?en (?:tiedä|ole varma)|δεν (?:ξέρω|γνωρίζω)|jeg (?:vet|ved) (?:det )?(?:ikke|desværre ikke)|(?:nažalost,? )?ne (?:znam|vem)|не (?:знам|зная)|я не знаю|(?:maaf,? )?(?:saya )?tidak tahu|(?:xin lỗi,? )?tôi không biết|(?:ฉัน|ผม)?ไม่(?:รู้|ทราบ)(?:ครับ|ค่ะ)?|मुझे (?:नहीं पता|पता नहीं)(?: है)?|no ho sé|ma ei tea|nežinau|es nezinu|(?:אני )?לא יודע(?:ת)?|sijui|hindi ko alam|نمی\x{200c}?دانم|ez dakit|kāore au i te mōhio`,
		`$.`, `$.`, `$.`, `$.`, `\x00`,
	),
}
