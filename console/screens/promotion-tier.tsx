import { Page, Ready } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { Form } from '../components/form.tsx';
import { api, dataOf } from '../core/api.ts';
import { isOn, writeDiscount } from '../core/benefit.ts';
import { money } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import { path } from '../core/router.ts';
import { words } from '../words.ts';
import { RulesOf } from './campaign.tsx';

/** Shows a promotion tier with its figures and rules. */
export function TierView({ id, changed }: { id: string; changed: () => void }) {
  const params = { path: { promotionTierId: id } };
  const loaded = useLoad(id, () => dataOf(api.GET('/v1/promotions/tiers/{promotionTierId}', { params })));
  const reload = () => {
    loaded.reload();
    changed();
  };
  const enable = () => dataOf(api.POST('/v1/promotions/tiers/{promotionTierId}/enable', { params }));
  const disable = () => dataOf(api.POST('/v1/promotions/tiers/{promotionTierId}/disable', { params }));
  return (
    <Ready of={loaded} isWhole>
      {(tier) => (
        <Page
          title={tier.name}
          sub={tier.banner ?? undefined}
          actions={
            <>
              <button
                type="button"
                onClick={async () => {
                  const [act, back] = isOn(tier.active) ? [disable, enable] : [enable, disable];
                  await attempt(isOn(tier.active) ? words.switchedOff : words.switchedOn, act, () =>
                    attempt(words.undone, back).then(reload),
                  );
                  reload();
                }}
              >
                {isOn(tier.active) ? words.switchOff : words.switchOn}
              </button>
              <DialogButton label={words.edit}>
                {(close) => (
                  <Form
                    of="update-promotion-tier"
                    fields={['name', 'banner', 'hierarchy', 'start_date', 'expiration_date', 'metadata']}
                    initial={tier}
                    send={(body) => dataOf(api.PUT('/v1/promotions/tiers/{promotionTierId}', { params, body }))}
                    done={() => {
                      close();
                      reload();
                    }}
                  />
                )}
              </DialogButton>
            </>
          }
        >
          <div class="figures">
            <div class="figure">
              <span class="label">{words.vouchers.gives}</span>
              <strong>{writeDiscount(tier.action?.discount)}</strong>
            </div>
            <div class="figure">
              <span class="label">{words.today.discount}</span>
              <strong>{money(tier.summary.orders.total_discount_amount)}</strong>
            </div>
          </div>
          <RulesOf id={id} />
          <p>
            <a href={`${path('simulator')}?codes=${id}`}>{words.vouchers.tryOnCart}</a>
          </p>
        </Page>
      )}
    </Ready>
  );
}
