import { endpoint } from '../lib/http/endpoint.ts';
import { wantedImageType } from '../lib/http/image.ts';
import { assetRoutes } from '../lib/routes/assets.ts';
import { drawQr } from '../lib/vouchers/draw-qr.ts';
import { getAsset } from '../lib/vouchers/get-asset.ts';

export const handler = endpoint(assetRoutes, 'get-qr-asset', ({ credentials, params, event }) =>
  getAsset(credentials.findProject, {
    kind: 'qr',
    id: params.id,
    type: wantedImageType(event.headers.accept),
    draw: drawQr,
  }),
);
