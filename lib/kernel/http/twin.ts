import { type Description, paramsIn } from './route.ts';

/** Describes a second path of an operation. Its `params` and its `example` add to the first path's. */
export type Twin = Pick<Description, 'route' | 'summary' | 'note' | 'params' | 'example'>;

/** Returns the description of an operation under its second path. */
export function twinOf(first: Description, own: Twin): Description {
  const params = paramsIn(own.route);
  const missing = paramsIn(first.route).filter((name) => !params.includes(name));
  if (missing.length > 0) throw new Error(`${own.route} has no ${missing.join(', ')}, unlike ${first.route}`);
  const example = {
    ...first.example,
    ...own.example,
    params: { ...first.example?.params, ...own.example?.params },
  };
  return { ...first, ...own, params: { ...own.params, ...first.params }, example };
}
