//! What a message says of its writer and of its reasons, and politeness: it asks for nothing, so it needs no row.
//!
//! A row that is missing is worse than one too many. So only the words that no reader explained are left out of the
//! list, and only where the grammar shows that the passage asks for nothing: thanks and greetings, “we are …”, “we
//! sell …”, “it is for …”, and what follows “because”. A passage that needs, wants or must, or that names a product,
//! is never left out.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::catalogue::{self, Place, covers, places};
use crate::words::language::{Language, Weight};
use crate::words::{Shape, Words, is_negation, lists};

/// Words by which a passage asks for something; a star stands for any ending.
const WANTING: &str = "need* want* must should shall require* wish* please let let's lets \
    have-to has-to only just except \
    brauch* benötig* muss müssen musst soll* will wollen möcht* bitte darf dürfen nur nötig \
    necesit* quier* queremos quisiera deb* hay falta solo sólo hace \
    besoin faut doi* veu* voul* voudrai* aimer* souhait* seulement uniquement";

/// Words that begin a thanks, a greeting or a farewell.
const POLITE: &str = "thanks thank thx cheers regards hello hi hey greetings danke dankeschön \
    vielen herzlichen grüße grüsse gruß grüßen grüssen hallo moin servus tschüss gracias saludos saludo hola \
    buenas buenos merci cordialement bonjour bonsoir salut salutations geehrte geehrter geehrtes \
    estimado estimada estimados estimadas madame monsieur mesdames messieurs";
/// Words that may stand before those.
const BEFORE_POLITE: &str = "many best kind warm good und and y et viele liebe schöne beste \
    freundliche freundlichen besten lieben schönen sehr mit guten muchas un mil de le bien a dear";

/// Those of them with which a letter begins.
const SALUTING: &str = "geehrte geehrter geehrtes estimado estimada estimados estimadas";
/// Words that end a message, so that only a name may follow.
const FAREWELLS: &str = "thanks thank thx cheers regards danke dankeschön grüße grüsse gruß \
    grüßen grüssen gracias saludos \
    saludo merci cordialement salutations";
/// Words between the names of those who sign.
const SIGNING: &str = "and und y et e the from von de der die del la dr ra prof";
/// The most words with which a message is signed, and the fewest of a message that somebody signs.
const SIGNATURE: usize = 6;
const LETTER: usize = 25;

/// Verbs by which a clause tells of an earlier time.
const TOLD: &str = "was were went had did kept left lost began became happened broke crashed \
    war waren wurde wurden hatte hatten ging gingen stand standen fiel fielen lief liefen \
    fue fueron era eran estaba estaban tuvimos tuvo hubo perdió perdimos \
    était étaient avait avaient fut";
/// Verbs with which a user only begins to say what they want.
const THINKING: &str = "thinking hoping wondering planning considering looking asking meaning \
    supposed meant thought hoped \
    wondered gedacht überlegt pensando buscando pensé pensando cherchait pensait voulait quería queríamos pensaba";

/// Words that begin a reason, and pairs of words that do.
const REASONS: &str = "because weil denn porque puisque wegen";
const REASON_PAIRS: &[[&str; 2]] = &[
    ["due", "to"],
    ["ya", "que"],
    ["parce", "que"],
    ["parce", "qu'il"],
    ["parce", "qu'on"],
    ["parce", "qu'elle"],
    ["à", "cause"],
    ["debido", "a"],
];

/// “We are”, in one word or in two.
const WE_ARE: &str = "i'm we're somos soy";
const WE: &str = "i we wir ich je nous on yo nosotros";
const ARE: &str = "am are bin sind suis sommes est soy somos";
/// Words that follow “we are” if it asks for something or says what is used: “we are on AWS”, “we are happy with
/// MySQL”.
const NOT_A_TRADE: &str =
    "on at in using with happy open after able behind auf bei mit en sur chez sous";

/// Verbs of trades and of having, in the first person.
const TRADING: &str = "sell sells make makes produce repair teach grow bake offer run operate \
    own have verkaufen verkaufe vertreiben betreiben betreibe führen führe haben habe \
    unterrichten backen vermieten vendemos vendo tenemos tengo fabricamos llevamos regentamos \
    enseño vendons vends fabriquons avons ai tenons tiens enseigne";
/// Articles, which follow a verb of having if it says what one is: “we have a bakery”, “we run a law firm”.
const HAVING: &str = "run operate own have betreiben betreibe führen führe haben habe tenemos \
    tengo llevamos regentamos avons ai tenons tiens";
const ARTICLES: &str = "a an ein eine einen un una une";

/// Verbs of liking and wanting, of people other than the writer.
const LIKING: &str = "prefers likes wants mag will möchte quiere prefiere veut préfère";

/// “It is for”, of which the first word may be missing.
const IT: &str = "it it's that this es das c'est";
const IS: &str = "is ist es est";
const FOR: &str = "for für zum para pour";

/// Verbs of knowing, with which a writer says how little they know: “we don't know much about this”.
const KNOWING: &str = "know knows understand kenne kennen verstehe verstehen sé sabemos entiendo entendemos connais connaît \
    connaissons comprends comprenons";

/// The most words before “we” in a passage: “hello, and as you know we are”.
const LEAD: usize = 3;

/// Positions of the values that ask for nothing.
pub fn background(words: &Words) -> BTreeSet<usize> {
    let Some(reader) = Reader::of(words) else { return BTreeSet::new() };
    let clauses = words.clauses();
    let signature = reader.signature(&clauses);
    let passages = clauses.into_iter().flat_map(|clause| reader.passages(clause)).flatten();
    passages.chain(signature.into_iter().flatten()).collect()
}

struct Reader<'a> {
    words: &'a Words,
    values: Vec<&'a str>,
    /// Positions of the values that name something that may be built, or state a hard fact.
    stating: BTreeSet<usize>,
    /// Positions of the values that state a hard fact.
    facts: BTreeSet<usize>,
}

impl<'a> Reader<'a> {
    /// `None` if nothing in the message begins such a passage, as in most messages.
    fn of(words: &'a Words) -> Option<Reader<'a>> {
        let values: Vec<&str> = words.values().collect();
        let (stating, facts) = (BTreeSet::new(), BTreeSet::new());
        let mut reader = Reader { words, values, stating, facts };
        let begins = |at: usize| {
            reader.says(at, WE)
                || reader.says(at, WE_ARE)
                || reader.says(at, POLITE)
                || reader.says(at, FOR)
                || reader.says(at, LIKING)
                || reader.says(at, TOLD)
                || reader.reason_at(at)
        };
        if !(0..words.count()).any(begins) {
            return None;
        }
        let names = catalogue::names(words).into_iter().flat_map(|name| name.values);
        let facts = words.facts().into_iter();
        let facts = facts.filter(|fact| !counts_people(&fact.shape)).flat_map(|fact| fact.values);
        let features = covers::features().flat_map(|feature| feature.cues());
        let features = features.flat_map(|cue| words.places(cue));
        let features = features.flat_map(|place| words.values_of(&place));
        reader.facts = facts.collect();
        reader.stating = names.chain(reader.facts.iter().copied()).chain(features).collect();
        Some(reader)
    }

    /// The parts of a clause that ask for nothing.
    fn passages(&self, clause: Range<usize>) -> Vec<Range<usize>> {
        let end = clause.end;
        let first = self.passage(clause.clone());
        // “Our site went down, and the head was not amused”
        let rest = first.as_ref().map_or(end, |first| first.end)..end;
        let tells = !rest.is_empty() && self.tells(&rest) && !self.asks(rest.clone());
        let idle = tells && !rest.clone().any(|at| self.stating.contains(&at));
        first.into_iter().chain(idle.then_some(rest)).collect()
    }

    /// The part of a clause that asks for nothing.
    fn passage(&self, clause: Range<usize>) -> Option<Range<usize>> {
        let reason = clause.clone().find(|at| self.reason_at(*at));
        let fact = |start: &usize| (*start..clause.end).any(|at| self.facts.contains(&at));
        let idle = |start: &usize| !self.asks(*start..clause.end) && !fact(start);
        if let Some(start) = reason.filter(idle) {
            return Some(start..clause.end);
        }
        if let Some(preferred) = self.preferred(&clause) {
            return Some(preferred);
        }
        let clause = if self.salutes(&clause) { clause } else { self.first_part(clause) };
        let denied = clause.clone().any(|at| is_negation(self.values[at]));
        let states = clause.clone().any(|at| self.stating.contains(&at));
        let idle = self.introduces(&clause)
            || denied && self.admits(&clause)
            || self.tells(&clause)
            || !denied && (self.is_polite(&clause) || self.trades(&clause) || self.is_for(&clause));
        (idle && !states && !self.asks(clause.clone())).then_some(clause)
    }

    /// A clause up to the word with which something else is joined to it: “I'm a florist and need a server”.
    fn first_part(&self, clause: Range<usize>) -> Range<usize> {
        const AND: &str = "and but y pero et mais und aber so";
        let goes_on = |at: usize| {
            let next = at + 1;
            next >= clause.end || is_negation(self.values[next]) || self.says(next, WE_ARE)
        };
        let joins = |at: &usize| *at > clause.start && self.says(*at, AND) && !goes_on(*at);
        let end = clause.clone().find(joins).unwrap_or(clause.end);
        clause.start..end
    }

    /// What a clause says that somebody else likes of what was said before: “the developer prefers it”.
    fn preferred(&self, clause: &Range<usize>) -> Option<Range<usize>> {
        const THAT: &str = "it that this das es so lo eso le ça cela";
        let likes = |at: &usize| {
            *at > clause.start
                && self.says(*at, LIKING)
                && !self.says(*at - 1, WE)
                && *at + 1 < clause.end
                && self.says(*at + 1, THAT)
        };
        let verb = clause.clone().find(likes)?;
        let person = clause.start..verb + 2;
        // “The developer wants that port 80 is closed”
        let rest =
            clause.clone().skip(person.len()).any(|at| self.says(at, "is are be ist sind wird"));
        let states = person.clone().any(|at| self.stating.contains(&at));
        (!states && !rest).then_some(person)
    }

    /// Whether a reason begins here.
    fn reason_at(&self, at: usize) -> bool {
        let german = self.words.language(at) == Language::German;
        let starts = self.words.clause(at).start == at;
        let next = at + 1;
        let pair = |pair: &[&str; 2]| {
            next < self.words.count() && self.says(at, pair[0]) && self.says(next, pair[1])
        };
        self.says(at, REASONS)
            || german && starts && self.values[at] == "da"
            || starts && self.values[at] == "car"
            || REASON_PAIRS.iter().any(pair)
    }

    /// Whether a clause thanks or greets.
    fn is_polite(&self, clause: &Range<usize>) -> bool {
        let mut at = clause.clone().skip_while(|at| self.says(*at, BEFORE_POLITE));
        at.next().is_some_and(|at| self.says(at, POLITE))
    }

    /// Whether a clause is the salutation of a letter: “sehr geehrte Damen und Herren”.
    fn salutes(&self, clause: &Range<usize>) -> bool {
        self.words.any_in(clause.clone(), SALUTING) && self.is_polite(clause)
    }

    /// Whether a clause tells of an earlier time: “last term our old site went down”.
    fn tells(&self, clause: &Range<usize>) -> bool {
        let verb = clause.clone().any(|at| self.says(at, TOLD));
        verb && !clause.clone().any(|at| self.says(at, THINKING))
    }

    /// The names after the farewell at the end of a mail: “many thanks, Priya”.
    fn signature(&self, clauses: &[Range<usize>]) -> Option<Range<usize>> {
        let farewell = |clause: &Range<usize>| {
            self.words.any_in(clause.clone(), FAREWELLS) && self.is_polite(clause)
        };
        let end = clauses.iter().rfind(|clause| farewell(clause))?.end;
        let rest = end..self.values.len();
        let name = |at: usize| {
            let (_, piece) = self.words.said(at);
            let known = piece.is_some() || self.stating.contains(&at);
            self.says(at, SIGNING) || !known && self.words.weighs(at) == Weight::Full
        };
        let placed = [Place::Hetzner, Place::Aws]
            .into_iter()
            .flat_map(|place| places::own(self.words, places::of(place)))
            .any(|mention| rest.contains(&mention.values.start));
        let signed = self.values.len() >= LETTER && (1..=SIGNATURE).contains(&rest.len());
        (signed && !placed && !self.asks(rest.clone()) && rest.clone().all(name)).then_some(rest)
    }

    /// Whether a clause says who the writer is: “we are a small restaurant”, “I'm not technical”.
    fn introduces(&self, clause: &Range<usize>) -> bool {
        let lead = clause.start..clause.end.min(clause.start + LEAD);
        let end = lead.into_iter().find_map(|at| {
            let next = at + 1;
            let pair = next < clause.end
                && (self.says(at, WE) && self.says(next, ARE)
                    || self.says(at, ARE) && self.says(next, WE));
            (pair.then_some(at + 2)).or(self.says(at, WE_ARE).then_some(next))
        });
        let trade = |at: usize| {
            let word = self.values[at];
            !word.ends_with("ing") && !lists(NOT_A_TRADE, word)
        };
        end.is_some_and(|end| end < clause.end && trade(end))
    }

    /// Whether a clause, which has a negation, says how little the writer knows: “on n'y connaît pas grand-chose”.
    fn admits(&self, clause: &Range<usize>) -> bool {
        let knows = clause.clone().find(|at| self.says(*at, KNOWING));
        knows.is_some_and(|at| {
            self.words.language(at) == Language::Spanish
                || (clause.start..at).any(|at| self.says(at, WE))
        })
    }

    /// Whether a clause says what the writer's trade is: “we sell candles”, “we run a law firm”.
    fn trades(&self, clause: &Range<usize>) -> bool {
        let ours = |at: usize| at > clause.start && self.says(at - 1, WE);
        let spanish = |at: usize| self.words.language(at) == Language::Spanish;
        let inverted = |at: usize| at + 1 < clause.end && self.says(at + 1, WE);
        let lead = clause.start..clause.end.min(clause.start + LEAD);
        lead.into_iter().any(|at| {
            let has = self.says(at, HAVING);
            let after = (at + 1..clause.end.min(at + LEAD)).any(|at| self.says(at, ARTICLES));
            self.says(at, TRADING)
                && (ours(at) || inverted(at) || spanish(at) && at == clause.start)
                && (!has || after)
        })
    }

    /// Whether a clause only says for whom it is: “it's for a school project”.
    fn is_for(&self, clause: &Range<usize>) -> bool {
        let skipped = |at: &usize| self.says(*at, IT) || self.says(*at, IS);
        let mut rest = clause.clone().skip_while(skipped);
        let purpose = rest.next().filter(|at| self.says(*at, FOR) && *at > clause.start);
        purpose.is_some_and(|at| at + 1 < clause.end)
    }

    /// Whether a passage asks for something.
    fn asks(&self, passage: Range<usize>) -> bool {
        asks(self.words, passage)
    }

    /// Whether a value, or a word of the user's for it, is in a list.
    fn says(&self, at: usize, list: &str) -> bool {
        self.words.is_in(at, list)
    }
}

/// Whether a passage asks for something.
pub(super) fn asks(words: &Words, passage: Range<usize>) -> bool {
    let asks = |word: &str| {
        WANTING.split_ascii_whitespace().any(|wanting| match wanting.strip_suffix('*') {
            Some(start) => word.starts_with(start),
            None => word == wanting,
        })
    };
    let values = words.values().enumerate().skip(passage.start).take(passage.len());
    values.into_iter().any(|(at, value)| asks(value) || words.said(at).0.split(' ').any(asks))
}

/// Whether a number counts people: “a club of 200 members”.
fn counts_people(shape: &Shape) -> bool {
    const PEOPLE: &str = "people persons members employees colleagues students pupils partners \
        leute personen mitglieder mitarbeiter schüler kollegen personas socios miembros \
        empleados alumnos personnes membres employés élèves associés developers engineers volunteers children kids entwickler \
        kinder ehrenamtliche desarrolladores ingenieros niños développeurs ingénieurs enfants bénévoles";
    // “Mit 200 Mitgliedern”: the dative.
    let people = |unit: &str| {
        lists(PEOPLE, unit) || unit.strip_suffix('n').is_some_and(|unit| lists(PEOPLE, unit))
    };
    matches!(shape, Shape::Number(unit) if people(unit))
}

#[cfg(test)]
mod tests;
