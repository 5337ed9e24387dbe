import * as v from 'valibot';
import { childKind } from '../table/kind.ts';

/** What the resource is called where a rule is not there. */
export const ruleType = 'validation_rules';

const known = v.looseObject({});

/** The stored rules, for those who only ask whether one is there: the resource (`resource.ts`) brings all that checks a document. */
export const storedRules = childKind<typeof known, []>({ kind: 'VALIDATION_RULESS' }, 'VALIDATION_RULES', known);
