import * as v from 'valibot';
import { form, read } from './calls.ts';
import { below } from './dice.ts';
import { fresh } from './fresh.ts';
import { Kept } from './kept.ts';
import type { Call } from './round.ts';
import { coupon, coupons } from './shop.ts';

const tokenReply = v.pipe(v.string(), v.parseJson(), v.object({ access_token: v.string() }));
const activeReply = v.pipe(v.string(), v.parseJson(), v.object({ active: v.boolean() }));

/** Makes calls about bearer tokens. Lasting tokens are used and introspected; the others are revoked. */
export class TokenCalls {
  readonly #tokens = new Kept<string>();
  readonly #toRevoke = new Kept<string>();
  readonly #revoked = new Kept<string>();

  issue(): Call {
    const fields = { grant_type: 'client_credentials', scope: 'vouchers loyalties' };
    return form('issue-token', '/v1/oauth/token', fields, (body) => {
      const { access_token } = v.parse(tokenReply, body);
      (below(3) === 0 ? this.#toRevoke : this.#tokens).add(access_token);
      return undefined;
    });
  }

  byBearer(): Call {
    const token = this.#tokens.any();
    if (!token) return this.issue();
    const call = read('get-voucher by bearer', `/v1/vouchers/${coupon(below(coupons))}`);
    return { ...call, headers: { Authorization: `Bearer ${token}` } };
  }

  introspection(): Call {
    const isRevoked = below(4) === 0;
    const token = isRevoked ? (this.#revoked.any() ?? fresh()) : this.#tokens.any();
    if (token === undefined) return this.issue();
    return form('introspect-token', '/v1/oauth/introspect', { access_token: token }, (body) =>
      v.parse(activeReply, body).active === isRevoked
        ? `introspection shows a token in the wrong state: ${body}`
        : undefined,
    );
  }

  revocation(): Call {
    const token = this.#toRevoke.take();
    if (token === undefined) return this.issue();
    const call = form('revoke-token', '/v1/oauth/token/revoke', { access_token: token }, () => {
      this.#revoked.add(token);
      return undefined;
    });
    return { ...call, status: 204 };
  }
}
