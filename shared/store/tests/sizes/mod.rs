//! Writes the largest record of each kind and compares its size with `docs/item-sizes.md` and DynamoDB's limit.
mod guests;
mod kinds;
mod largest;
mod world;

use kinds::{KINDS, SMALL};
use std::collections::BTreeMap;
use std::path::Path;
use store::audit::Audit;
use store::deletions::Deletions;
use store::plans::{PlanKind, Plans};
use store::testing::sizes;
use store::versions::Versions;
use world::World;

/// The most bytes of an item in DynamoDB.
const ITEM_BYTES: usize = 400 * 1024;
/// The least room below that limit, for what a later version adds.
const ROOM_BYTES: usize = 40_000;
/// How far a record may be from its row: ids, times and versions differ between two runs.
const NOISE_BYTES: usize = 600;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/item-sizes.md");
const BEGIN: &str = "<!-- measured: begin -->\n";
const END: &str = "<!-- measured: end -->";

/// The kind of an item: the longest key of [`KINDS`] that its sort key is, or begins with.
fn kind(sk: &str) -> Option<&'static str> {
    let is = |key: &&str| if key.ends_with('#') { sk.starts_with(key) } else { sk == *key };
    let keys = KINDS.iter().map(|kind| kind.0).chain(SMALL.iter().copied());
    keys.filter(is).max_by_key(|key| key.len())
}

fn table(largest: &BTreeMap<&str, usize>) -> String {
    let row = |(key, name, bound): &(&str, &str, &str)| {
        let bytes = largest.get(key).copied().unwrap_or_default();
        format!("| `{key}` | {name} | {} | {bound} |\n", kilobytes(bytes))
    };
    let rows: String = KINDS.iter().map(row).collect();
    format!("| sort key | what | largest, KB | bounded by |\n|---|---|---:|---|\n{rows}")
}

fn kilobytes(bytes: usize) -> String {
    let tenths = (bytes + NOISE_BYTES).div_ceil(1_000);
    tenths.to_string()
}

/// The rows of a table without their sizes, and the sizes.
fn split(table: &str) -> (Vec<Vec<&str>>, Vec<usize>) {
    let rows = table.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let (mut texts, mut sizes) = (Vec::new(), Vec::new());
    for mut row in rows {
        if row.len() > 3 {
            sizes.extend(row.remove(3).parse::<usize>());
        }
        texts.push(row);
    }
    (texts, sizes)
}

#[tokio::test]
async fn the_largest_record_of_each_kind_fits_an_item() {
    let world = World::new().await;
    world.documents().await;
    world.steps().await;
    world.checks().await;
    world.conversation().await;
    world.sandbox().await;
    world.state().await;
    world.credentials().await;
    world.repository().await;
    world.people().await;
    guests::fill(&world.table, world.scope.installation).await;
    world.reading().await;
    pages(&world).await;
    let mut items = sizes(&world.table).await;
    // The plans of the next change begin empty.
    world.change().await;
    items.extend(sizes(&world.table).await);

    let mut largest: BTreeMap<&str, usize> = BTreeMap::new();
    for (pk, sk, bytes) in items {
        let kind = kind(&sk).unwrap_or_else(|| panic!("no row for {pk} {sk}"));
        let most = largest.entry(kind).or_default();
        *most = bytes.max(*most);
    }
    for (key, name, _) in KINDS {
        let bytes = *largest.get(key).unwrap_or_else(|| panic!("{name} was not written"));
        assert!(bytes + ROOM_BYTES <= ITEM_BYTES, "{name}: {bytes} bytes");
    }
    for key in SMALL {
        let bytes = largest.get(key).copied().unwrap_or_default();
        assert!(bytes < 2_000, "{key} has {bytes} bytes: give it a row");
    }
    let measured = table(&largest);
    println!("{measured}");
    let document = std::fs::read_to_string(DOCUMENT).unwrap();
    let (_, rest) = document.split_once(BEGIN).expect("the document marks its table");
    let (written, _) = rest.split_once(END).expect("the document marks its table");
    let (now, before) = (split(&measured), split(written));
    let same = now.1.iter().zip(&before.1).all(|(now, before)| now.abs_diff(*before) <= 1);
    assert!(
        now.0 == before.0 && now.1.len() == before.1.len() && same,
        "put this table into docs/item-sizes.md:\n{measured}"
    );
    wiped(&world).await;
}

/// Queries that return more than the megabyte of one page.
async fn pages(world: &World) {
    let (table, scope) = (&world.table, world.scope);
    let decisions = Audit::new(table).decisions(scope).await.unwrap();
    assert!(decisions.len() > domain::plan::MAX_STEPS, "{}", decisions.len());
    let plans = Plans::new(table);
    for n in 0..20 {
        let text = "x".repeat(domain::plan::MAX_DOCUMENT_BYTES - 2) + &format!("{n:02}");
        let steps = largest::planned();
        plans.put(scope, PlanKind::Architecture, &text, &steps).await.unwrap().unwrap();
    }
    let versions = Versions::new(table);
    let kept = versions.list(scope, domain::document::DocumentId::Architecture).await.unwrap();
    assert_eq!(kept.unwrap().len(), 21);
    let exported = Deletions::new(table).export(scope).await.unwrap();
    let bytes = serde_json::to_vec(&exported).unwrap().len();
    assert!(exported.len() > 100 && bytes > 5_000_000, "{} items, {bytes} bytes", exported.len());
}

async fn wiped(world: &World) {
    let deletions = Deletions::new(&world.table);
    deletions.wipe(world.scope).await.unwrap();
    assert!(deletions.export(world.scope).await.unwrap().is_empty());
}

/// A new kind of item has a row here before it is written: each key that the source of this crate names is known.
#[test]
fn every_key_of_the_store_has_a_row() {
    let mut unknown = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = std::fs::read_to_string(&path).unwrap();
            for literal in source.lines().flat_map(|line| line.split('"').skip(1).step_by(2)) {
                let Some(word) = key_word(literal) else { continue };
                let named = |key: &&str| key.split('#').next() == Some(word);
                let keys = KINDS.iter().map(|kind| kind.0).chain(SMALL.iter().copied());
                if !keys.chain(kinds::PARTITIONS.iter().copied()).any(|key| named(&key)) {
                    unknown.push((path.clone(), literal.to_owned()));
                }
            }
        }
    }
    assert!(unknown.is_empty(), "give these keys a row in tests/sizes/kinds.rs: {unknown:?}");
}

/// The first word of a literal that looks like a key: capitals, then nothing or a `#`.
fn key_word(literal: &str) -> Option<&str> {
    let word = literal.split('#').next()?;
    let capitals = word.len() > 2 && word.bytes().all(|b| b.is_ascii_uppercase() || b == b'-');
    (capitals && !literal.contains(' ') && !["ADD", "DELETE"].contains(&word)).then_some(word)
}
