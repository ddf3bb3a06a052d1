import { makeServerSentEventReader } from '@querypost/client/server-sent-events'

/** The data of each `message` event of an event stream (text/event-stream). */
export async function* readEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const reader = makeServerSentEventReader()
  for await (const piece of pieces) {
    for (const { event, data } of reader.push(piece)) if (event === 'message') yield data
  }
}
