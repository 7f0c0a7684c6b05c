//! The sizes that DynamoDB limits: an item has 400 KB at most, and the items that a transaction writes have 4 MB.

use super::Item;
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};

/// The most bytes that one transaction of [`batches`] puts. This leaves room for the writes that its caller adds.
const BATCH_BYTES: usize = 3_500_000;
/// What a list or a map adds to its elements, in bytes, and what each element adds to its value.
const NESTED_BYTES: usize = 3;
const ELEMENT_BYTES: usize = 1;

/// The size of an item as DynamoDB counts it: names and values, in UTF-8.
pub(crate) fn item_bytes(item: &Item) -> usize {
    item.iter().map(|(name, value)| name.len() + value_bytes(value)).sum()
}

fn value_bytes(value: &AttributeValue) -> usize {
    let digits = |number: &String| number.len().div_ceil(2) + 1;
    match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::N(number) => digits(number),
        AttributeValue::B(blob) => blob.as_ref().len(),
        AttributeValue::L(items) => {
            let item = |item| value_bytes(item) + ELEMENT_BYTES;
            NESTED_BYTES + items.iter().map(item).sum::<usize>()
        }
        AttributeValue::M(fields) => {
            NESTED_BYTES + item_bytes(fields) + fields.len() * ELEMENT_BYTES
        }
        AttributeValue::Ss(texts) => texts.iter().map(String::len).sum(),
        AttributeValue::Ns(numbers) => numbers.iter().map(digits).sum(),
        // A boolean or a null.
        _ => 1,
    }
}

/// Divides writes among transactions of at most `most` writes each, none of which puts too many bytes. The writes of
/// one group stay together.
pub(crate) fn batches(
    groups: Vec<Vec<TransactWriteItem>>,
    most: usize,
) -> Vec<Vec<TransactWriteItem>> {
    let put = |write: &TransactWriteItem| write.put().map_or(0, |put| item_bytes(put.item()));
    let (mut batches, mut batch, mut bytes) = (Vec::new(), Vec::new(), 0);
    for group in groups {
        let size: usize = group.iter().map(put).sum();
        let full = batch.len() + group.len() > most || bytes + size > BATCH_BYTES;
        if full && !batch.is_empty() {
            batches.push(std::mem::take(&mut batch));
            bytes = 0;
        }
        bytes += size;
        batch.extend(group);
    }
    batches.extend((!batch.is_empty()).then_some(batch));
    batches
}
