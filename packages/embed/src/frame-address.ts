import { type EmbedTheme, themeFragment } from './protocol/theme.ts'

/** What to embed, and from which service. */
export interface EmbedTarget {
  /** The origin of the service, `https://querypost.example.com`. */
  origin: string
  /** The short id of the query or board. */
  shortId: string
}

/** Reads `src`, `https://querypost.example.com/embed/<shortId>`, or the address of the service and a short id. */
export function readTarget(given: { src?: string | null; baseUrl?: string | null; shortId?: string | null }): EmbedTarget | undefined {
  const { src, baseUrl, shortId } = given
  const url = parse(src || baseUrl)
  if (!url) return undefined
  const id = src ? /^\/embed\/([^/]+)\/?$/.exec(url.pathname)?.[1] : shortId
  return id && /^[\w-]{1,64}$/.test(id) ? { origin: url.origin, shortId: id } : undefined
}

function parse(address: string | null | undefined): URL | undefined {
  if (!address) return undefined
  try {
    const url = new URL(address)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
  } catch {
    return undefined
  }
}

export const frameAddress = ({ origin, shortId }: EmbedTarget, token: string, theme: EmbedTheme): string =>
  `${origin}/embed/${shortId}?token=${encodeURIComponent(token)}${themeFragment(theme)}`
