import { useQueryClient } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { type FormEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { type CredentialNames, credentialsKey, keepCredentials, type Provider } from "../api/credentials";
import { problemText } from "../api/errors";
import { numbered } from "../lib/numbered";
import { useOnce } from "../lib/use-once";
import { Button } from "../ui/button";
import { Problem } from "../ui/states";
import { checked, type Entry, type Field, GIVEN, isShort, PROVIDERS } from "./rules";

const INPUT =
  "w-full min-w-0 rounded-control border border-line-strong bg-raised px-3 py-1.75 text-ink placeholder:text-ink-3 focus:border-ink-3 focus:outline-none focus:ring-1 focus:ring-ink-3";

const EMPTY: Entry = { name: "", value: "" };

const entriesOf = (provider: Provider, names: readonly string[] = []): Entry[] => {
  const { fields } = PROVIDERS[provider];
  const known = fields.length > 0 ? fields.map(({ name }) => name) : names;
  return known.length > 0 ? known.map((name) => ({ name, value: "" })) : [EMPTY];
};

interface CredentialsFormProps {
  projectId: number;
  kept: CredentialNames[];
  /** The provider that is selected initially, and the names to fill in if they are free. */
  provider: Provider;
  names: readonly string[];
  /** The credential whose field gets the focus. */
  focus?: string;
}

/** One provider's credentials; saving replaces the stored ones, except that credentials of any service are added. */
export function CredentialsForm({ projectId, kept, provider: first, names, focus }: CredentialsFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (focus) form.current?.querySelector<HTMLElement>(`[data-credential="${CSS.escape(focus)}"]`)?.focus();
  }, [focus]);
  const queries = useQueryClient();
  const [provider, setProvider] = useState<Provider>(first);
  const [entries, setEntries] = useState(() => entriesOf(first, names));
  const { label, fields } = PROVIDERS[provider];
  const save = useOnce({
    mutationFn: async () => {
      const outcome = checked(entries, fields);
      if ("problem" in outcome) throw new Error(outcome.problem);
      await keepCredentials(provider, outcome.values, fields.length === 0);
      return label;
    },
    onSuccess: () => {
      setEntries(entriesOf(provider));
      return queries.invalidateQueries({ queryKey: credentialsKey(projectId) });
    },
  });
  const choose = (next: Provider) => {
    setProvider(next);
    setEntries(entriesOf(next));
    save.reset();
  };
  const change = (at: number, entry: Partial<Entry>) => {
    // The error or confirmation concerns the previous content of the form.
    if (!save.isIdle && !save.isPending) save.reset();
    setEntries((entries) => entries.map((known, index) => (index === at ? { ...known, ...entry } : known)));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form ref={form} onSubmit={submit} autoComplete="off" className="flex flex-col gap-3">
      <ProviderChoice provider={provider} onChoose={choose} />
      {numbered(entries).map(({ key, item }) =>
        fields.length > 0 ? (
          <Known
            key={`${provider}.${key}`}
            field={fields[Number(key)]}
            value={item.value}
            onChange={(value) => change(Number(key), { value })}
          />
        ) : (
          <Named key={key} entry={item} onChange={(entry) => change(Number(key), entry)} />
        ),
      )}
      {fields.length === 0 && (
        <Button
          kind="quiet"
          size="small"
          className="-ml-3 self-start"
          onClick={() => setEntries([...entries, EMPTY])}
        >
          Add another
        </Button>
      )}
      {entries.some(({ value }) => isShort(value)) && (
        <p className="text-note text-signal-text">
          Outputs hide a value of 4 or 5 characters only where it stands alone. They show shorter values,
          numbers, and words such as true or root.
        </p>
      )}
      {save.isError && <Problem>{problemText(save.error)}</Problem>}
      <div className="mt-1 flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="flex min-w-0 items-center gap-2 text-ink-2 text-small">
          {save.isSuccess ? (
            <>
              <CircleCheck size={15} aria-hidden className="shrink-0 text-ok" /> {save.data} credentials are
              sealed.
            </>
          ) : (
            kept.some((set) => set.provider === provider) &&
            (fields.length === 0
              ? "Saving adds these credentials and replaces those with the same names."
              : `Saving replaces the credentials for ${label}.`)
          )}
        </p>
        <Button kind="signal" type="submit" className="ml-auto" pending={save.isPending}>
          {save.isPending ? "Saving..." : "Save credentials"}
        </Button>
      </div>
    </form>
  );
}

interface ProviderChoiceProps {
  provider: Provider;
  onChoose: (provider: Provider) => void;
}

function ProviderChoice({ provider, onChoose }: ProviderChoiceProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="label mb-1 block">
        Provider
      </label>
      <select
        id={id}
        data-first
        value={provider}
        onChange={(event) => onChoose(GIVEN.find((one) => one === event.target.value) ?? "other")}
        className={INPUT}
      >
        {GIVEN.map((one) => (
          <option key={one} value={one}>
            {PROVIDERS[one].label}
          </option>
        ))}
      </select>
    </div>
  );
}

interface KnownProps {
  field: Field | undefined;
  value: string;
  onChange: (value: string) => void;
}

function Known({ field, value, onChange }: KnownProps) {
  const id = useId();
  if (!field) return null;
  const shared = {
    id,
    value,
    "data-credential": field.name,
    spellCheck: false,
    className: `${INPUT} font-mono text-small`,
  };
  return (
    <div>
      <label htmlFor={id} className="label mb-1 block">
        {field.label} {field.optional && <span className="font-normal">Optional</span>}
      </label>
      {field.long ? (
        <textarea
          {...shared}
          rows={4}
          autoComplete="off"
          placeholder={field.name}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input
          {...shared}
          type={field.open ? "text" : "password"}
          autoComplete={field.open ? "off" : "new-password"}
          placeholder={field.name}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  );
}

function Named({ entry, onChange }: { entry: Entry; onChange: (entry: Partial<Entry>) => void }) {
  return (
    <div className="flex gap-2 max-narrow:flex-col">
      <input
        aria-label="Name"
        placeholder="NAME"
        value={entry.name}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange({ name: event.target.value.toUpperCase() })}
        className={`${INPUT} font-mono text-small`}
      />
      <input
        aria-label="Value"
        data-credential={entry.name || undefined}
        placeholder="Value"
        type="password"
        value={entry.value}
        autoComplete="new-password"
        onChange={(event) => onChange({ value: event.target.value })}
        className={`${INPUT} font-mono text-small`}
      />
    </div>
  );
}
