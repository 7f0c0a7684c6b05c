sudo k3s kubectl wait --for=condition=Ready node --all --timeout=120s
sudo k3s kubectl --namespace hello rollout status deployment/hello --timeout=120s
