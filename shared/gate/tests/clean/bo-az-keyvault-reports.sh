#!/usr/bin/env bash
# Create the Azure resource group, a key vault with RBAC and a private storage account for reports; the report signing key is generated straight into the vault.
set -euo pipefail
: "${AZ_LOCATION:?}" "${AZ_VAULT:?}" "${AZ_STORAGE:?}" "${OFFICE_IP:?public address of the office}"
rg=shop-reports

az group create --name "$rg" --location "$AZ_LOCATION" --tags project=shop --output none

if ! az keyvault show --name "$AZ_VAULT" --resource-group "$rg" --output none 2>/dev/null; then
  az keyvault create --name "$AZ_VAULT" --resource-group "$rg" --location "$AZ_LOCATION" \
    --enable-rbac-authorization true --enable-purge-protection true --retention-days 90 \
    --default-action Deny --bypass AzureServices --network-acls-ips "$OFFICE_IP" --output none
fi
vault_id=$(az keyvault show --name "$AZ_VAULT" --resource-group "$rg" --query id --output tsv)

me=$(az ad signed-in-user show --query id --output tsv)
az role assignment create --assignee-object-id "$me" --assignee-principal-type User \
  --role "Key Vault Secrets Officer" --scope "$vault_id" --output none

# A new role assignment takes a while until it works.
ready=0
for _ in $(seq 1 24); do
  if az keyvault secret list --vault-name "$AZ_VAULT" --output none 2>/dev/null; then
    ready=1
    break
  fi
  sleep 10
done
if [ "$ready" != 1 ]; then
  echo "no access to the vault after four minutes" >&2
  exit 1
fi

names=$(az keyvault secret list --vault-name "$AZ_VAULT" --query '[].name' --output tsv)
if ! grep -qx report-signing-key <<<"$names"; then
  umask 077
  key=$(mktemp)
  trap 'rm -f -- "$key"' EXIT
  openssl rand -hex 32 | tr -d '\n' > "$key"
  az keyvault secret set --vault-name "$AZ_VAULT" --name report-signing-key --file "$key" \
    --encoding utf-8 --output none
fi

if ! az storage account show --name "$AZ_STORAGE" --resource-group "$rg" --output none 2>/dev/null; then
  az storage account create --name "$AZ_STORAGE" --resource-group "$rg" --location "$AZ_LOCATION" \
    --sku Standard_ZRS --kind StorageV2 --min-tls-version TLS1_2 --https-only true \
    --allow-blob-public-access false --allow-shared-key-access false \
    --default-action Deny --bypass AzureServices --output none
fi
az storage account blob-service-properties update --account-name "$AZ_STORAGE" --resource-group "$rg" \
  --enable-versioning true --enable-delete-retention true --delete-retention-days 30 --output none
az storage account network-rule add --account-name "$AZ_STORAGE" --resource-group "$rg" \
  --ip-address "$OFFICE_IP" --output none

az storage account show --name "$AZ_STORAGE" --resource-group "$rg" --output json \
  | jq -e '.allowBlobPublicAccess == false and .networkRuleSet.defaultAction == "Deny"' >/dev/null
echo "vault and storage account are ready"
