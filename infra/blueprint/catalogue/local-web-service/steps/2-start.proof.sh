# The service answers, and it is this one
curl --fail --silent --show-error --max-time 5 --retry 20 --retry-delay 1 --retry-connrefused http://127.0.0.1:@port@@health_path@ |
  grep --fixed-strings '"@name@"'
echo "Proved: @name@ answers on port @port@"
