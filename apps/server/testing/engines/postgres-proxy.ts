/** A proxy for tests between an engine and its server that can interfere. */
import { connect, createServer, type Socket } from 'node:net'

export interface Proxy {
  port: number
  close(): Promise<void>
}

/** The code that a cancel request sends instead of a protocol version. */
const cancelCode = 80_877_102

export async function startProxy(options: {
  port: number
  /** Replaces text in the server's responses; both texts must have the same length. */
  replace?: { text: string; by: string }
  /** Accepts cancel requests without forwarding them. */
  swallowsCancels?: boolean
  /** Accepts connections and never responds. */
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
