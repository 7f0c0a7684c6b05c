# The files are there, and each is read by the program that it is for
python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' @name@/service.py
python3 -m json.tool @name@/service.json >/dev/null
bash -n @name@/control.sh
bash -n @name@/check-health.sh
test -x @name@/control.sh
test -x @name@/check-health.sh
echo "Proved: the service's files are complete"
