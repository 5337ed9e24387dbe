import { randomUUID } from 'node:crypto';
import { isRecord } from '../../lib/core/is-record.ts';
import { writeShortAnswer } from './short-answer.ts';
import type { Tool } from './tool.ts';

/** The API behind the tools, with the caller's own credentials. So a tool may do what its caller may do, and nothing else. */
export interface Api {
  /** The address of the API, without a slash at its end. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof fetch;
}

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** Writes nested keys in brackets: `filters[created_at][conditions][$after]`. */
function* listQueryPairs(name: string, value: unknown): Generator<[string, string]> {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) for (const [index, one] of value.entries()) yield* listQueryPairs(`${name}[${index}]`, one);
  else if (isRecord(value))
    for (const [key, one] of Object.entries(value)) yield* listQueryPairs(`${name}[${key}]`, one);
  else yield [name, String(value)];
}

type Arguments = Readonly<Record<string, unknown>>;

/** Returns the path with its arguments, or the name of the argument that is missing. */
function fillPath(path: string, sent: Arguments): { path: string } | { missing: string } {
  let missing: string | undefined;
  const filled = path.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) => {
    const value = sent[name];
    if (typeof value !== 'string' || value === '') missing ??= name;
    return encodeURIComponent(String(value));
  });
  return missing === undefined ? { path: filled } : { missing };
}

async function readJson(reply: Response): Promise<unknown> {
  const text = await reply.text();
  if (text === '') return { done: true };
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Sends a request twice if no reply comes. The key makes the second one of a write repeat the reply of the first. */
async function send({ headers, fetch }: Api, address: string, { method }: Tool, body: unknown): Promise<Response> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const key = method === 'GET' ? {} : { 'idempotency-key': randomUUID() };
  const request: RequestInit = {
    method,
    headers: { ...headers, accept: 'application/json', ...json, ...key },
    redirect: 'error',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  return fetch(address, request).catch(() => fetch(address, request));
}

/** Calls the operation of a tool. A refusal of the API is an answer too: it tells the model what to change. */
export async function callTool(api: Api, tool: Tool, sent: Arguments): Promise<ToolAnswer> {
  const filled = fillPath(tool.path, sent);
  if ('missing' in filled) return { text: `the argument ${filled.missing} must be a text`, isError: true };
  const pairs = tool.query.flatMap((name) => [...listQueryPairs(name, sent[name])]);
  const query = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
  const address = `${api.url}${filled.path}${query}`;
  const reply = await send(api, address, tool, sent.body).catch(() => undefined);
  if (!reply) return { text: 'the API did not answer: call the tool again', isError: true };
  const links = {
    ...(tool.method === 'GET' ? { self: address } : {}),
    description: `${api.url}/docs#/${encodeURIComponent(tool.name)}`,
  };
  return { text: writeShortAnswer(await readJson(reply), links), isError: !reply.ok };
}
