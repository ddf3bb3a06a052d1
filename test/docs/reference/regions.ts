/**
 * A *region* is a generated part of a Markdown file, between `<!-- begin route me.get -->` and `<!-- end -->`. There are six kinds: the
 * parameters of a *route*, its *answers*, the fields of an *object*, all *errors*, and all *events*, as objects or as a *table*. Everything else is written by people.
 */
export interface Region {
  kind: 'route' | 'answers' | 'object' | 'errors' | 'events' | 'event-table'
  name: string
}

const pattern = /^<!-- begin (route|answers|object|errors|events|event-table) (\S+) -->\n.*?^<!-- end -->$/gms

export function regionsOf(text: string): Region[] {
  return [...text.matchAll(pattern)].map(([, kind, name]) => ({ kind: kind as Region['kind'], name: name! }))
}

/** Regenerates every region of a text. */
export function fillRegions(text: string, contentOf: (region: Region) => string): string {
  return text.replaceAll(pattern, (_, kind: Region['kind'], name: string) => {
    return `<!-- begin ${kind} ${name} -->\n\n${contentOf({ kind, name })}\n\n<!-- end -->`
  })
}
