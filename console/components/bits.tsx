import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Refusal } from '../core/api.ts';
import { isOn } from '../core/benefit.ts';
import { human } from '../core/format.ts';
import type { Loaded } from '../core/load.ts';
import { words } from '../words.ts';

export type Tone = 'good' | 'bad' | 'warm' | 'quiet';

export function Badge({ tone = 'quiet', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

const tones: Readonly<Record<string, Tone>> = {
  DONE: 'good',
  SUCCESS: 'good',
  SUCCEEDED: 'good',
  PAID: 'good',
  FULFILLED: 'good',
  FAILED: 'bad',
  FAILURE: 'bad',
  ERROR: 'bad',
  PENDING: 'warm',
  IN_PROGRESS: 'warm',
  ENQUEUED: 'warm',
  SCHEDULED: 'warm',
  MODIFYING: 'warm',
  ROLLED_BACK: 'warm',
};

/** Shows a state of the API in its colour. */
export function State({ of }: { of: string | null | undefined }) {
  return <Badge tone={tones[of ?? ''] ?? 'quiet'}>{human(of)}</Badge>;
}

export function Switch({ active }: { active: boolean | null | undefined }) {
  return <Badge tone={isOn(active) ? 'good' : 'quiet'}>{isOn(active) ? words.on : words.off}</Badge>;
}

/** Shows an id or a code, and copies it. */
export function Code({ children, large }: { children: string; large?: boolean }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => navigator.clipboard.writeText(children).then(() => setCopied(true));
  return (
    <span class={large ? 'code large' : 'code'}>
      <code>{children}</code>
      <button type="button" class="copy" aria-label={words.copyThis(children)} onClick={copy}>
        <svg viewBox="0 0 14 14" aria-hidden="true">
          <path d={isCopied ? 'M2 7.5l3.5 3.5L12 3.5' : 'M5 4.5h7v8H5zM9.5 4.5v-3h-7v8H5'} />
        </svg>
      </button>
    </span>
  );
}

export type Fact = readonly [label: string, value: ComponentChildren];

/** Lists facts, and leaves out those without a value. */
export function Facts({ rows }: { rows: readonly (Fact | false | undefined)[] }) {
  const known = rows.filter(
    (row): row is Fact => Boolean(row) && row !== undefined && row !== false && !isNothing(row[1]),
  );
  return (
    <dl class="facts">
      {known.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const isNothing = (value: ComponentChildren) => value === null || value === undefined || value === '' || value === '–';

/** Lists metadata as facts. */
export function Metadata({ of }: { of: unknown }) {
  const entries = typeof of === 'object' && of !== null ? Object.entries(of) : [];
  if (entries.length === 0) return null;
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return (
    <Panel title={words.metadata}>
      <Facts rows={entries.map(([key, value]): Fact => [key, shown(value)])} />
    </Panel>
  );
}

export function Panel(props: { title?: string; actions?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="panel">
      {(props.title || props.actions) && (
        <header>
          <h2>{props.title}</h2>
          <div class="actions">{props.actions}</div>
        </header>
      )}
      {props.children}
    </section>
  );
}

export function Page(props: {
  title: ComponentChildren;
  sub?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const isOfScreen = heading.current?.closest('.drawer') === null;
    if (isOfScreen) document.title = `${heading.current?.textContent} · ${words.product}`;
  });
  return (
    <div class="page">
      <header class="head">
        <div>
          <h1 ref={heading}>{props.title}</h1>
          {props.sub && <p class="sub">{props.sub}</p>}
        </div>
        <div class="actions">{props.actions}</div>
      </header>
      {props.children}
    </div>
  );
}

export function Empty({ title, hint, children }: { title: string; hint?: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="lead">{title}</p>
      {hint && <p>{hint}</p>}
      {children}
    </div>
  );
}

interface RefusedProps {
  readonly refusal: Refusal;
  readonly again?: () => void;
  /** True if nothing else is shown. Each screen has a heading. */
  readonly isWhole?: boolean | undefined;
}

/** Shows why the API refused, and what a key without the scope may not do. */
export function Refused({ refusal, again, isWhole }: RefusedProps) {
  const isForbidden = refusal.status === 403;
  const Lead = isWhole ? 'h1' : 'p';
  return (
    <div class="empty" role="alert">
      <Lead class="lead">{isForbidden ? words.noScope : refusal.message}</Lead>
      {refusal.details && <p>{refusal.details}</p>}
      <p>
        <code>{refusal.key}</code>
      </p>
      {again && refusal.status !== 404 && !isForbidden && (
        <button type="button" onClick={again}>
          {words.again}
        </button>
      )}
    </div>
  );
}

export function Waiting({ lines = 3 }: { lines?: number }) {
  return (
    <div class="waiting" role="status" aria-label={words.loading}>
      {Array.from({ length: lines }, (_, line) => (
        <i key={line} />
      ))}
    </div>
  );
}

/** Shows loaded data, or that it is loading, or why it was refused. */
export function Ready<T>(props: { of: Loaded<T>; isWhole?: boolean; children: (data: T) => ComponentChildren }) {
  const { of, isWhole, children } = props;
  if (of.data !== undefined) return <>{children(of.data)}</>;
  return of.refusal ? <Refused refusal={of.refusal} again={of.reload} isWhole={isWhole} /> : <Waiting />;
}

export function Figure({ label, value, note, href }: { label: string; value: string; note?: string; href?: string }) {
  const inner = (
    <>
      <span class="label">{label}</span>
      <strong>{value}</strong>
      {note && <span class="note">{note}</span>}
    </>
  );
  return href ? (
    <a class="figure" href={href}>
      {inner}
    </a>
  ) : (
    <div class="figure">{inner}</div>
  );
}
