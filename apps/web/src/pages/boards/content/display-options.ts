/** How a board is shown on a wall display: `?display=1&refresh=300&rotate=30`. */
export interface DisplayOptions {
  isOn: boolean
  /** Seconds between refreshes; undefined for none. */
  refreshSeconds: number | undefined
  /** Seconds until the next tab is shown; undefined to stay. */
  rotateSeconds: number | undefined
}

/** Search parameters of the page itself. Parameters of boards can't have these names. */
export const reservedNames: readonly string[] = ['display', 'refresh', 'rotate', 'tab']

/** Below this, a display would load the databases more than anyone can read. */
const minRefreshSeconds = 30
const minRotateSeconds = 5
const maxSeconds = 86_400

export function readDisplayOptions(search: string): DisplayOptions {
  const given = new URLSearchParams(search)
  return {
    isOn: given.get('display') === '1',
    refreshSeconds: secondsIn(given.get('refresh'), minRefreshSeconds),
    rotateSeconds: secondsIn(given.get('rotate'), minRotateSeconds),
  }
}

function secondsIn(text: string | null, min: number): number | undefined {
  if (text === null || !/^\d{1,6}$/.test(text) || Number(text) === 0) return undefined
  return Math.min(Math.max(Number(text), min), maxSeconds)
}

/** The query string with other options of the display. Parameters of the board are kept. */
export function withDisplayOptions(search: string, { isOn, refreshSeconds, rotateSeconds }: DisplayOptions): string {
  const given = new URLSearchParams(search)
  for (const name of ['display', 'refresh', 'rotate']) given.delete(name)
  if (isOn) given.set('display', '1')
  if (isOn && refreshSeconds !== undefined) given.set('refresh', String(refreshSeconds))
  if (isOn && rotateSeconds !== undefined) given.set('rotate', String(rotateSeconds))
  return given.size === 0 ? '' : `?${given}`
}

/** The search parameters that belong to the page, to be kept when the values change. */
export function pageSearch(search: string): URLSearchParams {
  return new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => reservedNames.includes(name)))
}
