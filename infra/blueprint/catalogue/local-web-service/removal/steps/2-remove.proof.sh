# Its folder is gone
test ! -e @name@
echo "Proved: the folder @name@ is gone"
