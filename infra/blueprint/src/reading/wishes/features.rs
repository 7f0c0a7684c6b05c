//! Features of deployments that a message asks for or rules out.

mod mentions;

use super::context::Context;
use super::open::Open;
use super::parts::parts;
use super::second::Second;
use super::{Asked, CLOSED_PORTS, Fate, open_anyway, second};
use crate::catalogue::covers::{self, Cover, Feature};
use crate::catalogue::foreign::Foreign;
use crate::catalogue::{Blueprint, stacks};
use crate::words::{Near, Qualifier, QualifierKind, Words};
use mentions::Said;

/// What a message says about features.
#[derive(Default)]
pub(super) struct Spoken {
    /// Wishes that the deployment fulfills, as separate requirements.
    pub(super) covered: Vec<&'static str>,
    /// Features that the user asks for and the deployment lacks, and parts that the user rules out and it has anyway.
    pub(super) asked: Vec<Asked>,
    /// The rows of features that are built in another way, each with the feature's wish.
    pub(super) otherwise: Vec<(String, &'static str)>,
    /// Features that the user does not want.
    pub(super) refused: Vec<&'static str>,
    /// Phrases that name the found features. The deployment builds these features even where others cannot.
    pub(super) cues: Vec<&'static str>,
}

/// The feature whose phrases may also say how long something is kept.
const DURABLE: &str = "durable data";

/// The feature that the question about the receiver of alerts decides.
const WEBHOOK: &str = "alerts to a webhook";

/// Reads what a message says about the features that the deployment has, and about those that it lacks.
pub(super) fn features(
    blueprint: &Blueprint,
    context: &Context,
    words: &Words,
    open: &mut Open,
) -> Spoken {
    let second = second::bucket(blueprint, words);
    let (spoken, explained, missing) = (Spoken::default(), Vec::new(), Vec::new());
    let mut reader = Reader { blueprint, context, words, open, second, spoken, explained, missing };
    reader.report_second_bucket();
    let asked = |feature: &&Feature| covers::is_asked(blueprint, feature);
    covers::features().filter(|feature| !asked(feature)).for_each(|feature| reader.read(feature));
    reader.report_missing();
    let parts = parts(blueprint, words, reader.open);
    reader.spoken.asked.extend(parts);
    if words.excludes("cloud") {
        reader.open.rule_out("cloud");
    }
    reader.spoken
}

/// Reads the features one after another.
struct Reader<'a> {
    blueprint: &'a Blueprint,
    context: &'a Context<'a>,
    words: &'a Words,
    open: &'a mut Open,
    /// Another bucket than that of the deployment.
    second: Option<Second>,
    spoken: Spoken,
    /// The words that ask for the features which the deployment has.
    explained: Vec<Vec<String>>,
    /// What the deployment lacks, each with the phrase that asks for it.
    missing: Vec<(&'static str, Asked)>,
}

/// A feature that a message asks for, and how the deployment has it, if it does.
struct Mention<'a> {
    feature: &'static Feature,
    cover: Option<&'a Cover>,
    cue: &'static str,
    near: Near,
}

impl<'a> Reader<'a> {
    /// Reports a second bucket, which the deployment does not have.
    fn report_second_bucket(&mut self) {
        if let Some(second) = &self.second {
            self.open.take_range(&second.named);
            let what = self.words.said_in(second.named.clone());
            self.spoken.asked.push(Asked { what, fate: Fate::Not });
        }
    }

    /// Reads what the message says about a feature.
    fn read(&mut self, feature: &'static Feature) {
        let cover = self.cover(feature);
        if feature.is_a_part() && cover.is_none() {
            return;
        }
        match self.said(feature, cover.is_some()) {
            Some(Said::Meant(cue, near)) => {
                self.read_mention(Mention { feature, cover, cue, near });
            }
            Some(Said::TurnedDown(cue)) => self.turn_down(feature, cue, cover.is_some()),
            None => {}
        }
    }

    /// How the deployment has the feature; `None` if it lacks it.
    fn cover(&self, feature: &Feature) -> Option<&'a Cover> {
        // Without a receiver, the alerts go to no webhook.
        let receiver = self.context.values.get(stacks::ALERTS_TO.key);
        let nowhere = feature.name() == WEBHOOK && receiver.is_some_and(|to| to == "none");
        let own = |cover: &&Cover| cover.feature.name() == feature.name();
        self.context.covers.iter().find(own).filter(|_| !nowhere)
    }

    /// How the message mentions the feature. “Port 80 closed” is not fulfilled while the port is open, but “ports 80 and 443
    /// open, everything else closed” is.
    fn said(&self, feature: &'static Feature, has: bool) -> Option<Said> {
        let unfulfilled =
            feature.wish() == CLOSED_PORTS && self.context.keeps_a_port_open(self.words);
        let beside = |said: &Said| matches!(said, Said::Meant(cue, _) if BESIDE.contains(cue));
        let plainly = || mentions::said_plainly(feature, self.words).filter(|_| has);
        let said = mentions::said(feature, self.words).or_else(plainly);
        said.filter(|said| !unfulfilled || beside(said))
    }

    /// Reads a mention of a feature, which may be about something other than it seems.
    fn read_mention(&mut self, mention: Mention) {
        let about_another = if mention.cover.is_some() {
            self.report_refused_product(mention.feature);
            self.is_of_the_second_bucket(&mention) || self.is_open_anyway(&mention)
        } else {
            self.is_of_a_question(&mention) || self.is_fulfilled_otherwise(&mention)
        };
        if !about_another {
            self.read_wish(mention);
        }
    }

    /// Reports the product by which the deployment has the feature, if the message refuses that one: “a certificate, but not
    /// Let's Encrypt”.
    fn report_refused_product(&mut self, feature: &Feature) {
        if let Some(cue) = feature.cues().find(|cue| self.words.excludes(cue)) {
            self.open.rule_out(cue);
            self.spoken.asked.push(with(cue, cue.to_string()));
        }
    }

    /// Whether the message asks it of a second bucket. It is then reported as not built.
    fn is_of_the_second_bucket(&mut self, mention: &Mention) -> bool {
        let Mention { feature, near, .. } = mention;
        let second = self.second.as_ref();
        let second = second.filter(|_| second::OF_A_BUCKET.contains(&feature.name()));
        let about = |second: &&Second| second.about.contains(&near.begins_at(self.words));
        let Some(second) = second.filter(about) else { return false };
        near.words(self.words).for_each(|word| self.open.take(word));
        let what = near.text(self.words);
        let own = self.words.said_in(second.named.clone()).contains(what.as_str());
        if !own && !what.ends_with("bucket") {
            self.spoken.asked.push(Asked { what, fate: Fate::Not });
        }
        true
    }

    /// Whether the message wants something closed that the deployment opens: “a website that is not reachable from the
    /// internet” contradicts the ports of the website.
    fn is_open_anyway(&mut self, mention: &Mention) -> bool {
        let (near, words, context) = (&mention.near, self.words, self.context);
        let open_anyway = mention.feature.wish() == CLOSED_PORTS
            && open_anyway::is_open_anyway(self.blueprint, context, near, words);
        if open_anyway {
            near.words(words).for_each(|word| self.open.rule_out(word));
            self.spoken.asked.push(open_anyway::open_anyway(context, near, words));
        }
        open_anyway
    }

    /// Whether it is what a question of the deployment asks: “data kept 60 days” is for the one about the days.
    fn is_of_a_question(&mut self, mention: &Mention) -> bool {
        let (near, words) = (&mention.near, self.words);
        let asked = mention.feature.name() == DURABLE
            && self.context.keeps_for_days(words, near.begins_at(words));
        if asked {
            near.words(words).for_each(|word| self.open.take(word));
        }
        asked
    }

    /// Whether another part of the deployment fulfills it: the “encryption” of a website is TLS.
    fn is_fulfilled_otherwise(&mut self, mention: &Mention) -> bool {
        let (near, words) = (&mention.near, self.words);
        let fulfilled = mention.feature.is_fulfilled_by(self.blueprint, &near.text(words))
            && !near.negated(words);
        if fulfilled {
            near.words(words).for_each(|word| self.open.take(word));
            self.spoken.cues.push(mention.cue);
        }
        fulfilled
    }

    /// Reads a wish for the feature: the deployment fulfills it as stated, in another way, or not at all.
    fn read_wish(&mut self, mention: Mention) {
        let words = self.words;
        let denied = self.explain(&mention.near);
        let Mention { feature, cover, cue, near } = mention;
        let other = near.around(words).find(|word| feature.instead_of(word).is_some());
        let instead = other.and_then(|word| feature.instead_of(word));
        let near = near.with(words, |word| instead.is_some() && Some(word) == other);
        let (near, unknown) = qualified(feature, cover, near, words);
        self.rule_out_exceptions(&unknown);
        if !denied {
            near.words(words).for_each(|word| self.open.take(word));
        }
        let kinds: Vec<_> = unknown.iter().map(|qualifier| qualifier.kind).collect();
        let instead = instead.or(kinds.first().map(|kind| match cover {
            Some(cover) => cover.without_qualifier(*kind),
            None => feature.without_qualifier(*kind),
        }));
        let foreign = || Foreign::in_message(words).into_iter().any(|f| f.cues.contains(&cue));
        match (cover, instead) {
            (Some(_), Some(instead)) => self.fulfill_otherwise(feature, &near, &kinds, instead),
            (Some(_), None) => {
                self.explained.push(near.words(words).map(str::to_string).collect());
                self.spoken.covered.push(feature.wish());
                self.spoken.cues.extend(feature.cues().chain(feature.without()));
            }
            (None, _) if foreign() => {}
            (None, _) => {
                self.missing.push((cue, Asked { what: near.text(words), fate: Fate::Not }));
            }
        }
    }

    /// Marks the words of a wish as explained. Returns whether they deny something: “no public access to the database”
    /// explains no other wish for a database.
    fn explain(&mut self, near: &Near) -> bool {
        let words = self.words;
        let forbidding = near.forbidden(words);
        let denied = near.negated(words) || forbidding.is_some();
        let forbidding = forbidding.filter(|word| *word != "not");
        forbidding.into_iter().for_each(|word| self.open.rule_out(word));
        match denied {
            true => near.values(words).for_each(|at| self.open.rule_out_range(&(at..at + 1))),
            false => near.words(words).for_each(|word| self.open.take(word)),
        }
        denied
    }

    /// Marks what a wish excepts as ruled out.
    fn rule_out_exceptions(&mut self, qualifiers: &[Qualifier]) {
        for qualifier in qualifiers.iter().filter(|one| one.kind == QualifierKind::Excepted) {
            let excepted = self.words.phrase(qualifier.place.clone());
            excepted.split(' ').for_each(|word| self.open.rule_out(word));
        }
    }

    /// Reports a wish that the deployment fulfills in another way.
    fn fulfill_otherwise(
        &mut self,
        feature: &'static Feature,
        near: &Near,
        kinds: &[QualifierKind],
        instead: &str,
    ) {
        let (words, spoken) = (self.words, &mut self.spoken);
        let encrypted = kinds.contains(&QualifierKind::Encrypted);
        spoken.cues.extend(encrypted.then_some("encrypted"));
        let usual = kinds.iter().all(|kind| *kind == QualifierKind::Frequency);
        let what = if usual { near.text(words) } else { near.said(words) };
        spoken.otherwise.push((what.clone(), feature.wish()));
        spoken.asked.push(Asked { what, fate: Fate::Differently(instead.into()) });
        spoken.cues.extend(feature.cues());
        spoken.cues.extend(foreign_in(near, words));
    }

    /// Reads a feature that the user does not want. What adds detail is ruled out as well: “no automatic updates, please”.
    fn turn_down(&mut self, feature: &'static Feature, cue: &'static str, has: bool) {
        let words = self.words;
        self.open.rule_out(cue);
        let near = words.near(cue).map(|near| near.with(words, |word| feature.has_word(word)));
        if let Some(near) = near {
            near.words(words).for_each(|word| self.open.rule_out(word));
            near.forbidden(words).into_iter().for_each(|word| self.open.rule_out(word));
        }
        self.spoken.refused.push(feature.wish());
        // The user ruled out a product, “without certbot”, so the row names the product and not the feature.
        let product = feature.cues().next() != Some(cue) && PRODUCTS.contains(&cue);
        let name = if product { cue } else { feature.name() };
        self.spoken.asked.extend(has.then(|| with(cue, name.to_string())));
    }

    /// Reports what the deployment lacks. The “restored” of “old versions can be restored” asks for the versions, not for a
    /// tried restore.
    fn report_missing(&mut self) {
        let explained = &self.explained;
        let part = |cue: &str| {
            explained.iter().any(|said| cue.split(' ').all(|word| said.iter().any(|s| s == word)))
        };
        let missing = self.missing.drain(..).filter(|(cue, _)| !part(cue));
        self.spoken.asked.extend(missing.map(|(_, asked)| asked));
    }
}

/// The phrases for foreign things of which a row about a feature has a word: the “mail” of “alerts by mail”.
fn foreign_in(near: &Near, words: &Words) -> Vec<&'static str> {
    let said: Vec<&str> = near.words(words).collect();
    let named = |cue: &&str| {
        let mut parts = cue.trim_start_matches("e ").split(' ');
        parts.all(|part| said.contains(&part)) && words.means(cue)
    };
    let foreign = Foreign::all().filter(|foreign| !foreign.is_main());
    foreign.flat_map(|foreign| foreign.cues.iter().copied()).filter(named).collect()
}

/// The mention of a feature with everything that changes what it asks for and that the feature does not know, and all
/// of that.
fn qualified(
    feature: &Feature,
    cover: Option<&Cover>,
    near: Near,
    words: &Words,
) -> (Near, Vec<Qualifier>) {
    let unknown = near.qualifiers(words).into_iter();
    let knows = |qualifier: &Qualifier| match cover {
        Some(cover) => cover.knows(qualifier, words),
        None => feature.knows(qualifier, words),
    };
    let unknown: Vec<_> = unknown.filter(|qualifier| !knows(qualifier)).collect();
    (unknown.iter().fold(near, Near::qualified), unknown)
}

/// Cues that close what is not planned to be open.
const BESIDE: &[&str] = &[
    "else closed",
    "else open",
    "rest closed",
    "other port closed",
    "other port",
    "other open port",
];

/// Cues that name a product that provides a feature.
const PRODUCTS: &[&str] =
    &["let's encrypt", "lets encrypt", "letsencrypt", "certbot", "ufw", "unattended upgrade"];

/// A row for something that the user rules out and the deployment has anyway.
pub(super) fn with(cue: &str, name: String) -> Asked {
    Asked { what: format!("without {cue}"), fate: Fate::Differently(format!("with {name}")) }
}
