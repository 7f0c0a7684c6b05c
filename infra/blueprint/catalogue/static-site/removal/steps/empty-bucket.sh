#!/usr/bin/env bash
# Deletes every version of every file in the bucket: AWS removes only an empty one
set -euo pipefail

names=(@credentials@)
for name in "${names[@]}"; do
  if [[ -z ${!name:-} ]]; then
    echo "No @cloud@ credentials in the environment ($name is missing). Enter them in the credentials form, then run this step again." >&2
    exit 1
  fi
done

left=$(terraform -chdir=terraform state list)
if ! grep --quiet --fixed-strings --line-regexp aws_s3_bucket.site <<<"$left"; then
  echo "There is no bucket anymore."
  exit 0
fi
bucket=$(terraform -chdir=terraform output -raw bucket)
region=$(terraform -chdir=terraform output -raw region)
terraform -chdir=terraform output -raw site_host >terraform/removed-site

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
deleted=0
while :; do
  # As many as AWS deletes at once.
  aws s3api list-object-versions --bucket "$bucket" --region "$region" --max-items 1000 --output json >"$folder/page.json"
  count=$(python3 - "$folder" <<'PYTHON'
import json, pathlib, sys

folder = pathlib.Path(sys.argv[1])
page = json.loads((folder / "page.json").read_text(encoding="utf-8").strip() or "{}")
found = (page.get("Versions") or []) + (page.get("DeleteMarkers") or [])
objects = [{"Key": one["Key"], "VersionId": one["VersionId"]} for one in found]
(folder / "delete.json").write_text(json.dumps({"Objects": objects, "Quiet": True}), encoding="utf-8")
print(len(objects))
PYTHON
  )
  if ((count == 0)); then
    break
  fi
  refused=$(aws s3api delete-objects --bucket "$bucket" --region "$region" --delete "file://$folder/delete.json" --query 'Errors[0].Message' --output text)
  if [[ -n $refused && $refused != None ]]; then
    echo "AWS did not delete everything: $refused" >&2
    exit 1
  fi
  deleted=$((deleted + count))
done
echo "Deleted $deleted versions from $bucket; it is empty."
