/**
 * The messages of PostgreSQL's protocol that are sent after connecting, and the letters of those that come back.
 * Statements have no name: a connection pooler may run the next transaction on another session, where a name would be
 * left over.
 */

export const answer = {
  dataRow: 0x44,
  commandComplete: 0x43,
  readyForQuery: 0x5a,
  rowDescription: 0x54,
  parameterDescription: 0x74,
  error: 0x45,
  copyIn: 0x47,
  copyOut: 0x48,
} as const

function message(letter: string, ...parts: Buffer[]): Buffer {
  const head = Buffer.alloc(5)
  head.write(letter, 0, 'latin1')
  head.writeInt32BE(4 + parts.reduce((sum, part) => sum + part.length, 0), 1)
  return Buffer.concat([head, ...parts])
}

const text = (value: string) => Buffer.from(`${value}\0`)

const int16 = (value: number) => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

/** The service's own SQL, without parameters. May contain several statements separated by semicolons. */
export const query = (sql: string) => message('Q', text(sql))

/** Lets the server parse a user's statement. It rejects more than one. */
export const parse = (sql: string) => message('P', text(''), text(sql), int16(0))

export const describeStatement = () => message('D', Buffer.from('S'), text(''))

/** Without parameters, and with every column as text. */
export const bind = () => message('B', text(''), text(''), int16(0), int16(0), int16(0))

/**
 * Requests all rows at once and relies on the socket for backpressure. With a row limit, PostgreSQL would not parallelize
 * the statement.
 */
export const execute = () => message('E', text(''), Buffer.alloc(4))

export const sync = () => message('S')

export const terminate = () => message('X')
