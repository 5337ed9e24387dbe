import { useSignal } from '@preact/signals';
import { Facts, Page, Panel } from '../components/bits.tsx';
import { RuleWords } from '../components/sentences.tsx';
import { writeDiscount, writePeriod } from '../core/benefit.ts';
import { api, dataOf } from '../core/api.ts';
import { count, minorUnits, money } from '../core/format.ts';
import { attempt } from '../core/notice.ts';
import { go, query, setQuery } from '../core/router.ts';
import { words } from '../words.ts';

const steps = ['kind', 'benefit', 'dates', 'rule', 'codes', 'review'] as const;
type Step = (typeof steps)[number];
const kinds = ['DISCOUNT_COUPONS', 'GIFT_VOUCHERS', 'PROMOTION'] as const;

const sampleCart = 10_000;
const w = words.builder;

/** Reads the draft from the address, so that a reload or a link keeps it. */
const get = (name: string, otherwise = '') => query.value.get(name) ?? otherwise;
const set = (name: string) => (value: string) => setQuery({ [name]: value }, 'replace');

function discountOf(): Record<string, unknown> {
  if (get('discount', 'PERCENT') === 'PERCENT') return { type: 'PERCENT', percent_off: Number(get('off', '10')) };
  return { type: 'AMOUNT', amount_off: minorUnits(get('off', '10')) };
}

function sampleOff(): number {
  const { type, percent_off: percent, amount_off: amount } = discountOf();
  return Math.min(sampleCart, type === 'PERCENT' ? Math.round((sampleCart * Number(percent)) / 100) : Number(amount));
}

function ruleOf(): Record<string, unknown> | undefined {
  const least = minorUnits(get('least'));
  const segment = get('segment');
  const rules = [
    ...(least > 0 ? [{ name: 'order.amount', conditions: { $more_than_or_equal: [least] } }] : []),
    ...(segment ? [{ name: 'customer.segment', conditions: { $is: [segment] } }] : []),
  ];
  if (rules.length === 0) return undefined;
  const numbered = rules.map((rule, index) => [String(index + 1), rule] as const);
  return { ...Object.fromEntries(numbered), logic: numbered.map(([number]) => number).join(' and ') };
}

const instant = (day: string) => (day ? `${day}T00:00:00.000Z` : undefined);

function campaignOf(): Record<string, unknown> {
  const kind = get('kind', kinds[0]);
  const length = Number(get('length', '8'));
  const voucher =
    kind === 'GIFT_VOUCHERS'
      ? { type: 'GIFT_VOUCHER', gift: { amount: minorUnits(get('amount', '25')) } }
      : { type: 'DISCOUNT_VOUCHER', discount: discountOf() };
  const codes = {
    voucher: { ...voucher, code_config: { prefix: get('prefix'), length }, redemption: { quantity: Number(get('uses', '1')) || null } },
    vouchers_count: Number(get('count', '100')),
  };
  return {
    name: get('name').trim(),
    campaign_type: kind,
    start_date: instant(get('start')),
    expiration_date: instant(get('end')),
    ...(kind === 'PROMOTION' ? { promotion: { tiers: [{ name: get('name'), action: { discount: discountOf() } }] } } : codes),
  };
}

/** Creates the rule first, then the campaign with its assignment. */
async function create(): Promise<string> {
  const rules = ruleOf();
  const rule = rules && (await dataOf(api.POST('/v1/validation-rules', { body: { name: get('name'), rules } as never })));
  const body = { ...campaignOf(), ...(rule ? { validation_rules: [rule.id] } : {}) };
  const { id } = (await dataOf(api.POST('/v1/campaigns', { body: body as never }))) as { id: string };
  return id;
}

function Field({ name, label, type = 'text', otherwise = '' }: { name: string; label: string; type?: 'text' | 'date' | 'number'; otherwise?: string }) {
  return (
    <label class="field">
      {label}
      <input type={type as 'text'} autocomplete="off" value={get(name, otherwise)} onChange={({ currentTarget }) => set(name)(currentTarget.value)} />
    </label>
  );
}

function Benefit() {
  if (get('kind') === 'GIFT_VOUCHERS') return <Field name="amount" label={w.amount} otherwise="25" />;
  return (
    <>
      <label class="field">
        {w.discount}
        <select value={get('discount', 'PERCENT')} onChange={({ currentTarget }) => set('discount')(currentTarget.value)}>
          <option value="PERCENT">{w.percent}</option>
          <option value="AMOUNT">{w.amount}</option>
        </select>
      </label>
      <Field name="off" label={w.off} otherwise="10" />
    </>
  );
}

function Sample() {
  const off = get('kind') === 'GIFT_VOUCHERS' ? Math.min(sampleCart, minorUnits(get('amount', '25'))) : sampleOff();
  return (
    <Panel title={w.sample}>
      <Facts
        rows={[
          [words.simulator.amount, money(sampleCart)],
          [words.today.discount, `−${money(off)}`],
          [words.simulator.total, <b key="total">{money(sampleCart - off)}</b>],
        ]}
      />
    </Panel>
  );
}

function Review() {
  const isPromotion = get('kind') === 'PROMOTION';
  const isGift = get('kind') === 'GIFT_VOUCHERS';
  return (
    <Facts
      rows={[
        [words.name, get('name') || w.noName],
        [words.kind, w.kinds[get('kind', kinds[0]) as (typeof kinds)[number]][0]],
        [words.vouchers.gives, isGift ? money(minorUnits(get('amount', '25'))) : writeDiscount(discountOf())],
        [words.dates, writePeriod(instant(get('start')), instant(get('end')))],
        !isPromotion && [words.codes, count(Number(get('count', '100')))],
        !isPromotion && [words.uses, get('uses', '1') === '0' ? words.unlimited : get('uses', '1')],
      ]}
    />
  );
}

function StepFields({ step }: { step: Step }) {
  const rule = ruleOf();
  if (step === 'kind')
    return (
      <>
        <Field name="name" label={words.name} />
        <div class="kinds">
          {kinds.map((kind) => (
            <button key={kind} type="button" aria-pressed={get('kind', kinds[0]) === kind} onClick={() => set('kind')(kind)}>
              <b>{w.kinds[kind][0]}</b>
              <small>{w.kinds[kind][1]}</small>
            </button>
          ))}
        </div>
      </>
    );
  if (step === 'benefit') return <Benefit />;
  if (step === 'dates')
    return (
      <>
        <Field name="start" label={w.start} type="date" />
        <Field name="end" label={w.end} type="date" />
      </>
    );
  if (step === 'rule')
    return (
      <>
        <Field name="least" label={w.least} />
        <Field name="segment" label={w.segment} />
        {rule ? <RuleWords rules={rule} /> : <small>{w.noRule}</small>}
      </>
    );
  if (step === 'review') return <Review />;
  if (get('kind') === 'PROMOTION') return <small>{w.noCodes}</small>;
  return (
    <>
      <Field name="count" label={w.count} type="number" otherwise="100" />
      <Field name="prefix" label={w.prefix} />
      <Field name="length" label={w.length} type="number" otherwise="8" />
      <Field name="uses" label={w.uses} type="number" otherwise="1" />
    </>
  );
}

/** Makes a campaign in steps. Each step is an address. */
export function Builder() {
  const isBusy = useSignal(false);
  const step = steps.find((one) => one === get('step')) ?? 'kind';
  const at = steps.indexOf(step);
  const finish = async () => {
    isBusy.value = true;
    let id = '';
    const isDone = await attempt(w.made, async () => {
      id = await create();
    });
    isBusy.value = false;
    if (isDone) go(`/campaigns/${id}`);
  };
  return (
    <Page title={words.campaigns.create} sub={w.sub}>
      <ol class="steps">
        {steps.map((one) => (
          <li key={one}>
            <button type="button" aria-current={one === step ? 'step' : undefined} onClick={() => setQuery({ step: one })}>
              {w.steps[one]}
            </button>
          </li>
        ))}
      </ol>
      <div class="columns lead">
        <Panel title={w.steps[step]}>
          <div class="fields">
            <StepFields step={step} />
            <div class="actions">
              {at > 0 && (
                <button type="button" onClick={() => setQuery({ step: steps[at - 1] })}>
                  {words.back}
                </button>
              )}
              {step === 'review' ? (
                <button type="button" class="main" disabled={isBusy.value || !get('name').trim()} onClick={finish}>
                  {words.campaigns.create}
                </button>
              ) : (
                <button type="button" class="main" onClick={() => setQuery({ step: steps[at + 1] })}>
                  {words.next}
                </button>
              )}
            </div>
          </div>
        </Panel>
        <Sample />
      </div>
    </Page>
  );
}
