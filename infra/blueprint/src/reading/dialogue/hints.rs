//! The row for a deployment that a message only hints at: “logs” for an ELK stack.

use super::Dialogue;
use super::quotes::Line;
use crate::catalogue::{self, Blueprint, Place, TOY, covers, places};
use crate::reading::wishes::{Asked, Fate};
use crate::words::Words;

impl Dialogue {
    /// Whether a message that would choose a deployment names only a provider, “copies to our storage at Hetzner”, or the
    /// service for a first try beside one. Nothing is chosen by that, but a server is the nearest.
    pub(super) fn is_only_a_place(&mut self, blueprint: &'static Blueprint, words: &Words) -> bool {
        let any = |says: &dyn Fn(&Words) -> bool| {
            says(words) || self.said.iter().any(|earlier| says(earlier))
        };
        // What is to run at a provider is not a first try: “two app servers at Hetzner. The health check is /healthz”.
        let rented = |words: &Words| words.means_any(&["hetzner", "aws", "amazon", "vps", "ec2"]);
        let called =
            words.means_any(&["web service", "small service", "local service", "http service"]);
        let tried = called || any(&|said| blueprint.is_tried_out(said));
        let toy = blueprint.id == TOY && any(&rented) && !tried;
        let place = !any(&|said| catalogue::names_more_than_a_place(blueprint, said));
        let only = toy || (self.blueprint.is_none() && place);
        if only {
            let plain = || catalogue::ALL.iter().copied().find(|other| catalogue::is_plain(other));
            let nearest = if toy { plain() } else { Some(blueprint) };
            self.nearest = self.nearest.or(nearest);
        }
        only
    }

    /// The row that says what is built for words that only hint at the deployment.
    pub(super) fn hint(&self, words: &Words) -> Option<Asked> {
        let hinted = self.blueprint.filter(|blueprint| {
            self.latest.chosen && blueprint.clear_score(words) == 0 && blueprint.score(words) > 0
        });
        // “A server” is exactly what a plain server is, and “a static website” what a website is.
        let site = catalogue::asked_site(words).map(|site| site.id);
        let hinted = hinted
            .filter(|blueprint| !catalogue::is_plain(blueprint) && site != Some(blueprint.id));
        let hints: Vec<&str> = hinted.map_or(Vec::new(), |blueprint| {
            let place = blueprint.strong_cues.iter().any(|cue| words.means(cue));
            let town = |cue: &str| places::of(blueprint.place).iter().any(|(name, _)| *name == cue);
            let cues = blueprint.weak_cues.iter().copied().filter(|cue| words.means(cue));
            // “A website” asks for what “A website with nginx” says, and a feature has a row of its own.
            let title = format!("{} {}", blueprint.title, blueprint.place.words()).to_lowercase();
            let said = |cue: &str| {
                let title = title.split(|c: char| !c.is_alphanumeric()).collect::<Vec<_>>();
                let feature = || covers::features().any(|f| f.cues().any(|other| other == cue));
                cue.split(' ').all(|word| title.contains(&word)) || feature()
            };
            // “The HTML pages exist”: the user brings them.
            let brought = |cue: &str| blueprint.brings.contains(&cue);
            // “Domain example.org” has a row.
            let asked = |cue: &str| {
                blueprint.parameters.iter().any(|asked| asked.label.eq_ignore_ascii_case(cue))
            };
            let cues = cues.filter(|cue| !brought(cue) && !asked(cue) && *cue != "server");
            let cues = cues.filter(|cue| !town(cue) && !said(cue));
            if place { Vec::new() } else { cues.collect() }
        });
        let blueprint = hinted.filter(|_| !hints.is_empty())?;
        let fate = Fate::Differently(format!("{}, {}", blueprint.title, blueprint.detail));
        Some(Asked { what: hints.join(", "), fate })
    }

    /// The line for a provider that the user names while nothing is planned there: “at Hetzner”.
    pub(super) fn provider_of_nothing(&self) -> Option<Line> {
        let names = |said: &Words, place: &Place| {
            let requests = said.requests();
            place.provider().iter().any(|name| requests.means(name))
        };
        let places = [Place::Hetzner, Place::Aws];
        let mut latest = self.said.iter().rev().filter(|_| self.blueprint.is_none());
        let place = latest.find_map(|said| places.into_iter().find(|place| names(said, place)))?;
        Some((place.words().into(), Some(Fate::Not)))
    }
}
