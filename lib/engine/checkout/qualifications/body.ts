import * as v from 'valibot';
import { described, shownAs } from '#kernel/core/documented.ts';
import { array, integer, nullable, object } from '#kernel/core/schema.ts';
import { filterQuery } from '#kernel/kit/filters/filter.ts';
import { checkoutFields, maxExpansions, sentSession } from '../request/checkout-body.ts';
import { filterFields } from './candidate.ts';
import { cursor } from './cursor.ts';
import { scenarios } from './scenario.ts';

const { customer, order, tracking_id, metadata } = checkoutFields;

export const defaultQualificationLimit = 5;

const maxLimit = 50;

const limit = shownAs(
  v.pipe(
    integer,
    v.minValue(1, 'must be 1 or more'),
    v.transform((sent) => Math.min(sent, maxLimit)),
  ),
  { type: 'integer', minimum: 1 },
);

const sortingRules = ['DEFAULT', 'BEST_DEAL', 'LEAST_DEAL'] as const;

export type SortingRule = (typeof sortingRules)[number];

const expansions = ['redeemable', 'category', 'validation_rules'] as const;

const areOfOneOrder = ({
  starting_after: from,
  sorting_rule: order,
}: {
  starting_after?: unknown;
  sorting_rule?: SortingRule | null | undefined;
}) => from === undefined || from === null || (order ?? 'DEFAULT') === 'DEFAULT';

const fields = object({
  limit: described(
    nullable(limit),
    `The maximum number of redeemables in the reply, ${defaultQualificationLimit} by default. A number above ${maxLimit} counts as ${maxLimit}.`,
  ),
  starting_after: described(
    nullable(cursor),
    'The `more_starting_after` of the previous page, a date and time. It can be sent only with the sorting rule ' +
      'DEFAULT.',
  ),
  expand: nullable(array(v.picklist(expansions), maxExpansions)),
  sorting_rule: described(
    nullable(v.picklist(sortingRules)),
    'DEFAULT sorts the newest first. BEST_DEAL and LEAST_DEAL sort by the discount on the order.',
  ),
  filters: nullable(filterQuery(filterFields)),
});

const options = v.pipe(
  fields,
  v.forward(
    v.partialCheck(
      [['starting_after'], ['sorting_rule']],
      areOfOneOrder,
      'must not be sent with BEST_DEAL or LEAST_DEAL, which compare everything on one page; leave it out, or send DEFAULT',
    ),
    ['starting_after'],
  ),
);

export const qualificationBody = object({
  scenario: described(nullable(v.picklist(scenarios)), 'The scenario. Without it, ALL is used.'),
  customer,
  order,
  tracking_id,
  metadata,
  session: described(nullable(sentSession), 'The session whose locks do not count. The request locks nothing.'),
  options: nullable(options),
});

export type QualificationBody = v.InferOutput<typeof qualificationBody>;
