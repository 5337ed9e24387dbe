import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Endpoint } from '../lib/http/operation.ts';
import { type RequestLine, type Route, requestLinesOf } from '../lib/http/route.ts';

/** One operation, as found in its file: `functions/<family>/<name>.ts`. */
export interface Operation {
  readonly name: string;
  readonly family: string;
  /** Absolute path of its file. */
  readonly file: string;
  readonly route: Route;
  readonly handler: Endpoint;
}

const folder = join(import.meta.dirname, '..', 'functions');

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'function' && 'route' in value && 'with' in value;
}

async function load(path: string): Promise<Operation> {
  const file = join(folder, path);
  const { handler }: { handler?: unknown } = await import(file);
  if (!isEndpoint(handler)) throw new Error(`functions/${path} does not export a handler made by operation()`);
  return { name: basename(path, '.ts'), family: dirname(path), file, route: handler.route, handler };
}

/** Every operation there is: whatever puts them somewhere finds them here, by reading the folder. */
export const operations: readonly Operation[] = await Promise.all(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => load(path.replaceAll('\\', '/'))),
);

/** The operation of this name; there is one. */
export function operationNamed(name: string): Operation {
  const found = operations.find((operation) => operation.name === name);
  if (!found) throw new Error(`there is no operation ${name}`);
  return found;
}

/** In the gateway's order, for a search that takes the first that fits. */
export const routes: readonly Route[] = operations.map(({ route }) => route);

/** What they take. */
export const requestLines: readonly RequestLine[] = routes.flatMap(requestLinesOf);
