import { readFile } from 'node:fs/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, test } from 'vitest';
import { handler as issueToken } from '../../../functions/oauth/issue-token.ts';
import { handler as redeemRedeemables } from '../../../functions/redemptions/redeem-redeemables.ts';
import { startServer } from '../../../infra/local/server.ts';
import { callTool } from '../../../infra/mcp/call-tool.ts';
import { createMcp } from '../../../infra/mcp/handler.ts';
import { buildTools } from '../../../infra/mcp/tools.ts';
import { caller } from '../../support/call.ts';
import { testDependencies } from '../../support/dependencies.ts';
import { coupon } from '../../support/lists.ts';
import { loadProject } from '../../support/project.ts';

const dependencies = testDependencies();

const project = await loadProject({
  campaigns: [{ id: 'camp_tea', name: 'Tea', campaign_type: 'DISCOUNT_COUPONS', type: 'STATIC' }],
  vouchers: [
    coupon('TEA', { type: 'AMOUNT', amount_off: 100 }, { metadata: { cup: 'blue' } }),
    { code: 'CARD', type: 'GIFT_VOUCHER', gift: { amount: 500, balance: 500 } },
    { code: 'SPARE', type: 'GIFT_VOUCHER', gift: { amount: 100, balance: 100 } },
    { code: 'PAYER', type: 'GIFT_VOUCHER', gift: { amount: 600, balance: 600 } },
  ],
});
const server = await startServer({ dependencies, port: 0 });
afterAll(() => server.close());

type Headers = Record<string, string>;

/** Serves the tools like a deployment does, before a real server of the API. */
function serving(acts: boolean) {
  return createMcp({ tools: buildTools(), acts, apiUrlOf: () => server.baseUrl, fetch });
}

/** Connects the official client to the tools, as a caller with these headers. */
async function connected(headers: Headers, { acts = false } = {}) {
  const answer = serving(acts);
  const transport = new StreamableHTTPClientTransport(new URL('https://api.shop.example/mcp'), {
    requestInit: { headers },
    fetch: (url, init) => answer(new Request(url, init)),
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  const call = async (name: string, sent: Record<string, unknown> = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: sent });
    const [first] = Array.isArray(content) ? content : [];
    return { isError, ...JSON.parse(first?.type === 'text' ? first.text : '{}') };
  };
  return { client, call };
}

async function bearer(scopes: string): Promise<Headers> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: scopes }).toString();
  const headers = { ...project.credentials, 'content-type': 'application/x-www-form-urlencoded' };
  const { body: token } = await caller(issueToken, dependencies)({ headers, body });
  return { authorization: `Bearer ${token.access_token}` };
}

describe('an agent', () => {
  test('lists the tools that read, with words and arguments, and reads with them', async () => {
    const { client, call } = await connected(project.credentials);
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThanOrEqual(40);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    const voucher = tools.find(({ name }) => name === 'get-voucher');
    expect(voucher).toMatchObject({ title: 'Get a voucher', inputSchema: { required: ['code'] } });
    expect(await call('get-voucher', { code: 'TEA' })).toMatchObject({
      isError: false,
      answer: { code: 'TEA', discount: { amount_off: 100 }, metadata: { cup: 'blue' } },
      links: { self: `${server.baseUrl}/v1/vouchers/TEA`, description: `${server.baseUrl}/docs#/get-voucher` },
    });
    const filters = { code: { conditions: { $is: ['CARD'] } } };
    expect((await call('list-vouchers', { filters })).answer.vouchers).toMatchObject([{ code: 'CARD' }]);
  });

  test('acts only where it may, with the effects that the API has', async () => {
    const { call } = await connected(project.credentials);
    const refused = call('adjust-voucher-balance', { code: 'CARD', body: { amount: 50 } });
    await expect(refused).rejects.toThrow('adjust-voucher-balance');
    const acting = await connected(project.credentials, { acts: true });
    const done = await acting.call('adjust-voucher-balance', { code: 'CARD', body: { amount: 50 } });
    expect(done).toMatchObject({ isError: false, answer: { amount: 50, balance: 550 } });
    const redeemables = [{ object: 'voucher', id: 'TEA' }];
    const cart = { body: { redeemables, order: { amount: 1_000 } } };
    expect((await acting.call('validate-redeemables', cart)).answer).toMatchObject({ valid: true });
    expect((await acting.call('disable-campaign', { campaignId: 'camp_tea' })).isError).toBe(false);
    expect((await call('get-campaign', { campaignId: 'camp_tea' })).answer).toMatchObject({ active: false });
  });

  test('sees what a return would do although it may not act, and does it once where it may', async () => {
    const { call } = await connected(project.credentials);
    const acting = await connected(project.credentials, { acts: true });
    const order = { source_id: 'order-7', items: [{ source_id: 'cup', quantity: 2, price: 500 }] };
    const redeemables = [{ object: 'voucher', id: 'PAYER', gift: { credits: 600 } }];
    const redeem = caller(redeemRedeemables, dependencies);
    expect((await redeem({ headers: project.credentials, body: { redeemables, order } })).status).toBe(200);
    const items = [{ source_id: 'cup', quantity: 1 }];
    const balance = async () => (await call('get-voucher', { code: 'PAYER' })).answer.gift.balance;
    // Half of 600 credits, and half of 400 in money. A model cannot turn the dry run off.
    const refund = { total: 500, money: 200, credits: [{ code: 'PAYER', amount: 300 }] };
    const preview = await call('preview-return', { orderId: 'order-7', body: { items, dry_run: false } });
    expect(preview).toMatchObject({ isError: false, answer: { refund } });
    expect([preview.answer.id, await balance()]).toEqual([undefined, 0]);
    await expect(call('create-return', { orderId: 'order-7', body: { items } })).rejects.toThrow('create-return');
    const body = { items, source_id: 'back-7' };
    const done = await acting.call('create-return', { orderId: 'order-7', body });
    expect(done).toMatchObject({ isError: false, answer: { source_id: 'back-7', refund } });
    expect((await acting.call('create-return', { orderId: 'order-7', body })).answer.id).toBe(done.answer.id);
    expect(await balance()).toBe(300);
  });

  test('may read only what its token may, and learns which scope it lacks', async () => {
    const { call } = await connected(await bearer('vouchers'));
    expect((await call('get-voucher', { code: 'TEA' })).isError).toBe(false);
    const refused = await call('list-customers');
    expect(refused).toMatchObject({ isError: true, answer: { key: 'insufficient_scope' } });
    expect(refused.answer.details).toContain('customers');
  });

  test('gets each refusal of the API as an answer that says what to change', async () => {
    const { call } = await connected(project.credentials);
    expect(await call('get-voucher', { code: 'NONE' })).toMatchObject({ isError: true, answer: { key: 'not_found' } });
    expect(await call('list-vouchers', { limit: 1_000 })).toMatchObject({
      isError: true,
      answer: { key: 'invalid_query_params', details: expect.stringContaining('limit') },
    });
    // An argument of a path can't reach another path.
    expect(await call('get-voucher', { code: '../campaigns' })).toMatchObject({ isError: true, answer: { code: 404 } });
  });
});

test('without credentials, of another origin, or by another method nothing is served', async () => {
  const answer = serving(false);
  const request = (init: RequestInit) => answer(new Request('https://api.shop.example/mcp', init));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  expect((await request({ method: 'POST', body, headers: json })).status).toBe(401);
  const foreign = { ...json, ...project.credentials, origin: 'https://evil.example' };
  expect((await request({ method: 'POST', body, headers: foreign })).status).toBe(403);
  expect((await request({ headers: project.credentials })).status).toBe(405);
  const broken = await request({ method: 'POST', body: '{', headers: { ...json, ...project.credentials } });
  expect(broken.status).toBe(400);
});

test('wrong credentials reach the API, which refuses each call', async () => {
  const { call } = await connected({ 'x-app-id': 'nobody', 'x-app-token': 'wrong' });
  expect(await call('list-campaigns')).toMatchObject({ isError: true, answer: { key: 'unauthorized' } });
});

/** Returns the configuration that a page shows below a heading, for this server and token. */
async function pasted(anchor: string, token: string): Promise<Pasted> {
  const page = await readFile('docs/agents.md', 'utf8');
  const [, block = ''] = /```json\n([^`]*mcpServers[^`]*)```/.exec(page.slice(page.indexOf(`id="${anchor}"`))) ?? [];
  const filled = block
    .replace('/path/to/tessera', process.cwd())
    .replace(/http:\/\/localhost:3000|https:\/\/api\.shop\.example/, server.baseUrl)
    .replace('...', token);
  return JSON.parse(filled).mcpServers.tessera;
}

interface Pasted {
  command: string;
  args: string[];
  env: Record<string, string>;
  url: string;
  headers: Headers;
}

describe('the configuration of the page, with a token that lacks a scope', () => {
  const connect = async (anchor: string) => {
    const { authorization = '' } = await bearer('vouchers');
    const { command, args, env, url, headers } = await pasted(anchor, authorization.replace('Bearer ', ''));
    const client = new Client({ name: 'test', version: '1.0.0' });
    const { PATH = '', HOME = '' } = process.env;
    await client.connect(
      url
        ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
        : new StdioClientTransport({ command, args, env: { PATH, HOME, ...env } }),
    );
    return client;
  };

  test.each(['agents-locally', 'agents-deployed'])('serves an official client: %s', async (anchor) => {
    const client = await connect(anchor);
    const { tools } = await client.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    const read = await client.callTool({ name: 'get-voucher', arguments: { code: 'TEA' } });
    expect([read.isError ?? false, JSON.stringify(read.content)]).toEqual([false, expect.stringContaining('TEA')]);
    const refused = await client.callTool({ name: 'list-customers', arguments: {} });
    expect([refused.isError, JSON.stringify(refused.content)]).toEqual([
      true,
      expect.stringContaining('insufficient_scope'),
    ]);
    await client.close();
  });
});

test('a local server serves the tools at /mcp, and npm run mcp serves them over standard input', async () => {
  const [client, overStdio] = [1, 2].map(() => new Client({ name: 'test', version: '1.0.0' }));
  const requestInit = { headers: project.credentials };
  await client?.connect(new StreamableHTTPClientTransport(new URL(`${server.baseUrl}/mcp`), { requestInit }));
  const env = {
    TESSERA_URL: server.baseUrl,
    TESSERA_APP_ID: project.credentials['x-app-id'] ?? '',
    TESSERA_APP_TOKEN: project.credentials['x-app-token'] ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
  };
  const transport = new StdioClientTransport({ command: process.execPath, args: ['infra/mcp/stdio.ts', '--act'], env });
  await overStdio?.connect(transport);
  const [read, all] = await Promise.all([client?.listTools(), overStdio?.listTools()]);
  expect(read?.tools.length).toBe(buildTools().filter(({ acts }) => acts === undefined).length);
  expect(all?.tools.length).toBe(buildTools().length);
  const answer = await overStdio?.callTool({ name: 'get-voucher', arguments: { code: 'TEA' } });
  expect(JSON.stringify(answer)).toContain('amount_off');
  await Promise.all([client?.close(), overStdio?.close()]);
});

describe('a call whose reply is lost', () => {
  const tool = (name: string) => buildTools().find((one) => one.name === name);
  /** Loses the first replies of the API. */
  const losing = (count: number): typeof fetch => {
    let left = count;
    return async (...request) => {
      const reply = await fetch(...request);
      if (left-- > 0) throw new TypeError('fetch failed');
      return reply;
    };
  };
  const adjust = async (lost: number) => {
    const api = { url: server.baseUrl, headers: project.credentials, fetch: losing(lost) };
    const found = tool('adjust-voucher-balance');
    if (!found) throw new Error('the tool is missing');
    return callTool(api, found, { code: 'SPARE', body: { amount: 10 } });
  };

  test('is sent again, and its effect happens once', async () => {
    expect((await adjust(1)).isError).toBe(false);
    const { call } = await connected(project.credentials);
    expect((await call('get-voucher', { code: 'SPARE' })).answer.gift).toMatchObject({ balance: 110 });
  });

  test('is an error that says so, if no reply comes', async () => {
    expect(await adjust(2)).toEqual({ isError: true, text: 'the API did not answer: call the tool again' });
  });
});
