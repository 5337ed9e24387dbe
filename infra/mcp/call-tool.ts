import { randomUUID } from 'node:crypto';
import { isRecord } from '#kernel/core/is-record.ts';
import { ignoredFieldsHeader } from '#kernel/http/ignored-fields.ts';
import {
  type Arguments,
  explainUnknownArguments,
  fillPath,
  findDeepArgument,
  maxLevels,
  maxName,
} from './arguments.ts';
import { showPlainly } from './plain-text.ts';
import { writeShortAnswer } from './short-answer.ts';
import type { Tool } from './tool.ts';

/**
 * The API that the tools call with the caller's own credentials, so that a tool may do exactly what its caller may do.
 */
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

async function readJson(reply: Response): Promise<unknown> {
  const text = await reply.text();
  if (text === '') return { done: true };
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Longer than any request of the API runs. */
const callTimeoutInMs = 40_000;

/**
 * Sends a request twice if no reply arrives. The key makes the second attempt of a write repeat the reply of the first.
 */
async function send({ headers, fetch }: Api, address: string, { method }: Tool, body: unknown): Promise<Response> {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const key = method === 'GET' ? {} : { 'idempotency-key': randomUUID() };
  const request = (): RequestInit => ({
    method,
    headers: { ...headers, accept: 'application/json', ...json, ...key },
    redirect: 'error',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(callTimeoutInMs),
  });
  return fetch(address, request()).catch(() => fetch(address, request()));
}

/** Returns the fields of a body that had no effect, as the API names them. */
function readIgnored({ headers }: Response): string[] {
  return (headers.get(ignoredFieldsHeader) ?? '').split(', ').filter(Boolean);
}

/** Returns the body with the fields that the tool itself defines. */
function bodyOf({ method, fixed }: Tool, { body }: Arguments): unknown {
  if (method === 'GET') return undefined;
  return fixed && (body === undefined || isRecord(body)) ? { ...body, ...fixed } : body;
}

function refuse(text: string): ToolAnswer {
  return { text, isError: true };
}

/**
 * Calls the operation of a tool. A refusal of the API is also an answer, from which the model learns what to change.
 */
export async function callTool(api: Api, tool: Tool, sent: Arguments): Promise<ToolAnswer> {
  const deep = findDeepArgument(sent);
  if (deep !== undefined) {
    const name = showPlainly(deep).slice(0, maxName);
    return refuse(`the argument ${name} has more than ${maxLevels} levels of lists and objects: send fewer`);
  }
  const unknown = explainUnknownArguments(tool, sent);
  // An argument without effect may have been a limit, so nothing is changed before the model has seen that.
  if (tool.acts && unknown.length > 0) return refuse(`${unknown.join('; ')}. Nothing was done.`);
  const filled = fillPath(tool.path, sent);
  if ('fault' in filled) return refuse([filled.fault, ...unknown].join('; '));
  const pairs = tool.query.flatMap((name) => [...listQueryPairs(name, sent[name])]);
  const query = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
  const address = `${api.url}${filled.path}${query}`;
  const reply = await send(api, address, tool, bodyOf(tool, sent)).catch(() => undefined);
  if (!reply) return refuse('the API did not answer: call the tool again');
  const ignored = [...unknown, ...readIgnored(reply)];
  const links = {
    ...(tool.method === 'GET' ? { self: address } : {}),
    description: `${api.url}/docs#/${encodeURIComponent(tool.operation ?? tool.name)}`,
  };
  return { text: writeShortAnswer(await readJson(reply), { ignored, links }), isError: !reply.ok };
}
