import { hasVoucherIdForm, listCodeIds, standaloneTypes } from '#engine/ledger/codes/voucher-lists.ts';
import type { Project } from '#kernel/access/projects/project.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import type { FilterFields } from '#kernel/kit/filters/fields.ts';
import { compileFilter, type Filter } from '#kernel/kit/filters/filter.ts';
import { isOperand, toList } from '#kernel/kit/filters/operands.ts';

/** Finds conditions in a caller's filter that save reads of vouchers which it excludes. */

function isOneEnough({ junction }: Filter): boolean {
  return typeof junction === 'string' && junction.toLowerCase() === 'or';
}

/** Returns the part of a filter about these fields. `undefined` means that this part alone excludes nothing. */
function partOf(filter: Filter, fields: readonly string[]): Filter | undefined {
  const { junction, ...asked } = filter;
  const part = Object.entries(asked).filter(([field]) => fields.includes(field));
  if (part.length === 0 || (isOneEnough(filter) && part.length < Object.keys(asked).length)) return undefined;
  return { junction, ...Object.fromEntries(part) };
}

const operands = (sent: unknown): readonly unknown[] | undefined => {
  const conditions = isRecord(sent) && isRecord(sent.conditions) ? sent.conditions : {};
  const name = ['$is', '$in'].find((one) => Object.hasOwn(conditions, one));
  return name === undefined ? undefined : toList(conditions[name]);
};

const texts = (all: readonly unknown[]) => all.filter(isOperand).map(String);

/** Returns the ids of the vouchers that the filter can match, if it names them by code or id. */
export function findNamedVouchers(project: Project, filter: Filter | undefined): ReadonlySet<string> | undefined {
  const named = filter && partOf(filter, ['code', 'resource_id']);
  if (!named) return undefined;
  const [codes, ids] = [operands(named.code), operands(named.resource_id)];
  const sets = [
    ...(codes ? [new Set(texts(codes).flatMap((code) => listCodeIds(project, code)))] : []),
    ...(ids ? [new Set(texts(ids).filter(hasVoucherIdForm))] : []),
  ];
  const fields = Object.keys(named).filter((field) => field !== 'junction');
  if (isOneEnough(named)) {
    return sets.length < fields.length ? undefined : new Set(sets.flatMap((set) => [...set]));
  }
  const [first, ...others] = sets;
  return first && new Set([...first].filter((id) => others.every((set) => set.has(id))));
}

/** The attributes of a voucher in lists. */
interface Listed {
  readonly voucher_type: string;
  readonly campaign_id?: string | undefined;
}

const listedFields: FilterFields<Listed> = { voucher_type: 'text', campaign_id: 'text' };

/** Returns whether the filter can match a voucher with these attributes. */
export function compileHeldFilter(filter: Filter | undefined, now: Date): (held: Listed) => boolean {
  const part = filter && partOf(filter, Object.keys(listedFields));
  if (!part) return () => true;
  const matches = compileFilter(listedFields, part);
  return (held) => matches(held, now);
}

const standaloneFields: FilterFields<Listed> = {
  ...listedFields,
  resource_type: { type: 'text', at: () => 'voucher' },
  campaign_type: { type: 'text', at: () => undefined },
  holder_role: { type: 'text', at: () => undefined },
};

/** Returns the types of standalone codes that the filter can match. Other types are not read. */
export function listStandaloneTypes(filter: Filter | undefined, now: Date): readonly string[] {
  const part = filter && partOf(filter, Object.keys(standaloneFields));
  if (!part) return standaloneTypes;
  const matches = compileFilter(standaloneFields, part);
  return standaloneTypes.filter((voucher_type) => matches({ voucher_type }, now));
}
