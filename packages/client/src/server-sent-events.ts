/** One event of a stream, according to the standard (HTML, 9.2.6). */
export interface ServerSentEvent {
  /** The latest `id`, of this event or an earlier one. */
  lastEventId: string
  event: string
  data: string
}

export interface ServerSentEventReader {
  /** Takes the next piece of the stream, split anywhere; returns the events it completes. */
  push(piece: Uint8Array): ServerSentEvent[]
  /** How long the service asks to wait before reconnecting. */
  retryMs(): number | undefined
}

/** An event that is incomplete when the stream ends is dropped: after reconnecting, the service sends it again. */
export function makeServerSentEventReader(): ServerSentEventReader {
  // Strips a byte order mark, as the standard requires.
  const decoder = new TextDecoder()
  /** The start of an incomplete line, kept as pieces: a long line in tiny pieces costs no more than in one. */
  let rest: string[] = []
  let endedInReturn = false
  let lastEventId = ''
  let event = ''
  let data: string[] = []
  let retryMs: number | undefined

  function readField(line: string): void {
    const colon = line.indexOf(':')
    if (colon === 0) return
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'event') event = value
    else if (name === 'data') data.push(value)
    else if (name === 'id' && !value.includes('\0')) lastEventId = value
    else if (name === 'retry' && /^\d+$/.test(value)) retryMs = Number(value)
  }

  function dispatch(): ServerSentEvent | undefined {
    const whole = data.length > 0 ? { lastEventId, event: event || 'message', data: data.join('\n') } : undefined
    event = ''
    data = []
    return whole
  }

  return {
    push(piece) {
      let text = decoder.decode(piece, { stream: true })
      // If a CR LF was split, the LF does not end a second line.
      if (endedInReturn && text.startsWith('\n')) text = text.slice(1)
      if (text !== '') endedInReturn = text.endsWith('\r')
      rest.push(text)
      if (!/[\r\n]/.test(text)) return []
      const lines = rest.join('').split(/\r\n|\r|\n/)
      rest = [lines.pop()!]
      const events: ServerSentEvent[] = []
      for (const line of lines) {
        if (line !== '') readField(line)
        else {
          const whole = dispatch()
          if (whole) events.push(whole)
        }
      }
      return events
    },
    retryMs: () => retryMs,
  }
}
