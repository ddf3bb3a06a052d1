import { boardImageUrl, type Tile } from '../../../api/boards.ts'
import { Markdown } from '../../../ui/markdown/markdown.tsx'

/** Markdown, a heading or an image. */
export function OtherTile({ tile }: { tile: Tile }) {
  const { kind, text = '', imageId } = tile
  if (kind === 'heading') {
    return <h2 className="flex h-full items-end pb-1 text-lg font-semibold [overflow-wrap:anywhere]">{text || 'Heading'}</h2>
  }
  if (kind === 'image') {
    if (imageId === undefined) return <p className="grid h-full place-items-center text-soft">No image</p>
    return <img src={boardImageUrl(imageId)} alt={text} className="h-full w-full rounded-lg object-contain" loading="lazy" />
  }
  return (
    // Long text scrolls, also with the keyboard.
    <div className="h-full overflow-auto rounded-lg border border-line bg-surface px-4 py-3" tabIndex={0} role="group" aria-label="Text">
      {text.trim() === '' ? <p className="text-soft">Empty text</p> : <Markdown text={text} origin={window.location.origin} />}
    </div>
  )
}
