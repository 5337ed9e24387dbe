/** Calls the API of a served console with the demo's key, as the shop's own servers do. */

const headers = { 'X-App-Id': 'demo-app', 'X-App-Token': 'demo-token-for-local-use-only' };

// biome-ignore lint/suspicious/noExplicitAny: tests read replies of any operation
type Reply = any;

export function demoApi(address: string) {
  const call = async (method: string, path: string, body?: unknown): Promise<Reply> => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await fetch(address + path, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...json,
    });
    return reply.status === 204 ? undefined : reply.json();
  };
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body: unknown = {}) => call('POST', path, body),
    sendCsv: async (path: string, content: string): Promise<Reply> => {
      const form = new FormData();
      form.set('file', new File([content], 'rows.csv', { type: 'text/csv' }));
      return (await fetch(address + path, { method: 'POST', headers, body: form })).json();
    },
    /** Repeats the request until the reply shows the result of asynchronous work. The test's own limit of time ends it. */
    until: async (ask: () => Promise<Reply>, isDone: (reply: Reply) => boolean): Promise<Reply> => {
      for (;;) {
        const reply = await ask();
        if (isDone(reply)) return reply;
      }
    },
  };
}
