import { createHash } from 'node:crypto'
import { Refusal } from './refusal.ts'

/**
 * The version of an object whose versions are not counted: a hash of everything about it that callers can change. Two states with the same
 * content have the same version, which is all that a change based on one of them needs.
 */
export function contentVersion(content: object): string {
  return createHash('sha256').update(JSON.stringify(content, sortedKeys)).digest('hex').slice(0, 20)
}

const sortedKeys = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** A condition of a change: the version that the caller has read. Without one, the change applies to whatever there is. */
export interface BasedOn {
  version?: string | undefined
}

/** Call it with the locked object. */
export function requireVersion(noun: string, { current, basedOn }: { current: string; basedOn: BasedOn }): void {
  if (basedOn.version === undefined || basedOn.version === current) return
  throw versionConflict(noun, current)
}

export const versionConflict = (noun: string, current: number | string) =>
  new Refusal(
    'version_conflict',
    `The ${noun} has changed since the version that you named: it now has version ${current}. Retrieve it again, then repeat your change.`,
    undefined,
    { currentVersion: String(current) },
  )
