package grapheval

import "testing"

func TestCheckable(t *testing.T) {
	for _, group := range []struct {
		name string
		want bool
		in   []string
	}{
		{"nothing to read", false, []string{"", "   ", "...", "—", "🙂👍", "***", "?!"}},
		{"not knowing", false, []string{
			"I don't know.", "I do not know the answer.", "I don’t know who wrote it.", "Sorry, I can't answer that question.",
			"I'm not sure.", "I am unable to determine this from the passage.", "I have no information about that.",
			"Unfortunately, I don't have enough information to answer.", "I'm sorry, but I cannot help with that.",
			"As an AI language model, I cannot browse the web.", "No idea.", "Unknown", "N/A",
			"Ich weiß es nicht.", "Das weiß ich leider nicht.", "Das kann ich leider nicht beantworten.", "Dazu habe ich keine Informationen.",
			"Je ne sais pas.", "Je n'ai pas assez d'informations.", "No lo sé.", "Lo siento, no puedo responder a esa pregunta.",
			"Não sei.", "Non lo so.", "Ik weet het niet.", "Jag vet inte.", "Nie wiem.", "Я не знаю.", "Bilmiyorum.",
			"I'm afraid I can't answer that.", "I was unable to find the answer in the provided context.", "I'm just an AI.", "Don't know.", "Not sure.",
			"Cannot be determined.", "Sorry, I don't know the answer to that.", "Entschuldigung, das weiß ich nicht.", "Désolé, je ne sais pas.", "Mi dispiace, non lo so.",
			"我不知道。", "抱歉，我无法回答这个问题。", "わかりません。", "申し訳ありませんが、わかりません。", "모르겠습니다.", "لا أعرف.",
		}},
		{"the sources do not say", false, []string{
			"The documents do not say.", "The text doesn't mention who founded the company.", "The provided context does not contain this information.",
			"Based on the provided context, I cannot answer the question.", "There is no information about this in the text.",
			"It is not stated in the article.", "The founder is not mentioned in the passage.", "This information is not provided in the context.",
			"The article does not specify when Acme was founded.", "Not enough information is given.", "No information is available.",
			"According to the context, it is not possible to say.", "The question cannot be answered from the text.",
			"Das steht nicht im Text.", "Der Text sagt dazu nichts.", "Im Dokument wird das nicht erwähnt.", "Dazu gibt es keine Angaben.",
			"Le texte ne le dit pas.", "Ce n'est pas mentionné dans le document.", "El texto no lo dice.", "No se menciona en el documento.",
			"O texto não diz.", "Il testo non lo dice.", "De tekst vermeldt dit niet.", "Texten säger inte det.",
			"Tekst nie mówi o tym.", "В тексте об этом не говорится.", "Metinde bu konuda bilgi yok.",
			"This is outside the scope of the provided text.", "There's nothing in the text about that.", "The passage is silent on this.", "It isn't mentioned.",
			"Based on the information provided, the answer cannot be determined.", "The information is not available.", "None of the documents mention the price.",
			"Neither document says who won.", "Nothing is said about the price.", "There is no mention of Tesla in the documents.",
			"Hierzu liegen keine Informationen vor.", "Das geht aus dem Text nicht hervor.", "Darüber sagt der Text nichts.", "Aucune information n'est donnée.",
			"根据提供的文本，无法确定。", "文中没有相关信息。", "情報がありません。",
			"文中没有提到。", "文書には書かれていません。", "문서에는 나와 있지 않습니다.", "النص لا يذكر ذلك.",
		}},
		{"refusals with regret", false, []string{
			"I'm sorry, but the passage does not mention that.", "Sorry, that isn't stated in the document.", "Apologies, but this is not covered in the sources.",
			"I am afraid the text doesn't say.", "Regrettably, the report does not say who paid.", "Sadly, the story doesn't mention his age.",
			"Leider steht das nicht im Text.", "Malheureusement, le texte ne le dit pas.", "Lo siento, el texto no lo dice.", "Purtroppo il testo non lo dice.", "Helaas vermeldt de tekst dit niet.",
			"Not mentioned in the passage.", "Not explicitly stated in the given text.", "Nowhere stated.", "No one knows.", "Nobody really knows for sure.",
			"Nel documento non è specificato.", "Nell'articolo non si dice.", "Dans le texte, rien n'est dit, aucun détail.", "L'article ne le précise pas.", "En el artículo no se menciona.",
			"No texto não consta.", "In de tekst staat dat niet.", "I texten nämns det inte.", "W tekście nie podano daty.", "Nicht angegeben.", "Non specificato.", "Não informado.", "Не указано.", "Belirtilmemiş.", "Nadie lo sabe.", "Personne ne sait.", "Personne ne le sait.",
		}},
		{"greetings and not knowing elsewhere", false, []string{"Tēnā koe!", "Ahoj!", "Nem tudom.", "Bună ziua!", "Nu sunt sigur.", "Nevím.", "Terve!", "En tiedä.", "Δεν ξέρω.", "Xin chào!", "Saya tidak tahu.", "Jeg vet ikke.", "नमस्ते!", "שלום!"}},
		{"markup", false, []string{"```python", "~~~", "```", "<br>", "<div class=\"a\">", "&nbsp;", "![](a.png)", "\\begin{table}", "<!-- a note -->"}},
		{"courtesies", false, []string{
			"Hi!", "Happy to help.", "Hello there!", "Hello Anna,", "Good morning!", "You're welcome!", "Thank you for your question.",
			"Thanks for asking!", "Let me know if you have any other questions.", "Feel free to ask!", "I hope this helps!", "Hope this helps.",
			"Great question!", "That's a good question.", "Sure!", "Of course.", "Certainly!", "I'd be happy to help with that.", "Is there anything else I can help you with?", "Hi, Anna!", "Anytime!", "You're very welcome!", "I apologize for the confusion.", "Glad I could help!",
			"Of course! I'd be glad to help.", "If you have more questions, feel free to ask.", "See you!", "Kind regards,",
			"Hallo!", "Gern geschehen.", "Ich helfe gerne.", "Vielen Dank für Ihre Frage.", "Bonjour !", "Merci beaucoup.", "Avec plaisir !",
			"¡Hola!", "Gracias por tu pregunta.", "Espero que esto ayude.", "Obrigado!", "Grazie mille!", "Graag gedaan.", "Tack så mycket!",
			"Спасибо!", "Рад помочь.", "你好！", "希望对你有帮助。", "ありがとうございます。", "감사합니다.", "شكرا!",
		}},
		{"bare assent", false, []string{"Yes.", "No", "Yes, it is.", "Ja.", "Nein!", "Oui.", "是。", "はい。", "네."}},
		{"questions", false, []string{"What is the capital of Peru?", "When did Zed open in 1998?", "Wo liegt Bern?", "柿子是什么？", "ما هذا؟", "Where is it, do you know?", "“Who paid for it?”", "'Why?'", "If it rains, would you go?"}},
		{"headings and lead-ins", false, []string{
			"# History of Paris", "## 1998", "Summary", "**Summary:**", "Key points:", "Here are the main facts:", "Sure, here is a short summary:",
			"The three causes are:", "Here's what I found:", "Zusammenfassung", "Answer:",
		}},

		{"pointing at another statement", false, []string{"It really is .", "They do too.", "Yes, it certainly is.", "That's so true.", "No, they did not.", "I think it is, actually.", "We really do!"}},
		{"statements that begin alike", true, []string{"It is red.", "They do yoga.", "That's a lie about Ida.", "He has 3.", "There was rain.", "I am Ida."}},

		{"statements that look like refusals", true, []string{
			"Sadly, the old mill burned down.", "Unfortunately, the mayor resigned.", "I'm sorry, but the mill is closed.", "The study did not include children.", "The report was not published.",
			"Nobody knows Ida better than Bo.", "Not stated aims but deeds won the vote.", "Leider brannte die Mühle ab.", "Nel parco non è permesso correre.", "En el museo no se fuma.", "<b>Ida</b> sold the mill.", "Go is a language.", "In de stad staat geen molen.",
		}},
		{"statements", true, []string{
			"Zed was founded in 1990.", "Drug K did not lower blood pressure.", "It may help sleep.", "He also trained Uma.",
			"The trial is 30 days.", "柿子", "1998", "Paris", "about 12 percent", "Yes, Zed was founded in 1990.",
			"No patient was without a fever.", "Sure, the company was sold to Orbix.", "Thank you notes were sent to all donors by the mayor.",
			"Hi-Tech Ltd is based in Oslo.", "Hello Kitty was designed by Yuko Shimizu in Japan.", "Good morning routines lower stress in adults.",
			"The report does not include the 2019 figures.", "I don't know, but it opened in spring.",
			"The text does not give a reason, but the council voted against it.", "The documents do not say when, however the mayor resigned.",
			"The company did not provide refunds.", "Unknown assailants robbed the bank.", "The doctor does not know the cause.",
			"No evidence was found against the minister.", "Great Britain left the union.", "Not all patients recovered.",
			"Did you know that Paris has two airports?", "Wow, do you know that Paris has two airports?", "The museum opened in May, did you go?", "The mayor asked: “Who paid for it?”", "Ida asked her husband, 'Where is the boat?'", "Paris is in France, isn't it?", "The context of the war changed.",
			"Sorry, the museum is closed on Mondays.", "Of course, Ida sold the mill.", "Unclear skies delayed the flight.", "The answer was given by Ida Holm.",
			"None of the patients died.", "The information was leaked by a clerk.", "Nothing was stolen.", "It was not sold.", "This is beyond the town wall.",
			"The text of the treaty was lost.", "There is nothing in the room.", "The source is silent at night.",
			"- 14 days of trial", "Answer Corp was sold.", "The company has 3 offices:", "Summary judgment was granted.",
			"Die Firma sitzt in Berlin.", "Das Gericht sprach ihn nicht schuldig.", "Ich bin nicht in Berlin geboren.", "La société n'a pas été vendue.",
			"La empresa no fue vendida.", "公司成立于一九九八年。", "会社は東京にあります。", "Компания не была продана.",
			"The sources of the Nile are in Burundi.", "No goals were scored.", "There were no survivors.",
		}},
	} {
		for _, s := range group.in {
			if got := Checkable(s); got != group.want {
				t.Errorf("%s: Checkable(%q) = %v", group.name, s, got)
			}
		}
	}
}
