import { lazy, Suspense, useState } from "react";
import type { Project } from "../../api/projects";
import { keptPart, lazyPart } from "../../lib/lazy-part";
import { useKeptPart } from "../../lib/use-kept-part";
import { useDialogOfAddress } from "./use-dialog-of-address";

const FromRepository = lazy(lazyPart(() => import("./from-repository")));
export const createForm = keptPart(lazyPart(() => import("./create")));

/** The initial fields of a new project. */
interface Fields {
  name?: string;
  description?: string;
}

/** The two ways to a new project, of which a dialog is open or none. */
interface Creation {
  /** The initial fields of the open form; undefined if it is closed. */
  fields: Fields | undefined;
  importing: boolean;
  create: (fields?: Fields) => void;
  fromRepository: () => void;
  close: () => void;
}

export function useCreation(): Creation {
  const [fields, setFields] = useState<Fields>();
  const [importing, setImporting] = useState(false);
  const create = (fields: Fields = {}) => setFields(fields);
  const fromRepository = () => {
    setFields(undefined);
    setImporting(true);
  };
  const close = () => {
    setFields(undefined);
    setImporting(false);
  };
  useDialogOfAddress({ project: create, repository: fromRepository });
  return { fields, importing, create, fromRepository, close };
}

export function CreationDialogs({ fields, importing, fromRepository, close }: Creation) {
  const form = useKeptPart(createForm, fields !== undefined);
  // Kept outside the dialog, so that opening it again does not create a second project.
  const [made, setMade] = useState<Project>();
  return (
    <>
      {fields && form && <form.CreateProject {...fields} onRepository={fromRepository} onClose={close} />}
      <Suspense fallback={null}>
        {importing && <FromRepository made={made} onMade={setMade} onClose={close} />}
      </Suspense>
    </>
  );
}
