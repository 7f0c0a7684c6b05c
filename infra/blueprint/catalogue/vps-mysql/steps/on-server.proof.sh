systemctl is-active dump-database.timer
