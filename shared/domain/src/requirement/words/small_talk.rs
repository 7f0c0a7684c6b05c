//! Words that ask for nothing on their own, in the languages of the blueprint model.

/// Whether a word joins clauses.
pub(super) fn joins(word: &str) -> bool {
    is_one_of(word, JOINING)
}

/// Whether a word begins a question that wants to know something.
pub(super) fn asks(word: &str) -> bool {
    is_one_of(word, ASKING)
}

/// Whether a word greets, thanks, agrees, or has no meaning of its own.
pub(super) fn is_small_talk(word: &str) -> bool {
    [ENGLISH, GERMAN, SPANISH, FRENCH].into_iter().any(|words| is_one_of(word, words))
}

fn is_one_of(word: &str, words: &str) -> bool {
    words.split_whitespace().any(|one| one == word)
}

const JOINING: &str = "and but with plus & und aber mit sowie y pero con et mais avec also außerdem además también aussi";

const ASKING: &str = "\
what what's how why when who which where was wie warum wann wer welche welcher welches wo wieviel qué cómo cuándo quién \
cuál cuánto cuánta dónde quoi comment pourquoi quand qui quel quelle quels quelles combien où";

const ENGLISH: &str = "\
hi hello hey there good morning evening afternoon dear thanks thank you cheers bye yes yep yeah sure ok okay fine great \
perfect nice cool right correct agreed confirm confirmed please go ahead do it continue proceed ready that's that all is \
this i i'd i'm we we'd me my our us want need would like love have get give a an the to of for be are so well then now \
use take your default defaults just let's let and or but with can could should whatever choose decide up looks sounds \
very much in on as also plus build sorry no nope not actually oh";

const GERMAN: &str = "\
hallo guten tag moin servus grüße danke vielen dank schön ja klar gut gerne gern passt super prima genau einverstanden \
bitte mach los weiter so ich wir mir mein meine unser unsere möchte möchten hätte hätten will wollen brauche brauchen ein \
eine einen einem einer der die das den dem des für zu von ist sind es nimm verwende standard standardwerte \
standardwerten vorgaben und oder aber mit dann du kannst auch noch im soll haben sowie alles außerdem nein nicht achso doch eben";

const SPANISH: &str = "\
hola buenos buenas días tardes noches gracias muchas sí si vale claro bien perfecto de acuerdo adelante por favor yo \
nosotros quiero queremos quisiera quisiéramos necesito necesitamos me gustaría un una unos unas el la los las mi nuestro \
nuestra para es que sea usa valores predeterminados defecto y o pero con en todo sigue también además no entonces";

const FRENCH: &str = "\
bonjour bonsoir salut merci beaucoup oui d'accord bien sûr parfait très allez-y vas-y continue continuez s'il vous te \
plaît plait je nous j'ai j'aimerais voudrais voudrions veux voulons besoin il faut faudrait le les du des une mon ma \
notre pour est c'est soit utilise utilisez valeurs défaut et ou mais avec à au aussi tout par non alors donc";
