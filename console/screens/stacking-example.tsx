import { Badge, Panel } from '../components/bits.tsx';
import { count, minorUnits, money, ofMajor, plainMoney } from '../core/format.ts';
import { calculateExample, type ExampleRules, type Part, type PartOutcome } from '../core/stacking.ts';
import { words } from '../words.ts';
import { type Category, readParts, setParts } from './stacking-draft.ts';

const w = words.stacking;

const exampleAmount = () => ofMajor(100);
const mostParts = 8;

interface PartRowProps {
  readonly part: Part;
  readonly place: number;
  readonly categories: readonly Category[];
  readonly change: (next: Part) => void;
  readonly remove: () => void;
}

/** Reads a value in the unit of its kind: whole percent, or minor units. */
function readValue(kind: Part['kind'], text: string): number {
  return kind === 'percent' ? Math.min(100, Math.max(0, Math.round(Number(text)) || 0)) : Math.max(0, minorUnits(text));
}

function PartRow({ part, place, categories, change, remove }: PartRowProps) {
  const isPercent = part.kind === 'percent';
  return (
    <div class="condition">
      <select
        aria-label={w.category(place)}
        value={part.category}
        onChange={({ currentTarget }) => change({ ...part, category: currentTarget.value })}
      >
        <option value="">{w.noCategory}</option>
        {categories.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <select
        aria-label={w.kind(place)}
        value={part.kind}
        onChange={({ currentTarget }) =>
          change(
            currentTarget.value === 'percent'
              ? { ...part, kind: 'percent', value: 10 }
              : { ...part, kind: 'amount', value: ofMajor(10) },
          )
        }
      >
        <option value="percent">{words.builder.percent}</option>
        <option value="amount">{words.builder.amount}</option>
      </select>
      <input
        aria-label={w.value(place)}
        inputMode="decimal"
        autocomplete="off"
        value={isPercent ? part.value : plainMoney(part.value)}
        onChange={({ currentTarget }) => change({ ...part, value: readValue(part.kind, currentTarget.value) })}
      />
      <label class="inline">
        <input
          type="checkbox"
          aria-label={w.refuse(place)}
          checked={part.isRefused}
          onChange={({ currentTarget }) => change({ ...part, isRefused: currentTarget.checked })}
        />
        {w.isRefused}
      </label>
      <button type="button" class="close" aria-label={words.remove(w.part(place))} onClick={remove}>
        ×
      </button>
    </div>
  );
}

function Outcome({ outcome, name }: { outcome: PartOutcome; name: string }) {
  const { part, off, reason } = outcome;
  const gives = part.kind === 'percent' ? `${count(part.value)} %` : money(part.value);
  return (
    <li>
      <span class="grow">
        <b>{words.benefit.off(gives)}</b> <small>{reason ? w.reasons[reason] : name}</small>
      </span>
      {reason ? <Badge tone={reason === 'refused' ? 'bad' : 'warm'}>{w.leftOut}</Badge> : <b>−{money(off)}</b>}
    </li>
  );
}

interface ExampleProps {
  readonly rules: ExampleRules;
  readonly categories: readonly Category[];
}

/** Calculates the example, and says whether the whole request is refused. */
function judgeExample({ rules, categories }: ExampleProps) {
  const parts = readParts(categories);
  const known = (id: string) => categories.find((one) => one.id === id);
  const outcomes = calculateExample(
    { amount: exampleAmount(), parts, hierarchyOf: (id) => known(id)?.hierarchy ?? 1 },
    rules,
  );
  const off = outcomes.reduce((sum, one) => sum + one.off, 0);
  const isTooMany = parts.length > rules.redeemables_limit;
  const hasFailed = rules.redeemables_application_mode === 'ALL' && outcomes.some(({ reason }) => reason === 'refused');
  const said = isTooMany ? w.tooMany(count(rules.redeemables_limit)) : hasFailed ? w.allOrNone : w.pays;
  const isRefused = isTooMany || hasFailed;
  const sum = isRefused ? undefined : w.sum(money(off), money(exampleAmount() - off));
  const nameOf = ({ category }: Part) => known(category)?.name ?? w.noCategory;
  return { parts, outcomes, isTooMany, isRefused, said, sum, nameOf };
}

/** Shows the outcome of the example at the lower edge of a narrow screen, where the example is far below the rules. */
export function ExampleGlance(props: ExampleProps) {
  const { isRefused, said, sum } = judgeExample(props);
  return (
    <a class={isRefused ? 'glance no' : 'glance'} href="#example">
      <b>{w.example}</b> {said} {sum}
    </a>
  );
}

/** Shows what a cart with some redeemables gets by the rules of the draft. */
export function StackingExample(props: ExampleProps) {
  const { categories } = props;
  const { parts, outcomes, isTooMany, isRefused, said, sum, nameOf } = judgeExample(props);
  return (
    <Panel title={w.example}>
      <p id="example">{w.exampleHint(money(exampleAmount()))}</p>
      <fieldset class="conditions">
        <legend>{w.parts}</legend>
        {parts.map((part, index) => (
          <PartRow
            key={index}
            part={part}
            place={index + 1}
            categories={categories}
            change={(next) => setParts(parts.with(index, next))}
            remove={() => setParts(parts.toSpliced(index, 1))}
          />
        ))}
        <div>
          <button
            type="button"
            disabled={parts.length >= mostParts}
            onClick={() => setParts([...parts, { category: '', kind: 'percent', value: 10, isRefused: false }])}
          >
            {w.addPart}
          </button>
        </div>
      </fieldset>
      <div class={isRefused ? 'verdict no' : 'verdict'} role="status">
        <strong>{said}</strong>
        {sum && <p>{sum}</p>}
      </div>
      {!isTooMany && (
        <ol class="movable">
          {outcomes.map((outcome, index) => (
            <Outcome key={index} outcome={outcome} name={nameOf(outcome.part)} />
          ))}
        </ol>
      )}
    </Panel>
  );
}
