import { expect, inject } from 'vitest';
import type { Endpoint } from '#kernel/http/operation.ts';
import { caller, type Reply } from './call.ts';
import { observed } from './commands.ts';
import { coldDependencies, standingClock, testTime } from './dependencies.ts';
import { withPages } from './pages.ts';
import { loadFile, projectFile } from './project.ts';

type Headers = Record<string, string>;

/** Makes a project file with a key of each kind. */
export function newFile() {
  const file = projectFile({ vouchers: [{ code: 'ONE', type: 'DISCOUNT_VOUCHER' }] });
  const { id } = file.project;
  return {
    ...withPages(file),
    management_keys: [{ management_id: `ops-${id}`, management_token: `secret-${id}` }],
  };
}

export type File = ReturnType<typeof newFile>;

export const switchedOff = (file: File) => ({
  ...file,
  app_keys: file.app_keys.map((key) => ({ ...key, active: false })),
});

export const managed = ({ management_keys: [key] }: File): Headers => ({
  'x-management-id': key?.management_id ?? '',
  'x-management-token': key?.management_token ?? '',
});

export const switchedOffPage = (file: File) => ({
  ...file,
  client_keys: file.client_keys.map((key) => ({ ...key, active: false })),
});

/** Makes one container that records what it sends to the table. */
export function container(handler: Endpoint, params: Record<string, string>) {
  const clock = standingClock();
  const sent: unknown[] = [];
  const dependencies = coldDependencies({ clock, managementGuard: 'keys' });
  const dynamodb = observed(dependencies.dynamodb, {
    before: ({ name, input: { Key, ...input } }) => sent.push({ name, kind: (Key as { sk?: string })?.sk, ...input }),
  });
  const call = caller(handler, { ...dependencies, dynamodb });
  return {
    clock,
    dependencies,
    call: (headers: Headers): Promise<Reply> => call({ headers, params }),
    /** Returns everything that a refused caller can notice, and the work that the refusal cost. */
    refusal: async (headers: Headers) => {
      sent.length = 0;
      const { status, headers: told, body } = await call({ headers, params });
      const { read_units, write_units, error_key } = JSON.parse(dependencies.lines.at(-1) ?? '');
      const { 'X-Request-Id': _, ...others } = told;
      return {
        status,
        told: others,
        body: { ...body, request_id: '' },
        sent: [...sent],
        // The other engine reports no units for missing items.
        units: inject('engineName').startsWith('dynoxide') ? read_units : undefined,
        write_units,
        error_key,
      };
    },
  };
}

export type Container = ReturnType<typeof container>;

/** A way to be refused: it prepares a container and the table, and returns the headers of the call. */
export type Way = (container: Container, file: File) => Promise<Headers> | Headers;

export const known = async ({ call }: Container, headers: Headers): Promise<void> => {
  expect((await call(headers)).status).toBe(200);
};

/** Calls the endpoint in each of the ways, each in a separate container. */
export async function refusals(
  ways: Record<string, Way>,
  newContainer: () => Container,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, way] of Object.entries(ways)) {
    const file = newFile();
    await loadFile(file, testTime);
    const container = newContainer();
    found[name] = await container.refusal(await way(container, file));
  }
  return found;
}
