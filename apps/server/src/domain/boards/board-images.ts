import { boardLimits, type ImageContentType } from '../../model/board.ts'
import type { Caller } from '../../model/caller.ts'
import { type BoardImage, countBoardImages, findBoardImage, insertBoardImage } from '../../store/boards/board-images-table.ts'
import { recordAction } from '../audit/record-action.ts'
import { isId, newId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import type { BoardsDeps } from './boards.ts'

/** Stores an image for tiles. Its type follows from its content, not from what the caller says. */
export async function storeImage(
  deps: BoardsDeps,
  caller: Caller,
  bytes: Buffer,
): Promise<{ id: string; contentType: ImageContentType; sizeBytes: number }> {
  const { organizationId, userId } = caller
  const contentType = imageTypeOf(bytes)
  if (!contentType) {
    throw new Refusal('invalid_request', 'The file is not an image that boards can show. Upload a PNG, JPEG, WebP or GIF file.')
  }
  const id = newId(deps.random, 'image')
  const sizeBytes = bytes.length
  await deps.db.transaction().execute(async (tx) => {
    const count = await countBoardImages(tx, organizationId)
    if (count >= boardLimits.images) {
      throw new Refusal('invalid_request', `Your organization has ${count} images, the maximum. Use one of them.`)
    }
    await insertBoardImage(tx, { id, organizationId, contentType, bytes, createdBy: userId, now: deps.clock.now() })
    const subject = { type: 'board_image', id, name: null } as const
    await recordAction({ ...deps, tx }, caller, { action: 'board_image.created', subject, details: { contentType, sizeBytes } })
  })
  return { id, contentType, sizeBytes }
}

export async function getImage(
  deps: Pick<BoardsDeps, 'db'>,
  { organizationId }: Pick<Caller, 'organizationId'>,
  imageId: string,
): Promise<BoardImage> {
  const image = isId(imageId) ? await findBoardImage(deps.db, { organizationId, imageId }) : undefined
  if (!image) throw new Refusal('board_image_not_found', `There is no image ${JSON.stringify(imageId)}.`)
  return image
}

/** By the first bytes. SVG is not accepted, because it can contain scripts. */
export function imageTypeOf(bytes: Buffer): ImageContentType | undefined {
  const startsWith = (text: string, at = 0) => bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))
  if (startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (startsWith('RIFF') && startsWith('WEBP', 8)) return 'image/webp'
  if (startsWith('GIF87a') || startsWith('GIF89a')) return 'image/gif'
  return undefined
}
