import type * as v from 'valibot';
import { joinFaults, ServiceError } from '#kernel/core/errors.ts';
import { isRecord } from '#kernel/core/is-record.ts';
import { findClosest } from '#kernel/core/spelling.ts';
import type { QueryValue } from './query.ts';
import type { Route } from './route.ts';

/** Finds parameters of a query without effect. A list refuses those that seem to narrow it, because it would show everything instead. */

type Schema = v.GenericSchema;
type Entries = Readonly<Record<string, Schema>>;

/** Returns the fields of an object's schema under its wrappers. `undefined` means that any name is allowed. */
function entriesOf(schema: object): Entries | undefined {
  if ('wrapped' in schema && isRecord(schema.wrapped)) return entriesOf(schema.wrapped);
  if (!('type' in schema) || schema.type !== 'object' || !('entries' in schema)) return undefined;
  return schema.entries as Entries;
}

/** Returns whether the route shows a list. */
export function isList({ method, reply }: Pick<Route, 'method' | 'reply'>): boolean {
  if (method !== 'GET' || reply.kind !== 'json') return false;
  const entries = entriesOf(reply.schema);
  return entries !== undefined && ('data_ref' in entries || isLiteral(entries.object, 'list'));
}

function isLiteral(schema: object | undefined, word: string): boolean {
  return schema !== undefined && 'literal' in schema && schema.literal === word;
}

/** Returns the names of all parameters, as callers write them. */
function namesIn(entries: Entries): string[] {
  return Object.entries(entries).flatMap(([name, schema]) => {
    const inner = entriesOf(schema);
    if (inner) return Object.keys(inner).map((one) => `${name}[${one}]`);
    return name === 'filters' ? 'filters[<field>][conditions][<operator>]' : name;
  });
}

interface Unknown {
  readonly name: string;
  /** The parameter seems to narrow the list: it has brackets, or the name of a filter. */
  readonly narrows: boolean;
  readonly meant: string | undefined;
}

const narrowing = ['filters', 'metadata'];

/**
 * Returns whether `filters` has a text in place of fields, as in `filters=x`. It cannot narrow a list, so it has no
 * effect.
 */
export function isTextFilter(name: string, value: QueryValue | undefined): boolean {
  return name === 'filters' && typeof value === 'string';
}

function* unknownIn(entries: Entries, sent: Readonly<Record<string, QueryValue>>): Generator<Unknown> {
  for (const [name, value] of Object.entries(sent)) {
    const schema = Object.hasOwn(entries, name) ? entries[name] : undefined;
    if (isTextFilter(name, value)) {
      yield { name, narrows: false, meant: undefined };
      continue;
    }
    if (!schema) {
      const narrows = typeof value !== 'string' || narrowing.includes(name);
      yield {
        name: narrows && typeof value !== 'string' ? `${name}[...]` : name,
        narrows,
        meant: findClosest(name, Object.keys(entries)),
      };
      continue;
    }
    const inner = entriesOf(schema);
    if (!inner || !isRecord(value)) continue;
    for (const one of Object.keys(value)) {
      if (Object.hasOwn(inner, one)) continue;
      yield { name: `${name}[${one}]`, narrows: true, meant: findClosest(one, Object.keys(inner)) };
    }
  }
}

function refusal(unknown: readonly Unknown[], entries: Entries): ServiceError {
  const known = namesIn(entries);
  const exist =
    known.length > 0 ? `the parameters of this list are ${known.join(', ')}` : 'this list has no parameters';
  const faults = unknown.map(({ name, meant }) => `${name} does not exist${meant ? `, ${meant} does` : ''}`);
  return new ServiceError('invalid_query_params', { details: joinFaults([...faults, exist]) });
}

/** Returns the names of parameters without effect. 400 if one of them would narrow a list, with the names that exist. */
export function findIgnoredParams(route: Route, sent: Readonly<Record<string, QueryValue>>): string[] {
  const entries = route.query ? entriesOf(route.query) : {};
  if (!entries) return [];
  const unknown = [...unknownIn(entries, sent)];
  const refused = isList(route) ? unknown.filter(({ narrows }) => narrows) : [];
  if (refused.length > 0) throw refusal(refused, entries);
  return unknown.map(({ name }) => name);
}
