# The private key is for its owner alone, and the public half is its own
key=ssh/@name@_ed25519
find "$key" -perm 600 | grep --fixed-strings --line-regexp "$key"
derived=$(ssh-keygen -y -f "$key" | cut -d' ' -f1,2)
public=$(cut -d' ' -f1,2 "$key.pub")
[[ $derived == "$public" ]]
echo "Proved: $(ssh-keygen -l -f "$key.pub")"
