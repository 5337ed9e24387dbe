import * as v from 'valibot';

/** The rule that points were earned by, as ledgers and pending points show it. */
export const earnedBy = v.object({
  id: v.string(),
  source: v.object({ banner: v.nullable(v.string()) }),
});

interface Kept {
  readonly earning_rule_id?: string | undefined;
  readonly banner?: string | undefined;
}

/** `earning_rule` of those that a rule gave. */
export function shownRule({ earning_rule_id: id, banner }: Kept) {
  return id === undefined ? {} : { earning_rule: { id, source: { banner: banner ?? null } } };
}
