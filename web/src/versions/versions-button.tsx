import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { type DocumentId, documentsQuery, standingOf } from "../api/documents";
import { lazyPart } from "../lib/lazy-part";
import { Button } from "../ui/button";
import { DOCUMENT_NAMES } from "./words";

const VersionsDialog = lazy(lazyPart(() => import("./versions-dialog")));

interface VersionsButtonProps {
  projectId: number;
  document: DocumentId;
}

/** Opens a document's versions if there is more than one. */
export function VersionsButton({ projectId, document }: VersionsButtonProps) {
  const standing = useQuery({
    ...documentsQuery(projectId),
    select: (documents) => standingOf(documents, document),
  });
  const [open, setOpen] = useState(false);
  const version = standing.data?.version ?? 0;
  if (version < 2) return null;
  return (
    <>
      <Button
        size="small"
        kind="quiet"
        aria-label={`v${version}, versions of the ${DOCUMENT_NAMES[document]}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <History size={15} aria-hidden /> v{version}
      </Button>
      {open && (
        <Suspense fallback={null}>
          <VersionsDialog projectId={projectId} document={document} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
