import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { failureOf, listGenerators } from '../support/client-generators.ts';
import { theDocument } from '../support/openapi.ts';

/** Makes and compiles clients in five languages. A generator that no registry gives here says so, and proves nothing. */

const home = mkdtempSync(join(tmpdir(), 'clients-'));
mkdirSync(home, { recursive: true });
const document = join(home, 'openapi.json');
writeFileSync(document, JSON.stringify(theDocument()));

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('a client that compiles is made by', () => {
  test.each(listGenerators(home, document))('$name', ({ name, gets, makes, reads }) => {
    const missing = gets.map(failureOf).find((failure) => failure !== undefined);
    if (missing !== undefined) {
      process.stdout.write(`${name} was NOT tested, because it cannot be had here: ${missing}\n`);
      return;
    }
    for (const step of [...makes, ...reads]) expect([step.args, failureOf(step)]).toEqual([step.args, undefined]);
  });
});
