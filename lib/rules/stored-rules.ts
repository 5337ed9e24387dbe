import * as v from 'valibot';
import { childKind } from '../table/kind.ts';
import { kinds } from '../table/kind-names.ts';

/** The resource's name in errors of a missing rule. */
export const ruleType = 'validation_rules';

const known = v.looseObject({});

/** The kind of stored rules, for code that only checks existence. The resource (`resource.ts`) imports the checks of documents. */
export const storedRules = childKind<typeof known, []>({ kind: kinds.validationRuless }, kinds.validationRules, known);
