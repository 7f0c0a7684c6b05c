sudo nginx -t
page=$(curl --silent --fail --insecure --resolve '@domain@:443:127.0.0.1' 'https://@domain@/wp-login.php')
grep --quiet 'name="log"' <<<"$page"
systemctl is-active dump-wordpress.timer
