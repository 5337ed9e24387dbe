import * as v from 'valibot';
import { isRecord } from './is-record.ts';

/** Refuses an object that has a value under one of these names. Its schema does not declare them, and would leave them out. */
export function refusing<S extends v.GenericSchema>(names: readonly string[], fault: string, schema: S): S {
  const nothing = v.pipe(
    v.unknown(),
    v.check((value) => value == null, fault),
  );
  const without = v.looseObject(Object.fromEntries(names.map((name) => [name, v.optional(nothing)])));
  const run: S['~run'] = (dataset, config) => {
    if (!isRecord(dataset.value)) return schema['~run'](dataset, config);
    const found = without['~run']({ value: { ...dataset.value } }, config);
    if (!found.issues) return schema['~run'](dataset, config);
    return { typed: false, value: dataset.value, issues: found.issues };
  };
  return { ...schema, '~run': run };
}
