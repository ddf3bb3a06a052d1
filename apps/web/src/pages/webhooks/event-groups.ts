import { aboutEventTypes } from '../../api/generated/event-types.ts'
import { type EventType, eventTypes } from '../../api/webhook-endpoints.ts'

/** The events that a new endpoint gets unless someone chooses others. */
export const defaultEventTypes: EventType[] = eventTypes.filter((type) => aboutEventTypes[type].isDefault)

/** Event types under the heading that they share, in the order of the documentation. */
export const eventGroups: { name: string; types: EventType[] }[] = [
  ...Map.groupBy(eventTypes, (type) => aboutEventTypes[type].group),
].map(([name, types]) => ({ name, types }))
