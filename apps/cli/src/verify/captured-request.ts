/** A captured request: its headers in order, including repeated ones, and the bytes of its body. */
export interface CapturedRequest {
  headers: [name: string, value: string][]
  body: Uint8Array<ArrayBuffer>
  /** The time of the capture, if known. */
  capturedAt?: Date
  /** Remarks for the user about how the capture was read. */
  notes: string[]
}

/** The input is not a request. The message says what was expected. */
export class UnreadableRequest extends Error {
  override readonly name = 'UnreadableRequest'
}

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** The values of a header. Names are case-insensitive. */
export const headerValues = (headers: CapturedRequest['headers'], name: string): string[] =>
  headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value)
