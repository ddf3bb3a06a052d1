/**
 * A *region* is a part of a Markdown file that is written by a program: what stands between `<!-- begin route me.get -->`
 * and `<!-- end -->`. There are four kinds: what a *route* takes, the *answers* it gives, the fields of an *object*, and
 * all codes of *errors*. Everything around them is written by people.
 */
export interface Region {
  kind: 'route' | 'answers' | 'object' | 'errors'
  name: string
}

const pattern = /^<!-- begin (route|answers|object|errors) (\S+) -->\n.*?^<!-- end -->$/gms

export function regionsOf(text: string): Region[] {
  return [...text.matchAll(pattern)].map(([, kind, name]) => ({ kind: kind as Region['kind'], name: name! }))
}

/** The text with every region written anew. */
export function fillRegions(text: string, contentOf: (region: Region) => string): string {
  return text.replaceAll(pattern, (_, kind: Region['kind'], name: string) => {
    return `<!-- begin ${kind} ${name} -->\n\n${contentOf({ kind, name })}\n\n<!-- end -->`
  })
}
