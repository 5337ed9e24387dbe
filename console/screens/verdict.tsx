import { Ready } from '../components/bits.tsx';
import { Trace } from '../components/trace.tsx';
import { api, dataOf, type Schemas } from '../core/api.ts';
import { money } from '../core/format.ts';
import { useLoad } from '../core/load.ts';
import { path } from '../core/router.ts';
import { findRule } from '../core/rules.ts';
import { words } from '../words.ts';

const w = words.vouchers;

type Voucher = Schemas['Voucher'];
type Judged = Schemas['Validation']['redeemables'][number];
type RuleTrace = Schemas['ValidationRuleTrace'];

/** Is what the page says of a code. An amber one is healthy, and waits for a cart, a customer or an hour. */
interface Says {
  readonly tone: 'yes' | 'warm' | 'no';
  readonly text: string;
}

/** Tells what a page without a cart and a customer cannot show. */
const lacking = /^missing_|_rules_violated$/;

const minimumRules: ReadonlySet<string> = new Set(['order.amount', 'order.total_amount', 'order.initial_amount']);

/** Says what the first unmet rule requires. */
async function sayRule({ id, rules }: RuleTrace): Promise<string | undefined> {
  const failed = rules.find(({ met }) => !met)?.failed;
  if (!failed) return undefined;
  const params = { path: { validationRuleId: id } };
  const document = await dataOf(api.GET('/v1/validation-rules/{validationRuleId}', { params }));
  const known = findRule(document.rules, failed.rule);
  if (!known) return undefined;
  const isMinimum = known.operator === words.rules.operators.$more_than_or_equal;
  if (minimumRules.has(failed.name) && isMinimum) return w.usableFrom(known.wanted);
  return w.usableIf(`${known.subject} ${known.operator} ${known.wanted}`);
}

async function judge(voucher: Voucher, isValid: boolean, one: Judged | undefined): Promise<Says> {
  const key = one?.result.details?.key ?? '';
  if (isValid) return { tone: 'yes', text: w.canBeUsed };
  if (key === 'missing_amount' && voucher.gift) return { tone: 'yes', text: w.hasLeft(money(voucher.gift.balance)) };
  if (key === 'missing_reward') return { tone: 'yes', text: w.needsReward };
  if (key === 'voucher_not_active_now') return { tone: 'warm', text: w.notNow };
  if (!lacking.test(key)) return { tone: 'no', text: w.cannotBeUsed };
  const unmet = one?.result.validation_rules?.find(({ rules }) => rules.some(({ met }) => !met));
  return { tone: 'warm', text: (unmet && (await sayRule(unmet).catch(() => undefined))) ?? w.needsCart };
}

/** Asks the API whether the code works now, on an empty cart. Figures leave the question out. */
export function Verdict({ voucher }: { voucher: Voucher }) {
  const { code } = voucher;
  const loaded = useLoad(JSON.stringify(voucher), async () => {
    const body = {
      redeemables: [{ object: 'voucher' as const, id: code }],
      options: { expand: ['redeemable' as const, 'validation_rules' as const] },
    };
    const { valid, redeemables } = await dataOf(api.POST('/v1/validations', { body }));
    return { one: redeemables[0], says: await judge(voucher, valid, redeemables[0]) };
  });
  return (
    <Ready of={loaded}>
      {({ one, says: { tone, text } }) => (
        <div class={`verdict ${tone}`}>
          <strong>{text}</strong>
          {tone !== 'yes' && <Trace of={one} />}
          <p>
            <a href={`${path('simulator')}?codes=${encodeURIComponent(code)}`}>{w.tryOnCart}</a>
          </p>
        </div>
      )}
    </Ready>
  );
}
