import { drawQr } from '#engine/vouchers/draw-qr.ts';
import { getAsset } from '#engine/vouchers/get-asset.ts';
import { chooseImageType, imageTypes } from '#kernel/http/image.ts';
import { operation } from '#kernel/http/operation.ts';

export const handler = operation(
  {
    route: 'GET /v1/assets/qr/{id}',
    caller: 'none',
    summary: 'Get the QR code of a voucher',
    note: 'Returns SVG, or PNG when `Accept` names nothing else.',
    params: { id: 'The encrypted id that a voucher names under `assets`.' },
    answers: 'The picture.',
    reply: { kind: 'image', status: 200, types: imageTypes },
    errors: ['not_found'],
    table: 'get',
  },
  ({ credentials, params, event }) =>
    getAsset(credentials.findProject, {
      kind: 'qr',
      id: params.id,
      type: chooseImageType(event.headers.accept),
      draw: drawQr,
    }),
);
