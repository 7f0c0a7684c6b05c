# The bucket has no version of any file, or is not there anymore
left=$(terraform -chdir=terraform state list)
if grep --fixed-strings --line-regexp aws_s3_bucket.site <<<"$left"; then
  bucket=$(terraform -chdir=terraform output -raw bucket)
  region=$(terraform -chdir=terraform output -raw region)
  # In pages, the command line would end with the line None however many there are.
  aws s3api list-object-versions --bucket "$bucket" --region "$region" --no-paginate --max-keys 1 \
    --query 'not_null(Versions, DeleteMarkers)' --output text | grep --line-regexp None
fi
echo "Proved: no version of any file is left"
