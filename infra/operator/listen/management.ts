import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import * as v from 'valibot';
import { Complaint } from '../../command-line.ts';
import { readSettings } from '../../environment.ts';

/** Calls the management paths of a service, with what the guard of the service requires. */

const environment = v.object({
  MANAGEMENT_ID: v.optional(v.string()),
  MANAGEMENT_TOKEN: v.optional(v.string()),
  AWS_ACCESS_KEY_ID: v.optional(v.string()),
  AWS_SECRET_ACCESS_KEY: v.optional(v.string()),
  AWS_SESSION_TOKEN: v.optional(v.string()),
  AWS_REGION: v.optional(v.string()),
});

export const managementNotes = `The service requires one of these, unless it runs on this machine:
  MANAGEMENT_ID, MANAGEMENT_TOKEN           if keys guard the management paths.
  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
  AWS_SESSION_TOKEN, AWS_REGION             if IAM guards them.
The command \`aws configure export-credentials --format env\` prints the credentials of AWS.
`;

export interface Management {
  /** Returns the parsed reply. Throws `Complaint` with the service's words if the status is not a success. */
  readonly call: (method: string, path: string, body?: unknown) => Promise<unknown>;
}

type Bytes = string | ArrayBuffer | ArrayBufferView;

function viewOf(data: Bytes): string | Uint8Array {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

/** SHA-256 in the form that the signer accepts, with a secret as HMAC. */
class Sha256 {
  readonly #hash;

  constructor(secret?: Bytes) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', viewOf(secret));
  }

  update(data: Bytes): void {
    this.#hash.update(viewOf(data));
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {}
}

interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

type Authorise = (sent: Sent) => Promise<Record<string, string>>;

function signer(accessKeyId: string, env: v.InferOutput<typeof environment>): Authorise {
  const { AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken, AWS_REGION: region } = env;
  if (!secretAccessKey || !region)
    throw new Complaint('AWS_SECRET_ACCESS_KEY and AWS_REGION must go with AWS_ACCESS_KEY_ID.');
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
  const signature = new SignatureV4({ service: 'execute-api', region, credentials, sha256: Sha256 });
  return async ({ method, url, headers, body }) => {
    const request = {
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: { ...headers, host: url.host },
      body,
    };
    return (await signature.sign(request)).headers;
  };
}

function chooseAuthorisation(env: NodeJS.ProcessEnv, isLocal: boolean): Authorise {
  const settings = readSettings(environment, env);
  const { MANAGEMENT_ID: id, MANAGEMENT_TOKEN: token, AWS_ACCESS_KEY_ID } = settings;
  if (id && token) return async ({ headers }) => ({ ...headers, 'x-management-id': id, 'x-management-token': token });
  if (AWS_ACCESS_KEY_ID && !isLocal) return signer(AWS_ACCESS_KEY_ID, settings);
  return async ({ headers }) => headers;
}

const failure = v.object({ message: v.optional(v.string()), details: v.optional(v.string()) });

const isLocal = ({ hostname }: URL) => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

const callTimeoutInMs = 30_000;

export function connectManagement(address: URL, env: NodeJS.ProcessEnv): Management {
  const authorise = chooseAuthorisation(env, isLocal(address));
  return {
    call: async (method, path, content) => {
      const url = new URL(path, address);
      const body = content === undefined ? undefined : JSON.stringify(content);
      const headers = body === undefined ? {} : { 'content-type': 'application/json' };
      const reply = await fetch(url, {
        method,
        headers: await authorise({ method, url, headers, body }),
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
        signal: AbortSignal.timeout(callTimeoutInMs),
      }).catch((error: unknown) => {
        const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
        throw new Complaint(`${url.origin} does not answer: ${cause}`);
      });
      const text = await reply.text();
      if (reply.ok) return text === '' ? undefined : JSON.parse(text);
      const told = v.safeParse(v.pipe(v.string(), v.parseJson(), failure), text);
      const words = told.success ? (told.output.details ?? told.output.message) : undefined;
      throw new Complaint(`${method} ${path} answered ${reply.status}: ${words ?? text.slice(0, 200)}`);
    },
  };
}
