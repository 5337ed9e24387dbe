import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { type Building, nameOf } from './building.ts';
import { type Exception, exceptions } from './exceptions.ts';
import { type Entry, entriesOf, type Project, renamed, text } from './project.ts';

/** Finds differences between two exports of the same project. */

export interface Difference {
  /** `list[name].field`, or `list[name]` for an entry that only one side has. */
  readonly place: string;
  /** The place without the name. Exceptions use it. */
  readonly field: string;
  readonly file: unknown;
  readonly built: unknown;
}

const objects = v.record(v.string(), v.unknown());

function isObject(value: unknown): value is Entry {
  return v.is(objects, value);
}

function* between(file: unknown, built: unknown, at: Pick<Difference, 'place' | 'field'>): Generator<Difference> {
  if (isDeepStrictEqual(file, built)) return;
  if (!isObject(file) || !isObject(built)) {
    yield { ...at, file, built };
    return;
  }
  for (const name of new Set([...Object.keys(file), ...Object.keys(built)])) {
    const inside = { place: `${at.place}.${name}`, field: `${at.field}.${name}` };
    yield* between(file[name], built[name], inside);
  }
}

/** Returns the name of an entry. Some have no id of the service, or an id that no request can know. */
function calledIn(list: string, entry: Entry): string {
  return list === 'referral_holders' ? `${text(entry, 'code')} ${text(entry, 'customer_id')}` : nameOf(entry);
}

function listsIn({ project: _, ...lists }: Project): string[] {
  return Object.keys(lists);
}

export function differences(file: Project, exported: Project, { ids }: Building): Difference[] {
  const names = new Map([...ids].map(([own, made]) => [made, own]));
  const found: Difference[] = [];
  for (const list of new Set([...listsIn(file), ...listsIn(exported)])) {
    const wanted = new Map(entriesOf(file, list).map((entry) => [calledIn(list, entry), entry]));
    const built = new Map(
      entriesOf(exported, list).flatMap((entry) => {
        const own = renamed(entry, names);
        return isObject(own) ? [[calledIn(list, own), own] as const] : [];
      }),
    );
    for (const name of new Set([...wanted.keys(), ...built.keys()])) {
      found.push(...between(wanted.get(name), built.get(name), { place: `${list}[${name}]`, field: list }));
    }
  }
  return found;
}

export interface Judged {
  readonly unexplained: readonly Difference[];
  readonly explained: readonly { readonly difference: Difference; readonly exception: Exception }[];
}

/** Separates explained from unexplained differences. */
export function judge(found: readonly Difference[], building: Building): Judged {
  const judged = found.map((difference) => ({
    difference,
    exception: exceptions.find((exception) => exception.explains(difference, building)),
  }));
  return {
    unexplained: judged.flatMap(({ difference, exception }) => (exception ? [] : [difference])),
    explained: judged.flatMap(({ difference, exception }) => (exception ? [{ difference, exception }] : [])),
  };
}
