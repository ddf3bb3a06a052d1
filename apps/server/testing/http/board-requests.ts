/** Helpers for tests of boards. */

/** The header of a change that is based on this version. */
export const ifMatch = (version: number | string | undefined): Record<string, string> =>
  version === undefined ? {} : { 'if-match': typeof version === 'number' ? `"${version}"` : version }

/** A tile of text at a place of its own. */
export const textTile = (id: string, y: number) => ({ id, kind: 'text', text: `Text of ${id}`, x: 0, y, width: 12, height: 1 })

export const referenceTile = (id: string, referenceShortId: string, y: number, given: object = {}) => ({
  id,
  kind: 'reference',
  referenceShortId,
  x: 0,
  y,
  width: 6,
  height: 4,
  ...given,
})
