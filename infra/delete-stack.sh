#!/usr/bin/env bash
# Deletes a stack, including running sandboxes: `infra/delete-stack.sh STACK`. CloudFormation cannot delete a cluster
# in which tasks run, and the reaper would refill the warm pool. So the script disables the reaper's schedule, stops the
# tasks, which back their workspaces up as they end, and then deletes the stack. Resources that hold data stay: the
# table, both buckets, the image repository and the keys.
set -euo pipefail
usage() { # the comment above
  sed -n '/^#!/d; /^#/!q; s/^# \{0,1\}//p' "$0"
}
case ${1-} in
  -h | --help) usage; exit ;;
  -* | '') usage >&2; exit 2 ;; # also without a name: no stack is deleted by default
esac
stack=$1

resource() {
  aws cloudformation describe-stack-resource --stack-name "$stack" --logical-resource-id "$1" --output text \
    --query StackResourceDetail.PhysicalResourceId
}
aws events disable-rule --name "$(resource SandboxReaperFunctionEveryMinute)"

cluster=$(resource Cluster)
while true; do
  # Read first: if the call fails, the script ends here instead of finding no tasks.
  listed=$(aws ecs list-tasks --cluster "$cluster" --output text --query 'taskArns[]')
  mapfile -t tasks < <(tr '\t' '\n' <<<"$listed" | sed '/^$\|^None$/d')
  if [ ${#tasks[@]} -eq 0 ]; then break; fi
  echo "Stopping ${#tasks[@]} sandboxes"
  for task in "${tasks[@]}"; do
    aws ecs stop-task --cluster "$cluster" --task "$task" --reason 'The stack is deleted' >/dev/null
  done
  # At most 100 in one call.
  aws ecs wait tasks-stopped --cluster "$cluster" --tasks "${tasks[@]:0:100}"
done

aws cloudformation delete-stack --stack-name "$stack"
aws cloudformation wait stack-delete-complete --stack-name "$stack"
echo "$stack is deleted. These stay: the table, both buckets, the image repository and the keys."
