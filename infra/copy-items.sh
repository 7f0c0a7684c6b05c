#!/usr/bin/env bash
# Copies items into a table: `infra/copy-items.sh FROM TO [partition key [beginning of the sort key]]`. FROM is a table,
# or a file with the answer of `aws dynamodb scan --output json`. Existing items are replaced; no item is deleted. See
# docs/operations.md, "Restoring the table".
set -euo pipefail
usage() { # the comment above
  sed -n '/^#!/d; /^#/!q; s/^# \{0,1\}//p' "$0"
}
case ${1-} in
  -h | --help) usage; exit ;;
  -*) usage >&2; exit 2 ;;
esac
if [ $# -lt 2 ]; then
  usage >&2
  exit 2
fi
from=$1 to=$2 pk=${3-} sk=${4-}

read_items() {
  if [ -f "$from" ]; then
    cat "$from"
  elif [ -z "$pk" ]; then
    aws dynamodb scan --table-name "$from" --consistent-read --output json
  else
    # DynamoDB refuses an empty prefix, so a whole partition is queried without one.
    condition='pk = :pk'
    values=$(jq -n --arg pk "$pk" '{":pk": {S: $pk}}')
    if [ -n "$sk" ]; then
      condition='pk = :pk AND begins_with(sk, :sk)'
      values=$(jq -n --arg pk "$pk" --arg sk "$sk" '{":pk": {S: $pk}, ":sk": {S: $sk}}')
    fi
    aws dynamodb query --table-name "$from" --consistent-read --output json \
      --key-condition-expression "$condition" --expression-attribute-values "$values"
  fi
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# One call takes at most 25 items. They go through a file because an item may be longer than an argument.
read_items | jq -c --arg to "$to" '[.Items[] | {PutRequest: {Item: .}}] | _nwise(25) | select(length > 0) | {($to): .}' >"$folder/batches"

copied=0
while read -r batch; do
  echo "$batch" >"$folder/batch"
  copied=$((copied + $(jq '[.[] | length] | add' "$folder/batch")))
  until [ "$(jq length "$folder/batch")" -eq 0 ]; do
    # Items that DynamoDB did not accept because it was busy are sent again.
    aws dynamodb batch-write-item --request-items "file://$folder/batch" --output json |
      jq -c .UnprocessedItems >"$folder/rest"
    mv "$folder/rest" "$folder/batch"
  done
done <"$folder/batches"
echo "$copied items were copied into $to"
