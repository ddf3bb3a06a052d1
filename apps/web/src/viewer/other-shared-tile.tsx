import { useEffect, useState } from 'react'
import type { SharedTile } from '../api/generated/schemas.ts'
import { Markdown } from '../ui/markdown/markdown.tsx'
import type { ViewerClient } from './viewer-client.ts'

/** Markdown, a heading or an image. */
export function OtherSharedTile({ tile, client }: { tile: SharedTile; client: ViewerClient }) {
  const text = tile.text ?? ''
  if (tile.kind === 'heading') return <h2 className="flex h-full items-end pb-1 text-lg font-semibold [overflow-wrap:anywhere]">{text}</h2>
  if (tile.kind === 'image') return <SharedImage tileId={tile.id} text={text} client={client} />
  return (
    // Long text scrolls, also with the keyboard.
    <div className="h-full overflow-auto rounded-lg border border-line bg-surface px-4 py-3" tabIndex={0} role="group" aria-label="Text">
      <Markdown text={text} origin={window.location.origin} />
    </div>
  )
}

/** Loaded by a script, because an image element cannot send the pass of a link. */
function SharedImage({ tileId, text, client }: { tileId: string; text: string; client: ViewerClient }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    let made: string | undefined
    let isGone = false
    client.openImage(tileId).then(
      (content) => {
        if (isGone) return
        made = URL.createObjectURL(content)
        setUrl(made)
      },
      // The alternative text stays.
      () => undefined,
    )
    return () => {
      isGone = true
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [client, tileId])
  if (url === undefined) return <p className="grid h-full place-items-center text-soft">{text}</p>
  return <img src={url} alt={text} className="h-full w-full rounded-lg object-contain" />
}
