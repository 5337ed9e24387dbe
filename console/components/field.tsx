import type { ComponentChildren, TargetedEvent, TargetedSubmitEvent } from 'preact';
import { useId } from 'preact/hooks';
import { amountPattern, amountSample } from '../core/format.ts';
import { words } from '../words.ts';

export type Choice = readonly [value: string, label: string];

/** Reads a field of a form that was sent, without spaces around it. A field that the form lacks is empty. */
export type Entered = (name: string) => string;

interface FieldProps {
  readonly label: string;
  readonly name?: string;
  readonly hint?: string | undefined;
  /** Defines the kind of value. Every kind but a text has a specific input. */
  readonly type?: 'text' | 'amount' | 'count' | 'date' | 'password';
  /** Turns the field into a select. */
  readonly choices?: readonly Choice[];
  /** Turns the field into a text of several lines. */
  readonly lines?: number;
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: string;
  readonly placeholder?: string;
  readonly isOptional?: boolean;
  readonly autocomplete?: string;
  /** Fills the field initially. */
  readonly initial?: string | undefined;
  /** The value, if the screen holds it. Requires `change`. */
  readonly value?: string;
  readonly change?: (value: string) => void;
  /** True if `change` is called for each letter, and not only at the end of typing. */
  readonly isHeard?: boolean;
}

function Control(props: FieldProps & { readonly id: string; readonly help: string | undefined }) {
  const { id, help, name, type = 'text', choices, lines, initial, value, change } = props;
  const hear = ({ currentTarget }: TargetedEvent<HTMLElement & { readonly value: string }>) =>
    change?.(currentTarget.value);
  const kept = change && { value, ...(props.isHeard ? { onInput: hear } : { onChange: hear }) };
  const common = { id, name, required: !props.isOptional, 'aria-describedby': help, ...kept };
  const first = kept ? {} : { defaultValue: initial };
  if (choices) {
    return (
      <select {...common}>
        {choices.map(([one, label]) => (
          <option key={one} value={one} {...(kept ? {} : { selected: one === initial })}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  const { placeholder, min, max, autocomplete = 'off' } = props;
  if (lines) return <textarea {...common} {...first} {...{ placeholder }} rows={lines} spellcheck={false} />;
  const plain = { ...common, ...first, autocomplete, placeholder };
  if (type === 'count') return <input {...plain} type="number" min={min ?? 1} max={max} />;
  if (type === 'date' || type === 'password') return <input {...plain} type={type} />;
  const pattern = props.pattern ?? (type === 'amount' ? amountPattern() : undefined);
  return <input {...plain} type="text" maxLength={max} pattern={pattern} inputMode={pattern ? 'decimal' : 'text'} />;
}

/** Draws the input of a value, with its name above and an explanation below. */
export function Field(props: FieldProps) {
  const id = useId();
  const { label, type, hint = type === 'amount' ? words.inMajorUnits(amountSample()) : undefined } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Control {...props} id={id} help={hint && `${id}-help`} />
      {hint && <small id={`${id}-help`}>{hint}</small>}
    </div>
  );
}

export const discountChoices: readonly Choice[] = [
  ['PERCENT', words.builder.percent],
  ['AMOUNT', words.builder.amount],
];

/** Names objects as the choices of a field. */
export function listChoices(objects: readonly { readonly id: string; readonly name?: string | null }[]): Choice[] {
  return objects.map(({ id, name }) => [id, name ?? id]);
}

const enteredIn = (form: HTMLFormElement): Entered => {
  const entries = new FormData(form);
  return (name) => String(entries.get(name) ?? '').trim();
};

interface EntryFormProps {
  readonly submit: string;
  readonly send: (get: Entered) => unknown;
  /** Hears each change of a field. */
  readonly change?: (get: Entered) => void;
  readonly isBlocked?: boolean;
  readonly fault?: string | undefined;
  readonly children: ComponentChildren;
}

/** Sends its fields by one button. */
export function EntryForm({ submit, send, change, isBlocked = false, fault, children }: EntryFormProps) {
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    send(enteredIn(event.currentTarget));
  };
  const heard = change && {
    onInput: ({ currentTarget }: TargetedEvent<HTMLFormElement>) => change(enteredIn(currentTarget)),
  };
  return (
    <form class="fields" onSubmit={onSubmit} {...heard}>
      {children}
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="main" disabled={isBlocked}>
          {submit}
        </button>
      </div>
    </form>
  );
}
