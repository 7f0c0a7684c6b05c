import { Info } from "lucide-react";
import type { ReactNode } from "react";
import { Link, Navigate } from "react-router";
import type { Documentation } from "../../api/documentation";
import { Configuration } from "../../documentation/configuration";
import environmentGuide from "../../documentation/environment-guide.md?raw";
import { OldDocumentation } from "../../documentation/old-documentation";
import { Reader } from "../../documentation/reader";
import { useDocumentation } from "../../documentation/use-documentation";
import { paths } from "../../lib/paths";
import { useProjectRoute } from "../../project/route";
import { Card, CardHeader } from "../../ui/card";
import { DocumentSkeleton, Failure } from "../../ui/states";
import { VersionsButton } from "../../versions/versions-button";

/** What was built, in the few steps needed to use it. */
export function QuickStart() {
  const { projectId } = useProjectRoute();
  return (
    <Written title="Quick Start Guide">
      {({ quickstart }) => (
        <Reader
          title="Quick Start Guide"
          text={quickstart}
          tools={<VersionsButton projectId={projectId} document="documentation" />}
          note={<ReadFirst projectId={projectId} />}
        />
      )}
    </Written>
  );
}

export function FullDocumentation() {
  const { projectId } = useProjectRoute();
  return (
    <Written title="Full Documentation">
      {({ documentation }) => (
        <Reader
          title="Full Documentation"
          text={documentation}
          tools={<VersionsButton projectId={projectId} document="documentation" />}
        />
      )}
    </Written>
  );
}

export function EnvironmentGuide() {
  return <Reader title="Environment Guide" text={environmentGuide} />;
}

export function ConfigurationData() {
  const { projectId } = useProjectRoute();
  return (
    <Written title="Configuration Data">
      {({ key_value_data }) =>
        key_value_data ? (
          <Configuration data={key_value_data} />
        ) : (
          <Navigate to={paths.home(projectId)} replace />
        )
      }
    </Written>
  );
}

interface WrittenProps {
  title: string;
  children: (documentation: Documentation) => ReactNode;
}

/** A section that an agent writes, in each of its states. */
function Written({ title, children }: WrittenProps) {
  const { projectId } = useProjectRoute();
  const state = useDocumentation(projectId);
  if (state.is === "ready") {
    return (
      <div className="flex min-h-0 flex-1 flex-col gap-3 print:block">
        <OldDocumentation projectId={projectId} />
        {children(state.documentation)}
      </div>
    );
  }
  return (
    <Card label={title} className="flex-1">
      <CardHeader title={title} />
      {state.is === "failed" && (
        <Failure title="Failed to load documentation" error={state.error} retry={state.retry} />
      )}
      {state.is === "loading" && <DocumentSkeleton label="Loading documentation..." />}
      {state.is === "generating" && (
        <DocumentSkeleton label="The documentation is being written from what was built. This takes a minute or two; you can stay on this page." />
      )}
    </Card>
  );
}

function ReadFirst({ projectId }: { projectId: number }) {
  return (
    <p className="mb-5 flex items-start gap-2.5 rounded-box border border-line bg-sunken px-3.5 py-2.5 text-ink-2 text-note">
      <Info size={16} aria-hidden className="mt-0.5 shrink-0" />
      <span>
        Before you start: the{" "}
        <Link
          to={paths.home(projectId, "environment-guide")}
          className="text-ink underline decoration-line-strong underline-offset-3 hover:decoration-current"
        >
          Environment Guide
        </Link>{" "}
        explains the sandbox, where your files are and how to download them.
      </span>
    </p>
  );
}
