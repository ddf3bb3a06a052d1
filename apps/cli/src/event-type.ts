import { defaultEventTypes, type EventType, eventTypes } from '@querypost/server/model'
import { CommandError } from './command.ts'
import { findNearest } from './find-nearest.ts'

export { defaultEventTypes, type EventType, eventTypes }

/** Checks an event type from the command line. */
export function readEventType(typed: string): EventType {
  const known = eventTypes.find((type) => type === typed)
  if (known) return known
  const meant = findNearest(typed, [...eventTypes])
  const hint = meant ? `Did you mean ${meant}?` : `Use one of ${eventTypes.join(', ')}.`
  throw new CommandError(2, `There is no event type "${typed}". ${hint}`)
}
