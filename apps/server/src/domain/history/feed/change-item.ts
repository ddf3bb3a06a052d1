import type { ReferenceChange } from '../../../model/change-feed.ts'

/** A change as the API lists it and as its event carries it. */
export function changeItem({ at, ...change }: ReferenceChange, { shortId, baseUrl }: { shortId: string; baseUrl: string }) {
  const url = `${baseUrl}/api/references/${shortId}/changes/${change.number}`
  return { ...change, at: at.toISOString(), rowsUrl: `${url}/rows`, patchUrl: `${url}/patch` }
}
