/** A project's repository on GitHub: choosing one, viewing what would leave, and pushing it. */
import { useQuery } from "@tanstack/react-query";
import { pushesQuery, repositoriesQuery } from "../../api/repository";
import { useProjectRoute } from "../../project/route";
import { RepositoryOrigin } from "../../repository/origin";
import { Permissions } from "../../repository/permissions";
import { PushForm } from "../../repository/push-form";
import { Pushes } from "../../repository/pushes";
import { Card, CardHeader } from "../../ui/card";
import { KeptScroll } from "../../ui/kept-scroll";
import { DocumentSkeleton, Failure } from "../../ui/states";

export function Component() {
  const { projectId } = useProjectRoute();
  const pushed = useQuery(pushesQuery(projectId));
  const github = useQuery(repositoriesQuery(projectId));
  const loading = pushed.isPending || github.isPending;
  const failed = pushed.isError && !pushed.data ? pushed : github;
  return (
    <Card label="Repository" className="flex-1">
      <CardHeader title="Repository" />
      <KeptScroll
        label="Repository"
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
      >
        {loading && !failed.isError && <DocumentSkeleton label="Asking GitHub..." />}
        {failed.isError && !failed.data && (
          <Failure
            title="GitHub could not be reached"
            error={failed.error}
            retry={() => {
              void pushed.refetch();
              void github.refetch();
            }}
          />
        )}
        {github.data && pushed.data && (
          <>
            {github.data.missing_permissions.length > 0 ? (
              <Permissions
                github={github.data}
                checking={github.isFetching}
                onCheck={() => void github.refetch()}
                error={github.error}
              >
                To push this project's files, Groundcrew needs permission to write code and pull requests
              </Permissions>
            ) : (
              <PushForm
                projectId={projectId}
                github={github.data}
                last={pushed.data.repository ?? pushed.data.origin?.repository ?? null}
                checking={github.isFetching}
                onCheck={() => void github.refetch()}
                error={github.error}
              />
            )}
            {pushed.data.origin && <RepositoryOrigin origin={pushed.data.origin} />}
            <Pushes pushes={pushed.data.pushes} />
          </>
        )}
      </KeptScroll>
    </Card>
  );
}
