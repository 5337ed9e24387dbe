import { startTill, type Till } from './till-process.ts';

/** Runs callers that keep calling while tills die. */

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whoever asked knows what is answered.
  readonly body: any;
}

export interface Ask {
  readonly path: string;
  readonly body?: unknown;
}

export interface Storm {
  readonly endpoint: string;
  readonly tableName: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly callers: number;
  readonly attempts: number;
  readonly ask: (attempt: number) => Ask;
  /** Watches the shop all the time. */
  readonly watch: (get: (path: string) => Promise<Answer | undefined>) => Promise<void>;
}

/** Returns undefined if the till died before its answer. */
export async function asked(till: Till, headers: Storm['headers'], { path, body }: Ask): Promise<Answer | undefined> {
  const sent = { headers: { ...headers, 'content-type': 'application/json' } };
  const request = body === undefined ? sent : { ...sent, method: 'POST', body: JSON.stringify(body) };
  try {
    const reply = await fetch(`${till.baseUrl}${path}`, request);
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/**
 * Runs two tills. One till is killed after every third answer, and another till replaces it. Returns the answers that
 * arrived.
 */
export async function weathered(storm: Storm): Promise<Answer[]> {
  const { headers, callers, attempts } = storm;
  const open = () => startTill(storm);
  const victim = await open();
  const tills = [await open(), victim];
  const answers: Answer[] = [];
  let next = 0;
  let isOver = false;
  let replaced: Promise<unknown> | undefined;
  const anyTill = (number: number) => tills[number % tills.length] ?? victim;
  const replace = async () => {
    tills.pop();
    await victim.kill();
    tills.push(await open());
  };
  const call = async () => {
    while (next < attempts) {
      const attempt = next++;
      const answer = await asked(anyTill(attempt), headers, storm.ask(attempt));
      if (answer) answers.push(answer);
      if (answers.length > attempts / 3) replaced ??= replace();
    }
  };
  const watch = async () => {
    for (let look = 0; !isOver; look++) {
      await storm.watch((path) => asked(anyTill(look), headers, { path }));
    }
  };
  const watching = watch();
  await Promise.all(Array.from({ length: callers }, call));
  isOver = true;
  await Promise.all([watching, replaced]);
  await Promise.all(tills.map((till) => till.kill()));
  return answers;
}
