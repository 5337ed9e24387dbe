import { once } from 'node:events';
import { createServer, request } from 'node:http';

/**
 * Serves one deployed API on a port of this machine. The emulator finds an API by the name of its host, and that name
 * does not resolve everywhere.
 */
export interface Front {
  readonly address: string;
  readonly close: () => Promise<void>;
}

export async function openFront(apiUrl: string, endpoint: string): Promise<Front> {
  const { host } = new URL(apiUrl);
  const { hostname, port } = new URL(endpoint);
  const server = createServer((from, to) => {
    const { method, url, headers } = from;
    const onward = request({ hostname, port, method, path: url, headers: { ...headers, host } }, (reply) => {
      to.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(to);
    });
    onward.on('error', (error) => to.destroy(error));
    from.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('this machine gives no loopback port');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { address: `http://127.0.0.1:${address.port}`, close };
}
