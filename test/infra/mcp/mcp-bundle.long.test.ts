import { expect, test } from 'vitest';
import { sharedBundle } from '../../support/bundles.ts';

const maxGzipBytes = 150_000;

test(`the function of the tools has at most ${maxGzipBytes} bytes, gzipped`, async () => {
  const { gzipBytes } = await sharedBundle('mcp');
  expect(gzipBytes).toBeLessThanOrEqual(maxGzipBytes);
});
