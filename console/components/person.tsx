import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import type { Schemas } from '../core/api.ts';
import { useLoad } from '../core/load.ts';
import { callCustomer, findCustomers, readName } from '../core/people.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';

const w = words.people;

type Customer = Schemas['Customer'];

/** Is a stored customer, or the source id of a customer that does not exist yet. */
export type Person = { readonly id: string; readonly name: string } | { readonly source_id: string };

/** Links to a customer by the name, which is read by the id. */
export function CustomerName({ id }: { id: string }) {
  const { data } = useLoad(id, () => readName(id));
  return <a href={path('customers', id)}>{data ?? '…'}</a>;
}

const mostFound = 6;
const typingInMs = 200;

function describe({ email, source_id: own, address }: Customer, name: string): string {
  return [email, own, address?.city].filter((one) => one && one !== name).join(' · ');
}

interface PersonFieldProps {
  readonly label: string;
  readonly chosen: Person | undefined;
  readonly choose: (person: Person | undefined) => void;
  /** Offers to continue with a source id that no customer has. The screen says what that means. */
  readonly ofUnknown?: (text: string) => string;
}

/** Finds a customer by a name, an e-mail or an id, among those that exist. */
export function PersonField({ label, chosen, choose, ofUnknown }: PersonFieldProps) {
  const id = useId();
  const typed = useSignal('');
  const asked = useSignal('');
  useEffect(() => {
    const timer = setTimeout(() => {
      asked.value = typed.value.trim();
    }, typingInMs);
    return () => clearTimeout(timer);
  }, [typed.value]);
  const text = asked.value;
  const found = useLoad(text, async () =>
    text === '' ? undefined : (await findCustomers(text, undefined, mostFound)).rows.slice(0, mostFound),
  );
  if (chosen) {
    return (
      <div class="field">
        <span>{label}</span>
        <p class="chosen">
          <b>{'id' in chosen ? chosen.name : chosen.source_id}</b>
          {!('id' in chosen) && <small>{w.isNew}</small>}
          <button type="button" onClick={() => choose(undefined)}>
            {w.other}
          </button>
        </p>
      </div>
    );
  }
  const isAnswered = text !== '' && text === typed.value.trim() && !found.isLoading;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        autocomplete="off"
        placeholder={w.hint}
        value={typed}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
        }}
        onKeyDown={(event) => {
          const [only, ...others] = found.data ?? [];
          if (event.key !== 'Enter') return;
          event.preventDefault();
          if (isAnswered && only && others.length === 0) choose({ id: only.id, name: callCustomer(only) });
        }}
      />
      {isAnswered && (
        <ul class="people" aria-label={w.found}>
          {found.data?.map((one) => (
            <li key={one.id}>
              <button type="button" onClick={() => choose({ id: one.id, name: callCustomer(one) })}>
                <b>{callCustomer(one)}</b> <small>{describe(one, callCustomer(one))}</small>
              </button>
            </li>
          ))}
          {found.data?.length === 0 && (
            <li>
              <p>{w.noneFound(text)}</p>
              {ofUnknown && (
                <button type="button" onClick={() => choose({ source_id: text })}>
                  {ofUnknown(text)}
                </button>
              )}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}
