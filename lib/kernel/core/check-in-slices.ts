import type * as v from 'valibot';
import { maxFaults } from './errors.ts';

/** Entries that are checked together. Their garbage can be collected before the next slice. */
const atOnce = 500;

/** Shifts the index of a fault by the entries of earlier slices. */
function moved<I extends v.BaseIssue<unknown>>(issue: I, by: number): I {
  const [first] = issue.path ?? [];
  if (first && typeof first.key === 'number') Object.assign(first, { key: first.key + by });
  return issue;
}

function untold(): v.BaseIssue<unknown> {
  return { kind: 'schema', type: 'custom', input: undefined, expected: null, received: '', message: '' };
}

/** Checks a long list slice by slice. A fault needs half a KB, so faults that no error names are only counted. */
export function checkInSlices<S extends v.GenericSchema<unknown[], unknown[]>>(schema: S): S {
  const run: S['~run'] = (dataset, config) => {
    const { value } = dataset;
    if (!Array.isArray(value) || value.length <= atOnce) return schema['~run'](dataset, config);
    const values: unknown[] = [];
    const issues: v.BaseIssue<unknown>[] = [];
    for (let first = 0; first < value.length; first += atOnce) {
      const found = schema['~run']({ value: value.slice(first, first + atOnce) }, config);
      if (Array.isArray(found.value)) for (const one of found.value) values.push(one);
      for (const issue of found.issues ?? []) {
        issues.push(issues.length < maxFaults ? moved(issue, first) : untold());
      }
    }
    const [first, ...others] = issues;
    return first ? { typed: false, value: values, issues: [first, ...others] } : { typed: true, value: values };
  };
  return { ...schema, '~run': run };
}
