import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, inject } from 'vitest';
import type { createDynamodbClient } from '#kernel/http/composition.ts';
import type { Endpoint } from '#kernel/http/operation.ts';
import type { RequestLine } from '#kernel/http/route.ts';
import type { createDocumentClient } from '#kernel/table/connection.ts';
import { patience } from './dependencies.ts';

/** The exports inside a function's bundle. A handler recognizes only the errors of the SDK in its bundle. */
export interface Opened {
  handler: Endpoint;
  createDocumentClient: typeof createDocumentClient;
  createDynamodbClient: typeof createDynamodbClient;
}

interface Bundled {
  handler: Endpoint;
  /** Returns a client for another container. */
  newClient: () => DynamoDBDocumentClient;
}

/** The bundles by method and path. */
const bundled = new Map<string, Bundled>();

const lineOf = ({ method, path }: RequestLine) => `${method} ${path}`;

/** From here to the end of the test file, `caller` calls this route through its bundle. */
export function callThrough(route: RequestLine, { handler, createDocumentClient, createDynamodbClient }: Opened): void {
  const newClient = () => createDocumentClient(createDynamodbClient(inject('endpoint'), patience));
  bundled.set(lineOf(route), { handler, newClient });
  // The next file may run in the same process.
  afterAll(() => bundled.delete(lineOf(route)));
}

export function bundleOf(route: RequestLine): Bundled | undefined {
  return bundled.get(lineOf(route));
}
