//! The phrases of qualifiers, in all languages.

use super::{Kind, Side};

/// The kinds, their sides, and their phrases. In a phrase, `#` is a number, `%` a unit of time, `&` a place or machine, and
/// words between slashes are alternatives.
pub(super) const PHRASES: &[(Kind, Side, &[&str])] = &[
    (
        Kind::Frequency,
        Side::Both,
        &[
            "hourly",
            "daily",
            "nightly",
            "weekly",
            "biweekly",
            "fortnightly",
            "monthly",
            "quarterly",
            "yearly",
            "annually",
            "continuously",
            "every/each/alle/jede/jeden/jedes/cada/chaque %",
            "every/each/alle/cada/chaque # %",
            "toutes/tous les %",
            "toutes/tous les # %",
            "every other/second/third %",
            "jeden/jede/alle zweiten/zweite/zwei %",
            "once/twice/thrice a/an/per/every/each/pro/am/al/par %",
            "once/twice every # %",
            "una/dos/two/tres/three/une/deux/trois veces/vez/fois/times am/pro/al/por/par/a/per %",
            "zweimal/dreimal/einmal am/pro/im/in %",
            "# times a/an/per/pro/al/par %",
            "# per %",
            "los/cada lunes/martes/miércoles/jueves/viernes/sábado/sábados/domingo/domingos",
            "am/jeden montag/dienstag/mittwoch/donnerstag/freitag/samstag/sonntag/wochenende",
            "montags/dienstags/mittwochs/donnerstags/freitags/samstags/sonntags",
            "le/chaque lundi/mardi/mercredi/jeudi/vendredi/samedi/dimanche",
            "tous les lundis/mardis/mercredis/jeudis/vendredis/samedis/dimanches",
            "on/at/every/each sunday/sundays/monday/mondays/tuesday/tuesdays/wednesday/wednesdays/thursday/thursdays/friday/fridays/saturday/saturdays/weekday/weekdays/weekend/weekends",
        ],
    ),
    (
        Kind::Count,
        Side::Before,
        &[
            "two/three/four/five/six/several/multiple/second/third/another/additional/extra/duplicate/zwei/drei/zweite/zweiten/zweites/zweiter/weitere/weiteren/weiteres/dos/tres/segundo/segunda/otro/otra/deux/trois/deuxième/seconde/supplémentaire",
            "2/3/4/5/6",
        ],
    ),
    (
        Kind::Owned,
        Side::Both,
        &[
            "existing/current/vorhanden/vorhandene/vorhandenen/vorhandenes/vorhandener/bestehende/bestehenden/bestehendes/existente/existentes/existant/existante/existants",
            "our/my/notre/mon/nuestra/nuestro/unser/mein own/propre/propia/propio/eigener/eigenes",
            "this/these/diese/diesen/dieses/este/esta/ce/cette backup/dump/copy/snapshot/file/database",
            "already have/exists/exist/there/running/runs/in",
        ],
    ),
    (
        Kind::Owned,
        Side::After,
        &[
            "that/which/i/we have/had/made/took",
            "que tengo/tenemos/hice/hicimos/hay",
            "que ya tengo/tenemos",
            "que j'ai/on",
            "que nous avons",
            "ich/wir habe/haben",
            "from/of last/yesterday/friday/monday/tuesday/wednesday/thursday/saturday/sunday",
            "vom/del/de letzten/viernes/lunes/martes/miércoles/jueves/sábado/domingo/vendredi/lundi/mardi/mercredi/jeudi/samedi/dimanche",
            "vom freitag/montag/dienstag/mittwoch/donnerstag/samstag/sonntag",
            "from the/our/my/unserem/meinem old/alten",
            "from our/my",
        ],
    ),
    (
        Kind::Moved,
        Side::Before,
        &["migrate/migrating/move/moving/import/importing/transfer/transferring/adopt"],
    ),
    (
        Kind::Moved,
        Side::After,
        &["moved/imported/migrated/transferred/taken from/over/to", "migrated/imported"],
    ),
    (
        Kind::Restricted,
        Side::Both,
        &[
            "read only",
            "readonly",
            "only for/on/from/in/when/if/at/during/after/before/until",
            "only by day/night",
            "just for/on/during",
            "nur für/bei/wenn/während",
            "para solo",
        ],
    ),
    (
        Kind::Encrypted,
        Side::Both,
        &["encrypted", "verschlüsselt", "cifradas/cifrados/chiffrées/chiffrés"],
    ),
    (
        Kind::Elsewhere,
        Side::After,
        &[
            "another/different/separate/second/other/dedicated/otra/otro/autre/anderen/anderem/anderer &",
            "offsite/off-site/backblaze/wasabi/dropbox",
            "elsewhere/somewhere",
            "to/into/in/onto a/an/the s3/b2/bucket",
            "to/in s3/b2",
            "fuera/hors/außerhalb/outside del/de/du/des/vom/the/of",
            "off the server/machine/host/box",
            "außer haus",
            "its own/separate server/machine/disk/volume",
            "to/on/at/in our/my &",
        ],
    ),
    (Kind::Elsewhere, Side::Both, &["restic/borg/borgbackup/duplicity/kopia/rclone"]),
    (
        Kind::Excepted,
        Side::After,
        &[
            "except",
            "excluding",
            "unless",
            "apart from",
            "aside from",
            "other than",
            "salvo",
            "sauf",
            "außer",
        ],
    ),
    (
        Kind::Moment,
        Side::After,
        &["before/after/antes/después/avant/après", "vor/nach jedem/jeder/jedes"],
    ),
    (Kind::Replacing, Side::After, &["instead of", "rather than"]),
];

/// Units of time.
pub(super) const UNITS: &str = "second minute hour day night week weekday weekend month quarter year morning evening \
                                sunday monday tuesday wednesday thursday friday saturday s sec sek seg ms millisecond sekunde sekunden minuten \
                                stunde stunden tag tage nacht nächte woche wochen monat monate quartal jahr segundo \
                                minuto hora día noche semana mes trimestre año seconde heure jour nuit semaine mois \
                                an deployment deploy release update restart reboot commit";

/// Places and machines.
pub(super) const PLACES: &str = "server machine box host vps vm instance node disk volume region datacenter \
                                 datacentre location zone country continent provider cloud account site place nas \
                                 storage bucket drive región país ubicación région pays lieu rechenzentrum standort \
                                 land anbieter fournisseur proveedor hoster hébergeur";
