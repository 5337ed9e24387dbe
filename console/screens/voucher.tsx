import { Code, type Fact, Facts, Metadata, Page, Panel, Ready, Switch } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { type FieldOf, Form } from '../components/form.tsx';
import { CustomerName } from '../components/person.tsx';
import { api, dataOf, type Schemas } from '../core/api.ts';
import { isOn, writeBenefit, writeKind, writePeriod } from '../core/benefit.ts';
import { count, time } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { actSoon, attempt } from '../core/notice.ts';
import { address, go, path } from '../core/router.ts';
import type { ScreenProps } from '../core/screen.ts';
import { words } from '../words.ts';
import { PublishVoucher } from './publish-voucher.tsx';
import { Verdict } from './verdict.tsx';
import { Balance, Ledger, Uses } from './voucher-parts.tsx';

type Voucher = Schemas['Voucher'];

const editable: readonly FieldOf<'update-voucher'>[] = [
  'active',
  'start_date',
  'expiration_date',
  'discount.percent_off',
  'discount.amount_off',
  'additional_info',
  'metadata',
];

function Actions({ voucher, changed }: { voucher: Voucher; changed: () => void }) {
  const params = { path: { code: voucher.code } };
  const enable = () => dataOf(api.POST('/v1/vouchers/{code}/enable', { params }));
  const disable = () => dataOf(api.POST('/v1/vouchers/{code}/disable', { params }));
  const flip = async () => {
    const [act, back] = isOn(voucher.active) ? [disable, enable] : [enable, disable];
    await attempt(isOn(voucher.active) ? words.switchedOff : words.switchedOn, act, () =>
      attempt(words.undone, back).then(changed),
    );
    changed();
  };
  return (
    <>
      <button type="button" onClick={flip}>
        {isOn(voucher.active) ? words.switchOff : words.switchOn}
      </button>
      <PublishVoucher code={voucher.code} changed={changed} />
      <DialogButton label={words.edit}>
        {(close) => (
          <Form
            of="update-voucher"
            fields={editable}
            initial={voucher}
            send={(body) => dataOf(api.PUT('/v1/vouchers/{code}', { params, body }))}
            done={() => {
              close();
              changed();
            }}
          />
        )}
      </DialogButton>
      <button
        type="button"
        onClick={() =>
          actSoon(
            words.deleted(voucher.code),
            () => dataOf(api.DELETE('/v1/vouchers/{code}', { params })),
            () => (address.value.pathname.endsWith(encodeURIComponent(voucher.code)) ? go('/vouchers') : changed()),
          )
        }
      >
        {words.delete}
      </button>
    </>
  );
}

/** Shows everything about a code: whether it works now, its holder, its balance and its uses. */
export function VoucherView({ code, changed }: { code: string; changed?: () => void }) {
  const loaded = useLoad(code, () => dataOf(api.GET('/v1/vouchers/{code}', { params: { path: { code } } })));
  const reload = () => {
    loaded.reload();
    changed?.();
  };
  return (
    <Ready of={loaded} isWhole>
      {(voucher) => (
        <Page
          title={<Code large>{voucher.code}</Code>}
          sub={`${writeKind(voucher.type)} · ${writeBenefit(voucher)}`}
          actions={<Actions voucher={voucher} changed={reload} />}
        >
          <div class="columns">
            <div class="stack">
              <Verdict voucher={voucher} />
              {(voucher.gift || voucher.loyalty_card) && <Balance voucher={voucher} changed={reload} />}
              <Ledger code={voucher.code} isGift={Boolean(voucher.gift)} version={JSON.stringify(voucher)} />
              <Uses code={voucher.code} />
            </div>
            <div class="stack">
              <Panel title={words.details}>
                <Facts rows={factsOf(voucher)} />
              </Panel>
              <Metadata of={voucher.metadata} />
            </div>
          </div>
        </Page>
      )}
    </Ready>
  );
}

function factsOf(voucher: Voucher): (Fact | false)[] {
  const { campaign, campaign_id: campaignId, holder_id: holder, redemption, loyalty_card: card } = voucher;
  return [
    [words.state, <Switch key="state" active={voucher.active} />],
    Boolean(campaignId) && [
      words.campaign,
      <a key="campaign" href={path('campaigns', campaignId ?? '')}>
        {campaign}
      </a>,
    ],
    Boolean(holder) && [words.holder, <CustomerName key="holder" id={holder ?? ''} />],
    [words.dates, writePeriod(voucher.start_date, voucher.expiration_date)],
    [
      words.uses,
      `${count(redemption?.redeemed_quantity)} / ${redemption?.quantity ? count(redemption.quantity) : words.unlimited}`,
    ],
    Boolean(card?.next_expiration_date) && [
      words.vouchers.nextExpiry,
      `${count(card?.next_expiration_points)} · ${card?.next_expiration_date}`,
    ],
    Boolean(card?.pending_points) && [words.vouchers.pending, count(card?.pending_points)],
    [words.vouchers.note, voucher.additional_info],
    [words.created, time(voucher.created_at)],
    [words.id, <Code key="id">{voucher.id}</Code>],
  ];
}

export function VoucherPage({ params }: ScreenProps) {
  return <VoucherView code={params.code ?? ''} />;
}
