import * as v from 'valibot';

/** Limits what the schema takes to `max` bytes as JSON. A value with other faults may be nested too deep to be written as JSON. */
export function atMostBytes<S extends v.GenericSchema>(schema: S, max: number): S {
  const isTooLong = v.custom<never>(() => false, `must have at most ${max} bytes as JSON`);
  const run: S['~run'] = (dataset, config) => {
    const found = schema['~run'](dataset, config);
    if (found.issues || Buffer.byteLength(JSON.stringify(found.value) ?? '') <= max) return found;
    return isTooLong['~run']({ typed: false, value: found.value }, config);
  };
  return { ...schema, '~run': run };
}
