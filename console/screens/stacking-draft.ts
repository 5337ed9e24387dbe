import type { Schemas } from '../core/api.ts';
import { ofMajor } from '../core/format.ts';
import { partOf } from '../core/part.ts';
import { query, setQuery } from '../core/router.ts';
import type { Part } from '../core/stacking.ts';

/** The address holds the changed rules and the example, until they are saved. */

export type Rules = Schemas['StackingRules'];
export type Category = Schemas['Category'];

/** Returns the changes that are not saved. */
export function readDraft(): Partial<Rules> {
  try {
    return JSON.parse(query.value.get('draft') ?? '{}');
  } catch {
    return {};
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Adds changes to the draft. A value that equals the saved one leaves it. */
export function changeDraft(saved: Rules, changes: Partial<Rules>): void {
  const all = Object.entries({ ...readDraft(), ...changes });
  const left = all.filter(([name, value]) => !isSame(value, partOf(saved, name)));
  setQuery({ draft: left.length === 0 ? undefined : JSON.stringify(Object.fromEntries(left)) }, 'replace');
}

export const clearDraft = () => setQuery({ draft: undefined }, 'replace');

/** Writes a part such as `cat_counter*10p`. A part that its own rule refuses ends with a dash. */
function writePart({ category, kind, value, isRefused }: Part): string {
  return `${encodeURIComponent(category)}*${value}${kind === 'percent' ? 'p' : 'a'}${isRefused ? '-' : ''}`;
}

function readPart(text: string): Part[] {
  const [, category = '', value = '', kind, refused] = /^([^*]*)\*(\d{1,9})([pa])(-?)$/.exec(text) ?? [];
  if (kind === undefined) return [];
  return [
    {
      category: decodeURIComponent(category),
      kind: kind === 'p' ? 'percent' : 'amount',
      value: Number(value),
      isRefused: refused === '-',
    },
  ];
}

const mostShown = 3;

/** Starts with a part of each of the first categories, and two parts without a category. */
function startOf(categories: readonly Category[]): Part[] {
  const part = (category: string, kind: Part['kind'], value: number): Part => {
    return { category, kind, value, isRefused: false };
  };
  return [
    ...categories.slice(0, mostShown).map(({ id }) => part(id, 'percent', 10)),
    part('', 'amount', ofMajor(20)),
    part('', 'percent', 10),
  ];
}

export function readParts(categories: readonly Category[]): Part[] {
  const text = query.value.get('parts');
  return text === null ? startOf(categories) : text.split(',').flatMap(readPart);
}

export const setParts = (parts: readonly Part[]) =>
  setQuery({ parts: parts.map(writePart).join(',') || '-' }, 'replace');
