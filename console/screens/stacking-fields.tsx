import { Empty, Panel } from '../components/bits.tsx';
import { words } from '../words.ts';
import { type Category, changeDraft, type Rules } from './stacking-draft.ts';

const w = words.stacking;

interface FieldsProps {
  readonly saved: Rules;
  /** Holds the saved rules with the changes of the draft. */
  readonly rules: Rules;
}

const numbers = [
  ['redeemables_limit', 30, false],
  ['applicable_redeemables_limit', 30, false],
  ['applicable_redeemables_per_category_limit', 30, true],
  ['applicable_exclusive_redeemables_limit', 5, false],
  ['applicable_exclusive_redeemables_per_category_limit', 5, true],
] as const;

const choices = [
  'redeemables_application_mode',
  'redeemables_sorting_rule',
  'grouped_redeemables_sorting_rule',
  'discount_calculation_mode',
  'redeemables_no_effect_rule',
  'redeemables_products_application_mode',
  'payments_application',
  'redeemables_rollback_order_mode',
] as const;

function Limits({ saved, rules }: FieldsProps) {
  return (
    <Panel title={w.limits}>
      <div class="fields">
        {numbers.map(([name, most, isOptional]) => (
          <label key={name} class="field">
            {w.numbers[name]}
            <input
              type="number"
              min={1}
              max={most}
              required={!isOptional}
              placeholder={isOptional ? w.noLimit : undefined}
              value={rules[name] ?? ''}
              onChange={({ currentTarget }) => {
                const number = Math.min(most, Math.round(Number(currentTarget.value)));
                if (number >= 1) changeDraft(saved, { [name]: number });
                else if (isOptional) changeDraft(saved, { [name]: null });
                else currentTarget.value = String(rules[name]);
              }}
            />
          </label>
        ))}
      </div>
    </Panel>
  );
}

function Modes({ saved, rules }: FieldsProps) {
  return (
    <Panel title={w.modes}>
      <div class="fields">
        {choices.map((name) => (
          <label key={name} class="field">
            {w.choices[name].label}
            <select
              value={rules[name] ?? ''}
              onChange={({ currentTarget }) => changeDraft(saved, { [name]: currentTarget.value || null })}
            >
              {w.choices[name].of.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
    </Panel>
  );
}

/** Names the two lists that a category can be in, for each question. It is in one of them, or in none. */
const lists = {
  group: ['exclusive_categories', 'joint_categories'],
  calculation: ['initial_amount_mode_categories', 'discounted_amount_mode_categories'],
  effect: ['no_effect_skip_categories', 'no_effect_redeem_anyway_categories'],
} as const;

type List = (typeof lists)[keyof typeof lists][number];

function CategoryRow({ saved, rules, category }: FieldsProps & { category: Category }) {
  const { id, name } = category;
  const limits = rules.applicable_redeemables_category_limits;
  const setLimit = (text: string) => {
    const { [id]: _, ...others } = limits;
    const limit = Math.min(10, Math.round(Number(text)));
    changeDraft(saved, { applicable_redeemables_category_limits: limit >= 1 ? { ...others, [id]: limit } : others });
  };
  const move = (names: readonly [List, List], to: string) => {
    const listOf = (list: List) => {
      const others = rules[list].filter((one) => one !== id);
      return list === to ? [...others, id] : others;
    };
    changeDraft(saved, { [names[0]]: listOf(names[0]), [names[1]]: listOf(names[1]) });
  };
  return (
    <fieldset class="conditions">
      <legend>{name}</legend>
      <div class="condition pairs">
        {(['group', 'calculation', 'effect'] as const).map((question) => (
          <select
            key={question}
            aria-label={w.ofCategory(w.categories[question].label, name)}
            value={lists[question].find((list) => rules[list].includes(id)) ?? ''}
            onChange={({ currentTarget }) => move(lists[question], currentTarget.value)}
          >
            {w.categories[question].of.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        ))}
        <input
          type="number"
          min={1}
          max={10}
          aria-label={w.ofCategory(w.ownLimit, name)}
          placeholder={w.ownLimit}
          value={limits[id] ?? ''}
          onChange={({ currentTarget }) => setLimit(currentTarget.value)}
        />
      </div>
    </fieldset>
  );
}

/** Asks for the rules of a project. Each change is a draft until it is saved. */
export function StackingFields({ categories, ...props }: FieldsProps & { categories: readonly Category[] }) {
  return (
    <>
      <Limits {...props} />
      <Modes {...props} />
      <Panel title={words.categories}>
        {categories.length === 0 && <Empty title={w.noCategories} />}
        {categories.map((category) => (
          <CategoryRow key={category.id} {...props} category={category} />
        ))}
      </Panel>
    </>
  );
}
