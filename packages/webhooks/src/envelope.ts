/** The envelope around every event's data. */
export interface Envelope<Type extends string, Data> {
  /** The same in every attempt to deliver this event, and equal to the header `svc-webhook-id`: deduplicate on it. */
  id: string
  type: Type
  /** ISO 8601 in UTC with milliseconds. */
  createdAt: string
  data: Data
}
