/**
 * A request as somebody caught it: its headers in their order, also those that came twice, and the bytes of its body.
 */
export interface CapturedRequest {
  headers: [name: string, value: string][]
  body: Uint8Array<ArrayBuffer>
  /** When it was caught, where the capture says so. */
  capturedAt?: Date
  /** What whoever reads the capture should know of it. */
  notes: string[]
}

/** It is no request at all; the message says what was expected. */
export class UnreadableRequest extends Error {
  override readonly name = 'UnreadableRequest'
}

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** The values of one header, in any letter case. */
export const valuesOf = (headers: CapturedRequest['headers'], name: string): string[] =>
  headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value)
