import type { Project } from '#kernel/access/projects/project.ts';
import { notFound } from '#kernel/core/errors.ts';
import type { ImageType } from '#kernel/http/image.ts';
import { type AssetKind, openAssetId, readClaimedProject } from './asset-id.ts';

interface Image {
  type: ImageType;
  bytes: Buffer;
}

/** Draws a picture. Loads the encoder of its kind only on request, because starting does not need it. */
export type Draw = (code: string, type: ImageType) => Promise<Buffer>;

/** Returns the picture of a code without credentials, because the id is unguessable. A forged id is answered like an unknown id. */
export async function getAsset(
  project: (id: string) => Promise<Project | undefined>,
  { kind, id, type, draw }: { kind: AssetKind; id: string; type: ImageType; draw: Draw },
): Promise<Image> {
  const claimed = readClaimedProject(id);
  const owner = claimed === undefined ? undefined : await project(claimed);
  const code = owner && openAssetId(owner, kind, id);
  if (code === undefined) throw notFound('asset', id);
  return { type, bytes: await draw(code, type) };
}
