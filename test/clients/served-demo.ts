import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { type RunningServer, startServer } from '../../infra/local/server.ts';
import { loadDemo } from '../support/demo.ts';
import { testDependencies } from '../support/dependencies.ts';
import { runOutbox } from '../support/outbox.ts';
import type { TestProject } from '../support/project.ts';
import { type Client, VoucherifyServerSide } from './case.ts';

/** Serves the demo while the tests of a file run, and makes clients for it. */
export function servedDemo() {
  const dependencies = testDependencies();
  let server: RunningServer;
  let project: TestProject;
  let client: Client;
  /** Makes a client with the demo's credentials, except for these options. */
  const clientWith = (others: Record<string, string> = {}) => {
    const credentials: Record<string, string> = { ...project.credentials, ...others };
    return VoucherifyServerSide({
      apiUrl: server.baseUrl,
      applicationId: credentials['x-app-id'] ?? '',
      secretKey: credentials['x-app-token'] ?? '',
    });
  };

  beforeAll(async () => {
    server = await startServer({ dependencies, port: 0 });
    project = await loadDemo(dependencies);
    client = clientWith();
  });
  // The library reads the environment for a proxy, even for loopback.
  beforeEach(() => {
    vi.stubEnv('NO_PROXY', '127.0.0.1');
  });
  afterAll(() => server.close());

  return { client: () => client, clientWith, runJobs: () => runOutbox(project.id, dependencies) };
}
