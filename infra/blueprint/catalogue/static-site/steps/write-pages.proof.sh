# The pages that CloudFront's configuration names are there
test -s site/index.html
test -s site/404.html
echo "Proved: site/ has a page, and one for what is not found"
