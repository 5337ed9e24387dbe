import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import * as v from 'valibot';
import { ask, hasSession, isAskable, type Service } from './ask.ts';
import type { Tally } from './tally.ts';

/** Sends recorded requests to a service, and compares its answers with the recorded answers. */

const recorded = v.object({
  method: v.optional(v.string(), 'POST'),
  path: v.string(),
  body: v.unknown(),
  /** The answer of the service that counts. */
  status: v.optional(v.number()),
  reply: v.optional(v.unknown()),
});

const atOnce = 8;

const isOfLine = (error: unknown) => error instanceof SyntaxError || error instanceof v.ValiError;

type Recorded = v.InferOutput<typeof recorded>;

/** Returns why the request is not sent to the other service. */
function findObstacle({ method, path, body, status }: Recorded, { counts }: Services): string | undefined {
  if (!isAskable(method, path)) return 'it is not a validation or qualification';
  if (hasSession(JSON.stringify(body ?? {}))) return 'it has a session, which would lock';
  return status === undefined && !counts ? 'it has no recorded answer, and --to names no service' : undefined;
}

async function replayOne(line: string, number: number, services: Services, tally: Tally): Promise<void> {
  const request = v.parse(recorded, JSON.parse(line));
  const obstacle = findObstacle(request, services);
  if (obstacle !== undefined) {
    tally.leave(obstacle);
    return;
  }
  const { path, body, status, reply } = request;
  const text = JSON.stringify(body ?? {});
  const answered =
    services.counts && status === undefined ? ask(services.counts, path, text) : { status: status ?? 0, body: reply };
  const [one, other] = await Promise.all([answered, ask(services.other, path, text)]);
  tally.add(`line ${number} ${path}`, one, other);
}

export interface Services {
  /** The authoritative service. It answers requests without a recorded answer. */
  readonly counts: Service | undefined;
  readonly other: Service;
}

export async function replay(path: string, services: Services, tally: Tally): Promise<void> {
  const underWay = new Set<Promise<void>>();
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    number += 1;
    if (line.trim() === '') continue;
    const one: Promise<void> = replayOne(line, number, services, tally)
      .catch((error: unknown) => tally.leave(isOfLine(error) ? 'the line is not a recorded request' : 'no answer came'))
      .finally(() => underWay.delete(one));
    underWay.add(one);
    if (underWay.size >= atOnce) await Promise.race(underWay);
  }
  await Promise.all(underWay);
}
