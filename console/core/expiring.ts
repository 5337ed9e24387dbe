import { api, dataOf, type ParamsOf } from './api.ts';
import { type Expiring, sumByMonth } from './months.ts';

/** Each card costs a call, so a programme with more cards has a file instead. */
const mostCards = 25;

/** Reads when the points of a programme expire. Undefined if it has too many cards. */
export async function readExpiring(campaignId: string): Promise<Expiring | undefined> {
  const params: ParamsOf<'list-members'> = { path: { campaignId }, query: { limit: mostCards } };
  const { vouchers, total } = await dataOf(api.GET('/v1/loyalties/{campaignId}/members', { params }));
  if (total > mostCards) return undefined;
  const buckets = await Promise.all(
    vouchers.map(async ({ code }) => {
      const { data } = await dataOf(
        api.GET('/v1/loyalties/{campaignId}/members/{memberId}/points-expiration', {
          params: { path: { campaignId, memberId: code }, query: { limit: 100 } },
        }),
      );
      return data.map(({ bucket, expires_at: expires }) => ({ points: bucket.total_points, expires }));
    }),
  );
  return sumByMonth(buckets.flat());
}
