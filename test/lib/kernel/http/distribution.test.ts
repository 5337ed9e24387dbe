import { expect, test } from 'vitest';
import { compose } from '#kernel/http/composition.ts';
import { distributionHeaders, readDistributionHeaders } from '#kernel/http/distribution.ts';

const proof = 'p'.repeat(40);
const said = { [distributionHeaders.viewer]: '203.0.113.5', [distributionHeaders.host]: 'api.shop.example' };

test("a call through the distribution is trusted for the caller's address and the host name", () => {
  const headers = { ...said, [distributionHeaders.proof]: proof };
  expect(readDistributionHeaders({ headers }, proof)).toEqual({ viewer: '203.0.113.5', host: 'api.shop.example' });
});

test.each([undefined, '', 'q'.repeat(40), proof.slice(1), `${proof}p`])(
  'a call around the distribution is not trusted, with the proof %j',
  (sent) => {
    const headers = sent === undefined ? said : { ...said, [distributionHeaders.proof]: sent };
    expect(readDistributionHeaders({ headers }, proof)).toBeUndefined();
  },
);

test('without a distribution no call is trusted, whatever it sends', () => {
  expect(readDistributionHeaders({ headers: { ...said, [distributionHeaders.proof]: '' } }, undefined)).toBeUndefined();
  expect(compose({ TABLE_NAME: 'tessera-test' }).distributionProof).toBeUndefined();
  expect(() => compose({ TABLE_NAME: 'tessera-test', DISTRIBUTION_PROOF: 'short' })).toThrow('DISTRIBUTION_PROOF');
});
