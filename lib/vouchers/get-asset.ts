import { notFound } from '../core/errors.ts';
import type { ImageType } from '../http/image.ts';
import type { Project } from '../http/projects/project.ts';
import { type AssetKind, claimedProject, codeOfAsset } from './asset-id.ts';

export interface Image {
  type: ImageType;
  bytes: Buffer;
}

/** Loads the encoder of a kind only when a picture is asked for: it is not needed to start. */
export type Draw = (code: string, type: ImageType) => Promise<Buffer>;

/**
 * The picture of a code. Needs no credentials: the id, which a voucher's `assets` names, is unguessable, and a forged one is
 * answered like an unknown one.
 */
export async function getAsset(
  project: (id: string) => Promise<Project | undefined>,
  { kind, id, type, draw }: { kind: AssetKind; id: string; type: ImageType; draw: Draw },
): Promise<Image> {
  const claimed = claimedProject(id);
  const owner = claimed === undefined ? undefined : await project(claimed);
  const code = owner && codeOfAsset(owner, kind, id);
  if (code === undefined) throw notFound('asset', id);
  return { type, bytes: await draw(code, type) };
}
