/** For tests: stands between an engine and its server, and meddles. */
import { connect, createServer, type Socket } from 'node:net'

export interface Proxy {
  port: number
  close(): Promise<void>
}

/** The code in the place of a protocol version with which a connection asks to cancel what another is at. */
const cancelCode = 80_877_102

export async function startProxy(options: {
  port: number
  /** What the server says is changed on its way; both must be equally long. */
  replace?: { text: string; by: string }
  /** Requests to cancel are taken, and go nowhere. */
  swallowsCancels?: boolean
  /** Takes connections and never says a word. */
  isSilent?: boolean
  /** The first connection that sends this text is never answered again. */
  stallsAt?: string
}): Promise<Proxy> {
  const sockets = new Set<Socket>()
  const stalled = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(options.port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        // A stalled connection stays silent even when the server gives up on it.
        if (stalled.has(client) && socket === upstream) return
        client.destroy()
        upstream.destroy()
      })
    }
    client.once('data', (first) => {
      if (options.isSilent) return
      if (options.swallowsCancels && first.length === 16 && first.readInt32BE(4) === cancelCode) {
        client.end()
        return
      }
      upstream.write(first)
      client.on('data', (chunk) => {
        if (options.stallsAt && stalled.size === 0 && chunk.includes(options.stallsAt)) stalled.add(client)
        if (!stalled.has(client)) upstream.write(chunk)
      })
    })
    upstream.on('data', (chunk) => client.write(changed(chunk)))
    upstream.on('end', () => {
      if (!stalled.has(client)) client.end()
    })
  })

  function changed(chunk: Buffer): Buffer {
    if (!options.replace) return chunk
    const at = chunk.indexOf(options.replace.text)
    if (at >= 0) chunk.write(options.replace.by, at)
    return chunk
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
