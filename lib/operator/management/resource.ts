import { longText, shortText } from '../../core/schema.ts';
import { bareResource, required } from '../../kit/resource/resource.ts';
import { buildBrandFields } from './brand-fields.ts';

/** A custom role of a project, besides the built-in roles. */
export const role = bareResource('role', {
  prefix: 'role',
  number: 'few',
  fields: { name: required(shortText, 'What invitations call it.') },
  unique: ['name'],
  fileKey: 'roles',
});

const fields = buildBrandFields(shortText, longText);

/** The brand that a project shows in its messages. */
export const brand = bareResource('brand', {
  prefix: 'brd',
  number: 'few',
  fields: {
    brand: required(fields.brand, 'Who it is.'),
    address: required(fields.address, 'Where it is.'),
    contact: required(fields.contact, 'How it is reached.'),
    cockpits: required(fields.cockpits, 'What its customers see.'),
  },
  fileKey: 'brands',
});
