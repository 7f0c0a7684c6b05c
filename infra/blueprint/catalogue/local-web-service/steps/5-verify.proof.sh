# Process and health agree
./@name@/control.sh status
./@name@/check-health.sh
echo "Proved: @name@ runs and is healthy"
