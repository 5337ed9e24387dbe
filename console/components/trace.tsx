import { api, dataOf, type Schemas } from '../core/api.ts';
import { useLoad } from '../core/load.ts';
import { findRule, writeRuleValue } from '../core/rules.ts';
import { words } from '../words.ts';

/** Shows a failed rule: its name, its operator, the wanted value and the actual value. */
function FailedRule({ trace }: { trace: Schemas['ValidationRuleTrace'] }) {
  const params = { path: { validationRuleId: trace.id } };
  const { data } = useLoad(trace.id, () => dataOf(api.GET('/v1/validation-rules/{validationRuleId}', { params })));
  return (
    <div class="rule">
      <b>{data?.name ?? trace.id}</b>
      {trace.rules
        .filter(({ met }) => !met)
        .map(({ rule, failed }) => {
          const known = data && failed && findRule(data.rules, failed.rule);
          return (
            <div key={rule}>
              {known ? (
                <>
                  {known.subject} {known.operator} <em>{known.wanted}</em>
                </>
              ) : (
                (failed?.name ?? rule)
              )}
              {failed && (
                <small>
                  {' '}
                  ·{' '}
                  {words.rules.seen(
                    failed.value === undefined ? words.rules.nothing : writeRuleValue(failed.name, failed.value),
                  )}
                </small>
              )}
            </div>
          );
        })}
    </div>
  );
}

/** Shows why a redeemable was refused, by rule, operator, wanted and actual value. */
export function Trace({ of }: { of: Schemas['Redeemable'] | undefined }) {
  const { result } = of ?? {};
  const { error, details, validation_rules: rules = [] } = result ?? {};
  const own = error?.error?.message;
  return (
    <>
      {own && <p>{own}</p>}
      <p>{String(error?.details ?? details?.message ?? '')}</p>
      {rules
        .filter((trace) => trace.rules.some(({ met }) => !met))
        .map((trace) => (
          <FailedRule key={trace.id} trace={trace} />
        ))}
      <p>
        <code>{details?.key}</code>
      </p>
    </>
  );
}
