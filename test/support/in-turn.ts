import { expect } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import type { Request } from './api-event.ts';
import { caller, type Reply } from './call.ts';
import { standingClock, testDependencies, testTime } from './dependencies.ts';
import { beforeTransaction, type Moment, meanwhile } from './meanwhile.ts';
import { loadProject } from './project.ts';

/** Names an endpoint, and the request to it. */
export type Asked = readonly [handler: Endpoint, request?: Omit<Request, 'headers'>];

export interface Race {
  /** These requests fill the project. */
  readonly lists: Record<string, unknown>;
  /** These requests are done before the race begins. */
  readonly before?: readonly Asked[];
  /** This request comes between the other one's read and its write. It must succeed. */
  readonly first: Asked;
  readonly second: Asked;
  /** These requests show the result of both. */
  readonly seen: readonly Asked[];
  readonly moment?: Moment;
}

/** Finds values that differ between projects: drawn ids, hashes, and codes of eight letters and digits. */
const drawn = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b[a-z]+_[\w-]{12,}|\b[A-Za-z0-9]{8}\b/g;
const told = ({ status, body }: Reply): unknown =>
  JSON.parse(
    JSON.stringify({ status, body: body?.key ?? body ?? '' }, (name, value) =>
      ['request_id', 'assets'].includes(name) ? '' : typeof value === 'string' ? value.replace(drawn, 'drawn') : value,
    ),
  );

const aSecondLater = new Date(testTime.getTime() + 1_000);

/** Plays both requests. The second comes a second later, so that its time identifies it. */
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

/** Checks that a request between the steps of another leaves everything as if it had come before. */
export async function expectAsInTurn(race: Race): Promise<void> {
  const inTurn = await played(race, false);
  expect(await played(race, true)).toEqual(inTurn);
}
