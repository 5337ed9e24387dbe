import { expect } from 'vitest';
import type { Endpoint } from '../../lib/http/operation.ts';
import type { Request } from './api-event.ts';
import { caller, type Reply } from './call.ts';
import { standingClock, testDependencies, testTime } from './dependencies.ts';
import { beforeTransaction, type Moment, meanwhile } from './meanwhile.ts';
import { loadProject } from './project.ts';

/** Names an endpoint, and what it is asked. */
export type Asked = readonly [handler: Endpoint, request?: Omit<Request, 'headers'>];

export interface Race {
  /** Fill the project. */
  readonly lists: Record<string, unknown>;
  /** Have been done when the race begins. */
  readonly before?: readonly Asked[];
  /** Comes between what the other request has read and what it writes. Must be done. */
  readonly first: Asked;
  readonly second: Asked;
  /** Shows what has become of it all. */
  readonly seen: readonly Asked[];
  readonly moment?: Moment;
}

/** Finds what differs from project to project: ids that were drawn or are hashes, and codes of eight letters and digits. */
const drawn = /\b[a-z]+_[\w-]{12,}|\b[A-Za-z0-9]{8}\b/g;
const told = ({ status, body }: Reply): unknown =>
  JSON.parse(
    JSON.stringify({ status, body: body?.key ?? body ?? '' }, (name, value) =>
      ['request_id', 'assets'].includes(name) ? '' : typeof value === 'string' ? value.replace(drawn, 'drawn') : value,
    ),
  );

const aSecondLater = new Date(testTime.getTime() + 1_000);

/** Plays both requests. The second comes a second later, so that its time tells it apart. */
async function played(
  { lists, before = [], first, second, seen, moment = beforeTransaction() }: Race,
  isAtOnce: boolean,
) {
  const { credentials: headers } = await loadProject(lists);
  const ask = ([handler, request]: Asked, container = testDependencies()) =>
    caller(handler, container)({ ...request, headers });
  for (const one of before) expect((await ask(one)).status).toBeLessThan(300);
  const begin = async () => expect((await ask(first)).status).toBeLessThan(300);
  if (!isAtOnce) await begin();
  const clock = standingClock(aSecondLater);
  const reply = isAtOnce
    ? await meanwhile(moment, begin, (container) => ask(second, container), { clock })
    : await ask(second, testDependencies({ clock }));
  const shown = [];
  for (const one of seen) shown.push(told(await ask(one)));
  return { reply: told(reply), shown };
}

/** Checks that a request which comes between the steps of another leaves everything as if it had come before. */
export async function expectAsInTurn(race: Race): Promise<void> {
  const inTurn = await played(race, false);
  expect(await played(race, true)).toEqual(inTurn);
}
