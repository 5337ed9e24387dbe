import * as v from 'valibot';
import { described, shownAs } from '../../core/documented.ts';
import { array, integer, nullable, object } from '../../core/schema.ts';
import { filterQuery } from '../../kit/filters/filter.ts';
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

export const sortingRules = ['DEFAULT', 'BEST_DEAL', 'LEAST_DEAL'] as const;

export type SortingRule = (typeof sortingRules)[number];

export const expansions = ['redeemable', 'category', 'validation_rules'] as const;

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
    `How many are shown at most; ${defaultQualificationLimit} where none is sent. More than ${maxLimit} counts as ${maxLimit}.`,
  ),
  starting_after: described(
    nullable(cursor),
    'The `more_starting_after` of the page before, a date and time; of the order DEFAULT alone.',
  ),
  expand: nullable(array(v.picklist(expansions), maxExpansions)),
  sorting_rule: described(
    nullable(v.picklist(sortingRules)),
    'DEFAULT: the newest first. BEST_DEAL and LEAST_DEAL: by what is taken off the order.',
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
  scenario: described(nullable(v.picklist(scenarios)), 'The scenario. Without it, ALL.'),
  customer,
  order,
  tracking_id,
  metadata,
  session: described(nullable(sentSession), 'The session whose locks do not count. The request locks nothing.'),
  options: nullable(options),
});

export type QualificationBody = v.InferOutput<typeof qualificationBody>;
