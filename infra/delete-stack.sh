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
tasks() { # the tasks with this desired status, one a line
  aws ecs list-tasks --cluster "$cluster" --desired-status "$1" --output text --query 'taskArns[]' |
    tr '\t' '\n' | sed '/^$\|^None$/d'
}
while true; do
  # Read first: if the call fails, the script ends here instead of finding no tasks.
  running=$(tasks RUNNING)
  for task in $running; do
    echo "Stopping $task"
    aws ecs stop-task --cluster "$cluster" --task "$task" --reason 'The stack is deleted' >/dev/null
  done
  # ECS lists a task under STOPPED as soon as anyone has told it to stop, while it still makes its last backup.
  stopped=$(tasks STOPPED)
  # At most 100 in one call.
  printf '%s\n' "$running" "$stopped" | sort -u |
    xargs -r -n 100 aws ecs wait tasks-stopped --cluster "$cluster" --tasks
  if [ -z "$running" ]; then break; fi
done

aws cloudformation delete-stack --stack-name "$stack"
aws cloudformation wait stack-delete-complete --stack-name "$stack"
echo "$stack is deleted. These stay: the table, both buckets, the image repository and the keys."
