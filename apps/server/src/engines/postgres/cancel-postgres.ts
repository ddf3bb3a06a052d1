import pg from 'pg'
import type { ConnectionOptions } from 'node:tls'
import type { DialedConnection } from './dial-postgres.ts'

/** The parts of `pg`'s connection that its types omit. */
interface CancelConnection {
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): void
  connect(port: number, address: string): void
  requestSsl(): void
  cancel(processId: number, secretKey: number): void
  stream: { destroy(): void }
}

/**
 * Sends a cancel request for a connection's statement. The protocol requires a separate connection for it. Resolves when
 * the server has received the request or cannot be reached. Whether the statement stopped shows on its own connection.
 */
export async function requestCancel({ place, processId, secretKey }: DialedConnection, signal: AbortSignal): Promise<void> {
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
