import { count, identifier } from '../../core/schema.ts';
import { required, resource } from '../../kit/resource/resource.ts';

/** Describes categories, by which operators sort their offers. */
export const category = resource('category', {
  prefix: 'cat',
  number: 'few',
  family: 'terms',
  fields: {
    name: required(identifier, 'The name that operators see.'),
    hierarchy: required(count, 'The place of the category. A lower number comes earlier.', { leftOut: 0 }),
  },
  unique: ['name'],
  orders: ['created_at', 'hierarchy'],
  fileKey: 'categories',
  unlimited: 1_000,
});
