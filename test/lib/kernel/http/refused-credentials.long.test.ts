import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { tokenLifeInSeconds } from '#kernel/access/tokens/token.ts';
import { cacheLifeInSeconds } from '#kernel/http/credential-cache.ts';
import { operation } from '#kernel/http/operation.ts';
import { handler as getBrand } from '../../../../functions/management/get-brand.ts';
import { handler as revoke } from '../../../../functions/oauth/revoke-token.ts';
import { handler as getVoucher } from '../../../../functions/vouchers/get-voucher.ts';
import { caller } from '../../../support/call.ts';
import { testDependencies } from '../../../support/dependencies.ts';
import { onPage, page } from '../../../support/pages.ts';
import { credentialsOf, loadFile } from '../../../support/project.ts';
import {
  type Container,
  container,
  type File,
  known,
  managed,
  newFile,
  refusals,
  switchedOff,
  switchedOffPage,
  type Way,
} from '../../../support/refusals.ts';
import { isLong } from '../../../support/sampled.ts';
import { bearer, form, issueToken } from '../../../support/tokens.ts';

const appKeyWays: Record<string, Way> = {
  'an id that nobody has': (_, file) => ({ ...credentialsOf(file), 'x-app-id': 'nobody' }),
  'a wrong token': (_, file) => ({ ...credentialsOf(file), 'x-app-token': 'wrong' }),
  "another key's token": async (_, file) => {
    const other = newFile();
    await loadFile(other);
    return { ...credentialsOf(file), 'x-app-token': credentialsOf(other)['x-app-token'] };
  },
  'a wrong token for a key that the container knows': async (container, file) => {
    await known(container, credentialsOf(file));
    return { ...credentialsOf(file), 'x-app-token': 'wrong' };
  },
  'a disabled key': async (_, file) => {
    await loadFile(switchedOff(file));
    return credentialsOf(file);
  },
  'a key that was enabled when the container last read it': async (container, file) => {
    await known(container, credentialsOf(file));
    await loadFile(switchedOff(file));
    container.clock.advance(cacheLifeInSeconds);
    return credentialsOf(file);
  },
  'a wrong token for a disabled key': async (_, file) => {
    await loadFile(switchedOff(file));
    return { ...credentialsOf(file), 'x-app-token': 'wrong' };
  },
};

const issued = ({ dependencies }: Container, file: File) => issueToken(credentialsOf(file), 'vouchers', dependencies);

const bearerWays: Record<string, Way> = {
  'a token that never existed': () => bearer('A'.repeat(43)),
  'an expired token': async (container, file) => {
    const token = await issueToken(credentialsOf(file), 'vouchers', testDependencies());
    container.clock.advance(tokenLifeInSeconds);
    return bearer(token);
  },
  'a token that has expired since the container last read it': async (container, file) => {
    const token = await issued(container, file);
    container.clock.advance(tokenLifeInSeconds - 1);
    await known(container, bearer(token));
    container.clock.advance(1);
    return bearer(token);
  },
  'a revoked token': async (container, file) => {
    const token = await issued(container, file);
    await known(container, bearer(token));
    const headers = { ...credentialsOf(file), ...form };
    await caller(revoke, container.dependencies)({ headers, body: `access_token=${token}` });
    return bearer(token);
  },
  'a token that another container has revoked': async (container, file) => {
    const token = await issued(container, file);
    await known(container, bearer(token));
    await caller(revoke)({ headers: { ...credentialsOf(file), ...form }, body: `access_token=${token}` });
    container.clock.advance(cacheLifeInSeconds);
    return bearer(token);
  },
  'a token of a disabled key': async (_, file) => {
    const token = await issueToken(credentialsOf(file), 'vouchers', testDependencies());
    await loadFile(switchedOff(file));
    return bearer(token);
  },
  'a token of a key that the container knows to be disabled': async (container, file) => {
    const token = await issueToken(credentialsOf(file), 'vouchers', testDependencies());
    await loadFile(switchedOff(file));
    expect((await container.call(bearer(token))).status).toBe(401);
    return bearer(token);
  },
};

const managementWays: Record<string, Way> = {
  'an id that nobody has': (_, file) => ({ ...managed(file), 'x-management-id': 'nobody' }),
  'a wrong token': (_, file) => ({ ...managed(file), 'x-management-token': 'wrong' }),
  'a wrong token for a key that the container knows': async (container, file) => {
    expect((await container.call(managed(file))).status).toBe(404);
    return { ...managed(file), 'x-management-token': 'wrong' };
  },
  'the id and token of an app key': (_, file) => {
    const { 'x-app-id': id, 'x-app-token': token } = credentialsOf(file);
    return { 'x-management-id': id, 'x-management-token': token };
  },
};

const clientWays: Record<string, Way> = {
  'an id that nobody has': (_, file) => ({ ...onPage(file), 'x-client-application-id': 'nobody' }),
  'a wrong token': (_, file) => ({ ...onPage(file), 'x-client-token': 'wrong' }),
  "a web page that is not one of the key's": (_, file) => ({ ...onPage(file), origin: 'https://other.example' }),
  "a web page that is not one of the key's, in a container that knows the key": async (container, file) => {
    await known(container, onPage(file));
    return { ...onPage(file), origin: `${page}.other.example` };
  },
  'a wrong token for a key that the container knows': async (container, file) => {
    await known(container, onPage(file));
    return { ...onPage(file), 'x-client-token': 'wrong' };
  },
  'a disabled key': async (_, file) => {
    await loadFile(switchedOffPage(file));
    return onPage(file);
  },
  'a key that was enabled when the container last read it': async (container, file) => {
    await known(container, onPage(file));
    await loadFile(switchedOffPage(file));
    container.clock.advance(cacheLifeInSeconds);
    return onPage(file);
  },
  'the id and token of an app key': (_, file) => {
    const { 'x-app-id': id, 'x-app-token': token } = credentialsOf(file);
    return { ...onPage(file), 'x-client-application-id': id, 'x-client-token': token };
  },
};

/** A path for web pages. */
const clientPath = operation(
  {
    route: 'GET /client/v1/echoes',
    caller: 'client',
    scope: 'client_validations',
    summary: 'Echo',
    answers: 'Nothing much.',
    reply: v.object({}),
  },
  async () => ({}),
);

const voucherContainer = () => container(getVoucher, { code: 'ONE' });
const clientContainer = () => container(clientPath, {});
const brandContainer = () => container(getBrand, { projectId: 'proj_nobodys', brandingId: 'brd_1' });

const callers: [string, Record<string, Way>, () => Container, string[]][] = [
  ['app headers', appKeyWays, voucherContainer, ['APP_KEY']],
  ['a bearer token', bearerWays, voucherContainer, ['TOKEN', 'APP_KEY']],
  ['client headers', clientWays, clientContainer, ['CLIENT_KEY']],
  ['management headers', managementWays, brandContainer, ['MANAGEMENT_KEY']],
];

/**
 * A page at a foreign origin has a right key and token, which every visitor of the shop can read. The project is read, because its trusted
 * domains may have the origin.
 */
const asksForTrustedDomains = (name: string) => name.startsWith('a web page');

describe('a refusal does not reveal the wrong part, in its words or in the work that was done:', () => {
  test.each(callers)('%s', async (_, ways, newContainer, kinds) => {
    const found = await refusals(ways, newContainer);
    const [first] = Object.values(found);
    expect(first).toMatchObject({ status: 401, sent: kinds.map((kind) => ({ name: 'GetCommand', kind })) });
    const others = Object.entries(found).filter(([name]) => !asksForTrustedDomains(name));
    expect(others).toEqual(others.map(([name]) => [name, first]));
    const { status, told } = Object(first);
    for (const one of Object.values(found)) expect(one).toMatchObject({ status, told });
  });
});

/** Reads the time that a tenth of all calls stay below. Other work of the machine slows the rest. */
const quickTenth = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] ?? 0;

/** The work shows it exactly, on any machine. Time needs many calls, and a machine without other work. */
const rounds = 200;

function timed(): void {
  test.each(callers)('%s', async (_, ways, newContainer) => {
    const parties = [];
    for (const [name, way] of Object.entries(ways)) {
      const own = newFile();
      await loadFile(own);
      const container = newContainer();
      parties.push({ name, container, headers: await way(container, own), times: [] as number[] });
    }
    for (let round = 0; round < rounds; round++) {
      for (const { container, headers, times } of parties) {
        const startedAt = performance.now();
        await container.call(headers);
        times.push(performance.now() - startedAt);
      }
    }
    const quick = parties.map(({ times }) => quickTenth(times));
    // The calls alternate, so that other work of the machine slows all alike.
    expect(Math.max(...quick) / Math.min(...quick), JSON.stringify(quick)).toBeLessThan(2);
  });
}

if (isLong) describe('a refusal does not reveal the wrong part by its time:', timed);
