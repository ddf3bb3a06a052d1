/**
 * The messages of PostgreSQL's protocol that go to the server once a connection is made, and the letters of those
 * that come back. Statements have no name: a proxy between us and the server may give the next transaction to another
 * session, where a name would be left over.
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

/** A statement of ours; it may be several with semicolons between them, and has no parameters. */
export const query = (sql: string) => message('Q', text(sql))

/** Has the server read a statement of a person's; here it refuses more than one. */
export const parse = (sql: string) => message('P', text(''), text(sql), int16(0))

export const describeStatement = () => message('D', Buffer.from('S'), text(''))

/** Without parameters; every column as text. */
export const bind = () => message('B', text(''), text(''), int16(0), int16(0), int16(0))

/**
 * All rows at once: the socket holds the server back, not a limit of rows. With a limit, PostgreSQL would not run the
 * statement on several processors.
 */
export const execute = () => message('E', text(''), Buffer.alloc(4))

export const sync = () => message('S')

export const terminate = () => message('X')
