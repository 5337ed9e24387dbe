import { useSignal } from '@preact/signals';
import { Facts, Page, Panel } from '../components/bits.tsx';
import { type Choice, discountChoices, Field } from '../components/field.tsx';
import { RuleWords } from '../components/sentences.tsx';
import { writeDiscount, writePeriod } from '../core/benefit.ts';
import { count, minorUnits, money } from '../core/format.ts';
import { attempt } from '../core/notice.ts';
import { go, setQuery } from '../core/router.ts';
import { words } from '../words.ts';
import { SegmentField } from './builder-segment.tsx';
import {
  create,
  discountOf,
  endOf,
  get,
  instant,
  isThreeForTwo,
  kindOf,
  kinds,
  ruleOf,
  sampleCart,
  sampleOff,
  set,
  threeForTwo,
} from './draft.ts';

const w = words.builder;

const steps = ['kind', 'benefit', 'dates', 'rule', 'codes', 'review'] as const;
type Step = (typeof steps)[number];

interface DraftFieldProps {
  readonly name: string;
  readonly label: string;
  readonly type?: 'date' | 'count';
  readonly otherwise?: string;
  readonly choices?: readonly Choice[];
}

/** Asks for a part of the draft, which the address keeps. */
function DraftField({ name, otherwise = '', ...props }: DraftFieldProps) {
  // A change at the end of typing would move the buttons away from the click that ends it.
  return <Field {...props} min={0} value={get(name, otherwise)} change={set(name)} isHeard isOptional />;
}

function Benefit() {
  if (get('kind') === 'GIFT_VOUCHERS') return <DraftField name="amount" label={w.amount} otherwise="25" />;
  return (
    <>
      <DraftField
        name="discount"
        label={w.discount}
        otherwise="PERCENT"
        choices={[...discountChoices, [threeForTwo, w.threeForTwo]]}
      />
      {isThreeForTwo() ? <small>{w.threeForTwoHint}</small> : <DraftField name="off" label={w.off} otherwise="10" />}
    </>
  );
}

function Sample() {
  const off = get('kind') === 'GIFT_VOUCHERS' ? Math.min(sampleCart(), minorUnits(get('amount', '25'))) : sampleOff();
  return (
    <Panel title={w.sample}>
      <Facts
        rows={[
          [words.simulator.amount, money(sampleCart())],
          [words.today.discount, `−${money(off)}`],
          [words.simulator.total, <b key="total">{money(sampleCart() - off)}</b>],
        ]}
      />
    </Panel>
  );
}

function Review() {
  const isPromotion = get('kind') === 'PROMOTION';
  const isGift = get('kind') === 'GIFT_VOUCHERS';
  const rule = ruleOf();
  const gives = isThreeForTwo() ? w.threeForTwo : writeDiscount(discountOf());
  return (
    <Facts
      rows={[
        [words.name, get('name') || w.noName],
        [words.kind, w.kinds[kindOf()][0]],
        [words.vouchers.gives, isGift ? money(minorUnits(get('amount', '25'))) : gives],
        [words.dates, writePeriod(instant(get('start')), endOf(get('end')))],
        !isPromotion && [words.codes, count(Number(get('count', '100')))],
        !isPromotion && [words.uses, get('uses', '1') === '0' ? words.unlimited : get('uses', '1')],
        [w.steps.rule, rule ? <RuleWords key="rule" rules={rule} /> : w.noRule],
      ]}
    />
  );
}

function StepFields({ step }: { step: Step }) {
  const rule = ruleOf();
  if (step === 'kind')
    return (
      <>
        <DraftField name="name" label={words.name} />
        <div class="kinds">
          {kinds.map((kind) => (
            <button
              key={kind}
              type="button"
              aria-pressed={get('kind', kinds[0]) === kind}
              onClick={() => set('kind')(kind)}
            >
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
        <DraftField name="start" label={w.start} type="date" />
        <DraftField name="end" label={w.end} type="date" />
        <small>{w.datesHint}</small>
      </>
    );
  if (step === 'rule')
    return (
      <>
        <DraftField name="least" label={w.least} />
        <SegmentField />
        {rule ? <RuleWords rules={rule} /> : <small>{w.noRule}</small>}
      </>
    );
  if (step === 'review') return <Review />;
  if (get('kind') === 'PROMOTION') return <small>{w.noCodes}</small>;
  return (
    <>
      <DraftField name="count" label={w.count} type="count" otherwise="100" />
      <DraftField name="prefix" label={w.prefix} />
      <DraftField name="length" label={w.length} type="count" otherwise="8" />
      <DraftField name="uses" label={w.uses} type="count" otherwise="1" />
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
            <button
              type="button"
              aria-current={one === step ? 'step' : undefined}
              onClick={() => setQuery({ step: one })}
            >
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
