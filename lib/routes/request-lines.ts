import { routes } from './index.ts';
import type { RequestLine } from './route.ts';

/** Of every route. In a bundle they stand as they are, without the schemas of all routes, from which they are taken here. */
export const requestLines: readonly RequestLine[] = Object.values(routes).map(({ method, path }) => ({ method, path }));
