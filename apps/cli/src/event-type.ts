import { type EventType, eventTypes } from '@querypost/server/model'
import { Complaint } from './command.ts'
import { findNearest } from './nearest.ts'

export { type EventType, eventTypes }

/** A type that was typed in. */
export function readEventType(typed: string): EventType {
  const known = eventTypes.find((type) => type === typed)
  if (known) return known
  const meant = findNearest(typed, [...eventTypes])
  const hint = meant ? `Did you mean ${meant}?` : `There are ${eventTypes.join(' and ')}.`
  throw new Complaint(2, `There is no event type "${typed}". ${hint}`)
}
