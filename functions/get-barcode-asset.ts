import { endpoint } from '../lib/http/endpoint.ts';
import { wantedImageType } from '../lib/http/image.ts';
import { assetRoutes } from '../lib/routes/assets.ts';
import { drawBarcode } from '../lib/vouchers/draw-barcode.ts';
import { getAsset } from '../lib/vouchers/get-asset.ts';

export const handler = endpoint(assetRoutes, 'get-barcode-asset', ({ credentials, params, event }) =>
  getAsset(credentials.findProject, {
    kind: 'barcode',
    id: params.id,
    type: wantedImageType(event.headers.accept),
    draw: drawBarcode,
  }),
);
