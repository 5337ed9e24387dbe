import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A call of a service that accepts JSON, such as Athena and Firehose. */
export interface AwsCall {
  /** The operation, without the name of the service. */
  readonly operation: string;
  readonly contentType: string | undefined;
  readonly authorization: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has an input of its own
  readonly input: any;
}

/** Answers a call with a reply, or with an error of the service: its name as `error`, and a `message`. */
export type Answer = (call: AwsCall) => object | Promise<object>;

/** Serves a service of AWS on loopback, and notes its calls. */
export async function openFakeAws(answer: Answer) {
  const calls: AwsCall[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const call: AwsCall = {
      operation: String(request.headers['x-amz-target']).split('.').at(-1) ?? '',
      contentType: request.headers['content-type'],
      authorization: request.headers.authorization,
      input: JSON.parse(text),
    };
    calls.push(call);
    const reply: { readonly error?: string; readonly message?: string } = await answer(call);
    const failed = reply.error !== undefined;
    response.writeHead(failed ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(JSON.stringify(failed ? { __type: reply.error, message: reply.message ?? '' } : reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { calls, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
