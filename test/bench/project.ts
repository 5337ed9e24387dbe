import { readFile } from 'node:fs/promises';
import type { Operation } from '../../infra/operations.ts';
import { sizeOf } from './benchmark.ts';

/** The project on which endpoints are measured. */

/** The most turns of a run. */
export const mostTurns = sizeOf({ trial: 4, usual: 80, long: 300 });
export const mostEntries = 32;
/**
 * A project has at most 100 campaign templates. Turns that create some need room besides the templates that turns
 * delete.
 */
const mostTemplates = sizeOf({ trial: mostTurns, usual: 20, long: mostTurns });

/** The credentials of a web page. */
export const pageCredentials = {
  'x-client-application-id': 'bench-page',
  'x-client-token': 'bench-page-token-for-local-use-only',
  origin: 'https://shop.example',
};

export const sleeper = (turn: number) => `SLEEPER-${turn}`;
/** Returns the id of the pending points that a turn ends. */
export const ripening = (what: string, turn: number) => `lopp_${what}_${turn}`;
export const purse = (index: number) => `PURSE-${index}`;
export const offer = (index: number) => `OFFER-${index}`;
export const ticket = (turn: number) => `TICKET-${turn}`;
export const upTo = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

function card(code: string, points: number) {
  return {
    code,
    type: 'LOYALTY_CARD',
    campaign_id: 'camp_crew',
    active: true,
    holder_id: `cust_${code}`,
    loyalty_card: { points },
  };
}

type Entry = Record<string, unknown>;

export const copied = (text: string, { name }: Operation, turn: number) => `${text}-${name}-${turn}`;

const fieldsOfNames = ['id', 'source_id', 'name', 'code', 'target_url'] as const;

/** Copies the resource in the example's path for each turn, under new names. */
function copies(operation: Operation, demo: Readonly<Record<string, unknown>>): { list: string; entry: Entry }[] {
  const wanted = Object.values(operation.route.example.params ?? {});
  const found = Object.entries(demo).flatMap(([list, entries]) =>
    (Array.isArray(entries) ? entries : [])
      .filter((entry: Entry) => fieldsOfNames.some((field) => wanted.some((name) => name === entry[field])))
      .map((entry: Entry) => ({ list, entry })),
  );
  const names = new Set(found.flatMap(({ entry }) => fieldsOfNames.map((field) => entry[field])));
  const copy = (entry: Entry, turn: number): Entry =>
    Object.fromEntries(
      Object.entries(entry).map(([field, value]) => [
        field,
        typeof value === 'string' && names.has(value) ? copied(value, operation, turn) : value,
      ]),
    );
  const turns = Array.from({ length: mostTurns }, (_, turn) => turn);
  const mostOf = (list: string) => (list === 'campaign_templates' ? mostTemplates : mostTurns);
  return turns.flatMap((turn) =>
    found.flatMap(({ list, entry }) => (turn < mostOf(list) ? [{ list, entry: copy(entry, turn) }] : [])),
  );
}

export async function demoProject() {
  return JSON.parse(await readFile(new URL('../../infra/local/demo-project.json', import.meta.url), 'utf8'));
}

/**
 * Returns the demo project with everything that the turns use up. Each turn of an operation in `copiedFor` has its own copy of the resource
 * in its path.
 */
export async function projectFor(copiedFor: readonly Operation[]): Promise<Record<string, unknown>> {
  const demo = await demoProject();
  const purses = Array.from({ length: mostEntries }, (_, index) => purse(index));
  const till = 'TILL';
  const used = copiedFor.flatMap((operation) => copies(operation, demo));
  const withCopies = Object.entries(demo).map(([list, entries]) => [
    list,
    Array.isArray(entries) ? [...entries, ...used.flatMap((one) => (one.list === list ? [one.entry] : []))] : entries,
  ]);
  const project = Object.fromEntries(withCopies);
  const page = {
    client_application_id: pageCredentials['x-client-application-id'],
    client_token: pageCredentials['x-client-token'],
    name: 'Bench',
    origins: [pageCredentials.origin],
  };
  return {
    ...project,
    client_keys: [page],
    customers: [...project.customers, ...[till, ...purses].map((code) => ({ id: `cust_${code}` }))],
    rewards: project.rewards.map((reward: Entry) => ({ ...reward, stock: null })),
    pending_points: [
      ...project.pending_points,
      ...['activated', 'cancelled'].flatMap((what) =>
        Array.from({ length: mostTurns }, (_, turn) => ({ id: ripening(what, turn), code: 'CREW-INGRID', points: 1 })),
      ),
    ],
    vouchers: [
      ...project.vouchers,
      card(till, 0),
      ...purses.map((code) => card(code, 1_000_000)),
      ...upTo(5, (index) => ({
        code: offer(index),
        type: 'DISCOUNT_VOUCHER',
        active: true,
        discount: { type: 'PERCENT', percent_off: 3 + index, effect: index % 2 ? 'APPLY_TO_ITEMS' : 'APPLY_TO_ORDER' },
      })),
      ...upTo(mostTurns, (turn) => ({
        code: ticket(turn),
        type: 'DISCOUNT_VOUCHER',
        active: true,
        discount: { type: 'PERCENT', percent_off: 10, effect: 'APPLY_TO_ORDER' },
        redemption: { quantity: 1 },
      })),
      ...Array.from({ length: mostTurns }, (_, turn) => ({
        code: sleeper(turn),
        type: 'DISCOUNT_VOUCHER',
        campaign_id: 'camp_morning',
        active: false,
      })),
    ],
  };
}
