//! The words by which a mention asks for nothing, in all four languages.

/// Words of a wish. A clause with one of them asks.
pub(super) const WISHES: &[&str] = &[
    "want",
    "need",
    "needs",
    "would",
    "we'd",
    "i'd",
    "please",
    "give",
    "brauche",
    "brauchen",
    "möchte",
    "möchten",
    "hätte",
    "hätten",
    "bitte",
    "soll",
    "sollen",
    "wollen",
    "will",
    "quiero",
    "queremos",
    "necesito",
    "necesitamos",
    "quisiera",
    "quisiéramos",
    "voudrais",
    "voudrait",
    "voudrions",
    "veux",
    "voulons",
    "faut",
    "faudrait",
    "souhaite",
    "souhaitons",
    "should",
    "shall",
    "must",
    "looking",
];

/// Words of the present, with which a clause no longer tells of an earlier time.
pub(super) const NOW: &[&str] =
    &["now", "jetzt", "nun", "heute", "ahora", "hoy", "maintenant", "désormais"];

/// Participles of asking after such a verb: what somebody had asked for may hold.
pub(super) const ASKED: &[&str] = &[
    "asked",
    "requested",
    "ordered",
    "planned",
    "demandé",
    "prévu",
    "commandé",
    "pedido",
    "encargado",
    "previsto",
    "bestellt",
    "verlangt",
    "gewünscht",
    "geplant",
];

/// Words before a thing that make it an example of what the user wants: “as we had with WordPress”.
pub(super) const LIKE: &[&str] = &["like", "as", "wie", "como", "comme"];

/// Words with which a clause is about something other than the one before it.
pub(super) const TURNING: &[&str] =
    &["but", "so", "then", "aber", "dann", "also", "pero", "entonces", "mais", "alors", "donc"];

/// Verbs of staying.
pub(super) const STAYING: &[&str] = &[
    "stays",
    "stay",
    "remains",
    "remain",
    "bleibt",
    "bleiben",
    "queda",
    "quedan",
    "sigue",
    "siguen",
    "reste",
    "restent",
    "demeure",
    "demeurent",
    "keeps",
    "keep",
];

/// Verbs of being somewhere.
pub(super) const BEING: &[&str] = &[
    "is", "are", "runs", "run", "lives", "live", "hosted", "läuft", "laufen", "steht", "stehen",
    "liegt", "liegen", "está", "están", "corre", "corren", "vive", "tourne", "tournent", "est",
    "sont", "tienen", "lleva", "llevan",
];

/// Words of a place after such a verb.
pub(super) const THERE: &[&str] = &[
    "there",
    "where",
    "elsewhere",
    "at",
    "with",
    "by",
    "in",
    "running",
    "da",
    "dort",
    "wo",
    "woanders",
    "bei",
    "so",
    "ahí",
    "allí",
    "donde",
    "como",
    "en",
    "con",
    "fuera",
    "là",
    "y",
    "chez",
    "où",
    "ailleurs",
    "comme",
    "extern",
    "it",
    "that",
];

/// Words of another place that need no verb of staying.
pub(super) const ELSEWHERE: &[&str] = &[
    "elsewhere",
    "woanders",
    "anderswo",
    "ailleurs",
    "otra parte",
    "otro sitio",
    "otro lado",
    "somewhere else",
    "autre part",
];

/// Verbs with which somebody else runs a thing, or does its work.
pub(super) const OPERATING: &[&str] = &[
    "run by",
    "done by",
    "macht die",
    "macht der",
    "macht unser",
    "macht unsere",
    "machen die",
    "managed by",
    "handled by",
    "provided by",
    "looked after by",
    "operated by",
    "takes care of",
    "handles",
    "betreibt",
    "betreut",
    "verwaltet",
    "übernimmt",
    "lleva",
    "llevan",
    "gestiona",
    "gestionan",
    "se encarga",
    "lo hace",
    "la hace",
    "los hace",
    "géré par",
    "gérée par",
    "s'en charge",
    "s'en occupe",
    "fournit",
    "fourni par",
    "belongs to",
    "gehört",
];

/// The user as the one who runs a thing, and may want to move it.
pub(super) const OWN: &[&str] = &["we", "i", "wir", "ich", "nosotros", "yo", "nous", "je", "on"];

/// Words for everything that was listed before them.
pub(super) const SUMMING: &[&str] = &[
    "all",
    "everything",
    "both",
    "rest",
    "lot",
    "alles",
    "alle",
    "beides",
    "todo",
    "todos",
    "ambos",
    "tout",
    "tous",
];

/// Words by which a clause says the same of its thing as the clause before it.
pub(super) const TOO: &[&str] = &["too", "likewise", "also", "auch", "ebenso", "también", "aussi"];

/// Words of a person or firm with whom something is.
pub(super) const WITH: &[&str] = &["with", "bei", "beim", "chez", "at"];

/// Words that say that something is so by now.
pub(super) const BY_NOW: &[&str] = &["already", "schon", "bereits", "déjà"];

/// Words that make the place the one where the deployment would be.
pub(super) const HERE: &[&str] = &[
    "hetzner", "aws", "your", "yours", "you", "euch", "euren", "eurem", "vuestro", "vuestros",
    "vuestra", "vous", "votre", "vos", "ihnen", "server", "machine", "box", "vps",
];
pub(super) const YOU: &[&str] =
    &["you", "your", "ihr", "euch", "sie", "ihnen", "vosotros", "ustedes", "vous"];

/// Clauses with which the user tells to leave the thing before them alone.
pub(super) const ALONE: &[&str] = &[
    "leave it",
    "leave them",
    "leave that",
    "keep running",
    "not touch",
    "don't touch",
    "never again",
    "nie wieder",
    "nunca más",
    "plus jamais",
    "on arrête",
    "lo dejamos",
    "nicht anfassen",
    "finger weg",
    "ni tocarlo",
    "n'y touchez",
    "n'y touche",
    "no se toca",
    "nothing to do with us",
    "nichts mit uns zu tun",
    "nada que ver con nosotros",
    "rien à voir avec nous",
    "none of that",
    "nichts davon",
    "nada de eso",
    "rien de tout ça",
];

/// Phrases right before a thing that the user leaves.
pub(super) const LEAVING: &[&str] = &[
    "away from",
    "weg von",
    "weg vom",
    "rid of",
    "moving off",
    "tired of",
    "fed up with",
    "leaving",
    "leave",
    "verlassen",
    "quitter",
    "quitte",
    "quittons",
    "abandonner",
    "dejar",
    "dejamos",
    "abandonar",
    "done with",
];
pub(super) const LEAVING_REACH: usize = 4;

/// The most words of a clause that goes on with the list before it.
pub(super) const BRIEF: usize = 3;

/// Articles between one of [`LEAVING`] and the thing.
pub(super) const ARTICLES: &[&str] = &[
    "the", "our", "der", "dem", "den", "die", "das", "unserem", "el", "la", "le", "nuestro",
    "notre",
];

/// Phrases of thinking and talking about a thing.
pub(super) const CONSIDERED: &[&str] = &[
    "thought about",
    "thought of",
    "considered",
    "talked about",
    "talking about",
    "swears by",
    "dachten an",
    "dachte an",
    "redete von",
    "sprach von",
    "schwört auf",
    "pensábamos en",
    "pensamos en",
    "hablaba de",
    "jura por",
    "pensions à",
    "pensait à",
    "parlait de",
    "ne jure que par",
    "says we need",
    "says that we need",
    "says i need",
    "says we should",
    "told we need",
    "sagt wir brauchen",
    "meint wir brauchen",
    "sagt wir bräuchten",
    "meint wir bräuchten",
    "dice que necesitamos",
    "dice que necesito",
    "dicen que necesitamos",
    "dice que hace falta",
    "dit qu'il nous faut",
    "dit qu'il faut",
    "dit qu'on a besoin",
    "dit que nous avons besoin",
];

/// Verbs right after a thing with which a clause tells what was the matter with it.
pub(super) const WAS: &[&str] =
    &["was", "were", "wurde", "wurden", "war", "waren", "fue", "fueron", "était", "fut", "a été"];
