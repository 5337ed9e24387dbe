import * as v from 'valibot';
import { imageTypes } from '../http/image.ts';
import { text } from '../schema.ts';
import type { Routes } from './route.ts';

const params = v.object({ id: text });
const reply = { kind: 'image', status: 200, types: imageTypes } as const;

export const assetRoutes = {
  'get-qr-asset': {
    method: 'GET',
    path: '/v1/assets/qr/{id}',
    summary: 'Get the QR code of a voucher',
    authentication: 'none',
    access: 'read',
    params,
    reply,
    errors: ['not_found'],
  },
  'get-barcode-asset': {
    method: 'GET',
    path: '/v1/assets/barcode/{id}',
    summary: 'Get the bar code of a voucher',
    authentication: 'none',
    access: 'read',
    params,
    reply,
    errors: ['not_found'],
  },
} as const satisfies Routes;
