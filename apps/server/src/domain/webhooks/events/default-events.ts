import { type DefaultEventType, definedEvents, type EventType, eventTypes } from '../../../model/event-type.ts'

/** Default events are always published. The others are opt-in. */
export const isDefaultEvent = (type: EventType): type is DefaultEventType => definedEvents[type].isDefault

/** What an endpoint or a listener gets that makes no choice. */
export const defaultEventTypes: EventType[] = eventTypes.filter(isDefaultEvent)
