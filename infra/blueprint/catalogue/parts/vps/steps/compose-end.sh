
# Compose is not everywhere; where it is, let it read the project. The secrets only need a value.
if docker compose version >/dev/null 2>&1; then
  secrets=(@secrets@)
  for name in "${secrets[@]}"; do
    export "$name=${!name:-only-for-this-check}"
  done
  docker compose --project-directory stack config --quiet
  echo "docker compose accepts the project"
else
  echo "docker compose is not available here; the project was written but not checked"
fi
find stack -type f | sort
