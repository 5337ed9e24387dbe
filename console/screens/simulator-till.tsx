import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Badge } from '../components/bits.tsx';
import { api, dataOf, type Schemas } from '../core/api.ts';
import { attempt } from '../core/notice.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';
import { readRequest } from './simulator-request.ts';

interface Done {
  readonly redemptions: readonly { readonly id: string }[];
  readonly parent: string | undefined;
}

/** Locks, redeems and rolls back what the address describes. */
export function Till({ validation, changed }: { validation: Schemas['Validation']; changed: () => void }) {
  const done = useSignal<Done | undefined>(undefined);
  const request = readRequest();
  const shape = JSON.stringify(request);
  useEffect(() => {
    done.value = undefined;
  }, [shape]);
  const lock = () => {
    const key = `console-${Date.now()}`;
    const unlock = () =>
      Promise.all(
        request.redeemables
          .filter(({ object }) => object === 'voucher')
          .map(({ id: code }) =>
            dataOf(
              api.DELETE('/v1/vouchers/{code}/sessions/{sessionKey}', { params: { path: { code, sessionKey: key } } }),
            ),
          ),
      );
    return attempt(
      words.simulator.locked,
      () =>
        dataOf(
          api.POST('/v1/validations', {
            body: { ...request, session: { type: 'LOCK', key, ttl: 10, ttl_unit: 'MINUTES' } },
          }),
        ),
      () => attempt(words.undone, unlock).then(changed),
    );
  };
  const redeem = () =>
    attempt(words.simulator.redeemed, async () => {
      const { redemptions, parent_redemption: parent } = await dataOf(api.POST('/v1/redemptions', { body: request }));
      done.value = { redemptions, parent: parent?.id };
    });
  const rollBack = (id: string, isParent: boolean) =>
    attempt(words.simulator.rolledBack, async () => {
      const params = { path: { redemptionId: id } };
      if (isParent) await dataOf(api.POST('/v1/redemptions/{redemptionId}/rollbacks', { params, body: {} }));
      else await dataOf(api.POST('/v1/redemptions/{redemptionId}/rollback', { params, body: {} }));
      done.value = undefined;
      changed();
    });
  if (done.value) {
    const { redemptions, parent } = done.value;
    const id = parent ?? redemptions[0]?.id ?? '';
    return (
      <div class="actions">
        <Badge tone="good">{words.simulator.redeemed}</Badge>
        {redemptions.map((one) => (
          <a key={one.id} href={`${path('redemptions')}?open=${one.id}`}>
            {words.simulator.redemption}
          </a>
        ))}
        <button type="button" onClick={() => rollBack(id, parent !== undefined)}>
          {words.simulator.rollBack}
        </button>
      </div>
    );
  }
  return (
    <div class="actions">
      <button type="button" class="main" disabled={!validation.valid} onClick={redeem}>
        {words.simulator.redeem}
      </button>
      <button type="button" disabled={!validation.valid} onClick={lock}>
        {words.simulator.lock}
      </button>
    </div>
  );
}
