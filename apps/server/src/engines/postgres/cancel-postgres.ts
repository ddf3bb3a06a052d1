import pg from 'pg'
import type { ConnectionOptions } from 'node:tls'
import type { Dialled } from './dial-postgres.ts'

/** The part of `pg`'s connection that its types do not tell. */
interface CancelConnection {
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): void
  connect(port: number, address: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
  stream: { destroy(): void }
}

/**
 * Asks the server to stop what a connection is at, over a connection of its own, as the protocol wants it. Resolves
 * when the server has taken note, or cannot. Whether it has stopped is told on the connection itself.
 */
export async function requestCancel({ place, processId, secretKey }: Dialled, signal: AbortSignal): Promise<void> {
  const Connection = pg.Connection as unknown as new (options: { ssl: ConnectionOptions | false }) => CancelConnection
  const connection = new Connection({ ssl: place.ssl })
  const giveUp = () => connection.stream.destroy()
  await new Promise<void>((resolve) => {
    connection.on('connect', () => {
      if (place.ssl) connection.requestSsl()
      else connection.cancel(processId, secretKey)
    })
    connection.on('sslconnect', () => connection.cancel(processId, secretKey))
    connection.on('error', resolve)
    connection.on('end', resolve)
    signal.addEventListener('abort', giveUp, { once: true })
    connection.connect(place.port, place.address)
  })
  signal.removeEventListener('abort', giveUp)
  giveUp()
}
