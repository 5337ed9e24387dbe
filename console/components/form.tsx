import type { FormField } from 'tessera:forms';
import type { TargetedSubmitEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { type BodyOf, type OperationId, Refusal } from '../core/api.ts';
import { amountSample, human, minorUnits, plainMoney } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { isRecord, partOf } from '../core/part.ts';
import { words } from '../words.ts';
import { Ready } from './bits.tsx';
import { Choices } from './choices.tsx';
import type { Choice } from './field.tsx';

type Body = Record<string, unknown>;

type Key<Part> = Part extends readonly unknown[] ? never : Part extends object ? keyof Part & string : never;
type At<Part, Name extends string> = Part extends { [N in Name]?: infer Inner } ? NonNullable<Inner> : never;

/** Names the fields of a body. A dot leads into an object. */
export type FieldOf<Id extends OperationId, Name extends string = Key<BodyOf<Id>>> = Name extends string
  ? Name | `${Name}.${Key<At<BodyOf<Id>, Name>>}`
  : never;

interface FormProps<Id extends OperationId> {
  /** Names the operation of the API that accepts the body. */
  readonly of: Id;
  /** Names the shown fields in their order. */
  readonly fields: readonly FieldOf<Id>[];
  readonly initial?: unknown;
  /** Fills fields of a new object. They are sent even if the user does not change them. */
  readonly start?: unknown;
  /**
   * Gives fields choices that the document does not define. A first choice without a value describes the empty field.
   */
  readonly choices?: Readonly<Record<string, readonly Choice[]>>;
  readonly submit?: string;
  readonly send: (body: BodyOf<Id>) => Promise<unknown>;
  readonly done?: () => void;
}

const isAmount = (name: string) =>
  /(^|\.)(amount|amount_off|amount_limit|price|balance|initial_amount|budget)$/.test(name);

function valueAt(initial: unknown, name: string): unknown {
  return name.split('.').reduce(partOf, initial);
}

function asText(value: unknown, { name, type, format }: FormField): string {
  if (value === undefined || value === null) return '';
  if (type === 'object' || type === 'array') return JSON.stringify(value, null, 2);
  if (isAmount(name)) return plainMoney(Number(value));
  if (format === 'date-time') return String(value).slice(0, 16);
  return String(value);
}

/** Reads a field. Undefined means that the field is empty. */
function fromText(text: string, { name, type, format }: FormField): unknown {
  if (text.trim() === '') return undefined;
  if (type === 'object' || type === 'array') return JSON.parse(text);
  if (isAmount(name)) return minorUnits(text);
  if (type === 'integer' || type === 'number') return Number(text);
  if (type === 'boolean') return text === 'true';
  return format === 'date-time' ? new Date(`${text}Z`).toISOString() : text;
}

function place(body: Body, name: string, value: unknown): void {
  const [first = '', ...rest] = name.split('.');
  if (rest.length === 0) {
    body[first] = value;
    return;
  }
  const before = body[first];
  const inner: Body = isRecord(before) ? before : {};
  body[first] = inner;
  place(inner, rest.join('.'), value);
}

const labelOf = ({ name }: FormField) => words.fields[name] ?? human(name);

const isMany = ({ type, choices }: FormField) => type === 'array' && choices !== undefined;

const yesNo: readonly Choice[] = [
  ['true', words.yes],
  ['false', words.no],
];

interface ControlProps {
  readonly field: FormField;
  readonly id: string;
  readonly text: string;
  readonly named: readonly Choice[] | undefined;
}

function Control({ field, id, text, named }: ControlProps) {
  const { name, type, choices, required, format } = field;
  if (choices && isMany(field))
    return <Choices label={labelOf(field)} name={name} choices={choices} chosen={JSON.parse(text || '[]')} />;
  const common = { id, name, required, 'aria-describedby': `${id}-help` };
  const offered = named ?? choices?.map((choice): Choice => [choice, human(choice)]) ?? (type === 'boolean' && yesNo);
  if (offered) {
    return (
      <select {...common}>
        {offered[0]?.[0] !== '' && <option value="" />}
        {offered.map(([choice, label]) => (
          <option key={choice} value={choice} selected={choice === text}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  if (type === 'object' || type === 'array') {
    return (
      <textarea
        {...common}
        rows={3}
        spellcheck={false}
        placeholder={type === 'object' ? '{}' : '[]'}
        defaultValue={text}
      />
    );
  }
  const isNumber = type === 'integer' || type === 'number';
  if (format === 'date-time') return <input {...common} type="datetime-local" defaultValue={text} />;
  if (format === 'date') return <input {...common} type="date" defaultValue={text} />;
  return (
    <input {...common} type="text" inputMode={isNumber ? 'decimal' : 'text'} autocomplete="off" defaultValue={text} />
  );
}

function readForm(form: HTMLFormElement, fields: readonly FormField[], initial: unknown): Body {
  const entries = new FormData(form);
  const body: Body = {};
  for (const field of fields) {
    const text = isMany(field)
      ? JSON.stringify(entries.getAll(field.name), null, 2)
      : String(entries.get(field.name) ?? '');
    if (text === asText(valueAt(initial, field.name), field)) continue;
    const value = fromText(text, field);
    place(body, field.name, value === undefined ? null : value);
  }
  return body;
}

/** Draws a form from the document, and sends the changed fields. */
export function Form<Id extends OperationId>(props: FormProps<Id>) {
  const { of, fields, initial, start, choices, submit = words.save, send, done } = props;
  const id = useId();
  const [fault, setFault] = useState<string | undefined>();
  const loaded = useLoad(of, async () => (await import('tessera:forms')).forms[of]);
  return (
    <Ready of={loaded}>
      {(form) => {
        const shown = fields.flatMap((name) => form?.fields.find((field) => field.name === name) ?? []);
        const onSubmit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
          event.preventDefault();
          try {
            // The fields are named by the type of the body, and the document defines their types.
            await send(readForm(event.currentTarget, shown, initial) as BodyOf<Id>);
            setFault(undefined);
            done?.();
          } catch (error) {
            setFault(error instanceof Refusal ? error.details || error.message : words.notReadable(String(error)));
          }
        };
        return (
          <form class="fields" onSubmit={onSubmit}>
            {shown.map((field) => (
              <div key={field.name} class="field">
                {isMany(field) ? <b>{labelOf(field)}</b> : <label for={`${id}-${field.name}`}>{labelOf(field)}</label>}
                <Control
                  field={field}
                  id={`${id}-${field.name}`}
                  text={asText(valueAt(start ?? initial, field.name), field)}
                  named={choices?.[field.name]}
                />
                <small id={`${id}-${field.name}-help`}>
                  {isAmount(field.name) ? words.inMajorUnits(amountSample()) : field.words}
                </small>
              </div>
            ))}
            {fault && (
              <p class="fault" role="alert">
                {fault}
              </p>
            )}
            <div class="actions">
              <button type="submit" class="main">
                {submit}
              </button>
            </div>
          </form>
        );
      }}
    </Ready>
  );
}
