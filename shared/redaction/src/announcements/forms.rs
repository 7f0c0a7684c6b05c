//! Tries the forms of announcements, each only on lines that have the sign it needs: most lines lack it.

use super::corrections::{alike, contrasted, corrected, denied};
use super::signs::Sign;
use super::{
    COMPARED_BYTES, Line, abbreviated, access, answers, bare_answers, bare_labels, beside,
    bracketed, brackets, cards, changes, chosen, fields, groups, handovers, keys, labels, licenses,
    lines_below, lists, login_commas, mentions, named_last, onetime, passphrases, per_machine,
    personal_tokens, placed, products, proposals, quoted, quotes, reserves, said_keys,
    second_persons, settings, shared, shared_users, sign_ins, slash_pairs, text_messages,
    tried_words, tuples, unlocks, weak_arguments, weak_logins, weak_sentences, weak_values,
    well_known, wireless,
};
use crate::{Raw, SecretKind};
use std::cmp::Reverse;
use std::ops::Range;

/// What the forms find.
#[derive(Default)]
pub(super) struct Forms {
    spans: Vec<Range<usize>>,
    /// Those that are surely secrets, with their names.
    certain: Vec<(Range<usize>, &'static str)>,
}

impl Forms {
    /// The forms that any line may have.
    pub fn of_any(&mut self, lines: &[Line<'_>], number: usize) {
        let (line, more) = (&lines[number], &mut self.spans);
        let has = |sign: u8| line.chars.has(sign);
        if has(b'=') {
            more.extend(labels::variables(line));
        }
        if has(b':') || has(b'=') {
            more.extend(labels::label(line));
        }
        more.extend(lines_below::value(lines, number));
        if has(b':') {
            more.extend(lines_below::account(lines, number));
        }
        more.extend(answers::value(lines, number));
        if line.may_have_key {
            more.extend(handovers::named(line).into_iter().chain(handovers::key(line)));
            more.extend(handovers::token(line).into_iter().chain(handovers::global(line)));
            more.extend(handovers::seed(line));
        }
        more.extend(changes::values(line).into_iter().chain(mentions::phrase(line)));
        more.extend(beside::pointed(lines, number));
        if has(b'?') {
            more.extend(mentions::asked(line));
        }
        more.extend(wireless::dotted(line).into_iter().chain(fields::value(line)));
    }

    /// The forms that have quotes or a digit.
    pub fn with_digits_or_quotes(&mut self, line: &Line<'_>) {
        let more = &mut self.spans;
        let has = |sign: Sign| line.signs.has(sign);
        if line.quotes {
            more.extend(quotes::login(line).into_iter().chain(quotes::set(line)));
            more.extend(quoted::fields(line));
        }
        if line.quotes || line.digits > 0 {
            more.extend(named_last::value(line));
        }
        if line.digits > 0 {
            more.extend(labels::number(line).into_iter().chain(tuples::of_user(line)));
            more.extend(access::code(line).into_iter().chain(cards::values(line)));
            more.extend(personal_tokens::value(line));
            more.extend(
                shared_users::services(line).into_iter().chain(shared_users::explained(line)),
            );
            more.extend(beside::replaced(line));
            if let Some(chosen) = chosen::of_line(line) {
                more.extend(sign_ins::values(line, &chosen));
                more.extend(tuples::values(line, &chosen));
                more.extend(sign_ins::after_lead(line));
            }
            more.extend(has(Sign::Phone).then(|| text_messages::code(line)).flatten());
            more.extend(has(Sign::OneTime).then(|| onetime::code(line)).flatten());
            more.extend(has(Sign::Seed).then(|| onetime::seed(line)).flatten());
        }
    }

    /// The forms that speak about keys, networks, or what a secret opens.
    pub fn of_keys(&mut self, line: &Line<'_>) {
        let more = &mut self.spans;
        let has = |sign: Sign| line.signs.has(sign);
        if has(Sign::Decrypts) {
            more.extend(passphrases::phrase(line));
        }
        if has(Sign::Opens) && line.lower.contains("prompt") {
            more.extend(unlocks::typed(line));
        }
        if has(Sign::With) && has(Sign::Opens) {
            more.extend(unlocks::opened(line));
        }
        if has(Sign::Network) {
            more.extend(keys::wireless(line).into_iter().chain(keys::worded(line)));
        }
        if has(Sign::Key) {
            more.extend(keys::hex(line).into_iter().chain(labels::account(line)));
            more.extend(keys::of_vendor(line));
        }
        if line.chars.has(b'-') && line.digits > 0 {
            more.extend(said_keys::value(line));
        }
        if has(Sign::Default) || line.announces {
            more.extend(well_known::value(line));
        }
        if has(Sign::Question) || has(Sign::Codeword) {
            more.extend(access::said(line));
        }
    }

    /// The forms whose values are surely secrets.
    pub fn of_certain(&mut self, lines: &[Line<'_>], number: usize) {
        let (line, certain) = (&lines[number], &mut self.certain);
        let has = |sign: Sign| line.signs.has(sign);
        if has(Sign::Key) || has(Sign::Cookie) {
            certain.extend(licenses::key(line));
        }
        if has(Sign::Reserve) {
            let codes = reserves::values(line).into_iter().chain(reserves::below(lines, number));
            certain.extend(codes.map(|span| (span, "RECOVERY_CODE")));
        }
        if line.announces {
            certain.extend(named_last::pointed(line).map(|span| (span, "PASSWORD")));
        }
    }

    /// The forms that have a certain mark.
    pub fn with_marks(&mut self, line: &Line<'_>) {
        let more = &mut self.spans;
        // Most lines lack the sign that the other forms need.
        if line.chars.has_any(b":/") {
            more.extend(weak_logins::values(line));
            more.extend(products::value(line));
        }
        if line.chars.has(b':') {
            more.extend(access::answer(line).into_iter().chain(settings::yaml(line)));
            more.extend(bare_labels::value(line).into_iter().chain(mentions::address(line)));
            more.extend(login_commas::value(line));
            more.extend(mentions::cookie(line).into_iter().chain(unlocks::labeled(line)));
        }
        if line.chars.has(b'/') {
            more.extend(proposals::paired(line).into_iter().chain(slash_pairs::pairs(line)));
            more.extend(beside::pairs(line).into_iter().chain(wireless::paired(line)));
        }
        if line.chars.has_any(b"-'") {
            more.extend(weak_arguments::value(line));
        }
        if line.chars.has(b';') {
            more.extend(settings::connection(line));
        }
        if line.chars.has(b'>') {
            more.extend(mentions::written(line));
        }
        if line.quotes && line.text.contains("echo ") {
            more.extend(mentions::printed(line));
        }
        if line.chars.has(b'<') {
            more.extend(mentions::substituted(line));
        }
    }

    /// The forms that have a word for a password.
    pub fn with_noun(&mut self, line: &Line<'_>) {
        let more = &mut self.spans;
        if line.announces || line.text.len() > COMPARED_BYTES {
            more.extend(labels::short(line));
        }
        if line.announces {
            let has = |sign: Sign| line.signs.has(sign);
            more.extend(mentions::tried(line));
            more.extend(has(Sign::Described).then(|| mentions::described(line)).flatten());
            more.extend(mentions::named(line).into_iter().chain(corrected(line)));
            more.extend(has(Sign::App).then(|| groups::grouped(line)).flatten());
            more.extend(bracketed::explained(line));
            more.extend(denied(line).into_iter().chain(second_persons::second(line)));
            more.extend(proposals::judged(line).into_iter().chain(proposals::assigned(line)));
            more.extend(proposals::changed(line).into_iter().chain(beside::dictated(line)));
            more.extend(bracketed::bracketed(line).into_iter().chain(bracketed::enumerated(line)));
            more.extend(quoted::beside(line).into_iter().chain(shared::value(line)));
            more.extend(placed::value(line).into_iter().chain(brackets::value(line)));
            more.extend(per_machine::values(line));
            if let Some(noun) = line.noun() {
                more.extend(weak_sentences::value(line, noun));
                more.extend(tried_words::value(line, noun));
            }
        }
    }

    /// The forms that compare lines; `found` are the secrets that are known already.
    pub fn of_several_lines(&mut self, lines: &[Line<'_>], found: &[Raw]) {
        let more = &mut self.spans;
        if lines.iter().any(|line| line.announces || lists::begins(line)) {
            more.extend(lists::values(lines, found));
        }
        more.extend(alike(lines, found).into_iter().chain(contrasted(lines, found)));
        more.extend(beside::labeled(lines, found).into_iter().chain(tuples::second(lines, found)));
        more.extend(groups::alike(lines, found).into_iter().chain(groups::bracketed(lines, found)));
        more.extend(bare_answers::answer(lines).into_iter().chain(abbreviated::keys(lines)));
        more.extend(weak_values::values(lines));
    }

    /// The secrets that are not in `found`, in order, each with its name.
    pub fn into_secrets(self, found: &[Raw]) -> Vec<Raw> {
        let Self { mut spans, certain } = self;
        spans.extend(certain.iter().map(|(span, _)| span.clone()));
        spans.sort_by_key(|span| (span.start, Reverse(span.end)));
        spans.dedup_by(|next, span| next.start < span.end);
        let raw = |span: Range<usize>| match certain.iter().find(|(known, _)| *known == span) {
            Some((_, name)) => Raw::sure(span, name, SecretKind::Password),
            None => Raw::likely(span, "PASSWORD", SecretKind::Password),
        };
        // What is known already needs no second judgment.
        let is_known = |span: &Range<usize>| {
            let next = found.partition_point(|raw| raw.span.end <= span.start);
            found.get(next).is_some_and(|raw| raw.span == *span)
        };
        spans.into_iter().filter(|span| !is_known(span)).map(raw).collect()
    }
}
