import { longText, shortText } from '#kernel/core/schema.ts';
import { bareResource, required } from '#kernel/kit/resource/resource.ts';
import { buildBrandFields } from './brand-fields.ts';

/** A custom role of a project, besides the built-in roles. */
export const role = bareResource('role', {
  prefix: 'role',
  number: 'few',
  fields: { name: required(shortText, 'The name of the role in invitations.') },
  unique: ['name'],
  fileKey: 'roles',
});

const fields = buildBrandFields(shortText, longText);

/** The brand that a project shows in its messages. */
export const brand = bareResource('brand', {
  prefix: 'brd',
  number: 'few',
  fields: {
    brand: required(fields.brand, 'The name and public texts of the brand.'),
    address: required(fields.address, 'The address of the brand.'),
    contact: required(fields.contact, 'The contact data of the brand.'),
    cockpits: required(fields.cockpits, 'The settings of the pages that customers see.'),
  },
  fileKey: 'brands',
});
