import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Waiting } from '../components/bits.tsx';
import { DialogButton } from '../components/dialog.tsx';
import { type Choice, Field } from '../components/field.tsx';
import { FurtherEffects, ReturnedUnits, WhereBack } from '../components/return-parts.tsx';
import { api, dataOf, Refusal } from '../core/api.ts';
import { count, minorUnits, money } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { attempt } from '../core/notice.ts';
import {
  type AskedReturn,
  askForAll,
  listLines,
  type OrderStory,
  previewReturn,
  type ReturnDone,
} from '../core/order-story.ts';
import { go } from '../core/router.ts';
import { words } from '../words.ts';

const w = words.returns;

type Options = NonNullable<AskedReturn['options']>;
type Units = Readonly<Record<string, number>>;

interface Draft {
  readonly units: Units;
  /** Is the typed amount of an order without lines. */
  readonly amount: string;
  readonly options: Options;
  readonly reason: string;
  readonly sourceId: string;
}

const nothing: Draft = { units: {}, amount: '', options: {}, reason: '', sourceId: '' };

/** Returns the request, or `undefined` while nothing is chosen. */
function toAsked({ units, amount, options, reason }: Draft): AskedReturn | undefined {
  const items = Object.entries(units).flatMap(([id, quantity]) => (quantity > 0 ? [{ id, quantity }] : []));
  const value = minorUnits(amount);
  if (items.length === 0 && value === 0) return undefined;
  return { ...(items.length > 0 ? { items } : { amount: value }), options, reason: reason || undefined };
}

interface PartProps {
  readonly of: OrderStory;
  readonly draft: Draft;
  readonly set: (changes: Partial<Draft>) => void;
}

function ChooseUnits({ of, draft, set }: PartProps) {
  if (of.order.items.length === 0)
    return <Field label={w.amountBack} type="amount" value={draft.amount} change={(amount) => set({ amount })} />;
  return (
    <ul class="cart">
      {listLines(of).map(({ id, name, quantity, returned }) => {
        const left = quantity - returned;
        const title = name || w.rest;
        const change = (value: number) =>
          set({ units: { ...draft.units, [id]: Math.min(left, Math.max(0, Math.trunc(value) || 0)) } });
        return (
          <li key={id}>
            <span>{title}</span>
            <input
              type="number"
              min={0}
              max={left}
              disabled={left === 0}
              aria-label={w.unitsOf(title)}
              value={draft.units[id] ?? 0}
              onChange={({ currentTarget }) => change(Number(currentTarget.value))}
            />
            <small>{w.ofLeft(count(left))}</small>
          </li>
        );
      })}
    </ul>
  );
}

const chosen = <Word extends string>(choices: readonly (readonly [Word, string])[], text: string) =>
  choices.find(([word]) => word === text)?.[0];

function ChooseOptions({ draft, set }: PartProps) {
  const { options } = draft;
  const put = (changes: Options) => set({ options: { ...options, ...changes } });
  const asChoices = (choices: readonly Choice[]) => [...choices];
  return (
    <>
      <Field
        label={w.refundTo}
        choices={asChoices(w.refundToChoices)}
        value={options.refund_to ?? 'PROPORTIONAL'}
        change={(text) => put({ refund_to: chosen(w.refundToChoices, text) })}
      />
      <Field
        label={w.keptLines}
        choices={asChoices(w.keptLinesChoices)}
        value={options.kept_lines ?? 'KEEP'}
        change={(text) => put({ kept_lines: chosen(w.keptLinesChoices, text) })}
      />
      <details>
        <summary>{w.more}</summary>
        <div class="fields">
          <Field
            label={w.earnedPointsChoice}
            choices={asChoices(w.earnedChoices)}
            value={options.earned_points ?? 'TAKE_BACK'}
            change={(text) => put({ earned_points: chosen(w.earnedChoices, text) })}
          />
          <Field
            label={w.usesChoice}
            choices={asChoices(w.usesChoices)}
            value={options.uses ?? 'RETURN'}
            change={(text) => put({ uses: chosen(w.usesChoices, text) })}
          />
          <Field
            label={w.ownId}
            hint={w.ownIdHint}
            value={draft.sourceId}
            change={(sourceId) => set({ sourceId: sourceId.trim() })}
            isOptional
          />
        </div>
      </details>
      <Field
        label={words.vouchers.reason}
        value={draft.reason}
        change={(reason) => set({ reason: reason.trim() })}
        isOptional
      />
    </>
  );
}

function Preview({ of, done }: { of: OrderStory; done: ReturnDone }) {
  return (
    <>
      <ReturnedUnits of={done} order={of.order} />
      <h3>{w.where}</h3>
      <WhereBack of={done} />
      <h3>{w.besides}</h3>
      <FurtherEffects of={done} parts={of.parts} />
      {done.order.status === 'CANCELED' && <p class="told">{w.becomesCanceled}</p>}
    </>
  );
}

function ReturnForm({ of, changed, close }: { of: OrderStory; changed: () => void; close: () => void }) {
  const orderId = of.order.id;
  const draft = useSignal(nothing);
  // A second click sends the same id, so the units return once.
  const ownId = useRef(`console-${crypto.randomUUID()}`);
  const set = (changes: Partial<Draft>) => {
    draft.value = { ...draft.value, ...changes };
  };
  const asked = toAsked(draft.value);
  const preview = useLoad(`${of.returns.length} ${JSON.stringify(asked)}`, async () =>
    asked ? { done: await previewReturn(orderId, asked) } : {},
  );
  const all = askForAll(of)?.items ?? [];
  const done = asked && preview.data?.done;
  const act = async () => {
    if (!asked) return;
    const body: AskedReturn = { ...asked, source_id: draft.value.sourceId || ownId.current };
    const params = { path: { orderId } };
    let made: ReturnDone | undefined;
    const post = () => dataOf(api.POST('/v1/orders/{orderId}/returns', { params, body }));
    const send = async () => {
      // A lost reply leaves open whether the units returned. The same id answers the first return.
      made = await post().catch((error: unknown) => {
        if (error instanceof Refusal) throw error;
        return post();
      });
    };
    const isDone = await attempt(w.isDone(money(done?.refund.total)), send);
    changed();
    if (!isDone || !made?.id) return;
    close();
    go(`/orders/${encodeURIComponent(orderId)}/returns/${made.id}`);
  };
  return (
    <div class="beside">
      <div class="fields">
        <ChooseUnits of={of} draft={draft.value} set={set} />
        {of.order.items.length > 0 && (
          <div class="inline">
            <button
              type="button"
              onClick={() => set({ units: Object.fromEntries(all.map(({ id, quantity }) => [id, Number(quantity)])) })}
            >
              {w.everything}
            </button>
          </div>
        )}
        <ChooseOptions of={of} draft={draft.value} set={set} />
      </div>
      <div class="fields">
        <section class="preview" aria-live="polite" aria-label={w.would}>
          <h3>{w.would}</h3>
          {!asked && <p>{w.choose}</p>}
          {asked && preview.isLoading && !done && <Waiting />}
          {asked && preview.refusal && (
            <p class="fault" role="alert">
              {preview.refusal.details || preview.refusal.message}
            </p>
          )}
          {done && <Preview of={of} done={done} />}
        </section>
        <div class="actions">
          <button type="button" class="main" disabled={!done || preview.isLoading} onClick={act}>
            {done ? w.actOf(money(done.refund.total)) : w.act}
          </button>
        </div>
      </div>
    </div>
  );
}

/** Chooses the returned units, shows the planned refunds, and makes the return. An order of which nothing is left has no button. */
export function ReturnButton({ of, changed }: { of: OrderStory; changed: () => void }) {
  if (!askForAll(of)) return null;
  return (
    <DialogButton label={w.act} title={w.dialog} isMain>
      {(close, isOpen) => (isOpen ? <ReturnForm of={of} changed={changed} close={close} /> : null)}
    </DialogButton>
  );
}
